import type { Adapter } from '../../src/adapters/adapter.ts'
import type { StreamEvent } from '../../src/core/events.ts'

/** A wire whose events are the kit's own: for tests of what comes behind the adapters. */
export const eventsAdapter: Adapter = {
  format: 'events',
  speaker: 'model',
  reader: () => ({
    open() {},
    read(event, emit) {
      emit(event as StreamEvent)
      return true
    },
  }),
  framer: () => ({ feed() {} }),
}

/** A message of these calls: name and argument text by key. */
export async function* messageOf(
  calls: Readonly<Record<string, readonly [string, string]>>,
): AsyncGenerator<StreamEvent> {
  yield { type: 'message-started' }
  for (const [key, [name, text]] of Object.entries(calls)) {
    yield { type: 'call-announced', key, callId: `id-${key}`, name }
    yield { type: 'call-fragment', key, text }
    yield { type: 'call-finished', key }
  }
  if (Object.keys(calls).length === 0) yield { type: 'text-fragment', text: 'Done.' }
  yield { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
}
