import { memo, type ReactNode, useCallback } from 'react'
import type { ToolCallStore } from '../store/create-store.ts'
import { useAnnouncer } from './announcer.ts'
import { type RenderCall, type ToolCallActions, useToolCallStore } from './context.ts'
import { type TurnRef, useTurn } from './hooks.ts'
import { HostDrawn } from './host-drawn.tsx'
import { isLastMessage, itemsOfMessage } from './items-of-message.ts'
import { CallBlock, looks } from './tool-call-block.tsx'
import { TurnNotice } from './turn-notice.tsx'
import { useCell } from './use-cell.ts'

export type ToolCallTurnProps = TurnRef & {
  /** Draws the model's text, as Markdown for example. Default: as it is, line breaks kept. */
  readonly renderText?: (text: string) => ReactNode
  /** Draws what stands under the labels. Default: the preview, and the question where a person is asked. */
  readonly render?: RenderCall
  readonly className?: string
  /** What the buttons of its blocks do. Keep the object the same between renders. Default of each: the provider's. */
  readonly actions?: ToolCallActions
}

/**
 * One reply: the model's text, a block for each tool call, and the notice. With a `messageId`: that message's part of it.
 * @example <ToolCallTurn store={store} turnId={turn.id} />
 */
export function ToolCallTurn({ renderText, render, className, actions, ...ref }: ToolCallTurnProps): ReactNode {
  const store = useToolCallStore(ref.store)
  const turn = useTurn(ref)
  useAnnouncer(store)
  if (turn === undefined) return null
  const { messageId } = ref
  const items = messageId === undefined ? turn.items : itemsOfMessage(turn.items, messageId)
  return (
    <div className={className === undefined ? 'htc-turn' : `htc-turn ${className}`} data-turn={turn.id}>
      {items.map((item) =>
        item.type === 'call' ? (
          <TurnCall
            key={item.key}
            store={store}
            turnId={turn.id}
            callKey={item.key}
            render={render}
            actions={actions}
          />
        ) : (
          <TurnText key={item.key} text={item.text} renderText={renderText} />
        ),
      )}
      {(messageId === undefined || isLastMessage(turn.items, messageId)) && (
        <TurnNotice store={store} turnId={turn.id} />
      )}
    </div>
  )
}

interface TurnTextProps {
  readonly text: string
  readonly renderText: ((text: string) => ReactNode) | undefined
}

// Each fragment of text is another turn: only the text it belongs to is drawn again.
const TurnText = memo(function TurnText({ text, renderText }: TurnTextProps): ReactNode {
  const plain = (
    <p className="htc-text" dir="auto">
      {text}
    </p>
  )
  return renderText === undefined ? (
    plain
  ) : (
    <HostDrawn draw={renderText} input={text} resetKey={text} fallback={plain} />
  )
})

interface TurnCallProps {
  readonly store: ToolCallStore
  readonly turnId: string
  readonly callKey: string
  readonly render: RenderCall | undefined
  readonly actions: ToolCallActions | undefined
}

const TurnCall = memo(function TurnCall({ store, turnId, callKey, render, actions }: TurnCallProps): ReactNode {
  const find = useCallback(() => store.callByKey(turnId, callKey), [store, turnId, callKey])
  const call = useCell(store.structure, find)
  return call === undefined ? null : <CallBlock call={call} store={store} {...looks(render, undefined, actions)} />
})
