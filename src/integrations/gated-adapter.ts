import type { Adapter } from '../adapters/adapter.ts'
import type { StreamEvent } from '../core/events.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { asGated } from './host-calls.ts'

/** The adapters of one wire for the stores whose client tools are kept back from their host until our gate has passed them. */
export interface GatedAdapters {
  /** One for each store, as an adapter is what the streams of a turn know their reader by. */
  of(store: ToolCallStore): Adapter
  /** Whether anything of this store is kept back. */
  has(store: ToolCallStore): boolean
}

/** @param isTold whether the store hears of an event at all. Default: of each */
export function gatedAdapters(
  adapter: Adapter,
  isTold: (store: ToolCallStore, event: StreamEvent) => boolean = () => true,
): GatedAdapters {
  const made = new WeakMap<ToolCallStore, Adapter>()

  function make(store: ToolCallStore): Adapter {
    return {
      ...adapter,
      reader() {
        const reader = adapter.reader()
        return {
          ...reader,
          read: (chunk, emit) =>
            reader.read(chunk, (event) => {
              if (isTold(store, event)) emit(asGated(store, event))
            }),
        }
      },
    }
  }

  return {
    of(store) {
      const known = made.get(store) ?? make(store)
      made.set(store, known)
      return known
    },
    has: (store) => made.has(store),
  }
}
