/** Time, injected, so that silence can be played in a test and a replay. */
export interface Clock {
  /** Milliseconds; wall time, as a sleeping laptop must not make a silence look short. */
  now(): number
  /** Calls back once after `delay` milliseconds; returns what stops it. */
  after(delay: number, callback: () => void): () => void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}
