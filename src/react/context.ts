import { createContext, type ReactNode, useContext } from 'react'
import { type Catalogue, english } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'

/** Draws what stands under a call's label; it cannot replace the label. */
export type RenderCall = (call: CallView) => ReactNode

/**
 * What a person's answers and presses lead to. A button is drawn only where its action is given, and where an action
 * returns a promise, cannot be pressed again until that has settled.
 */
export interface ToolCallActions {
  /** The person's answer about a call that waits for them; to be told to the store. */
  readonly answer?: (call: CallView, granted: boolean) => unknown
  /** To ask the model anew, in a turn of its own with `retryOf: { turnId, key }` of this call. For tools with `offersRetry`. */
  readonly tryAgain?: (call: CallView) => unknown
  /** To find out what became of a call that may have run, and tell the store. For tools with a `query`, or `offersCheck`. */
  readonly check?: (call: CallView) => unknown
}

/** Who speaks transitions to assistive technology: this kit's regions, two per store, or the host itself. */
export type Announce = 'shared' | 'none'

export interface ToolCallContextValue {
  readonly store: ToolCallStore | null
  readonly catalogue: Catalogue
  readonly announce: Announce
  readonly renderers: Readonly<Record<string, RenderCall>>
  readonly actions: ToolCallActions
}

export const ToolCallContext = createContext<ToolCallContextValue>({
  store: null,
  catalogue: english,
  announce: 'shared',
  renderers: {},
  actions: {},
})

/** The store of the nearest provider, or the one given. Throws where there is neither. */
export function useToolCallStore(given?: ToolCallStore): ToolCallStore {
  const { store } = useContext(ToolCallContext)
  const found = given ?? store
  if (found !== null) {
    // On a server nothing comes between what fills a store and what draws it: what waits is published now.
    if (typeof document === 'undefined') found.flush()
    return found
  }
  throw new Error(
    'honest-tool-calls: there is no store to read from. Pass `store`, or put a <ToolCallProvider store={store}> around this.',
  )
}
