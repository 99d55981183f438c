import { expect, test } from 'vitest'
import { GapMeter } from '../src/gaps.ts'

test('a stream without a pause has no gaps', () => {
  expect(new GapMeter().read()).toEqual({ count: 0, p50: 0, p99: 0, max: 0 })
})

test('what arrives in one read, or while the clock was set back, is no gap', () => {
  const meter = new GapMeter()
  meter.add(0)
  meter.add(-3_600_000)
  meter.add(7)
  expect(meter.read()).toMatchObject({ count: 1, max: 7 })
})

test('quantiles are right to about 5 %, and the longest gap is exact', () => {
  const meter = new GapMeter()
  for (let gap = 1; gap <= 10_000; gap++) meter.add(gap)
  const { count, p50, p99, max } = meter.read()
  expect(count).toBe(10_000)
  expect(Math.abs(p50 - 5_000) / 5_000).toBeLessThan(0.05)
  expect(Math.abs(p99 - 9_900) / 9_900).toBeLessThan(0.05)
  expect(max).toBe(10_000)
})

test('short gaps are told apart', () => {
  const meter = new GapMeter()
  for (let count = 0; count < 98; count++) meter.add(1)
  meter.add(2)
  meter.add(1_200)
  expect(meter.read()).toEqual({ count: 100, p50: 1, p99: 2, max: 1_200 })
})

test('no quantile is above the longest gap', () => {
  const above = Array.from({ length: 5_000 }, (_, index) => index + 1).filter((gap) => {
    const meter = new GapMeter()
    meter.add(gap)
    const { p50, p99, max } = meter.read()
    return max !== gap || p50 > gap || p99 > gap
  })
  expect(above).toEqual([])
})
