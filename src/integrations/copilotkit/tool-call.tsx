import { useCopilotChatConfiguration } from '@copilotkit/react-core/v2'
import { type ReactElement, type ReactNode, useEffect, useMemo } from 'react'
import { useAnnouncer } from '../../react/announcer.ts'
import { CallBlock } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'
import { repeats } from '../replies.ts'
import { useCallOfSlot } from '../use-call-of-slot.ts'
import { type CopilotToolCall, isResult, viewOfStored } from './stored-call.ts'

/**
 * Draws the calls of one tool, wherever CopilotKit takes a `render`: by what the store knows, else by what its messages prove.
 * @example useRenderTool({ name: 'create_ticket', parameters, render: copilotToolCall(store) })
 */
export function copilotToolCall(store: ToolCallStore): (call: CopilotToolCall) => ReactElement {
  return ({ name, toolCallId, status, result }) => (
    <CopilotToolCallBlock store={store} name={name} toolCallId={toolCallId} status={status} result={result} />
  )
}

function CopilotToolCallBlock({ store, ...stored }: CopilotToolCall & { readonly store: ToolCallStore }): ReactNode {
  const { name, toolCallId, status, result } = stored
  // Without a chat around it the latest call of that id is meant, of whichever thread.
  const scope = useCopilotChatConfiguration()?.threadId
  const live = useCallOfSlot({ store, scope, messageId: undefined, toolCallId })
  const known = live !== undefined
  const { registry } = store
  const view = useMemo(
    () => (known ? undefined : viewOfStored(registry, { name, toolCallId, status, result })),
    [known, registry, name, toolCallId, status, result],
  )
  useAnnouncer(store)

  // Where an id stands in two threads the host's own word on it names neither; this does.
  const isOfThisPage = live?.executor === 'host' || live?.executor === 'local'
  const isNews =
    isOfThisPage && isResult(result) && !(live.phase === 'settled' && live.confirmed) && !repeats(store, live)
  useEffect(() => {
    if (isNews) settleCall(store, live, { ran: 'yes', ok: true })
  }, [isNews, store, live])

  const call = live ?? view
  return call === undefined ? null : <CallBlock call={call} store={store} />
}
