import type { Clock } from './clock.ts'
import type { Call } from './core/call.ts'
import type { DeadlineSettings, Deadlines } from './deadlines.ts'
import { GapMeter, type Gaps } from './gaps.ts'

/** What is seen of a stream: bytes, pings and comments included, or only an SDK's events. */
export type Liveness = 'bytes' | 'events'

/** Which silence deadline holds; `person`: none, as people take their time. */
export type SilenceRule = 'idle' | 'run' | 'person' | 'finish' | 'quiet'

/** The one silence deadline that holds over these calls: the first that fits. */
export function silenceRule(calls: Iterable<Call>): SilenceRule {
  let rule: SilenceRule = 'quiet'
  for (const call of calls) {
    const one = ruleOf(call)
    if (ORDER[one] < ORDER[rule]) rule = one
  }
  return rule
}

const ORDER = { idle: 0, run: 1, person: 2, finish: 3, quiet: 4 } as const satisfies Record<SilenceRule, number>

function ruleOf(call: Call): SilenceRule {
  switch (call.state.phase) {
    case 'preparing':
      return 'idle'
    case 'sent':
    case 'running':
      return call.executor === 'local' ? 'quiet' : 'run'
    case 'asking':
      return 'person'
    case 'finished':
      return 'finish'
    case 'validating':
    case 'correcting':
    case 'ready':
    case 'resuming':
    case 'settled':
      return 'quiet'
    default:
      return call.state satisfies never
  }
}

/** Listens to one stream and tells when its silence has lasted too long. */
export class SilenceWatch {
  readonly #deadlines: Deadlines<unknown>
  readonly #settings: DeadlineSettings
  readonly #clock: Clock
  readonly #passed: (rule: SilenceRule) => void
  readonly #gaps = new GapMeter()
  liveness: Liveness
  #rule: SilenceRule = 'quiet'
  #since: number
  #lastByte: number
  #lastEvent: number

  constructor(
    clock: Clock,
    deadlines: Deadlines<unknown>,
    settings: DeadlineSettings,
    liveness: Liveness,
    passed: (rule: SilenceRule) => void,
  ) {
    this.#clock = clock
    this.#deadlines = deadlines
    this.#settings = settings
    this.liveness = liveness
    this.#passed = passed
    this.#since = this.#lastByte = this.#lastEvent = clock.now()
    this.#arm()
  }

  /** Something came: bytes, a ping, a comment. Returns when. */
  touch(): number {
    const now = this.#clock.now()
    this.#hear(now)
    return now
  }

  /** A real event came. Its time is given where it was read already: reading a clock costs more than a fragment. */
  event(at: number = this.#clock.now()): void {
    this.#hear(at)
    this.#lastEvent = at
  }

  #hear(at: number): void {
    this.#gaps.add(at - this.#lastByte)
    this.#lastByte = at
  }

  /** The calls may have moved: another deadline may hold. */
  follow(rule: SilenceRule): void {
    if (rule === this.#rule) return
    this.#rule = rule
    this.#since = this.#clock.now()
    this.#arm()
  }

  stop(): void {
    this.#deadlines.clear(this)
  }

  gaps(): Gaps {
    return this.#gaps.read()
  }

  // Bytes do not move the timer: when it fires it looks at what came meanwhile and sleeps for the rest.
  #arm(): void {
    const due = this.#due()
    if (due === null) return this.#deadlines.clear(this)
    this.#deadlines.set(this, Math.max(0, due - this.#clock.now()), () => {
      const now = this.#due()
      if (now !== null && now > this.#clock.now()) this.#arm()
      else if (now !== null) this.#passed(this.#rule)
    })
  }

  #due(): number | null {
    const heard = Math.max(this.#since, this.#lastByte)
    switch (this.#rule) {
      case 'idle': {
        const { idle, idleEvents, staleEvents } = this.#settings
        const silent = heard + (this.liveness === 'bytes' ? idle : idleEvents)
        return Math.min(silent, Math.max(this.#since, this.#lastEvent) + staleEvents)
      }
      case 'person':
        return null
      case 'run':
      case 'finish':
      case 'quiet':
        return heard + this.#settings[this.#rule]
      default:
        return this.#rule satisfies never
    }
  }
}
