/** The silences a stream was heard to keep, in milliseconds: what a deadline should be sized from. */
export interface Gaps {
  readonly count: number
  /** Half of the gaps were at most this long; right to about 5 %. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const PER_OCTAVE = 8

/** Counts gaps in logarithmic buckets, so that a stream of any length costs the same. */
export class GapMeter {
  readonly #buckets: number[] = []
  #count = 0
  #max = 0

  add(gap: number): void {
    // What arrives in one read is one arrival.
    if (gap <= 0) return
    const bucket = Math.floor(Math.log2(gap + 1) * PER_OCTAVE)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.#count++
    if (gap > this.#max) this.#max = gap
  }

  read(): Gaps {
    return { count: this.#count, p50: this.#quantile(0.5), p99: this.#quantile(0.99), max: this.#max }
  }

  #quantile(share: number): number {
    let left = Math.ceil(this.#count * share)
    if (left === 0) return 0
    for (const [bucket, count = 0] of this.#buckets.entries()) {
      left -= count
      if (left <= 0) return Math.min(this.#max, Math.round(2 ** ((bucket + 0.5) / PER_OCTAVE) - 1))
    }
    return this.#max
  }
}
