import type { Framer, FrameSink } from './adapter.ts'

/**
 * Frames one JSON document, an object or an array: passed on when its last bracket has come, however it was cut, so
 * that nobody has to say where it ends. What comes after it is left out; one that never ends is never passed on.
 */
export function oneDocument(sink: FrameSink): Framer {
  const decoder = new TextDecoder()
  let text = ''
  let depth = 0
  let quoted = false
  let escaped = false
  let whole = false

  return {
    feed(piece) {
      const more = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
      for (let at = 0; at < more.length && !whole; at++) {
        const character = more[at]
        if (escaped) escaped = false
        else if (quoted) {
          escaped = character === '\\'
          quoted = character !== '"'
        } else if (character === '"') quoted = true
        else if (character === '{' || character === '[') depth++
        else if ((character === '}' || character === ']') && --depth === 0) {
          whole = true
          sink.frame(parse(text + more.slice(0, at + 1)))
        }
      }
      text += more
    },
  }
}

function parse(document: string): unknown {
  try {
    return JSON.parse(document)
  } catch {
    return document
  }
}
