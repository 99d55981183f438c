import { Fragment, type ReactNode, useCallback } from 'react'
import type { ToolCallStore } from '../store/create-store.ts'
import { useAnnouncer } from './announcer.ts'
import { type RenderCall, useToolCallStore } from './context.ts'
import { type TurnRef, useTurn } from './hooks.ts'
import { CallBlock, looks } from './tool-call-block.tsx'
import { TurnNotice } from './turn-notice.tsx'
import { useCell } from './use-cell.ts'

export type ToolCallTurnProps = TurnRef & {
  /** Draws the model's text, as Markdown for example. Default: as it is, line breaks kept. */
  readonly renderText?: (text: string) => ReactNode
  /** Draws what stands under the labels. Default: the preview. */
  readonly render?: RenderCall
  readonly className?: string
}

/**
 * One reply: the model's text, a block for each tool call, and the notice.
 * @example <ToolCallTurn store={store} turnId={turn.id} />
 */
export function ToolCallTurn({ renderText, render, className, ...ref }: ToolCallTurnProps): ReactNode {
  const store = useToolCallStore(ref.store)
  const turn = useTurn(ref)
  useAnnouncer(store)
  if (turn === undefined) return null
  const { messageId } = ref
  const items = messageId === undefined ? turn.items : turn.items.filter((item) => item.messageId === messageId)
  return (
    <div className={className === undefined ? 'htc-turn' : `htc-turn ${className}`} data-turn={turn.id}>
      {items.map((item) =>
        item.type === 'call' ? (
          <TurnCall key={item.key} store={store} turnId={turn.id} callKey={item.key} render={render} />
        ) : renderText === undefined ? (
          <p key={item.key} className="htc-text" dir="auto">
            {item.text}
          </p>
        ) : (
          <Fragment key={item.key}>{renderText(item.text)}</Fragment>
        ),
      )}
      <TurnNotice store={store} turnId={turn.id} />
    </div>
  )
}

interface TurnCallProps {
  readonly store: ToolCallStore
  readonly turnId: string
  readonly callKey: string
  readonly render: RenderCall | undefined
}

function TurnCall({ store, turnId, callKey, render }: TurnCallProps): ReactNode {
  const find = useCallback(() => store.callByKey(turnId, callKey), [store, turnId, callKey])
  const call = useCell(store.structure, find)
  return call === undefined ? null : <CallBlock call={call} {...looks(render)} />
}
