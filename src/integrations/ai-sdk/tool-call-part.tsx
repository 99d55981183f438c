import type { ReactNode } from 'react'
import { type RenderCall, useToolCallStore } from '../../react/context.ts'
import { CallBlock, looks } from '../../react/tool-call-block.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolPart } from './evidence.ts'
import { usePartCall } from './use-part-call.ts'

export interface ToolCallPartProps {
  /** The id of the chat: `useChat().id`. */
  readonly chatId: string
  /** A part of which `isToolUIPart` says that it is one. */
  readonly part: ToolPart
  /**
   * The id of the message that the part stands in. Without it, where calls of several replies have the same id, a block
   * stays with the one that it showed first, which is the latest then.
   */
  readonly messageId?: string
  /** The nth call of this id in its reply, from 0; for servers that use an id twice. Default: the last. */
  readonly occurrence?: number
  /** Default: the provider's. */
  readonly store?: ToolCallStore
  /** Draws what stands under the label in place of the preview. Default: the provider's renderer of that tool. */
  readonly render?: RenderCall
  readonly className?: string
}

/**
 * Says what is true of one tool part: what the store knows of its call, and after a reload what the part itself proves.
 * @example <ToolCallPart store={store} chatId={chat.id} messageId={message.id} part={part} />
 */
export function ToolCallPart({
  chatId,
  messageId,
  part,
  occurrence,
  store: given,
  render,
  className,
}: ToolCallPartProps): ReactNode {
  const store = useToolCallStore(given)
  const call = usePartCall(store, { chatId, messageId, occurrence }, part)
  return call === undefined ? null : <CallBlock call={call} store={store} {...looks(render, className)} />
}
