import type { Message, ReactCustomMessageRenderer } from '@copilotkit/react-core/v2'
import { useCopilotChatConfiguration } from '@copilotkit/react-core/v2'
import type { ReactNode } from 'react'
import { useToolCall, useTurn } from '../../react/hooks.ts'
import { TurnNotice } from '../../react/turn-notice.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { TurnView } from '../../store/turn-view.ts'

/**
 * Puts the notice of a reply behind its last message, in the chat itself.
 * @example <CopilotKitProvider renderCustomMessages={[copilotTurnNotice(store)]} …> with an array that stays the same
 */
export function copilotTurnNotice(store: ToolCallStore): ReactCustomMessageRenderer {
  return {
    render: ({ message, position }) =>
      position === 'after' && message.role === 'assistant' ? <NoticeBehind store={store} message={message} /> : null,
  }
}

interface NoticeProps {
  readonly store: ToolCallStore
  readonly message: Extract<Message, { role: 'assistant' }>
}

function NoticeBehind({ store, message }: NoticeProps): ReactNode {
  const scope = useCopilotChatConfiguration()?.threadId ?? ''
  const lastCall = useToolCall({ store, scope, toolCallId: message.toolCalls?.at(-1)?.id ?? '' })
  const named = useTurn({ store, scope, messageId: message.id })
  // A server need not name the message of a call; then the host does.
  const ofCall = useTurn({ store, turnId: lastCall?.turnId ?? '' })
  const turn = named ?? ofCall
  if (turn === undefined || !isLast(turn, message.id, lastCall?.key)) return null
  return <TurnNotice store={store} turnId={turn.id} />
}

function isLast({ items }: TurnView, messageId: string, callKey: string | undefined): boolean {
  const last = items.at(-1)
  return last !== undefined && (last.messageId === messageId || (last.type === 'call' && last.key === callKey))
}
