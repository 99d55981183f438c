import type { StopReason } from '../core/events.ts'
import { errorPosition } from '../core/json-tokens.ts'
import { type OutcomeWord, outcomeWord } from '../core/outcome-word.ts'
import type { Settled } from '../core/outcomes.ts'
import type { SettledCall } from '../core/recorder.ts'
import { parseStrictly } from '../core/strict-json.ts'
import { plainName, plainText } from '../core/text.ts'
import type { Executor } from '../core/tools.ts'
import { digestOf } from './digest.ts'

/**
 * What is written down of one call: JSON, without the argument text and without a value from it.
 * `record.schema.json` says the same for other languages.
 */
export interface CallRecord {
  /** Turn and call: the same for every record of a call, and no other call's. */
  readonly id: string
  readonly turnId: string
  readonly scope: string | null
  readonly messageId: string | null
  /** The wire's id, or a minted one; it may repeat in a turn. */
  readonly callId: string
  /** As a declared tool is called; what a model made up is escaped and cut to 64 characters. Null: no name came. */
  readonly tool: string | null
  /** Whether the host declared a tool of this name. */
  readonly known: boolean
  readonly executor: Executor
  /** 0 in what `onRecord` is given; counted up by each revision. */
  readonly revision: number
  readonly outcome: OutcomeWord
  readonly ran: Settled['ran']
  readonly cause: Settled['cause']
  /** Finer than the cause, in one word; null where there is none, or where it was a sentence, which might quote. */
  readonly detail: string | null
  /** 1 for a call as first made, one more for each correction that it is. */
  readonly attempt: number
  /** Length of the argument text, in UTF-8. */
  readonly bytes: number
  readonly fragments: number
  /**
   * Where the text stops being JSON, in UTF-16 units: its length where it only breaks off. Null where it is one
   * document, where nothing came, and for free text.
   */
  readonly errorPosition: number | null
  /** SHA-256 of the argument text in UTF-8, in hexadecimal. */
  readonly digest: string
  readonly requestId: string | null
  /** Why the model stopped the call's message, normalised and in the wire's own word; null while the message is open. */
  readonly stopReason: { readonly normalised: StopReason | null; readonly raw: string | null } | null
  /** The gaps between what came of the call's stream, in milliseconds. */
  readonly gaps: NonNullable<SettledCall['gaps']> | null
  /** From its announcement until it settled, in milliseconds. */
  readonly duration: number
  /** ISO 8601, like `expiresAt`. */
  readonly settledAt: string
  /** When the host is to delete it: seven days after it settled. */
  readonly expiresAt: string
}

const RETENTION = 7 * 24 * 60 * 60 * 1000
const TEXT_LENGTH = 200

/** The id under which a call is written down. */
export function recordId({ turnId, key }: Pick<SettledCall, 'turnId' | 'key'>): string {
  // No two pairs become one: the first bare slash ends the turn's id.
  return `${turnId.replaceAll('%', '%25').replaceAll('/', '%2F')}/${key}`
}

/** The record of a call that has just settled. */
export function recordOf(call: SettledCall, requestId: string | undefined): CallRecord {
  const bytes = new TextEncoder().encode(call.raw)
  return {
    id: recordId(call),
    turnId: call.turnId,
    scope: call.scope ?? null,
    messageId: short(call.messageId),
    callId: short(call.callId) ?? '',
    tool: call.known || call.name === null ? call.name : plainName(call.name),
    known: call.known,
    executor: call.executor,
    revision: 0,
    ...said(call.settled),
    attempt: call.attempt,
    bytes: bytes.length,
    fragments: call.fragments,
    errorPosition: call.encoding === 'text' ? null : errorPositionIn(call),
    digest: digestOf(bytes),
    requestId: short(requestId),
    stopReason: call.end === null ? null : { normalised: call.end.reason, raw: short(call.end.rawReason) },
    gaps: call.gaps ?? null,
    duration: Math.max(0, call.settledAt - call.announcedAt),
    settledAt: new Date(call.settledAt).toISOString(),
    expiresAt: new Date(call.settledAt + RETENTION).toISOString(),
  }
}

/** The record of a call that is known better by now, or null where it says the same. */
export function revisionOf(record: CallRecord, settled: Settled): CallRecord | null {
  const now = said(settled)
  if (now.cause === record.cause && now.ran === record.ran && now.detail === record.detail) return null
  return { ...record, ...now, revision: record.revision + 1 }
}

function said(settled: Settled): Pick<CallRecord, 'outcome' | 'ran' | 'cause' | 'detail'> {
  return { outcome: outcomeWord(settled), ran: settled.ran, cause: settled.cause, detail: word(settled.detail) }
}

/** Details are words. A sentence comes from a service or an executor, and may quote the arguments. */
function word(detail: string | undefined): string | null {
  return detail !== undefined && /^[\w.:/-]{1,64}$/.test(detail) ? detail : null
}

function short(text: string | undefined): string | null {
  return text === undefined ? null : plainText(text.slice(0, TEXT_LENGTH))
}

function errorPositionIn({ raw, outcome }: SettledCall): number | null {
  // Finalising has read it already, or nothing came.
  const isRead = outcome?.type === 'dispatchable' || outcome?.type === 'schema-error'
  if (isRead || /^[ \t\n\r]*$/.test(raw)) return null
  // The engine's parser is many times faster, and most texts are JSON.
  return parseStrictly(raw).ok ? null : errorPosition(raw)
}
