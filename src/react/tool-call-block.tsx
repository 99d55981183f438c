import { memo, type ReactNode, Suspense, useContext } from 'react'
import type { CallView } from '../core/view.ts'
import { useAnnouncer } from './announcer.ts'
import { type RenderCall, ToolCallContext, useToolCallStore } from './context.ts'
import { type ToolCallRef, useToolCall } from './hooks.ts'
import { RenderBoundary } from './render-boundary.tsx'
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
export const CallBlock = memo(function CallBlock({ call, render, className }: Looks & { readonly call: CallView }): ReactNode {
  const { renderers } = useContext(ToolCallContext)
  const custom = render ?? (Object.hasOwn(renderers, call.name) ? renderers[call.name] : undefined)
  return (
    <ToolCallRoot call={call} {...(className === undefined ? {} : { className })}>
      {custom === undefined ? (
        <ToolCallPreview call={call} />
      ) : (
        <RenderBoundary resetKey={call.phase}>
          {/* On the server there are no error boundaries: there it is Suspense that keeps a throw from taking the label along. */}
          <Suspense fallback={null}>
            <Custom render={custom} call={call} />
          </Suspense>
        </RenderBoundary>
      )}
    </ToolCallRoot>
  )
})

function Custom({ render, call }: { readonly render: RenderCall; readonly call: CallView }): ReactNode {
  return render(call) ?? null
}

export function looks(render: RenderCall | undefined, className?: string): Looks {
  return { ...(render === undefined ? {} : { render }), ...(className === undefined ? {} : { className }) }
}
