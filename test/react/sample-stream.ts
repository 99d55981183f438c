import { createToolCallStore, type StoreOptions, type ToolCallStore, type ToolCallStream } from '../../src/index.ts'

/** Arguments of a ticket, cut in the middle of a word. */
export const HALF = '{"title":"Disk full","priority":"ur'

/** A store that publishes when it is told to, with an open stream of a first turn. */
export function openSample(options: StoreOptions = {}): {
  readonly store: ToolCallStore
  readonly stream: ToolCallStream
} {
  const store = createToolCallStore({ defaultExecutor: 'local', frame: () => () => {}, ...options })
  return { store, stream: store.openStream() }
}

/** Announces a call whose id is its key. */
export function announce(stream: ToolCallStream, key: string, name: string): void {
  stream.push({ type: 'call-announced', key, callId: key, name })
}

/** The connection breaks. */
export function drop(stream: ToolCallStream): void {
  stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
}
