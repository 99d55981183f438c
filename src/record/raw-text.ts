import type { SettledCall } from '../core/recorder.ts'
import { redact } from './redact.ts'

/** The argument text of one call as far as it may be kept, or why there is none. Untrusted: a model wrote it. */
export type RawText =
  | {
      readonly id: string
      /** Redacted, then cut on a character boundary. */
      readonly text: string
      readonly isCut: boolean
      /** When the host is to delete it. */
      readonly expiresAt: string
    }
  | { readonly id: string; readonly text: null; readonly withheld: Withheld }

/**
 * Why a text is withheld.
 * - `unknown-tool`: nobody declared what of it is sensitive
 * - `free-text`: a text without members, of a tool that has sensitive ones
 * - `not-an-object`: the same, of arguments that should have had members
 * - `lost-track`: it is no JSON from some place on, so that nobody knows which member the rest belongs to
 */
export type Withheld = 'unknown-tool' | 'free-text' | 'not-an-object' | 'lost-track'

/** What of a call's text may be kept: at most `limit` bytes. */
export function rawTextOf(call: SettledCall, id: string, expiresAt: string, limit: number): RawText {
  if (!call.known) return { id, text: null, withheld: 'unknown-tool' }
  if (call.encoding === 'text' && call.sensitive.length > 0) return { id, text: null, withheld: 'free-text' }
  const redaction = redact(call.raw, call.sensitive)
  if (!redaction.ok) return { id, text: null, withheld: redaction.reason }
  const { text, isCut } = cutToBytes(redaction.text, limit)
  return { id, text, isCut, expiresAt }
}

const encoder = new TextEncoder()
// A byte order mark is part of the text that came.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function cutToBytes(text: string, limit: number): { readonly text: string; readonly isCut: boolean } {
  // No character takes more than three bytes for each unit.
  const bytes = new Uint8Array(Math.min(limit, 3 * text.length))
  // It writes whole characters only; half of one becomes the replacement character.
  const { read, written } = encoder.encodeInto(text, bytes)
  return { text: decoder.decode(bytes.subarray(0, written)), isCut: read < text.length }
}
