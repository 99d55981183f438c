import {
  createToolCallStore,
  type Ending,
  type StoreOptions,
  type StreamEvent,
  type ToolCallStore,
} from '../../src/index.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'

/** A store with one turn in it, to be led into a state by the events that lead there. Its clock stands still. */
export interface Scene {
  /** After `reload`: the store of the page that was opened again. */
  readonly store: ToolCallStore
  readonly turnId: string
  readonly clock: FakeClock
  push(event: StreamEvent): void
  /** What the model said it would do, then a call of `create_ticket` with this much of its arguments. */
  begin(args: string): void
  /** The provider sends no more of the call. */
  finish(): void
  endMessage(reason: Extract<StreamEvent, { type: 'message-ended' }>['reason']): void
  /** Without an ending: the bytes end cleanly. */
  end(ending?: Ending, options?: { readonly resumable?: boolean }): void
  /** The page is closed and opened again. */
  reload(): void
}

const PREAMBLE = "I'll create that ticket for you now."
/** Whole arguments, and the same cut in the middle. */
export const WHOLE = '{"title":"Disk full on db-3","priority":"urgent"}'
export const HALF = '{"title":"Disk full on db-3","priority":"urg'

/** The one call of a scene, as a host names it. */
export const CALL = { callId: 'toolu_1' } as const

export function createScene(options: StoreOptions = {}): Scene {
  const clock = createFakeClock()
  const settings: StoreOptions = {
    tools: { create_ticket: { executor: 'local' } },
    clock,
    frame: () => () => {},
    ...options,
  }
  let store = createToolCallStore(settings)
  const stream = store.openStream()
  return {
    get store() {
      return store
    },
    turnId: stream.turnId,
    clock,
    push: (event) => stream.push(event),
    begin(args) {
      stream.push({ type: 'text-fragment', text: PREAMBLE })
      stream.push({ type: 'call-announced', key: 'a', callId: CALL.callId, name: 'create_ticket' })
      stream.push({ type: 'call-fragment', key: 'a', text: args })
    },
    finish: () => stream.push({ type: 'call-finished', key: 'a' }),
    endMessage: (reason) => stream.push({ type: 'message-ended', reason, finishesOpenCalls: false }),
    end: (ending, resumption) => stream.end(ending, resumption),
    reload() {
      const kept = store.snapshot()
      stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody' })
      store = createToolCallStore(settings)
      store.restore(kept)
    },
  }
}
