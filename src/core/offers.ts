import type { Labelled } from './labels.ts'
import type { CauseNo } from './outcomes.ts'

/** What a person may do about a settled call: ask for it anew, or find out what became of it. */
export type OfferedAction = 'try-again' | 'check'

/** What would help a request that cannot succeed as it is. */
export type Hint = 'ask-for-less' | 'add-detail'

/** What may be offered on a settled call, as far as its cause goes. */
export interface Offer {
  /** Null where trying again would only fail again: the hint says what helps. */
  readonly action: OfferedAction | null
  readonly hint?: Hint
  /** Worth one more try: not to be offered on what came of that try. */
  readonly once?: true
}

const TRY_AGAIN: Offer = { action: 'try-again' }
const CHECK: Offer = { action: 'check' }

const NOT_RUN = {
  'connection-lost': TRY_AGAIN,
  'ended-early': TRY_AGAIN,
  truncated: { action: 'try-again', hint: 'ask-for-less' },
  filtered: null,
  unparseable: { action: 'try-again', once: true },
  'invalid-arguments': { action: null, hint: 'add-detail' },
  'rejected-by-rule': null,
  'unknown-tool': null,
  'provider-error': TRY_AGAIN,
  'held-back': TRY_AGAIN,
  declined: null,
  'declined-by-policy': null,
  'approval-expired': null,
  withdrawn: null,
  'not-started': TRY_AGAIN,
  reloaded: TRY_AGAIN,
  unrecognised: null,
  cancelled: TRY_AGAIN,
} as const satisfies Record<CauseNo, Offer | null>

/** What may be offered on a call; null for one that is not settled, or where nothing would help. */
export function offerOf(call: Labelled): Offer | null {
  if (call.phase !== 'settled') return null
  switch (call.settled.ran) {
    case 'no':
      return NOT_RUN[call.settled.cause]
    case 'unknown':
      // Never another try, whatever the cause: it could run twice.
      return CHECK
    case 'yes':
      return null
    default:
      return call.settled satisfies never
  }
}
