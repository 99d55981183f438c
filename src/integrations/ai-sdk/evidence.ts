import type { UIMessage } from 'ai'
import { isRecord } from '../../core/json.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'
import { mayBeOfAnother, turnOfReply } from '../replies.ts'

/** A tool part of a message, of whichever tools. */
export interface ToolPart {
  readonly type: string
  readonly toolCallId: string
  readonly state: string
}

/** Which of the calls of its id a part stands for. */
export interface PartRef {
  readonly scope: string
  readonly turnId?: string | undefined
  readonly occurrence?: number | undefined
}

/**
 * Hands up what a part proves: a result value, which a client tool puts there and no wire carries, and the answer a
 * person gave here. Never a status word, nor an error: hosts write both for calls that never ran. Nor is anything said of
 * a call that may be another one.
 */
export function reportPart(store: ToolCallStore, of: PartRef, part: ToolPart): void {
  const ref = { ...of, callId: part.toolCallId }
  const isOneOfSeveral = of.occurrence === undefined && store.call({ ...ref, occurrence: 1 }) !== undefined
  const call = isOneOfSeveral ? undefined : store.call(ref)?.getState()
  if (call === undefined) return
  const { preliminary, approval } = part as { readonly preliminary?: unknown; readonly approval?: unknown }
  if (call.phase === 'waiting' && call.on === 'person' && isRecord(approval)) {
    const { approved, isAutomatic } = approval
    if (typeof approved === 'boolean' && isAutomatic !== true)
      store.answerApproval({ callId: call.id, key: call.key, turnId: call.turnId }, { granted: approved })
  }
  const knownToRun = call.phase === 'settled' && call.settled.ran === 'yes'
  if (part.state === 'output-available' && preliminary !== true && !knownToRun && !mayBeOfAnother(store, call))
    settleCall(store, call, { ran: 'yes', ok: true })
}

/** The same for all parts of a conversation, as the host sends it. */
export function reportMessages(store: ToolCallStore, scope: string, messages: readonly UIMessage[]): void {
  for (const { id, parts } of messages) {
    const tools = parts.filter((part) => 'toolCallId' in part)
    for (const part of tools) {
      const { toolCallId } = part
      const same = tools.filter((other) => other.toolCallId === toolCallId)
      const occurrence = same.length > 1 ? same.indexOf(part) : undefined
      const turnId = turnOfReply(store, scope, id, toolCallId)
      if (turnId !== undefined) reportPart(store, { scope, turnId, occurrence }, part)
    }
  }
}
