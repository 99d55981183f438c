import { useCallback } from 'react'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { TurnView } from '../store/turn-view.ts'
import { useToolCallStore } from './context.ts'
import { useCell } from './use-cell.ts'

/** Names a call as a host knows it. */
export interface ToolCallRef {
  readonly toolCallId: string
  /** Chat or thread, as given to `openStream`. */
  readonly scope?: string
  readonly turnId?: string
  readonly messageId?: string
  /** The nth call of this id in its turn, from 0. Default: the last. */
  readonly occurrence?: number
  /** Default: the provider's. */
  readonly store?: ToolCallStore
}

/** What is true of a call right now; undefined while the store does not know it. Renders only when this very call changes. */
export function useToolCall({
  toolCallId,
  scope,
  turnId,
  messageId,
  occurrence,
  store: given,
}: ToolCallRef): CallView | undefined {
  const store = useToolCallStore(given)
  const find = useCallback(
    () => store.call({ callId: toolCallId, scope, turnId, messageId, occurrence }),
    [store, toolCallId, scope, turnId, messageId, occurrence],
  )
  return useCell(store.structure, find)
}

/** Names a turn: by its id, or as a host knows it. */
export type TurnRef = (
  | { readonly turnId: string; readonly scope?: never; readonly messageId?: never }
  | { readonly turnId?: never; readonly scope: string; readonly messageId?: string }
) & {
  /** Default: the provider's. */
  readonly store?: ToolCallStore
}

/** What is true of a turn right now; undefined while the store does not know it. */
export function useTurn({ turnId, scope, messageId, store: given }: TurnRef): TurnView | undefined {
  const store = useToolCallStore(given)
  const find = useCallback(
    () => (turnId === undefined ? store.turnOf(scope ?? '', messageId) : store.turn(turnId)),
    [store, turnId, scope, messageId],
  )
  return useCell(store.structure, find)
}
