import type { Json } from './json.ts'

/** Deeper than this is treated as unparseable, so that nothing downstream overflows its stack. */
export const MAX_DEPTH = 1000

/** What the strict parser says of a text: one JSON document, or not. */
export type StrictParse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly detail: 'not-json' | 'too-deep' }

/** Parses arguments as exactly one JSON document. There is no other way from a buffer to a value. */
export function parseStrictly(text: string): StrictParse {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return { ok: false, detail: 'not-json' }
  }
  return isTooDeep(value) ? { ok: false, detail: 'too-deep' } : { ok: true, value }
}

/** Whether a value that did not come through the strict parser may be used: same cap on depth. */
export function isTooDeep(value: Json): boolean {
  // One level at a time rather than by recursion: the very input this guards against would overflow the stack.
  let level: Json[] = typeof value === 'object' && value !== null ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) return true
    const next: Json[] = []
    for (const entry of level) {
      if (typeof entry === 'object' && entry !== null) {
        for (const member of Object.values(entry)) if (typeof member === 'object' && member !== null) next.push(member)
      }
    }
    level = next
  }
  return false
}

/** Structural equality of two JSON values; members in any order. */
export function sameJson(left: Json, right: Json): boolean {
  // A list of pairs rather than recursion, for the same reason.
  const pairs: [Json, Json][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      pairs.push([member(one, key), member(other, key)])
    }
  }
  return true
}

function member(value: object, key: string): Json {
  return (value as Record<string, Json>)[key] as Json
}
