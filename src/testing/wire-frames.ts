import type { Adapter } from '../adapters/adapter.ts'
import type { StreamEvent } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import { REPORT_EVENT } from '../core/report.ts'
import { cut } from './cut.ts'

/** What an adapter's framer found. */
export interface Frames {
  readonly frames: readonly unknown[]
  /** After how many bytes each frame was whole. */
  readonly frameEnds: readonly number[]
}

/** Cuts what came into frames, byte by byte. */
export function framed(adapter: Adapter, ...sources: readonly Uint8Array[]): Frames {
  const frames: unknown[] = []
  const frameEnds: number[] = []
  let length = 0
  const framer = adapter.framer({
    frame(data, name) {
      // An executor's reports are read before any adapter sees them.
      if (name !== REPORT_EVENT) frames.push(data)
      frameEnds.push(length)
    },
  })
  for (const piece of sources.flatMap((bytes) => cut(bytes, bytes.keys()))) {
    length += piece.length
    framer.feed(piece)
  }
  return { frames, frameEnds }
}

/** What an adapter makes of the streams of one turn, each a list of frames. */
export function eventsOf(adapter: Adapter, ...streams: readonly (readonly unknown[])[]): StreamEvent[][] {
  const reader = adapter.reader()
  return streams.map((frames) => {
    const events: StreamEvent[] = []
    reader.open()
    for (const frame of frames) reader.read(frame, (event) => events.push(event))
    return events
  })
}

/** The ids that an event hands on. */
export function idsOf(event: StreamEvent): readonly string[] {
  const { callId, messageId } = event as { readonly callId?: string; readonly messageId?: string }
  return [callId, messageId].filter((id) => id !== undefined)
}

/** All strings in a value. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/** The same frame of another stream: with other ids. */
export function renamed(value: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return ids.has(value) ? `${value}-again` : value
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner, ids)]))
}
