import type { Clock } from '../clock.ts'

/** A clock that moves only when it is told to. */
export interface FakeClock extends Clock {
  /** Moves on and calls back whatever falls due, in order. */
  advance(milliseconds: number): void
  /** Moves on as a sleeping laptop does: timers fire only at the end, late. */
  sleep(milliseconds: number): void
}

/** @param start what `now()` says at first; default 0 */
export function createFakeClock(start = 0): FakeClock {
  let now = start
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>()
  const next = (until: number) => [...timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0]
  const fireUntil = (until: number, setsClock: boolean): void => {
    for (let timer = next(until); timer !== undefined; timer = next(until)) {
      if (setsClock) now = Math.max(now, timer.due)
      timers.delete(timer)
      timer.callback()
    }
  }
  return {
    now: () => now,
    after(delay, callback) {
      const timer = { due: now + delay, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(milliseconds) {
      const until = now + milliseconds
      fireUntil(until, true)
      now = until
    },
    sleep(milliseconds) {
      now += milliseconds
      fireUntil(now, false)
    },
  }
}
