import type { Adapter } from '../../adapters/adapter.ts'
import { aiUiMessageStream } from '../../adapters/ai-ui-message-stream.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { asGated } from '../host-calls.ts'

// One for each store, as an adapter is what the streams of a turn know their reader by.
const gatedAdapters = new WeakMap<ToolCallStore, Adapter>()

/** The adapter of a store whose client tools are kept back from their host until our gate has passed them. */
export function gatedAdapter(store: ToolCallStore): Adapter {
  const known = gatedAdapters.get(store)
  if (known !== undefined) return known
  const made: Adapter = {
    ...aiUiMessageStream,
    reader() {
      const reader = aiUiMessageStream.reader()
      return { ...reader, read: (chunk, emit) => reader.read(chunk, (event) => emit(asGated(store, event))) }
    },
  }
  gatedAdapters.set(store, made)
  return made
}

/** Whether a transport of this store keeps client tools back. */
export function isGated(store: ToolCallStore): boolean {
  return gatedAdapters.has(store)
}
