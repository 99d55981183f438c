import type { UIMessage } from 'ai'
import { isRecord } from '../../core/json.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'

/** A tool part of a message, of whichever tools. */
export interface ToolPart {
  readonly type: string
  readonly toolCallId: string
  readonly state: string
}

/**
 * Hands up what a part proves: a result value, which a client tool puts there and no wire carries, and the answer a
 * person gave here. Never a status word, nor an error: hosts write both for calls that never ran.
 */
export function reportPart(store: ToolCallStore, chatId: string, part: ToolPart): void {
  const call = store.call({ callId: part.toolCallId, scope: chatId })?.getState()
  if (call === undefined) return
  const { preliminary, approval } = part as { readonly preliminary?: unknown; readonly approval?: unknown }
  if (call.phase === 'waiting' && call.on === 'person' && isRecord(approval)) {
    const { approved, isAutomatic } = approval
    if (typeof approved === 'boolean' && isAutomatic !== true)
      store.answerApproval({ callId: call.id, key: call.key, turnId: call.turnId }, { granted: approved })
  }
  const knownToRun = call.phase === 'settled' && call.settled.ran === 'yes'
  if (part.state === 'output-available' && preliminary !== true && !knownToRun)
    settleCall(store, call, { ran: 'yes', ok: true })
}

/** The same for all parts of a conversation, as the host sends it. */
export function reportMessages(store: ToolCallStore, chatId: string, messages: readonly UIMessage[]): void {
  for (const part of messages.flatMap(({ parts }) => parts)) if ('toolCallId' in part) reportPart(store, chatId, part)
}

/** The turn that made a message, if the store has it. A host that gets no message id makes one that no wire knows. */
export function turnOfMessage(store: ToolCallStore, chatId: string, message: UIMessage): string | undefined {
  const named = store.turnOf(chatId, message.id)?.getState().id
  if (named !== undefined) return named
  for (const part of [...message.parts].reverse()) {
    const call = 'toolCallId' in part ? store.call({ callId: part.toolCallId, scope: chatId }) : undefined
    if (call !== undefined) return call.getState().turnId
  }
  return undefined
}
