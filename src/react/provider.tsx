import { type ReactNode, useMemo } from 'react'
import { type Catalogue, english } from '../core/labels.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { useAnnouncer } from './announcer.ts'
import {
  type Announce,
  type RenderCall,
  type ToolCallActions,
  ToolCallContext,
  type ToolCallContextValue,
} from './context.ts'

export interface ToolCallProviderProps {
  readonly store: ToolCallStore
  /** Default `shared`: one polite region per store, at the end of the page. `none`: the host announces by itself. */
  readonly announce?: Announce
  /** Default: English. */
  readonly catalogue?: Catalogue
  /** What stands under the label, by tool name. Keep the object the same between renders. Default: the preview. */
  readonly renderers?: Readonly<Record<string, RenderCall>>
  /** What the buttons of blocks do. Keep the object the same between renders. Default: nothing, and there are none. */
  readonly actions?: ToolCallActions
  readonly children: ReactNode
}

const NONE = {}

/** Gives a store, words and looks to every block inside. */
export function ToolCallProvider(props: ToolCallProviderProps): ReactNode {
  const { store, announce = 'shared', catalogue = english, renderers = NONE, actions = NONE, children } = props
  const value = useMemo<ToolCallContextValue>(
    () => ({ store, announce, catalogue, renderers, actions }),
    [store, announce, catalogue, renderers, actions],
  )
  return (
    <ToolCallContext.Provider value={value}>
      <Announcer store={store} />
      {children}
    </ToolCallContext.Provider>
  )
}

function Announcer({ store }: { readonly store: ToolCallStore }): null {
  useAnnouncer(store)
  return null
}
