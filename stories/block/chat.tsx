import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { type ToolCallActions, ToolCallProvider, type ToolCallStore, ToolCallTurn } from '../../src/index.ts'

export interface ChatProps {
  /** Makes what the chat begins with. */
  readonly begin: () => ToolCallStore
  /** What its buttons do. Default: nothing, and there are none. */
  readonly act?: (store: ToolCallStore) => ToolCallActions
}

/** All turns of a store below each other, as a chat shows them. */
export function Chat({ begin, act }: ChatProps): ReactNode {
  const [{ store, actions }] = useState(() => {
    const begun = begin()
    return { store: begun, actions: act?.(begun) ?? {} }
  })
  useSyncExternalStore(store.structure.subscribe, store.structure.getState)
  return (
    <ToolCallProvider store={store} actions={actions}>
      <div className="story-column">
        {store.turnIds().map((turnId) => (
          <ToolCallTurn key={turnId} turnId={turnId} />
        ))}
      </div>
    </ToolCallProvider>
  )
}
