import { type Batch, type Call, type CallState, endedNaturally, RANK } from './call.ts'
import { isHandedOver, settledByEnding } from './ending.ts'
import type { Ending } from './events.ts'
import { type Evidence, reconsider, reportEvidence, resultEvidence } from './evidence.ts'
import { isWhole } from './finalize.ts'
import type { CauseNo, Settled } from './outcomes.ts'
import type { Report } from './report.ts'

/** Whose word it is: what a stream carried, or what this process's own host said. */
export type Source = 'wire' | 'host'

/** Who answers an approval: a person, a rule, or a clock. */
export type Refuser = 'person' | 'policy' | 'expiry'

/** Everything that can happen to one call; stream events and the kit's own. */
export type CallInput =
  | { readonly type: 'finished' }
  | { readonly type: 'approval-requested' }
  | {
      readonly type: 'approval-answered'
      readonly granted: boolean
      readonly by: Refuser
      readonly source: Source
    }
  | { readonly type: 'dispatched'; readonly source: Source }
  | { readonly type: 'progressed' }
  | { readonly type: 'returned'; readonly ok: boolean }
  | { readonly type: 'reported'; readonly report: Report; readonly source: Source }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'message-ended' }
  | { readonly type: 'judged'; readonly batch: Batch }
  /** No correction comes: the next message had none, its stream ended, or the host asks for no more. */
  | { readonly type: 'uncorrected'; readonly ending: Ending | null }
  | { readonly type: 'stream-ended'; readonly ending: Ending; readonly resumable: boolean }
  | { readonly type: 'resumed' }
  | { readonly type: 'deadline-passed'; readonly deadline: 'handoff' | 'run' | 'resume' }
  | { readonly type: 'cancelled'; readonly by: 'user' | 'host' }
  | { readonly type: 'reloaded' }

export const CALL_INPUT_TYPES = [
  'finished',
  'approval-requested',
  'approval-answered',
  'dispatched',
  'progressed',
  'returned',
  'reported',
  'withdrawn',
  'message-ended',
  'judged',
  'uncorrected',
  'stream-ended',
  'resumed',
  'deadline-passed',
  'cancelled',
  'reloaded',
] as const satisfies readonly CallInput['type'][]

/** Where a call goes, and whether that withdraws a wrong "not run". */
export interface Transition {
  readonly state: CallState
  readonly contradicts: boolean
}

/**
 * The one place where a call changes its phase. Pure: it reads the call, with what the ledger has noted of the input
 * already in it, and returns the next state; the same state object means that nothing changes.
 */
export function transition(call: Call, input: CallInput): Transition {
  if (call.state.phase === 'settled') return afterSettled(call.state, input, call)
  return { state: next(call, input, call.state), contradicts: false }
}

function next(call: Call, input: CallInput, state: Exclude<CallState, { phase: 'settled' }>): CallState {
  const local = call.executor === 'local'
  switch (input.type) {
    case 'finished':
      if (state.phase !== 'preparing') return state
      if (call.finished === 'rejected') return inferred({ ran: 'no', cause: 'invalid-arguments', detail: 'rejected' })
      return call.approval === 'pending' ? { phase: 'asking' } : afterFinish(call)
    case 'approval-requested':
      // While fragments still come there is nothing to decide on: it is asked once the call is finished.
      return ASKED_LATER.includes(state.phase) ? state : { phase: 'asking' }
    case 'approval-answered':
      // A refusal that comes when the tool has begun stops nobody.
      if (!input.granted) return hasBegun(call) ? state : inferred({ ran: 'no', cause: REFUSALS[input.by] })
      if (state.phase !== 'asking') return state
      // A wire cannot release a call of ours: what was granted here must be what was asked here.
      return local && input.source === 'wire' ? state : granted(call)
    case 'dispatched':
      return input.source === 'wire' ? (local ? state : { phase: 'running' }) : taken(call, state)
    case 'progressed':
      return local ? state : { phase: 'running' }
    case 'returned':
      return evident(resultOf(call, input.ok))
    case 'reported':
      return local && input.source === 'wire' ? state : evident(reportEvidence(input.report))
    case 'withdrawn':
      return inferred(withdrawn(call))
    case 'message-ended':
      return messageEnded(call, state)
    case 'judged':
      return judged(call, state, input.batch)
    case 'uncorrected':
      return state.phase === 'correcting' ? uncorrected(call, input.ending) : state
    case 'stream-ended':
      if (outlivesStream(call, state, input.ending)) return state
      if (!input.resumable) return inferred(settledByEnding(standing(call), input.ending))
      return { phase: 'resuming', before: standing(call).state, ending: input.ending }
    case 'resumed':
      return state.phase === 'resuming' ? resumed(call, state.before) : state
    case 'deadline-passed':
      return deadlinePassed(call, state, input.deadline)
    case 'cancelled':
      if (state.phase === 'resuming') return inferred(settledByEnding(standing(call), cancelledBy(input.by)))
      return local && state.phase !== 'running' ? inferred({ ran: 'no', cause: 'cancelled', detail: input.by }) : state
    case 'reloaded':
      return reloaded(call, state)
    default:
      return input satisfies never
  }
}

