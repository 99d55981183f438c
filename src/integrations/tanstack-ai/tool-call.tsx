import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useToolCall } from '../../react/hooks.ts'
import { CallBlock, ToolCallBlock } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import { resultOf, viewOfPart } from './stored-part.ts'

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
  const result = resultOf(part)
  const ranHere = call?.executor === 'local' || call?.executor === 'host'
  const isNews = ranHere && result !== undefined && !(call.phase === 'settled' && call.confirmed)
  const turnId = call?.turnId
  const messageId = call?.messageId

  // The results of client tools do not cross the wire: they are seen here first, or only here.
  useEffect(() => {
    if (!isNews) return
    try {
      store.settle({ turnId, messageId, callId: part.id, name: part.name, ran: 'yes', ok: true })
    } catch {
      // The id means several calls of one message: nothing says which of them this result is of.
    }
  }, [isNews, store, turnId, messageId, part.id, part.name])

  if (call === undefined) return <StoredToolCall store={store} part={part} />
  return <ToolCallBlock toolCallId={part.id} scope={threadId} store={store} />
}

function StoredToolCall({ store: { registry }, part }: PartProps): ReactNode {
  const { id, name, arguments: text, state, approval, output } = part
  const view = useMemo(
    () => viewOfPart(registry, { id, name, arguments: text, state, approval, output }),
    [registry, id, name, text, state, approval, output],
  )
  return view === undefined ? null : <CallBlock call={view} />
}
