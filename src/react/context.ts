import { createContext, type ReactNode, useContext } from 'react'
import { type Catalogue, english } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'

/** Draws what stands under a call's label; it cannot replace the label. */
export type RenderCall = (call: CallView) => ReactNode

/** Who speaks transitions to assistive technology: this kit's one polite region per store, or the host itself. */
export type Announce = 'shared' | 'none'

export interface ToolCallContextValue {
  readonly store: ToolCallStore | null
  readonly catalogue: Catalogue
  readonly announce: Announce
  readonly renderers: Readonly<Record<string, RenderCall>>
}

export const ToolCallContext = createContext<ToolCallContextValue>({
  store: null,
  catalogue: english,
  announce: 'shared',
  renderers: {},
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
