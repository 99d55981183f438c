import { useCallback, useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'

/**
 * The state of a zustand store that may come, go or be another one later.
 * zustand's own hook reads the first state on the server; this one reads the present one, there and while hydrating.
 * @param find must not change between renders unless what it looks for does
 */
export function useCell<State>(
  structure: StoreApi<number>,
  find: () => StoreApi<State> | undefined,
): State | undefined {
  const subscribe = useCallback(
    (notify: () => void) => {
      let cell = find()
      let unsubscribe = cell?.subscribe(notify)
      const unsubscribeStructure = structure.subscribe(() => {
        const found = find()
        if (found === cell) return
        unsubscribe?.()
        cell = found
        unsubscribe = cell?.subscribe(notify)
        notify()
      })
      return () => {
        unsubscribe?.()
        unsubscribeStructure()
      }
    },
    [structure, find],
  )
  const read = () => find()?.getState()
  return useSyncExternalStore(subscribe, read, read)
}
