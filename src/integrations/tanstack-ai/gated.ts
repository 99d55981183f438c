import type { Adapter } from '../../adapters/adapter.ts'
import { tanstackAi } from '../../adapters/tanstack-ai.ts'
import type { StreamEvent } from '../../core/events.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { asGated } from '../host-calls.ts'

// One for each store, as an adapter is what the streams of a turn know their reader by.
const gatedAdapters = new WeakMap<ToolCallStore, Adapter>()

/** The adapter of a store whose client tools are kept back from the chat client until our gate has passed them. */
export function gatedAdapter(store: ToolCallStore): Adapter {
  const known = gatedAdapters.get(store)
  if (known !== undefined) return known
  const made: Adapter = {
    ...tanstackAi,
    reader() {
      const reader = tanstackAi.reader()
      return {
        ...reader,
        read: (chunk, emit) =>
          reader.read(chunk, (event) => {
            if (!isForeignError(store, event)) emit(asGated(store, event))
          }),
      }
    },
  }
  gatedAdapters.set(store, made)
  return made
}

/** Whether a connection of this store keeps client tools back. */
export function isGated(store: ToolCallStore): boolean {
  return gatedAdapters.has(store)
}

/**
 * An error for a call that this page never let go: the server judged its input by itself, or heard from us that it was
 * not run. No tool has failed.
 */
function isForeignError(store: ToolCallStore, event: StreamEvent): boolean {
  if (event.type !== 'call-returned' || event.ok || event.callId === undefined) return false
  store.flush()
  const call = store.call({ callId: event.callId })?.getState()
  if (call?.executor !== 'local' || call.phase === 'running') return false
  return call.phase !== 'settled' || call.settled.ran === 'no'
}
