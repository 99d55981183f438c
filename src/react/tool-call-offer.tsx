import { type ReactNode, useContext } from 'react'
import type { Offer } from '../core/offers.ts'
import type { CallView } from '../core/view.ts'
import { type ToolCallActions, ToolCallContext } from './context.ts'
import { usePress } from './use-press.ts'

interface ToolCallOfferProps {
  readonly call: CallView
  readonly offer: Offer
  readonly actions: ToolCallActions
}

/** The button under a settled label, with the hint that belongs to it. */
export function ToolCallOffer({ call, offer: { action, hint }, actions }: ToolCallOfferProps): ReactNode {
  const { offers, hints } = useContext(ToolCallContext).catalogue
  const [pressed, press] = usePress()
  return (
    <div className="htc-offer" data-offer={action ?? undefined}>
      {hint !== undefined && <p className="htc-hint">{hints[hint]}</p>}
      {action !== null && (
        <button
          type="button"
          className="htc-button"
          aria-disabled={pressed || undefined}
          onClick={() => press(() => (action === 'check' ? actions.check?.(call) : actions.tryAgain?.(call)))}
        >
          {offers[action]}
        </button>
      )}
    </div>
  )
}
