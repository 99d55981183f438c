import type { Ending } from '../core/events.ts'
import { stopVerdict } from '../core/message-end.ts'
import type { CauseNo, CauseUnknown, Outcome } from '../core/outcomes.ts'
import type { StreamSummary, SummarisedCall } from '../store/summary.ts'
import { type Recovery, recoveryFor } from './recovery.ts'

/** What keeps a generation from being answered: nothing may be sent back that did not arrive whole. */
export function failureOf(
  { ending, end }: StreamSummary,
  calls: readonly SummarisedCall[],
): { readonly cause: CauseNo | CauseUnknown; readonly recovery: Recovery } | null {
  const broken = calls.map(({ outcome }) => outcome).find(isBroken)
  const stopped = end === null ? null : stopVerdict(end)
  // What becomes of the connection behind the end of the message takes nothing away from its calls; a stop does.
  const isWhole = ending.type === 'lost' && end !== null && calls.length > 0
  const cause = stopped?.cause ?? broken?.cause ?? (isWhole ? null : causeOf(ending))
  return cause === null ? null : { cause, recovery: recoveryFor({ ran: 'no', cause }) }
}

type Broken = Extract<Outcome, { type: 'failed' }>

/** Whether a call did not arrive whole. One that did, and was then declined or never begun, is answered like any other. */
function isBroken(outcome: Outcome | null): outcome is Broken {
  return outcome?.type === 'failed' && !DECIDED.includes(outcome.cause)
}

const DECIDED: readonly CauseNo[] = ['declined', 'declined-by-policy', 'approval-expired', 'not-started']

function causeOf(ending: Ending): CauseNo | null {
  switch (ending.type) {
    case 'complete':
      return null
    case 'cancelled':
      return 'cancelled'
    case 'lost':
      return ending.how === 'idle' ? 'connection-lost' : ending.how
    default:
      return ending satisfies never
  }
}
