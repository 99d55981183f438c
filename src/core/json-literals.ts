import { BACKSLASH, MINUS, PLUS, POINT, QUOTE, ZERO } from './json-characters.ts'

/** Where a string, a number or a word ends: behind it, at the end of the text, or at what does not fit. */
export interface Read {
  readonly end: number
  readonly state: 'whole' | 'cut' | 'broken'
}

/** Reads from a quote on. */
export function readString(text: string, start: number): Read {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return { end: at + 1, state: 'whole' }
    if (unit < 0x20) return { end: at, state: 'broken' }
    if (unit !== BACKSLASH) continue
    at++
    if (at === text.length) break
    if (text.charAt(at) === 'u') {
      for (const last = at + 4; at < last; at++) {
        if (at + 1 === text.length) return { end: text.length, state: 'cut' }
        if (!/[\da-f]/i.test(text.charAt(at + 1))) return { end: at + 1, state: 'broken' }
      }
    } else if (!'"\\/bfnrt'.includes(text.charAt(at))) return { end: at, state: 'broken' }
  }
  return { end: text.length, state: 'cut' }
}

/** Reads a number, `true`, `false` or `null`. */
export function readScalar(text: string, start: number): Read {
  const first = text.charAt(start)
  const word = ['true', 'false', 'null'].find((known) => known.startsWith(first))
  return word === undefined ? readNumber(text, start) : readWord(text, start, word)
}

function readWord(text: string, start: number, word: string): Read {
  for (let length = 1; length < word.length; length++) {
    const at = start + length
    if (at === text.length) return { end: at, state: 'cut' }
    if (text.charAt(at) !== word.charAt(length)) return { end: at, state: 'broken' }
  }
  return { end: start + word.length, state: 'whole' }
}

function readNumber(text: string, start: number): Read {
  let at = start
  if (text.charCodeAt(at) === MINUS) at++
  const whole = digits(text, at)
  if (whole === at) return lacking(text, at)
  // No digit may follow a leading zero.
  at = text.charCodeAt(at) === ZERO ? at + 1 : whole
  if (text.charCodeAt(at) === POINT) {
    const fraction = digits(text, at + 1)
    if (fraction === at + 1) return lacking(text, fraction)
    at = fraction
  }
  if (/[eE]/.test(text.charAt(at))) {
    at++
    if (text.charCodeAt(at) === PLUS || text.charCodeAt(at) === MINUS) at++
    const exponent = digits(text, at)
    if (exponent === at) return lacking(text, at)
    at = exponent
  }
  return { end: at, state: 'whole' }
}

function lacking(text: string, at: number): Read {
  return { end: at, state: at === text.length ? 'cut' : 'broken' }
}

function digits(text: string, from: number): number {
  let at = from
  while (/\d/.test(text.charAt(at))) at++
  return at
}
