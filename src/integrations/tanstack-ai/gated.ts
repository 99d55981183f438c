import { tanstackAi } from '../../adapters/tanstack-ai.ts'
import type { StreamEvent } from '../../core/events.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { gatedAdapters } from '../gated-adapter.ts'

/** The adapters of stores whose client tools a connection keeps back. */
export const gated = gatedAdapters(tanstackAi, (store, event) => !isForeignError(store, event))

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
