import type { Framer, FrameSink } from './adapter.ts'

/**
 * Frames JSON documents of a line each. One decoder per stream, as a network cut may fall inside a character;
 * a line that is not closed is never passed on, for there is no telling whether it is whole.
 */
export function ndjson(sink: FrameSink): Framer {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    feed(piece) {
      const [first = '', ...others] = (
        typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
      ).split('\n')
      rest += first
      for (const line of others) {
        if (/\S/.test(rest)) sink.frame(parseLine(rest))
        rest = line
      }
    },
  }
}

/** What a line holds: its document, or its text where it is none. JSON takes the CR of a line's end for white space. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
