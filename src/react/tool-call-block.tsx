import { memo, type ReactNode, useContext } from 'react'
import { type CallView, standingOf } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { useAnnouncer } from './announcer.ts'
import { type RenderCall, type ToolCallActions, ToolCallContext, useToolCallStore } from './context.ts'
import { type ToolCallRef, useToolCall } from './hooks.ts'
import { HostDrawn } from './host-drawn.tsx'
import { ToolCallApproval } from './tool-call-approval.tsx'
import { ToolCallOffer } from './tool-call-offer.tsx'
import { ToolCallPreview } from './tool-call-preview.tsx'
import { ToolCallRoot } from './tool-call-root.tsx'
import { useOffer } from './use-offer.ts'

interface Looks {
  /** Draws what stands under the label in place of the preview and the question. Default: the provider's renderer of that tool. */
  readonly render?: RenderCall
  readonly className?: string
  /** What the buttons do. Keep the object the same between renders. Default of each: the provider's. */
  readonly actions?: ToolCallActions
}

export type ToolCallBlockProps = Looks & ToolCallRef

/**
 * Says what is true of one tool call, and what its arguments are while they come. Nothing for a call the store does not know.
 * @example <ToolCallBlock toolCallId={part.toolCallId} scope={chatId} />
 */
export function ToolCallBlock({ render, className, actions, ...ref }: ToolCallBlockProps): ReactNode {
  const call = useToolCall(ref)
  const store = useToolCallStore(ref.store)
  useAnnouncer(store)
  return call === undefined ? null : <CallBlock call={call} store={store} {...looks(render, className, actions)} />
}

interface CallBlockProps extends Looks {
  readonly call: CallView
  /** Tells whether the conversation has moved on: without one nothing is offered. Default: the provider's, if there is any. */
  readonly store?: ToolCallStore
}

/** The same for a view at hand. Renders again only when the view is another one, or no longer what can be acted on. */
export const CallBlock = memo(function CallBlock(props: CallBlockProps): ReactNode {
  const { call, render, className } = props
  const context = useContext(ToolCallContext)
  const { store = context.store } = props
  const actions = { ...context.actions, ...props.actions }
  // Here rather than with its button: where that goes away, the group has to see to the focus.
  const offer = useOffer(call, store, actions)
  // Own members only: a model may well ask for a tool called `constructor`.
  const custom = render ?? (Object.hasOwn(context.renderers, call.name) ? context.renderers[call.name] : undefined)
  return (
    <ToolCallRoot call={call} {...looks(undefined, className)}>
      {custom === undefined ? (
        <>
          <ToolCallPreview call={call} />
          <ToolCallApproval call={call} onAnswer={actions.answer} />
        </>
      ) : (
        // A renderer that throws is not asked again each frame.
        <HostDrawn draw={custom} input={call} resetKey={standingOf(call)} />
      )}
      {offer !== null && (
        <ToolCallOffer key={`${call.turnId} ${call.key}`} call={call} offer={offer} actions={actions} />
      )}
    </ToolCallRoot>
  )
})

/** Optional props as `exactOptionalPropertyTypes` wants them: left out, not undefined. */
export function looks(render: RenderCall | undefined, className?: string, actions?: ToolCallActions): Looks {
  return {
    ...(render === undefined ? {} : { render }),
    ...(className === undefined ? {} : { className }),
    ...(actions === undefined ? {} : { actions }),
  }
}
