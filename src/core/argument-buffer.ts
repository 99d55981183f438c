import type { Json } from './json.ts'
import { setLeaf } from './leaves.ts'
import { sameJson } from './strict-json.ts'

/** How many characters of a buffer a preview may read. */
export const HEAD_LENGTH = 4096

/** How many characters are gathered before they are joined into one piece. */
const TAIL_LENGTH = 1024

/**
 * The argument text of one call as it came, and nothing read into it.
 * Appending is constant in time: nobody reads `text` while it grows, and previews read `head`, which is appended until
 * it is full and then left alone.
 */
export class ArgumentBuffer {
  /** The first characters of `text`. */
  head = ''
  /** How many fragments came. */
  fragments = 0
  /** The whole value, where the wire gave one; undefined otherwise. */
  value: Json | undefined = undefined
  /** True once a snapshot contradicted what came before it: nothing here can be believed. */
  conflicting = false
  /** True while the last leaf is a string that goes on. */
  leafContinues = false
  #madeOfLeaves = false
  #text = ''
  #tail = ''

  /** The fragments joined, or the last text snapshot. */
  get text(): string {
    this.#joinTail()
    return this.#text
  }

  append(fragment: string): void {
    this.fragments++
    this.#tail += fragment
    if (this.#tail.length >= TAIL_LENGTH) this.#joinTail()
    if (this.head.length < HEAD_LENGTH) this.head += fragment.slice(0, HEAD_LENGTH - this.head.length)
  }

  // Engines keep joined strings as a rope, with a node for each join: for a megabyte of fragments of four characters
  // that is eight megabytes of nodes. Reading a character makes one piece of the tail, so that only that is kept.
  #joinTail(): void {
    if (this.#tail === '') return
    this.#tail.charCodeAt(0)
    this.#text += this.#tail
    this.#tail = ''
  }

  /** Takes the text as it should be by now. Believed only if it goes on from what is here. */
  replaceText(text: string): void {
    if (this.conflicting || text === this.text) return
    if (!text.startsWith(this.text)) {
      this.conflicting = true
      return
    }
    this.#text = text
    this.head = text.slice(0, HEAD_LENGTH)
  }

  /** Takes the whole value. Believed only if no other value came before it. */
  replaceValue(value: Json): void {
    if (this.value !== undefined && !sameJson(this.value, value)) {
      this.conflicting = true
      return
    }
    this.value = value
    this.leafContinues = false
    this.#madeOfLeaves = false
  }

  /** Takes one leaf of the value. Believed only if it fits what is here. */
  setLeaf(path: readonly (string | number)[], leaf: Json, continues: boolean): void {
    this.fragments++
    // What came as a whole has no leaf to come, and it is not ours to write to.
    const isOurs = this.value === undefined || this.#madeOfLeaves
    const value = isOurs ? setLeaf(this.value, path, leaf, this.leafContinues) : undefined
    this.leafContinues = continues
    if (value === undefined) {
      this.conflicting = true
      return
    }
    this.value = value
    this.#madeOfLeaves = true
  }

  get isEmpty(): boolean {
    // Blank as JSON has it: a no-break space is text.
    return this.value === undefined && /^[ \t\n\r]*$/.test(this.text)
  }

  /** How much came, in UTF-16 units: of text, as values have no length on the wire. */
  get received(): number {
    return this.#text.length + this.#tail.length
  }

  /** Starts anew: a replay began, or the call is settled and nobody needs the text any more. */
  clear(): void {
    this.#text = ''
    this.#tail = ''
    this.head = ''
    this.fragments = 0
    this.value = undefined
    this.conflicting = false
    this.leafContinues = false
    this.#madeOfLeaves = false
  }
}
