import type { BaseEvent, Message, RunAgentInput } from '@copilotkit/react-core/v2'
import { object, text } from '../../adapters/wire-values.ts'
import { labelOf } from '../../core/labels.ts'
import { NOT_RUN_MARK } from '../../core/marks.ts'
import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'
import { isPlaceholder } from './placeholders.ts'

/** Keeps the host from running what our gate has not passed: it runs no call that has a result. */
export interface Hold {
  saw(event: BaseEvent): void
  /** Resolves when all checks are done; undefined where there is nothing to wait for. */
  judged(): Promise<void> | undefined
  /** What the host must be told, before the run ends, of the calls that it must not run. */
  refuse(): readonly BaseEvent[]
  /** The host takes over: what our gate has passed is now handed to it. */
  release(): void
  /** The host has let go of the run and is told nothing any more, yet would run what is in its messages. */
  answerIn(messages: Message[]): void
}

/** Keeps nothing back. */
export const noHold: Hold = {
  saw() {},
  judged: () => undefined,
  refuse: () => [],
  release() {},
  answerIn() {},
}

/** A hold over the calls of one run that were not in its request yet: the host runs those alone. */
export function createHold(store: ToolCallStore, turnId: string, input: RunAgentInput): Hold {
  const before = new Set(input.messages.flatMap(callIdsOf))
  const held = new Set<string>()
  const open = new Set<string>() // Begun by a start, so that an end of its own is due.

  const ours = (): readonly CallView[] =>
    [...held].flatMap((callId) => {
      const view = store.call({ callId, turnId })?.getState()
      const hasRun = view?.phase === 'settled' && view.settled.ran !== 'no'
      return view?.executor === 'local' && !hasRun ? [view] : []
    })
  const isFit = ({ id }: CallView): boolean => store.dispatchable(turnId).some(({ callId }) => callId === id)
  const unjudged = (): boolean => ours().some(({ phase }) => phase === 'preparing')

  /** Nobody will run it now, and that has to be said; to the model as well. */
  function refusalOf(view: CallView): string {
    if (view.phase !== 'settled') settleCall(store, view, { ran: 'no', cause: 'not-started' })
    store.flush()
    return `${NOT_RUN_MARK} ${labelOf(store.callByKey(turnId, view.key)?.getState() ?? view)}`
  }

  function refuseAll(unfit: (view: CallView) => boolean): readonly BaseEvent[] {
    store.flush()
    return ours().flatMap((view): readonly BaseEvent[] => {
      if (!unfit(view)) return []
      const toolCallId = view.id
      const events: readonly object[] = [
        ...(open.delete(toolCallId) ? [{ type: 'TOOL_CALL_END', toolCallId }] : []),
        {
          type: 'TOOL_CALL_RESULT',
          messageId: `not-run-${turnId}-${toolCallId}`,
          toolCallId,
          role: 'tool',
          content: refusalOf(view),
        },
      ]
      held.delete(toolCallId)
      return events as readonly BaseEvent[]
    })
  }

  return {
    saw(event) {
      const { type, toolCallId, messages } = event as Readonly<Record<string, unknown>>
      const id = text(toolCallId)
      if (type === 'MESSAGES_SNAPSHOT' && Array.isArray(messages)) {
        for (const callId of messages.flatMap(callIdsOf)) if (!before.has(callId)) held.add(callId)
        for (const message of messages) if (!isPlaceholder(message)) held.delete(text(object(message).toolCallId) ?? '')
      } else if (id === undefined || before.has(id)) return
      else if (type === 'TOOL_CALL_START' || type === 'TOOL_CALL_CHUNK') {
        held.add(id)
        if (type === 'TOOL_CALL_START') open.add(id)
      } else if (type === 'TOOL_CALL_END') open.delete(id)
      else if (type === 'TOOL_CALL_RESULT' && !isPlaceholder(event)) held.delete(id)
    },
    judged() {
      store.flush()
      if (!unjudged()) return undefined
      return new Promise((resolve) => {
        const stop = store.subscribe(() => {
          if (unjudged()) return
          stop()
          resolve()
        })
      })
    },
    refuse: () => refuseAll((view) => !isFit(view)),
    release() {
      for (const call of store.dispatchable(turnId)) if (held.delete(call.callId)) store.dispatched(call)
    },
    answerIn(messages) {
      for (const event of refuseAll(() => true)) {
        const { messageId: id, toolCallId, content } = event as unknown as Readonly<Record<string, string>>
        let place = messages.findIndex((message) => callIdsOf(message).includes(toolCallId ?? '')) + 1
        if (place === 0 || content === undefined || id === undefined || toolCallId === undefined) continue
        while (messages[place]?.role === 'tool') place++
        messages.splice(place, 0, { id, role: 'tool', toolCallId, content })
      }
    },
  }
}

function callIdsOf(message: unknown): readonly string[] {
  const { toolCalls } = object(message)
  return Array.isArray(toolCalls) ? toolCalls.flatMap((call) => text(object(call).id) ?? []) : []
}
