import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-characters.ts'
import { parseStrictly } from './strict-json.ts'

/**
 * The keys of the outermost object in the order in which they begin, repeats included, as far as the text goes.
 * The last one is the member that may still grow.
 */
export function topLevelKeys(text: string): readonly string[] {
  const keys: string[] = []
  let depth = 0
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at)
        if (depth === 1 && isKey) keys.push(decode(text.slice(at, end + 1)))
        isKey = false
        at = end
        break
      }
      case OPEN_OBJECT:
        depth++
        isKey = depth === 1
        break
      case OPEN_ARRAY:
        depth++
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth--
        break
      case COMMA:
        isKey = depth === 1
        break
    }
  }
  return keys
}

/** The place of the quote that closes the string, or the length of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
}

function decode(literal: string): string {
  const parsed = parseStrictly(literal)
  // A key that is cut has no value yet: its text only has to differ from the others.
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : literal
}