const ASKED_LATER: readonly CallState['phase'][] = ['preparing', 'correcting', 'running', 'resuming']

/** A host that asks whether it may run a call may do so once, and only when all of it is there and nobody is still asked. */
function taken(call: Call, state: CallState): CallState {
  const free =
    call.executor === 'local' ? state.phase === 'ready' : state.phase === 'finished' || state.phase === 'sent'
  return free && !call.dispatched ? { phase: 'running' } : state
}

function granted(call: Call): CallState {
  if (call.executor !== 'local') return { phase: 'sent' }
  return { phase: call.message.end === null ? 'finished' : 'validating' }
}

/** Where a call goes on; an answer may have come while its stream was away. */
function resumed(call: Call, before: CallState): CallState {
  return before.phase === 'asking' && call.approval === 'granted' ? granted(call) : before
}

function afterFinish(call: Call): CallState {
  return call.executor === 'local' || call.finished === 'incomplete' ? { phase: 'finished' } : { phase: 'sent' }
}

function messageEnded(call: Call, state: CallState): CallState {
  if (call.executor === 'local') {
    // `sent`: its name, and with it its executor, became known only after it was finished.
    const open = state.phase === 'preparing' || state.phase === 'finished' || state.phase === 'sent'
    return open ? { phase: 'validating' } : state
  }
  if (state.phase !== 'preparing' || !isHandedOver(call)) return state
  return call.approval === 'pending' ? { phase: 'asking' } : { phase: 'sent' }
}

function judged(call: Call, state: CallState, batch: Batch): CallState {
  const { verdict } = call
  if (verdict === null || (state.phase !== 'validating' && state.phase !== 'asking')) return state
  // Whether its batch can be corrected shows once all are judged.
  if (batch === 'open' && call.message.correctable) return state
  const isKept = verdict.passed || verdict.outcome.type === 'schema-error'
  if (batch === 'correctable' && isKept) return { phase: 'correcting' }
  if (!verdict.passed) return inferred(verdict.settled)
  if (batch === 'damaged') return inferred({ ran: 'no', cause: 'held-back' })
  if (batch === 'open') return state
  return call.approval === 'pending' ? { phase: 'asking' } : { phase: 'ready', args: verdict.outcome.args }
}

/** What the gate said stands; unless the correction broke off, which is what the user should know then. */
function uncorrected(call: Call, ending: Ending | null): CallState {
  if (ending !== null && ending.type !== 'complete') return inferred(settledByEnding(call, ending))
  return inferred(call.verdict?.passed === false ? call.verdict.settled : { ran: 'no', cause: 'held-back' })
}

/** The call as it stood before its stream was lost. */
function standing(call: Call): Call {
  return call.state.phase === 'resuming' ? { ...call, state: call.state.before } : call
}

function outlivesStream(call: Call, state: CallState, ending: Ending): boolean {
  switch (state.phase) {
    case 'preparing':
    case 'finished':
    case 'resuming':
      return false
    case 'validating':
    case 'ready':
    case 'correcting':
      return true
    case 'asking':
      // Without a natural end of its message no answer could release a call of ours.
      if (call.executor === 'local') return endedNaturally(call)
      return ending.type === 'complete' || call.executor === 'server'
    case 'sent':
      // Somebody else in this process was handed it in good order, and this process goes on.
      return call.executor === 'host' && ending.type === 'complete' && endedNaturally(call)
    case 'running':
      return call.executor === 'local' || call.executor === 'host'
    case 'settled':
      return true
    default:
      return state satisfies never
  }
}

