import { type JsonToken, jsonTokens } from '../core/json-tokens.ts'
import { parseStrictly } from '../core/strict-json.ts'

/** What stands in the place of a value that may not be kept: a JSON string, so that a document can still be read. */
const REDACTED = '"[redacted]"'

/** A text without its sensitive values, or why there is none. */
export type Redaction =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'not-an-object' | 'lost-track' }

/**
 * Replaces the values of sensitive members, in a whole document or in the beginning of one. Whatever is no JSON is not
 * guessed at: where it cannot be told which characters belong to which member, there is no text.
 * More is hidden than declared where that is safer: members of that name at any depth and in any usual spelling
 * (`apiKey`, `API_KEY`); strings that hold members themselves, as arguments that were encoded twice; and whatever comes
 * after the beginning of a sensitive object or array.
 */
export function redact(text: string, sensitive: readonly string[]): Redaction {
  if (sensitive.length === 0) return { ok: true, text }
  const isSensitive = matcher(sensitive)
  const tokens = jsonTokens(text)
  let step = tokens.next()
  if (step.done === true || text.charAt(step.value.start) !== '{') return { ok: false, reason: 'not-an-object' }
  let kept = ''
  let from = 0
  let hidesValue = false
  let last = step.value
  while (step.done !== true) {
    const token = step.value
    const hides = hidesValue
    const obscure = isObscure(token, text)
    hidesValue = token.type === 'key' && (obscure || isSensitive(decode(text, token)))
    if (from < text.length && (hides || obscure)) {
      kept += text.slice(from, token.start) + REDACTED
      // A brace too early moves the rest of a sensitive object out of it, and nothing shows that.
      from = token.type === 'open' ? text.length : token.end
    }
    last = token
    step = tokens.next()
  }
  // Only now is it known that all of it could be followed.
  if (step.value.type === 'broken') return { ok: false, reason: 'lost-track' }
  // Without its colon a key may as well be the second value of a list that lost its bracket.
  const isKeyOpen = last.type === 'key' && !text.includes(':', last.end)
  return { ok: true, text: kept + text.slice(from, isKeyOpen ? last.start : text.length) }
}

function matcher(sensitive: readonly string[]): (key: string) => boolean {
  const exact = new Set(sensitive)
  const plain = new Set(sensitive.map(spelling).filter((name) => name !== ''))
  // Lists of objects repeat their keys by the thousand.
  const known = new Map<string, boolean>()
  return (key) => {
    const verdict = known.get(key) ?? (exact.has(key) || plain.has(spelling(key)))
    known.set(key, verdict)
    return verdict
  }
}

/** A name without case and punctuation. */
function spelling(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether it is a string that looks as if it had members of its own: which of them are sensitive, nobody has checked. */
function isObscure(token: JsonToken, text: string): boolean {
  return (token.type === 'key' || token.type === 'string') && /["'\\]\s*:/.test(decode(text, token))
}

/** What a string literal says, be it cut. */
function decode(text: string, { start, end }: JsonToken): string {
  const literal = text.slice(start, end)
  // Nearly all are without escapes, and parsing each would cost more than all the rest.
  if (!literal.includes('\\')) return literal.slice(1).replace(/"$/, '')
  for (const whole of [literal, `${literal.replace(CUT_ESCAPE, '$1')}"`]) {
    const parsed = parseStrictly(whole)
    if (parsed.ok && typeof parsed.value === 'string') return parsed.value
  }
  return literal
}

const CUT_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/
