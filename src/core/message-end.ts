import type { StopReason } from './events.ts'
import type { CauseNo, CauseUnknown, FailureReason } from './outcomes.ts'

/** What the model said when it stopped a message. */
export interface MessageEnd {
  /** `null`: the wire's own end marker came without a reason. */
  readonly reason: StopReason | null
  /** The wire's own word, for records. */
  readonly rawReason?: string | undefined
  /** True on wires that have no completion per call: the end finishes what is open. */
  readonly finishesOpenCalls: boolean
}

/** What a stop reason other than a natural one says of a call. */
export interface StopVerdict {
  readonly failure: FailureReason
  readonly cause: CauseNo
  readonly detail: string
  /** The cause where it is not known whether the call ran. */
  readonly unknownCause: CauseUnknown
}

const STOPS = {
  length: { failure: 'truncated', cause: 'truncated', detail: 'max-tokens', unknownCause: 'truncated' },
  filter: { failure: 'truncated', cause: 'filtered', detail: 'content-filter', unknownCause: 'filtered' },
  malformed: { failure: 'unparseable', cause: 'unparseable', detail: 'malformed', unknownCause: 'unrecognised' },
  error: { failure: 'abandoned', cause: 'provider-error', detail: 'stop-reason', unknownCause: 'provider-error' },
  paused: { failure: 'abandoned', cause: 'unrecognised', detail: 'paused', unknownCause: 'no-result' },
  cancelled: { failure: 'abandoned', cause: 'cancelled', detail: 'stop-reason', unknownCause: 'cancelled' },
  unknown: { failure: 'abandoned', cause: 'unrecognised', detail: 'stop-reason', unknownCause: 'unrecognised' },
} as const satisfies Record<Exclude<StopReason, 'natural'>, StopVerdict>

// Words of the wires that say more than the normalised reason.
const FINER: Readonly<Record<string, string>> = {
  model_context_window_exceeded: 'context-window',
  refusal: 'refusal',
}

/** What the end of a message says of its calls, or null after a natural end. */
export function stopVerdict(end: MessageEnd): StopVerdict | null {
  if (end.reason === null || end.reason === 'natural') return null
  const verdict = STOPS[end.reason]
  const finer = end.rawReason !== undefined && Object.hasOwn(FINER, end.rawReason) ? FINER[end.rawReason] : undefined
  return finer === undefined ? verdict : { ...verdict, detail: finer }
}
