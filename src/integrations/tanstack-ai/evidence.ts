import type { ConnectConnectionAdapter, ToolCallState } from '@tanstack/ai-client'
import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { object } from '../../adapters/wire-values.ts'
import { isMarkedNotRun } from '../../core/marks.ts'
import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'
import { mayBeOfAnother, turnOfReply } from '../replies.ts'

/** A tool call as it stands in a message. */
export type Part = Pick<ToolCallRenderProps, 'id' | 'state' | 'approval' | 'output'>

type Connect = Parameters<ConnectConnectionAdapter['connect']>
type RunContext = NonNullable<Connect[3]>

/** The result a part holds, or undefined: an error may stand for a call that never ran, and a person's answer is none. */
export function resultOf({ state, approval, output }: Part): unknown {
  const isAnswer = object(approval).approved === false || object(output).pendingExecution === true
  return (state as ToolCallState) === 'complete' && !isAnswer ? output : undefined
}

/**
 * Hands up what a part proves: a person's answer, and what came of a tool of this page, which crosses no wire before the
 * next request. An error proves a run only of a call that our gate has let go.
 */
export function reportPart(store: ToolCallStore, scope: string, part: Part, turnId: string): void {
  const call = store.call({ callId: part.id, scope, turnId })?.getState()
  if (call === undefined) return
  const { approved } = object(part.approval)
  if (typeof approved === 'boolean') answer(store, call, approved)
  const isOver = call.phase === 'settled' && call.confirmed
  const isOfPage = call.executor === 'local' || call.executor === 'host'
  if (resultOf(part) !== undefined) {
    // Also of a server whose stream was lost, once the application has fetched its messages again.
    if (!isOver && !mayBeOfAnother(store, call)) settleCall(store, call, { ran: 'yes', ok: true })
  } else if (isOfPage && (part.state as ToolCallState) === 'error' && !isMarkedNotRun(object(part.output).error)) {
    if (call.phase === 'running') settleCall(store, call, { ran: 'yes', ok: false })
    else if (call.phase === 'waiting' && call.on === 'result')
      settleCall(store, call, { ran: 'unknown', cause: 'tool-error' })
  }
}

/** The same for all of a conversation, as the chat client sends it, and for the questions that a person turned away. */
export function reportMessages(store: ToolCallStore, messages: Connect[0], context: RunContext | undefined): void {
  if (context === undefined) return
  const { threadId, resume = [] } = context
  const cancelled = new Set(resume.filter(({ status }) => status === 'cancelled').map(({ interruptId }) => interruptId))
  for (const message of messages) {
    if (!('parts' in message)) continue
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue
      const turnId = turnOfReply(store, threadId, message.id, part.id)
      if (turnId === undefined) continue
      reportPart(store, threadId, part, turnId)
      const call = cancelled.has(part.approval?.id ?? '') && store.call({ callId: part.id, scope: threadId, turnId })
      if (call) answer(store, call.getState(), false)
    }
  }
}

function answer(store: ToolCallStore, call: CallView, granted: boolean): void {
  if (call.phase !== 'waiting' || call.on !== 'person') return
  store.answerApproval({ callId: call.id, key: call.key, turnId: call.turnId }, { granted })
}
