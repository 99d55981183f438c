import type { FinishReason, Interactions } from '@google/genai'
import type { StopReason } from '../core/events.ts'
import { table, text } from './wire-values.ts'

/** The words that a type names which is open to others. */
type Named<Word> = Word extends string ? (string extends Word ? never : Word) : never
type Status = Exclude<Named<Interactions.Interaction['status']>, 'in_progress' | 'queued'>

type Filtered = 'SAFETY' | 'RECITATION' | 'LANGUAGE' | 'BLOCKLIST' | 'PROHIBITED_CONTENT' | 'SPII' | `IMAGE_${string}`
type Malformed = `MALFORMED_${string}` | `${string}_TOOL_CALL${'' | 'S'}`
// Left to be unknown.
type Unknown = 'FINISH_REASON_UNSPECIFIED' | 'OTHER' | 'NO_IMAGE'

const FILTERED = /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_.+)$/
const MALFORMED = /^MALFORMED_|_TOOL_CALLS?$/

/** Why a candidate stopped, or where an interaction came to. */
export const REASONS: ReadonlyMap<unknown, StopReason> = table<StopReason>({
  STOP: 'natural', // also with calls
  MAX_TOKENS: 'length',
  CONTINUATION: 'paused',
  completed: 'natural',
  requires_action: 'natural', // the client's calls are waiting
  incomplete: 'length',
  budget_exceeded: 'length',
  requires_continuation: 'paused',
  failed: 'error',
  cancelled: 'cancelled',
} satisfies Record<Exclude<`${FinishReason}`, Filtered | Malformed | Unknown> | Status, StopReason>)

/** The reason that a word stands for. */
export function reasonOf(said: unknown): StopReason {
  const word = text(said) as string
  return REASONS.get(word) ?? (FILTERED.test(word) ? 'filter' : MALFORMED.test(word) ? 'malformed' : 'unknown')
}
