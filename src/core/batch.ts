import type { Call, Message } from './call.ts'
import { isSound } from './gate.ts'

/** What the gate says of the local calls of an ended message, as far as all of them are judged. */
export function batchOf(message: Message): Message['batch'] {
  const members = message.calls.filter(isMember)
  const verdicts = members.flatMap((call) => call.verdict ?? [])
  if (!isSound(verdicts) || message.calls.some(failedUnjudged)) return 'damaged'
  return verdicts.length === members.length ? 'sound' : 'open'
}

function isMember(call: Call): boolean {
  const { phase } = call.state
  return call.executor === 'local' && (call.verdict !== null || phase === 'validating' || phase === 'asking')
}

/** A call of ours that cannot pass any more though nothing judged it: its input was refused, or its checks took too long. */
function failedUnjudged({ executor, state, verdict }: Call): boolean {
  if (executor !== 'local' || state.phase !== 'settled' || verdict !== null) return false
  return state.settled.cause === 'invalid-arguments' || state.settled.cause === 'not-started'
}
