import { memo, type ReactNode, useContext } from 'react'
import type { CallView } from '../core/view.ts'
import { useAnnouncer } from './announcer.ts'
import { type RenderCall, ToolCallContext, useToolCallStore } from './context.ts'
import { type ToolCallRef, useToolCall } from './hooks.ts'
import { HostDrawn } from './host-drawn.tsx'
import { ToolCallPreview } from './tool-call-preview.tsx'
import { ToolCallRoot } from './tool-call-root.tsx'

interface Looks {
  /** Draws what stands under the label in place of the preview. Default: the provider's renderer of that tool. */
  readonly render?: RenderCall
  readonly className?: string
}

export type ToolCallBlockProps = Looks & ToolCallRef

/**
 * Says what is true of one tool call, and what its arguments are while they come. Nothing for a call the store does not know.
 * @example <ToolCallBlock toolCallId={part.toolCallId} scope={chatId} />
 */
export function ToolCallBlock({ render, className, ...ref }: ToolCallBlockProps): ReactNode {
  const call = useToolCall(ref)
  useAnnouncer(useToolCallStore(ref.store))
  return call === undefined ? null : <CallBlock call={call} {...looks(render, className)} />
}

/** The same for a view at hand. Renders again only when the view is another one. */
export const CallBlock = memo(function CallBlock({
  call,
  render,
  className,
}: Looks & { readonly call: CallView }): ReactNode {
  const { renderers } = useContext(ToolCallContext)
  // Own members only: a model may well ask for a tool called `constructor`.
  const custom = render ?? (Object.hasOwn(renderers, call.name) ? renderers[call.name] : undefined)
  return (
    <ToolCallRoot call={call} {...looks(undefined, className)}>
      {custom === undefined ? (
        <ToolCallPreview call={call} />
      ) : (
        <HostDrawn draw={custom} input={call} resetKey={stateOf(call)} />
      )}
    </ToolCallRoot>
  )
})

/** Changes when the label does, not with every fragment: a renderer that throws is not asked again each frame. */
function stateOf(call: CallView): string {
  switch (call.phase) {
    case 'preparing':
    case 'running':
      return call.phase
    case 'waiting':
      return `waiting ${call.on}`
    case 'settled':
      return `settled ${call.settled.ran} ${call.settled.cause}`
    default:
      return call satisfies never
  }
}

/** Optional props as `exactOptionalPropertyTypes` wants them: left out, not undefined. */
export function looks(render: RenderCall | undefined, className?: string): Looks {
  return { ...(render === undefined ? {} : { render }), ...(className === undefined ? {} : { className }) }
}
