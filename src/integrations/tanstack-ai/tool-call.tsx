import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useToolCall } from '../../react/hooks.ts'
import { CallBlock, ToolCallBlock } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import { reportPart } from './evidence.ts'
import { gated } from './gated.ts'
import { viewOfPart } from './stored-part.ts'

/**
 * Draws the tool calls of a `ChatMessage`: by what the store knows, else by what the stored part proves.
 * @example <ChatMessage message={message} defaultToolRenderer={tanstackToolCall(store, threadId)} toolResultRenderer={() => null} />
 */
export function tanstackToolCall(store: ToolCallStore, threadId: string): (part: ToolCallRenderProps) => ReactNode {
  return (part) => <TanStackToolCall store={store} threadId={threadId} part={part} />
}

interface PartProps {
  readonly store: ToolCallStore
  readonly part: ToolCallRenderProps
}

function TanStackToolCall({ store, threadId, part }: PartProps & { readonly threadId: string }): ReactNode {
  const call = useToolCall({ toolCallId: part.id, scope: threadId, store })
  // What a client tool gave, and what a person answered, does not cross the wire: it is seen here first, or only here.
  useEffect(() => reportPart(store, threadId, part))

  if (call === undefined) return <StoredToolCall store={store} part={part} />
  return <ToolCallBlock toolCallId={part.id} scope={threadId} store={store} />
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
