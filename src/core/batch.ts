import type { Batch, Call, Message } from './call.ts'
import { isSound } from './gate.ts'

/** What the gate says of the local calls of an ended message, as far as all of them are judged. */
export function batchOf(message: Message): Batch {
  const members = message.calls.filter(isMember)
  const verdicts = members.flatMap((call) => call.verdict ?? [])
  const judged = verdicts.length === members.length
  // What could not be read is never sent back, nor is anything beside it.
  const unreadable = verdicts.some(({ outcome }) => outcome.type === 'failed')
  if (unreadable || message.calls.some(failedUnjudged)) return 'damaged'
  if (isSound(verdicts)) return judged ? 'sound' : 'open'
  if (!message.correctable) return 'damaged'
  // A correction answers all calls of the batch at once.
  if (!judged) return 'open'
  return verdicts.some(({ outcome }) => outcome.type === 'schema-error') ? 'correctable' : 'damaged'
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
