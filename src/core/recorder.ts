import type { Ending } from './events.ts'
import type { MessageEnd } from './message-end.ts'
import type { Outcome, Settled } from './outcomes.ts'
import type { Executor } from './tools.ts'

/** One call the moment it is settled: all that a record can be made from. Its text is gone afterwards. */
export interface SettledCall {
  readonly turnId: string
  /** Unique in its turn. */
  readonly key: string
  readonly scope?: string | undefined
  readonly messageId?: string | undefined
  /** The wire's id, or a minted one. */
  readonly callId: string
  /** As the wire gave it: not fit to be shown. */
  readonly name: string | null
  /** Whether the host declared a tool of this name. */
  readonly known: boolean
  /** The top-level members that may not be kept. */
  readonly sensitive: readonly string[]
  readonly executor: Executor
  readonly encoding: 'json' | 'text'
  readonly settled: Settled
  /** What finalising made of it; null for calls that others run. */
  readonly outcome: Outcome | null
  /** 1 for a call as first made, one more for each correction that it is. */
  readonly attempt: number
  /** How many fragments came. */
  readonly fragments: number
  /** The argument text as it came; JSON of it where a wire gives values; `''` where there is nothing. */
  readonly raw: string
  /** How its message ended; null while it is open. */
  readonly end: MessageEnd | null
  /** How its turn's last stream ended; null while the first is open. */
  readonly ending: Ending | null
  /** The silences of its stream so far, in milliseconds. */
  readonly gaps?:
    | { readonly count: number; readonly p50: number; readonly p99: number; readonly max: number }
    | undefined
  /** What the host calls the request: for traces. */
  readonly requestId?: string | undefined
  /** Milliseconds, by the store's clock. */
  readonly announcedAt: number
  readonly settledAt: number
}

/** Told by a store what becomes of calls. What it throws is reported and disturbs nothing. */
export interface Recorder {
  announced(call: Pick<SettledCall, 'turnId' | 'key' | 'name' | 'known' | 'executor'>): void
  /** Once per call. */
  settled(call: SettledCall): void
  /** A settled call is known better; `raw` is `''` by now. */
  revised(call: SettledCall): void
  /** A "not run" had to be withdrawn. */
  contradicted(call: Pick<SettledCall, 'turnId' | 'key'>): void
}
