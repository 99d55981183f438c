import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { type ReactNode, useEffect, useMemo } from 'react'
import { CallBlock, ToolCallBlock } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import { useCallOfSlot } from '../use-call-of-slot.ts'
import { reportPart } from './evidence.ts'
import { gated } from './gated.ts'
import { viewOfPart } from './stored-part.ts'

/**
 * Draws the tool calls of a `ChatMessage`: by what the store knows, else by what the stored part proves.
 * @param messageId without it, of calls with the same id the latest is meant
 * @example <ChatMessage message={message} defaultToolRenderer={tanstackToolCall(store, threadId, message.id)} toolResultRenderer={() => null} />
 */
export function tanstackToolCall(
  store: ToolCallStore,
  threadId: string,
  messageId?: string,
): (part: ToolCallRenderProps) => ReactNode {
  return (part) => <TanStackToolCall store={store} threadId={threadId} messageId={messageId} part={part} />
}

interface PartProps {
  readonly store: ToolCallStore
  readonly part: ToolCallRenderProps
}

interface PlacedPartProps extends PartProps {
  readonly threadId: string
  readonly messageId: string | undefined
}

function TanStackToolCall({ store, threadId: scope, messageId, part }: PlacedPartProps): ReactNode {
  const live = useCallOfSlot({ store, scope, messageId, toolCallId: part.id })
  // What a client tool gave, and what a person answered, does not cross the wire: it is seen here first, or only here.
  useEffect(() => {
    if (live !== undefined) reportPart(store, scope, part, live.turnId)
  })

  if (live === undefined) return <StoredToolCall store={store} part={part} />
  return <ToolCallBlock toolCallId={part.id} turnId={live.turnId} store={store} />
}

function StoredToolCall({ store, part }: PartProps): ReactNode {
  const { registry } = store
  const isGated = gated.has(store)
  const { id, name, arguments: text, state, approval, output } = part
  const view = useMemo(
    () => viewOfPart(registry, { id, name, arguments: text, state, approval, output }, isGated),
    [registry, isGated, id, name, text, state, approval, output],
  )
  return view === undefined ? null : <CallBlock call={view} />
}