const NEVER_STARTED: Settled = { ran: 'no', cause: 'not-started' }

function deadlinePassed(call: Call, state: CallState, deadline: 'handoff' | 'run' | 'resume'): CallState {
  switch (deadline) {
    case 'handoff':
      if (state.phase === 'correcting') return uncorrected(call, null)
      return state.phase === 'ready' || state.phase === 'validating' ? inferred(NEVER_STARTED) : state
    case 'run':
      if (state.phase === 'running') return inferred({ ran: 'unknown', cause: 'timed-out' })
      if (state.phase !== 'sent') return state
      return inferred(call.executor === 'local' ? NEVER_STARTED : { ran: 'unknown', cause: 'no-result' })
    case 'resume':
      return state.phase === 'resuming' ? inferred(settledByEnding(standing(call), state.ending)) : state
    default:
      return deadline satisfies never
  }
}

/** Truth rule 13: the page that had these calls is gone, and its arguments with it. */
function reloaded(call: Call, state: CallState): CallState {
  if (call.executor === 'local') return inferred({ ran: call.dispatched ? 'unknown' : 'no', cause: 'reloaded' })
  return call.executor === 'server' && state.phase === 'asking'
    ? state
    : inferred({ ran: 'unknown', cause: 'reloaded' })
}

function hasBegun(call: Call): boolean {
  return call.dispatched || call.state.phase === 'running'
}

function withdrawn(call: Call): Settled {
  const handedOver = isHandedOver(call) || call.approval === 'granted' || isWhole(call)
  const mayHaveRun = hasBegun(call) || call.executor === 'host' || (call.executor !== 'local' && handedOver)
  return { ran: mayHaveRun ? 'unknown' : 'no', cause: 'withdrawn' }
}

function resultOf(call: Call, ok: boolean): Evidence {
  // An error for a call whose input was rejected is the rejection once more: nothing ran.
  if (!ok && call.finished === 'rejected' && !call.dispatched) {
    return { settled: { ran: 'no', cause: 'invalid-arguments', detail: 'rejected' }, rank: RANK.report }
  }
  // Nor did anything run that was refused: the error tells the model so.
  if (!ok && call.approval === 'refused' && !call.dispatched) {
    return { settled: { ran: 'no', cause: 'declined' }, rank: RANK.report }
  }
  return resultEvidence(ok)
}

function afterSettled(state: Extract<CallState, { phase: 'settled' }>, input: CallInput, call: Call): Transition {
  switch (input.type) {
    case 'returned':
      return reconsider(state, resultOf(call, input.ok))
    case 'reported':
      return call.executor === 'local' && input.source === 'wire'
        ? { state, contradicts: false }
        : reconsider(state, reportEvidence(input.report))
    case 'dispatched':
      // A host that asks whether it may run what did not run is told no: its asking is no evidence.
      return call.executor === 'local' || input.source === 'host' ? { state, contradicts: false } : begunAfterAll(state)
    default:
      return { state, contradicts: false }
  }
}

/** Somebody else began a call that is settled: "not run" is withdrawn, "may have run" stays what it is. */
function begunAfterAll(state: Extract<CallState, { phase: 'settled' }>): Transition {
  if (state.rank >= RANK.dispatch) return { state, contradicts: false }
  if (state.settled.ran === 'unknown') return { state: { ...state, rank: RANK.dispatch }, contradicts: false }
  return reconsider(state, { settled: { ran: 'unknown', cause: 'no-result' }, rank: RANK.dispatch })
}

const REFUSALS = {
  person: 'declined',
  policy: 'declined-by-policy',
  expiry: 'approval-expired',
} as const satisfies Record<Refuser, CauseNo>

function cancelledBy(by: 'user' | 'host'): Ending {
  return { type: 'cancelled', by, acknowledged: false }
}

function inferred(settled: Settled): CallState {
  return { phase: 'settled', settled, rank: RANK.inference }
}

function evident({ settled, rank }: Evidence): CallState {
  return { phase: 'settled', settled, rank }
}
