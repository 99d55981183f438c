import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../src/clock.ts'
import { DEFAULT_DEADLINES, Deadlines } from '../src/deadlines.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

test('the defaults are those of the documentation', () => {
  expect(DEFAULT_DEADLINES).toEqual({
    idle: 10_000,
    idleEvents: 30_000,
    staleEvents: 60_000,
    run: 300_000,
    finish: 60_000,
    quiet: 300_000,
    handoff: 10_000,
    resume: 30_000,
  })
})

test('a deadline passes once, and not a millisecond early', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: number[] = []
  deadlines.set('a', 10_000, () => passed.push(clock.now()))
  clock.advance(9_999)
  expect(passed).toEqual([])
  clock.advance(600_000)
  expect(passed).toEqual([10_000])
})

test('a deadline that is cleared never passes, and clearing what is not there does nothing', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: string[] = []
  deadlines.set('a', 1_000, () => passed.push('a'))
  deadlines.set('control', 1_000, () => passed.push('control'))
  deadlines.clear('a')
  deadlines.clear('nobody')
  clock.advance(60_000)
  expect(passed).toEqual(['control'])
})

test('setting a deadline again replaces it, whether it then falls earlier or later', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: (readonly [string, number])[] = []
  deadlines.set('later', 1_000, () => passed.push(['first', clock.now()]))
  deadlines.set('later', 5_000, () => passed.push(['later', clock.now()]))
  deadlines.set('earlier', 5_000, () => passed.push(['first', clock.now()]))
  deadlines.set('earlier', 1_000, () => passed.push(['earlier', clock.now()]))
  clock.advance(60_000)
  expect(passed).toEqual([
    ['earlier', 1_000],
    ['later', 5_000],
  ])
})

test('a timer that fires more than a second late gives two seconds of grace', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: number[] = []
  deadlines.set('a', 10_000, () => passed.push(clock.now()))
  clock.sleep(11_001)
  expect(passed).toEqual([])
  clock.advance(1_999)
  expect(passed).toEqual([])
  clock.advance(1)
  expect(passed).toEqual([13_001])
})

test('a timer that fires a second late or less needs no grace', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: number[] = []
  deadlines.set('a', 10_000, () => passed.push(clock.now()))
  clock.sleep(11_000)
  expect(passed).toEqual([11_000])
})

test('there is one grace: a tab whose timers are always late still gets its answer', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: number[] = []
  deadlines.set('a', 10_000, () => passed.push(clock.now()))
  clock.sleep(60_000)
  expect(passed).toEqual([])
  clock.sleep(60_000)
  expect(passed).toEqual([120_000])
})

test('a deadline can be cleared or replaced while it is in its grace', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: (readonly [string, number])[] = []
  deadlines.set('cleared', 1_000, () => passed.push(['cleared', clock.now()]))
  deadlines.set('replaced', 1_000, () => passed.push(['first', clock.now()]))
  deadlines.set('control', 1_000, () => passed.push(['control', clock.now()]))
  clock.sleep(30_000)
  deadlines.clear('cleared')
  deadlines.set('replaced', 5_000, () => passed.push(['replaced', clock.now()]))
  clock.advance(60_000)
  expect(passed).toEqual([
    ['control', 32_000],
    ['replaced', 35_000],
  ])
})

test('a deadline may be set anew from its own callback', () => {
  const clock = createFakeClock()
  const deadlines = new Deadlines<string>(clock)
  const passed: number[] = []
  const again = (): void => {
    passed.push(clock.now())
    if (passed.length < 3) deadlines.set('a', 100, again)
  }
  deadlines.set('a', 100, again)
  clock.advance(1_000)
  expect(passed).toEqual([100, 200, 300])
})

test('an infinite deadline never passes: a timer of the machine would fire at once', () => {
  const delays: number[] = []
  const clock: Clock = {
    now: () => 0,
    after(delay) {
      delays.push(delay)
      return () => {}
    },
  }
  const deadlines = new Deadlines<string>(clock)
  deadlines.set('a', Number.POSITIVE_INFINITY, () => {})
  deadlines.set('control', 1_000, () => {})
  expect(delays).toEqual([1_000])
})

test('a deadline beyond the longest timer of the machine passes in its time', () => {
  const longest = 2 ** 31 - 1
  const clock = createFakeClock()
  const delays: number[] = []
  const deadlines = new Deadlines<string>({
    now: clock.now,
    after(delay, callback) {
      delays.push(delay)
      return clock.after(delay, callback)
    },
  })
  const passed: number[] = []
  deadlines.set('a', longest + 5_000, () => passed.push(clock.now()))
  clock.advance(longest + 4_999)
  expect(passed).toEqual([])
  clock.advance(1)
  expect(passed).toEqual([longest + 5_000])
  expect(Math.max(...delays)).toBeLessThanOrEqual(longest)
})

test('the clock of the machine can stop what it was asked for', async () => {
  const called: string[] = []
  const stop = systemClock.after(0, () => called.push('stopped'))
  stop()
  await new Promise<void>((resolve) => systemClock.after(0, resolve))
  expect(called).toEqual([])
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
})
