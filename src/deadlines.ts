import type { Clock } from './clock.ts'

/** How long each silence may last, in milliseconds. */
export interface DeadlineSettings {
  /** While a call is open, since the last byte. Default 10,000: above the worst legitimate gap, far below a request timeout. */
  readonly idle: number
  /** The same where only an SDK's events are seen, which drops pings. Default 30,000. */
  readonly idleEvents: number
  /** While a call is open: how old the last real event may get while pings still come. Default 60,000. */
  readonly staleEvents: number
  /** While a call of another executor was handed over or runs; also for one of ours that runs. Default 300,000. */
  readonly run: number
  /** While finished calls wait for the end of their message. Default 60,000. */
  readonly finish: number
  /** Otherwise: models think in silence, headers take their time. Default 300,000. */
  readonly quiet: number
  /** For a call of ours that is ready and that nobody takes, from the end of its stream; and for checks that do not come back. Default 10,000. */
  readonly handoff: number
  /** How long a lost stream may take to resume. Default 30,000. */
  readonly resume: number
}

export const DEFAULT_DEADLINES: DeadlineSettings = {
  idle: 10_000,
  idleEvents: 30_000,
  staleEvents: 60_000,
  run: 300_000,
  finish: 60_000,
  quiet: 300_000,
  handoff: 10_000,
  resume: 30_000,
}

// A timer this late slept, with its tab or its laptop: what arrived meanwhile gets a moment to be read.
const LATE = 1_000
const GRACE = 2_000
// The machine's timers count in 32 bits; a longer delay, or an infinite one, would fire at once.
const LONGEST = 2 ** 31 - 1

/** The only owner of timers. One deadline per owner; setting it again replaces it. */
export class Deadlines<Owner> {
  readonly #clock: Clock
  readonly #stops = new Map<Owner, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls back once `delay` milliseconds from now; after a grace if the timer itself was late. Never, if that is infinite. */
  set(owner: Owner, delay: number, passed: () => void): void {
    this.clear(owner)
    const due = this.#clock.now() + delay
    const conclude = (): void => {
      this.#stops.delete(owner)
      passed()
    }
    const fire = (): void => {
      if (this.#clock.now() - due <= LATE) conclude()
      else this.#stops.set(owner, this.#clock.after(GRACE, conclude))
    }
    const wait = (rest: number): void => {
      const then = rest > LONGEST ? () => wait(rest - LONGEST) : fire
      this.#stops.set(owner, this.#clock.after(Math.min(rest, LONGEST), then))
    }
    if (delay !== Number.POSITIVE_INFINITY) wait(delay)
  }

  clear(owner: Owner): void {
    this.#stops.get(owner)?.()
    this.#stops.delete(owner)
  }
}
