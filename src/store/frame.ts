import type { Clock } from '../clock.ts'

/** Calls back before the next paint; returns what takes it back. Injected, as there is none in Node. */
export type Frame = (callback: () => void) => () => void

/** The browser's frames; in a process without any, about as often by the clock. */
export function frameOf(clock: Clock): Frame {
  return (callback) => {
    if (typeof requestAnimationFrame !== 'function') return clock.after(16, callback)
    const handle = requestAnimationFrame(callback)
    return () => cancelAnimationFrame(handle)
  }
}
