import { createParser } from 'eventsource-parser'
import type { Framer, FrameSink } from './adapter.ts'

/**
 * Frames server-sent events. One decoder per stream, as a network cut may fall inside a character;
 * a frame that is not closed by a blank line is never passed on (WHATWG HTML, 9.2.6).
 */
export function sse(sink: FrameSink): Framer {
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data, event }) => sink.frame(parseFrame(data), event) })
  return { feed: (piece) => parser.feed(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })) }
}

function parseFrame(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
