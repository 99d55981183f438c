import type { OutcomeWord } from '../core/outcome-word.ts'
import type { Settled } from '../core/outcomes.ts'
import type { CallRecord } from './call-record.ts'
import { SlidingWindow } from './sliding-window.ts'

/** Totals since the recorder was made. They only grow. */
export interface Counters {
  readonly announced: number
  /** How calls settled at first, a row for each combination that came up. */
  readonly outcomes: readonly OutcomeCount[]
  /** How often a "not run" had to be withdrawn. */
  readonly contradictedLabels: number
  /** Records that were revised. */
  readonly revised: number
  /** Revisions of calls whose record was no longer kept. */
  readonly missedRevisions: number
}

export interface OutcomeCount {
  readonly outcome: OutcomeWord
  readonly cause: Settled['cause']
  /** A declared name, or `(undeclared)` for all others: models make up names without end. */
  readonly tool: string
  readonly count: number
}

/** How many of the calls of a window came to nothing by no decision of anybody's. */
export interface Ratio {
  /** `lost / announced`; null where nothing was announced. */
  readonly ratio: number | null
  /** `abandoned + unparseable`. */
  readonly lost: number
  readonly announced: number
  /** Without the cancelled. */
  readonly abandoned: number
  readonly unparseable: number
  /** Not part of the ratio: a limit that is too low is the host's own. */
  readonly truncated: number
  /** Not part of the ratio: whether they ran, nobody here knows. */
  readonly unknown: number
}

/** The word under which every tool is counted that nobody declared. */
const UNDECLARED = '(undeclared)'

/** Counts calls, in total and over a sliding window. */
export class CallCounts {
  readonly #outcomes = new Map<string, { -readonly [Member in keyof OutcomeCount]: OutcomeCount[Member] }>()
  readonly #window: SlidingWindow<OutcomeWord | 'announced'>
  #announced = 0
  contradictedLabels = 0
  revised = 0
  missedRevisions = 0

  constructor(now: () => number, longestWindow: number) {
    this.#window = new SlidingWindow(now, longestWindow)
  }

  announced(): void {
    this.#announced++
    this.#window.add('announced')
  }

  settled({ outcome, cause, known, tool: name }: CallRecord): void {
    this.#window.add(outcome)
    const tool = known && name !== null ? name : UNDECLARED
    const key = `${outcome} ${cause} ${tool}`
    const row = this.#outcomes.get(key)
    if (row === undefined) this.#outcomes.set(key, { outcome, cause, tool, count: 1 })
    else row.count++
  }

  read(): Counters {
    return {
      announced: this.#announced,
      outcomes: [...this.#outcomes.values()].map((row) => ({ ...row })),
      contradictedLabels: this.contradictedLabels,
      revised: this.revised,
      missedRevisions: this.missedRevisions,
    }
  }

  ratio(window: number): Ratio {
    const count = this.#window.counts(window)
    const announced = count('announced')
    const abandoned = count('abandoned')
    const unparseable = count('unparseable')
    const lost = abandoned + unparseable
    return {
      ratio: announced === 0 ? null : lost / announced,
      lost,
      announced,
      abandoned,
      unparseable,
      truncated: count('truncated'),
      unknown: count('unknown'),
    }
  }
}
