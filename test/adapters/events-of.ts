import type { Adapter } from '../../src/adapters/adapter.ts'
import type { StreamEvent } from '../../src/core/events.ts'

/** What an adapter makes of a turn of one or more streams, each a list of parsed frames. */
export function eventsOf(adapter: Adapter, ...streams: readonly (readonly unknown[])[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const reader = adapter.reader()
  for (const frames of streams) {
    reader.open()
    for (const frame of frames) reader.read(frame, (event) => events.push(event))
  }
  return events
}

/** What an adapter makes of one stream of bytes, given in these pieces. */
export function eventsOfBytes(adapter: Adapter, pieces: Iterable<Uint8Array>): StreamEvent[] {
  const events: StreamEvent[] = []
  const reader = adapter.reader()
  reader.open()
  const framer = adapter.framer({
    frame: (data) => {
      reader.read(data, (event) => events.push(event))
    },
  })
  for (const piece of pieces) framer.feed(piece)
  return events
}
