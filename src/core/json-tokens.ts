import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-characters.ts'
import { readScalar, readString } from './json-literals.ts'

/** A piece of JSON text. `end` is behind its last character; a piece that the end of the text cuts reaches to there. */
export interface JsonToken {
  readonly type: 'open' | 'close' | 'key' | 'string' | 'scalar'
  readonly start: number
  readonly end: number
}

/**
 * How far a text is JSON: one whole document; the beginning of one, that only breaks off; or something that is none,
 * with the place, in UTF-16 units, of the first character that fits no document.
 */
export type JsonExtent =
  | { readonly type: 'whole' }
  | { readonly type: 'cut' }
  | { readonly type: 'broken'; readonly at: number }

/** What may come next. */
type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'nothing'

/**
 * Reads the pieces of a JSON text, one after the other, as far as it is JSON. As strict as the strict parser, but it says
 * where it stopped, which engines tell in words of their own, and it reads what is cut. Linear; no recursion.
 */
export function* jsonTokens(text: string): Generator<JsonToken, JsonExtent, undefined> {
  const open: boolean[] = []
  let expected: Expected = 'value'
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-close')
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const start = at
    const isValue: boolean = expected === 'value' || expected === 'value-or-close'
    const isKey: boolean = expected === 'key' || expected === 'key-or-close'
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        if (!isValue && !isKey) return broken(at)
        const { end, state } = readString(text, start)
        if (state === 'broken') return broken(end)
        yield { type: isKey ? 'key' : 'string', start, end }
        if (state === 'cut') return CUT
        at = end
        expected = isKey ? 'colon' : afterValue()
        break
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        if (!isValue) return broken(at)
        const isObject = text.charCodeAt(at) === OPEN_OBJECT
        open.push(isObject)
        at++
        yield { type: 'open', start, end: at }
        expected = isObject ? 'key-or-close' : 'value-or-close'
        break
      }
      case CLOSE_OBJECT:
      case CLOSE_ARRAY: {
        const isObject = text.charCodeAt(at) === CLOSE_OBJECT
        const mayClose = expected === 'comma-or-close' || expected === (isObject ? 'key-or-close' : 'value-or-close')
        if (!mayClose || open.at(-1) !== isObject) return broken(at)
        open.pop()
        at++
        yield { type: 'close', start, end: at }
        expected = afterValue()
        break
      }
      case COMMA:
        if (expected !== 'comma-or-close') return broken(at)
        at++
        expected = open.at(-1) === true ? 'key' : 'value'
        break
      case COLON:
        if (expected !== 'colon') return broken(at)
        at++
        expected = 'value'
        break
      default: {
        if (!isValue) return broken(at)
        const { end, state } = readScalar(text, start)
        if (state === 'broken') return broken(end)
        yield { type: 'scalar', start, end }
        if (state === 'cut') return CUT
        at = end
        expected = afterValue()
      }
    }
  }
  return expected === 'nothing' ? WHOLE : CUT
}

/** Where a text stops being one JSON document: its length where it only breaks off, null where it is one. */
export function errorPosition(text: string): number | null {
  const tokens = jsonTokens(text)
  let step = tokens.next()
  while (step.done !== true) step = tokens.next()
  switch (step.value.type) {
    case 'whole':
      return null
    case 'cut':
      return text.length
    case 'broken':
      return step.value.at
    default:
      return step.value satisfies never
  }
}

const WHOLE: JsonExtent = { type: 'whole' }
const CUT: JsonExtent = { type: 'cut' }

function broken(at: number): JsonExtent {
  return { type: 'broken', at }
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}
