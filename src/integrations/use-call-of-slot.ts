import { useState } from 'react'
import type { CallView } from '../core/view.ts'
import { useToolCall } from '../react/hooks.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { NO_TURN, turnOfReply } from './replies.ts'

/** What a host says of the call that it has a block drawn for. */
export interface Slot {
  readonly store: ToolCallStore
  /** Default: any. */
  readonly scope: string | undefined
  readonly messageId: string | undefined
  readonly toolCallId: string
  readonly occurrence?: number | undefined
}

/**
 * The call that is meant, where ids repeat from one reply to the next: the one of its message; where the host names no
 * message, the one that this block showed first, which is the latest then.
 */
export function useCallOfSlot({ store, scope, messageId, toolCallId, occurrence }: Slot): {
  readonly live: CallView | undefined
  readonly turnId: string | undefined
} {
  const [first, setFirst] = useState<{ readonly store: ToolCallStore; readonly call: CallView }>()
  const shown = first?.store === store && first.call.id === toolCallId ? first.call.turnId : undefined
  const named = messageId !== undefined && scope !== undefined
  const turnId = named ? (turnOfReply(store, scope, messageId, toolCallId) ?? NO_TURN) : shown
  const live = useToolCall({
    store,
    toolCallId,
    ...(scope === undefined ? {} : { scope }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(occurrence === undefined ? {} : { occurrence }),
  })
  if (!named && live !== undefined && shown === undefined) setFirst({ store, call: live })
  return { live, turnId: live?.turnId ?? turnId }
}
