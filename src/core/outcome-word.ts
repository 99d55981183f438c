import type { CauseNo, Settled } from './outcomes.ts'

/** What became of a settled call in one word, coarser than its cause. */
export type OutcomeWord =
  | 'dispatchable'
  | 'truncated'
  | 'unparseable'
  | 'abandoned'
  | 'schema-error'
  | 'cancelled'
  | 'completed'
  | 'failed'
  | 'unknown'

/** The word for a settled call. A sound call that its batch held back is `dispatchable`. */
export function outcomeWord(settled: Settled): OutcomeWord {
  switch (settled.ran) {
    case 'no':
      return NO_WORDS[settled.cause]
    case 'unknown':
      return 'unknown'
    case 'yes':
      return settled.cause === 'not-ok' || settled.cause === 'late-not-ok' ? 'failed' : 'completed'
    default:
      return settled satisfies never
  }
}

const NO_WORDS = {
  'connection-lost': 'abandoned',
  'ended-early': 'abandoned',
  truncated: 'truncated',
  filtered: 'truncated',
  unparseable: 'unparseable',
  'invalid-arguments': 'schema-error',
  'rejected-by-rule': 'abandoned',
  'unknown-tool': 'abandoned',
  'provider-error': 'abandoned',
  'held-back': 'dispatchable',
  declined: 'cancelled',
  'declined-by-policy': 'cancelled',
  'approval-expired': 'cancelled',
  withdrawn: 'abandoned',
  'not-started': 'abandoned',
  reloaded: 'abandoned',
  unrecognised: 'abandoned',
  cancelled: 'cancelled',
} as const satisfies Record<CauseNo, OutcomeWord>
