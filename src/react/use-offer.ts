import { useCallback, useSyncExternalStore } from 'react'
import { type Offer, offerOf } from '../core/offers.ts'
import { type ToolDeclaration, toolOf } from '../core/tools.ts'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { TurnView } from '../store/turn-view.ts'
import type { ToolCallActions } from './context.ts'

/** What a block offers to do about its call: what its cause, its tool and the host allow, until the conversation has moved on. */
export function useOffer(call: CallView, store: ToolCallStore | null, actions: ToolCallActions): Offer | null {
  const offer = allowed(call, store, actions)
  const { turnId } = call
  const subscribe = useCallback(
    (notify: () => void) => {
      if (offer === null || store === null) return () => {}
      const unsubscribeStructure = store.structure.subscribe(notify)
      const unsubscribeTurn = store.turn(turnId)?.subscribe(notify)
      return () => {
        unsubscribeStructure()
        unsubscribeTurn?.()
      }
    },
    [offer, store, turnId],
  )
  const read = () => offer !== null && store !== null && stands(offer, store, call)
  return useSyncExternalStore(subscribe, read, read) ? offer : null
}

function allowed(call: CallView, store: ToolCallStore | null, actions: ToolCallActions): Offer | null {
  const offer = offerOf(call)
  // A name that nobody declared may look like one that somebody did.
  const tool = store === null || !call.known ? undefined : toolOf(store.registry, call.name)
  if (offer === null || tool === undefined) return null
  return optedIn(offer, tool) && actions[offer.action === 'check' ? 'check' : 'tryAgain'] !== undefined ? offer : null
}

function optedIn(offer: Offer, tool: ToolDeclaration): boolean {
  return offer.action === 'check' ? (tool.offersCheck ?? tool.query !== undefined) : tool.offersRetry === true
}

function stands(offer: Offer, store: ToolCallStore, call: CallView): boolean {
  const turn = store.turn(call.turnId)?.getState()
  // A view that was read from a stored message has a turn of its own, whose id may be another's here.
  if (turn === undefined || store.callByKey(turn.id, call.key)?.getState() !== call) return false
  if (turn.open || !isLatest(store, turn)) return false
  const own = turn.items.find(({ type, key }) => type === 'call' && key === call.key)
  if (own === undefined || turn.items.some(({ message }) => message > own.message)) return false
  return offer.once !== true || !triesSuchACall(store, turn)
}

function isLatest(store: ToolCallStore, { id, scope }: TurnView): boolean {
  return id === (scope === undefined ? store.turnIds().at(-1) : store.turnOf(scope)?.getState().id)
}

/** Whether a turn is the one more try that a call was worth. What is not known any more may have been such a call. */
function triesSuchACall(store: ToolCallStore, { retryOf }: TurnView): boolean {
  if (retryOf === undefined) return false
  const tried = store.callByKey(retryOf.turnId, retryOf.key)?.getState()
  return tried === undefined || offerOf(tried)?.once === true
}
