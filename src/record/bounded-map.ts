/** A map that forgets what came first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#limit) return
    for (const first of this.#entries.keys()) {
      this.#entries.delete(first)
      break
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }
}
