import { type Call, endedNaturally } from './call.ts'
import { endingCause } from './ending-cause.ts'
import type { Ending } from './events.ts'
import { isWhole } from './finalize.ts'
import { stopVerdict } from './message-end.ts'
import type { CauseNo, CauseUnknown, Settled } from './outcomes.ts'

/** The detail of an ending that no stream had: a stored message was read. */
const STORED = 'stored'

/** What may be said of a call when its stream has ended and nothing else is known of it. */
export function settledByEnding(call: Call, ending: Ending): Settled {
  // Behind our own gate: nobody here dispatched it.
  // What was stored whole may have been dispatched by the page that stored it (rule 13).
  const storedWhole = call.finished === 'complete' && ending.type === 'lost' && ending.detail === STORED
  if (call.executor === 'local') return storedWhole ? mayHaveRun(call, ending) : notRun(call, ending)
  if (call.finished === 'rejected' && !call.dispatched)
    return { ran: 'no', cause: 'invalid-arguments', detail: 'rejected' }
  return provesNotRun(call, ending) ? notRun(call, ending) : mayHaveRun(call, ending)
}

/** Truth rule 3: when the end of a stream proves that somebody else's tool did not run. */
function provesNotRun(call: Call, ending: Ending): boolean {
  if (call.dispatched || call.approval === 'granted') return false
  switch (call.executor) {
    case 'local':
    case 'host':
      return false
    case 'server':
      return spokenByExecutor(ending) && !isHandedOver(call) && !isWhole(call)
    case 'provider':
      return providerStopped(call) && call.finished === null && !isHandedOver(call) && !isWhole(call)
    default:
      return call.executor satisfies never
  }
}

/** Its executor may have acted on it: the wire completed it, or ended its message naturally where it completes no calls. */
export function isHandedOver(call: Call): boolean {
  if (call.finished !== null) return call.finished === 'complete'
  const { end } = call.message
  if (end === null || !end.finishesOpenCalls || !endedNaturally(call)) return false
  // Without a stated reason an empty buffer was handed to nobody; with one it says that there are no arguments.
  return end.reason === 'natural' || !call.buffer.isEmpty
}

function spokenByExecutor(ending: Ending): boolean {
  switch (ending.type) {
    case 'complete':
      return ending.speaker === 'executor'
    case 'cancelled':
      return ending.acknowledged
    case 'lost':
      return ending.how === 'provider-error' && ending.speaker === 'executor'
    default:
      return ending satisfies never
  }
}

/** The provider's own natural end or cut came; an error, a pause or an unknown word is neither. */
function providerStopped(call: Call): boolean {
  const end = call.message.end
  if (end === null) return false
  return endedNaturally(call) || end.reason === 'length' || end.reason === 'filter'
}

function notRun(call: Call, ending: Ending): Settled {
  const stopped = call.message.end === null ? null : stopVerdict(call.message.end)
  if (stopped !== null) return { ran: 'no', cause: stopped.cause, detail: stopped.detail }
  const { cause, detail } = endingCause(ending)
  return { ran: 'no', cause: cause satisfies CauseNo, detail }
}

function mayHaveRun(call: Call, ending: Ending): Settled {
  const stopped = call.message.end === null ? null : stopVerdict(call.message.end)
  // A cut speaks of what was still being written: a whole document that was handed over is not what it cut.
  const cutElsewhere = stopped?.failure === 'truncated' && isHandedOver(call) && isWhole(call)
  if (stopped !== null && !cutElsewhere) return { ran: 'unknown', cause: stopped.unknownCause, detail: stopped.detail }
  if (ending.type === 'complete' && isHandedOver(call)) {
    return { ran: 'unknown', cause: 'no-result', ...(stopped === null ? {} : { detail: stopped.detail }) }
  }
  // The silence of somebody who had the call to run is not the silence of somebody who was still writing it.
  if (isSilenceOfRun(ending) && (call.state.phase === 'sent' || call.state.phase === 'running')) {
    return { ran: 'unknown', cause: 'no-result' }
  }
  const { cause, detail } = endingCause(ending)
  return { ran: 'unknown', cause: cause satisfies CauseUnknown, detail }
}

function isSilenceOfRun(ending: Ending): boolean {
  return ending.type === 'lost' && ending.how === 'idle' && ending.detail === 'run'
}
