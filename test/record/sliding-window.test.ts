import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlidingWindow } from '../../src/record/sliding-window.ts'

const HOUR = 3_600_000

test('a window counts what came in it, right to one piece of ten seconds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(120_000), { maxLength: 60 }), fc.integer({ min: 1, max: HOUR }), (gaps, window) => {
      let now = 5_000
      const counted = new SlidingWindow<'a'>(() => now, HOUR)
      const times = gaps.map((gap) => {
        now += gap
        counted.add('a')
        return now
      })
      const count = counted.counts(window)('a')
      const surely = times.filter((time) => time > now - window).length
      const perhaps = times.filter((time) => time > now - window - 10_000).length
      expect(count).toBeGreaterThanOrEqual(surely)
      expect(count).toBeLessThanOrEqual(perhaps)
    }),
  )
})

test('a clock that is set back loses nothing, and goes on once it has caught up', () => {
  let now = HOUR
  const counted = new SlidingWindow<'a'>(() => now, HOUR)
  counted.add('a')
  now = 0
  counted.add('a')
  expect(counted.counts(60_000)('a')).toBe(2)
  now = HOUR + 60_000
  counted.add('a')
  expect(counted.counts(10_000)('a')).toBe(1)
})

test('a window that cannot be asked for is a mistake of the program', () => {
  const counted = new SlidingWindow<'a'>(() => 0, 1000)
  for (const window of [0, -1, Number.NaN, 1001])
    expect(() => counted.counts(window)).toThrow(/^honest-tool-calls: a window of /)
  expect(counted.counts(1000)('a')).toBe(0)
})
