import { useCallback, useEffect, useState } from 'react'
import type { CallView } from '../core/view.ts'
import { useCell } from '../react/use-cell.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { callShown, turnOfReply } from './replies.ts'

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
export function useCallOfSlot({ store, scope, messageId, toolCallId, occurrence }: Slot): CallView | undefined {
  const [first, setFirst] = useState<{ readonly store: ToolCallStore; readonly toolCallId: string; turnId: string }>()
  const shown = first?.store === store && first.toolCallId === toolCallId ? first.turnId : undefined
  const isNamed = messageId !== undefined && scope !== undefined
  const find = useCallback(() => {
    const turnId = isNamed ? turnOfReply(store, scope, messageId, toolCallId) : shown
    if (isNamed && turnId === undefined) return undefined
    return store.call({ callId: toolCallId, scope, turnId, occurrence })
  }, [store, isNamed, scope, messageId, toolCallId, shown, occurrence])
  const call = useCell(store.structure, find)

  if (!isNamed && call !== undefined && shown === undefined) setFirst({ store, toolCallId, turnId: call.turnId })
  const { id, turnId } = call ?? {}
  useEffect(() => {
    if (isNamed && id !== undefined && turnId !== undefined) callShown(store, scope, messageId, { id, turnId })
  }, [store, isNamed, scope, messageId, id, turnId])
  return call
}
