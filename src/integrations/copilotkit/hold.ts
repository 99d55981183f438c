import type { BaseEvent, Message, RunAgentInput } from '@copilotkit/react-core/v2'
import { object, text } from '../../adapters/wire-values.ts'
import { labelOf } from '../../core/labels.ts'
import { NOT_RUN_MARK } from '../../core/marks.ts'
import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'
import { whenJudged } from '../withheld-calls.ts'
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
  /** The results for a host that has let go of the run: it is told nothing any more, yet would run what it has of it. */
  answers(): readonly Answer[]
}

/** A result among the host's messages. */
export type Answer = Extract<Message, { role: 'tool' }>

/** Keeps nothing back. */
export const noHold: Hold = {
  saw() {},
  judged: () => undefined,
  refuse: () => [],
  release() {},
  answers: () => [],
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

  function answersTo(unfit: (view: CallView) => boolean): readonly Answer[] {
    store.flush()
    return ours().flatMap((view) => {
      if (!unfit(view)) return []
      const { id: toolCallId } = view
      held.delete(toolCallId)
      return { id: `not-run-${turnId}-${toolCallId}`, role: 'tool', toolCallId, content: refusalOf(view) } as const
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
    judged: () => whenJudged(store, unjudged),
    refuse: () =>
      answersTo((view) => !isFit(view)).flatMap(({ id: messageId, role, toolCallId, content }) => {
        const result = { type: 'TOOL_CALL_RESULT', messageId, role, toolCallId, content }
        return (open.delete(toolCallId) ? [{ type: 'TOOL_CALL_END', toolCallId }, result] : [result]) as BaseEvent[]
      }),
    release() {
      for (const call of store.dispatchable(turnId)) if (held.delete(call.callId)) store.dispatched(call)
    },
    answers: () => answersTo(() => true),
  }
}

/** Puts results behind their calls, where the messages have these and not those. */
export function placeAnswers(messages: Message[], answers: readonly Answer[]): void {
  for (const answer of answers) {
    let place = messages.findIndex((message) => callIdsOf(message).includes(answer.toolCallId)) + 1
    if (place === 0 || messages.some(({ id }) => id === answer.id)) continue
    while (messages[place]?.role === 'tool') place++
    messages.splice(place, 0, answer)
  }
}

function callIdsOf(message: unknown): readonly string[] {
  const { toolCalls } = object(message)
  return Array.isArray(toolCalls) ? toolCalls.flatMap((call) => text(object(call).id) ?? []) : []
}
