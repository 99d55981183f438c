import { useEffect, useMemo } from 'react'
import type { CallView } from '../../core/view.ts'
import { useAnnouncer } from '../../react/announcer.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { storedView } from '../../stored-view.ts'
import { asGated } from '../host-calls.ts'
import { useCallOfSlot } from '../use-call-of-slot.ts'
import { reportPart, type ToolPart } from './evidence.ts'
import { gated } from './gated.ts'

/** Where a part stands. */
interface PartPlace {
  readonly chatId: string
  readonly messageId?: string | undefined
  readonly occurrence?: number | undefined
}

/**
 * What is true of the call of a part: what the store knows of it, else what the part proves. What the part proves, and
 * no wire brought, is told to the store.
 */
export function usePartCall(
  store: ToolCallStore,
  { chatId, messageId, occurrence }: PartPlace,
  part: ToolPart,
): CallView | undefined {
  const { toolCallId } = part
  const live = useCallOfSlot({ store, scope: chatId, messageId, toolCallId, occurrence })
  const known = live !== undefined
  const stored = useMemo(() => (known ? undefined : viewOfPart(store, part)), [known, store, part])
  useAnnouncer(store)
  // What a client tool gave back is in the part, and on the wire only with the next request, if there is one.
  const turnId = live?.turnId
  useEffect(() => {
    if (turnId !== undefined) reportPart(store, { scope: chatId, turnId, occurrence }, part)
  }, [store, chatId, turnId, occurrence, part])
  return live ?? stored
}

function viewOfPart(store: ToolCallStore, part: ToolPart): CallView | undefined {
  return gated.has(store)
    ? storedView(store.registry, part, (event) => asGated(store, event))
    : storedView(store.registry, part)
}
