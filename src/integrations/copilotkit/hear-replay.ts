import type { BaseEvent } from '@copilotkit/react-core/v2'
import { agUi } from '../../adapters/ag-ui.ts'
import type { Ending, StreamEvent } from '../../core/events.ts'
import { executorOf } from '../../core/tools.ts'
import type { CallView } from '../../core/view.ts'
import { feedOf } from '../../feed.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'
import { asGated, runsHere, settleCall } from '../host-calls.ts'
import { repeats } from '../replies.ts'
import { withoutPlaceholders } from './placeholders.ts'

/** What a thread is told again when the host connects to it. */
export interface Replay {
  take(event: BaseEvent): void
  end(ending?: Ending): void
}

/**
 * Hears a replay as more of the thread's latest reply. It lasts as long as the host is connected, so that between two
 * runs nothing may count as silence.
 */
export function hearReplay(
  store: ToolCallStore,
  scope: string,
  gate: boolean,
  opened: (stream: ToolCallStream) => void,
): Replay {
  let stream: ToolCallStream | undefined
  let feed: (event: unknown) => void = () => {}

  function open(): ToolCallStream {
    const turnId = store.turnOf(scope)?.getState().id
    const made = store.openStream({ scope, turnId, liveness: 'events', speaker: agUi.speaker })
    opened(made)
    const push = withoutTheKnown(store, scope, gate, made)
    feed = feedOf(agUi, { ...made, push }, 'kept')
    return made
  }

  return {
    take(event) {
      if (stream === undefined || stream.ending !== null) stream = open()
      feed(withoutPlaceholders(event))
      if (stream.whole && /^RUN_[FE]/.test(event.type)) stream.end()
    },
    end: (ending) => stream?.end(ending),
  }
}

/**
 * Leaves out the calls of earlier replies, but for what they gave back, and those which our gate would now take for
 * calls to be run: what is told again may have been run by the page before this one.
 */
function withoutTheKnown(
  store: ToolCallStore,
  scope: string,
  gate: boolean,
  stream: ToolCallStream,
): ToolCallStream['push'] {
  const { turnId } = stream
  const hidden = new Map<string, CallView | undefined>()
  const isHidden = ({ key, callId, name }: Extract<StreamEvent, { type: 'call-announced' }>): boolean => {
    const known = callId === undefined ? undefined : store.call({ callId, scope })?.getState()
    // Which of them it is, nobody can tell.
    if (known !== undefined && repeats(store, known)) {
      hidden.set(key, undefined)
      return true
    }
    if (known?.turnId === turnId) return false
    const ours = name !== undefined && (gate ? runsHere(store, name) : executorOf(store.registry, name) === 'local')
    if (known === undefined && !ours) return false
    hidden.set(key, known)
    return true
  }
  return (event, at) => {
    const key = 'key' in event ? event.key : undefined
    if (key !== undefined && hidden.has(key)) {
      const call = hidden.get(key)
      if (call !== undefined && event.type === 'call-returned') settleCall(store, call, { ran: 'yes', ok: event.ok })
    } else if (event.type !== 'call-announced' || !isHidden(event)) {
      stream.push(gate ? asGated(store, event) : event, at)
    }
  }
}
