/** How many pieces a window is counted in. */
const BUCKETS = 360

/** Counts of words over the time just past, in pieces of it, so that any number of events costs the same. */
export class SlidingWindow<Word extends string> {
  readonly #now: () => number
  readonly #longest: number
  readonly #width: number
  readonly #buckets: { readonly place: number; readonly counts: Map<Word, number> }[] = []

  /** @param longest the longest window that can be asked for, in milliseconds */
  constructor(now: () => number, longest: number) {
    this.#now = now
    this.#longest = longest
    this.#width = Math.ceil(longest / BUCKETS)
  }

  add(word: Word): void {
    const place = this.#place()
    let last = this.#buckets.at(-1)
    if (last?.place !== place) {
      last = { place, counts: new Map() }
      this.#buckets.push(last)
      // One more than a window spans, as it seldom begins where a bucket does.
      while ((this.#buckets[0]?.place ?? place) < place - BUCKETS) this.#buckets.shift()
    }
    last.counts.set(word, (last.counts.get(word) ?? 0) + 1)
  }

  /** How often each word came in the last `window` milliseconds; the piece in which that begins counts whole. */
  counts(window: number): (word: Word) => number {
    if (!(window > 0 && window <= this.#longest)) {
      throw new RangeError(
        `honest-tool-calls: a window of ${window} ms cannot be asked for: counts are kept for ${this.#longest} ms. Ask for less, or set \`longestWindow\`.`,
      )
    }
    const first = Math.floor((this.#time() - window) / this.#width)
    const within = this.#buckets.filter(({ place }) => place >= first)
    return (word) => within.reduce((sum, { counts }) => sum + (counts.get(word) ?? 0), 0)
  }

  #place(): number {
    return Math.floor(this.#time() / this.#width)
  }

  /** Never before the last event: clocks are set back. */
  #time(): number {
    return Math.max(this.#now(), (this.#buckets.at(-1)?.place ?? 0) * this.#width)
  }
}
