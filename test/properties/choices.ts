import fc from 'fast-check'

/**
 * Decisions drawn one after the other from a list of numbers, so that fast-check can shrink a whole world to its
 * smallest. When the list is used up every decision is the first, and tamest, of its kind.
 */
export class Choices {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** From 0 up to, but without, `count`. */
  below(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % count
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0]
  }

  /** True once in `rarity` times. */
  rarely(rarity: number): boolean {
    return this.below(rarity) === rarity - 1
  }
}

export const decisions: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(255), { maxLength: 200, size: 'max' })
