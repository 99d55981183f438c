import type { Call, CallState } from '../core/call.ts'
import { toolOf } from '../core/tools.ts'
import type { Context } from './context.ts'
import type { Entry } from './publisher.ts'

type CallDeadline = 'handoff' | 'run' | 'resume'

/** The state that each running deadline was set in: one that was spent on checks is no time to be taken in. */
const running = new WeakMap<Call, CallState>()

/** Sets, keeps or clears the deadline of one call, after it may have moved. */
export function followCall(context: Context, entry: Entry, call: Call): void {
  const deadline = deadlineOf(call, entry.turn.openStreams.size > 0)
  if (deadline === null) {
    running.delete(call)
    context.deadlines.clear(call)
    return
  }
  if (running.get(call) === call.state) return
  running.set(call, call.state)
  context.deadlines.set(call, delayOf(context, call, deadline), () => {
    running.delete(call)
    context.ledger.act(entry.turn, call, { type: 'deadline-passed', deadline })
    context.changed(entry)
  })
}

/** A tool of ours may say itself how long it may run. */
function delayOf({ registry, settings }: Context, call: Call, deadline: CallDeadline): number {
  const own = deadline === 'run' && call.executor === 'local' ? toolOf(registry, call.name)?.timeout : undefined
  return own ?? settings[deadline]
}

function deadlineOf(call: Call, streaming: boolean): CallDeadline | null {
  switch (call.state.phase) {
    case 'validating':
      return 'handoff'
    case 'ready':
    case 'correcting':
      // What may be dispatched or corrected is offered at the end of the stream; whoever takes it then is not late.
      return streaming ? null : 'handoff'
    case 'resuming':
      return 'resume'
    case 'running':
      // While its stream is open, its silence speaks for what others run.
      return streaming && call.executor !== 'local' ? null : 'run'
    case 'sent':
      return streaming ? null : 'run'
    case 'preparing':
    case 'finished':
    case 'asking':
    case 'settled':
      return null
    default:
      return call.state satisfies never
  }
}
