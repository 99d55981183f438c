import { getExternalStoreMessages, type ToolCallMessagePartProps, useAuiState } from '@assistant-ui/react'
import type { UIMessage } from 'ai'
import { type FunctionComponent, type ReactNode, useEffect } from 'react'
import type { CallView } from '../../core/view.ts'
import { CallBlock, looks } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolPart } from '../ai-sdk/evidence.ts'
import { usePartCall } from '../ai-sdk/use-part-call.ts'
import { settleCall } from '../host-calls.ts'

export interface AssistantToolCallOptions {
  /**
   * Draws the question whether a call may run, under its label: with `part.respondToApproval`, for example. Only while
   * the call really waits for an answer. Default: nothing.
   */
  readonly approval?: (part: ToolCallMessagePartProps) => ReactNode
}

/**
 * The component that draws tool calls, for all tools or for one: what the store knows of a call, and after a reload what
 * its part proves. Make it once, outside of the components.
 * @example <MessagePrimitive.Parts components={{ tools: { Override: assistantToolCall(store) } }} />
 */
export function assistantToolCall(
  store: ToolCallStore,
  { approval }: AssistantToolCallOptions = {},
): FunctionComponent<ToolCallMessagePartProps> {
  return (part) => <AssistantToolCall store={store} approval={approval} part={part} />
}

interface PartProps {
  readonly store: ToolCallStore
  readonly approval: AssistantToolCallOptions['approval']
  readonly part: ToolCallMessagePartProps
}

function AssistantToolCall({ store, approval, part }: PartProps): ReactNode {
  const chatId = useAuiState((state) => state.threadListItem.id)
  const messages = useAuiState((state) => getExternalStoreMessages<UIMessage>(state.message))
  const [original, messageId] = originalOf(messages, part)
  const call = usePartCall(store, { chatId, messageId }, original)
  const withdrawn = call !== undefined && isWithdrawn(call, part)

  useEffect(() => {
    if (withdrawn) settleCall(store, call, { ran: 'no', cause: 'withdrawn' })
  }, [store, withdrawn, call])

  if (call === undefined) return null
  const asks = approval !== undefined && isAsked(call) && isOpen(part)
  return <CallBlock call={call} store={store} {...looks(asks ? () => approval(part) : undefined)} />
}

/**
 * The part as the AI SDK keeps it, and its message. What assistant-ui makes of a part has no state, and shows an output as
 * a result while more of it is to come; of several messages in a row it makes one.
 */
function originalOf(
  messages: readonly UIMessage[],
  { toolCallId, toolName }: ToolCallMessagePartProps,
): [ToolPart, messageId?: string] {
  for (const { id, parts } of messages.toReversed()) {
    const found = parts.findLast((part) => 'toolCallId' in part && part.toolCallId === toolCallId)
    if (found !== undefined && 'toolCallId' in found) return [found, id]
  }
  return [{ type: `tool-${toolName}`, toolCallId, state: 'input-available' }]
}

function isAsked(call: CallView): boolean {
  return call.phase === 'waiting' && call.on === 'person'
}

function isOpen({ approval }: ToolCallMessagePartProps): boolean {
  return approval !== undefined && approval.approved === undefined && approval.resolution === undefined
}

/** With the next message of the user the host takes back a question that nobody has answered, and says "error". */
function isWithdrawn(call: CallView, { approval, isError }: ToolCallMessagePartProps): boolean {
  return isAsked(call) && approval === undefined && isError === true
}
