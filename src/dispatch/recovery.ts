import type { Outcome, Settled } from '../core/outcomes.ts'

/**
 * What is safe to do about an outcome.
 * - `correct`: send the schema's complaint back to the model; nothing was run
 * - `regenerate`: ask for the whole generation again, as long as nothing of it was dispatched
 * - `query-first`: it may have run; find out before anything is repeated
 * - `report`: tell the model, and the person, how it is; asking again unchanged would give the same
 * - `stop`: somebody decided that it should not go on
 */
export type Recovery = 'correct' | 'regenerate' | 'query-first' | 'report' | 'stop'

/** What is safe to do about what became of a call: what finalising made of it, or how it settled. */
export function recoveryFor(outcome: Outcome | Settled): Recovery {
  if ('ran' in outcome) return forSettled(outcome)
  switch (outcome.type) {
    case 'dispatchable':
      return 'report'
    case 'schema-error':
      return 'correct'
    case 'failed':
      return forSettled({ ran: 'no', cause: outcome.cause })
    default:
      return outcome satisfies never
  }
}

function forSettled(settled: Settled): Recovery {
  if (settled.ran === 'yes') return 'report'
  if (settled.ran === 'unknown') return 'query-first'
  return BY_CAUSE[settled.cause]
}

const BY_CAUSE = {
  'connection-lost': 'regenerate',
  'ended-early': 'regenerate',
  truncated: 'regenerate',
  unparseable: 'regenerate',
  'provider-error': 'regenerate',
  'invalid-arguments': 'correct',
  'rejected-by-rule': 'report',
  'unknown-tool': 'report',
  'held-back': 'report',
  'not-started': 'report',
  withdrawn: 'report',
  unrecognised: 'report',
  reloaded: 'report',
  filtered: 'stop',
  declined: 'stop',
  'declined-by-policy': 'stop',
  'approval-expired': 'stop',
  cancelled: 'stop',
} as const satisfies Record<Extract<Settled, { ran: 'no' }>['cause'], Recovery>
