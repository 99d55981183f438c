import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json, JsonObject } from './json.ts'

/** Why a call is known not to have run. */
export type CauseNo =
  | 'connection-lost'
  | 'ended-early'
  | 'truncated'
  | 'filtered'
  | 'unparseable'
  | 'invalid-arguments'
  | 'rejected-by-rule'
  | 'unknown-tool'
  | 'provider-error'
  | 'held-back'
  | 'declined'
  | 'declined-by-policy'
  | 'approval-expired'
  | 'withdrawn'
  | 'not-started'
  | 'reloaded'
  | 'unrecognised'
  | 'cancelled'

/** Why nobody here knows whether a call ran. */
export type CauseUnknown =
  | 'connection-lost'
  | 'ended-early'
  | 'provider-error'
  | 'cancelled'
  | 'truncated'
  | 'filtered'
  | 'withdrawn'
  | 'reloaded'
  | 'no-result'
  | 'timed-out'
  | 'tool-error'
  | 'unrecognised'

/** How a call that ran is known to have gone. */
export type CauseYes = 'ok' | 'not-ok' | 'late' | 'late-not-ok' | 'unreadable'

/**
 * How a call ended, on two axes: whether it ran, and why.
 * `cause` picks the words; `detail`, finer, is for data and records and is never shown.
 */
export type Settled =
  | { readonly ran: 'no'; readonly cause: CauseNo; readonly detail?: string | undefined }
  | { readonly ran: 'unknown'; readonly cause: CauseUnknown; readonly detail?: string | undefined }
  | { readonly ran: 'yes'; readonly cause: CauseYes; readonly detail?: string | undefined }

/** The three reasons for which finalising fails. */
export type FailureReason = 'abandoned' | 'truncated' | 'unparseable'

/** What finalising makes of one call. Only `dispatchable` carries arguments a tool may be given. */
export type Outcome =
  | {
      readonly type: 'dispatchable'
      readonly callId: string
      readonly name: string
      /** What the validator returned; the text itself for a free-text tool. */
      readonly args: JsonObject | string
    }
  | {
      readonly type: 'failed'
      readonly callId: string | null
      readonly name: string | null
      readonly reason: FailureReason
      readonly cause: CauseNo
      readonly detail?: string | undefined
      /** The buffer as it stood, for the record; never for a screen. */
      readonly raw: string
    }
  | {
      readonly type: 'schema-error'
      readonly callId: string
      readonly name: string
      /** Valid JSON, wrong payload: to be answered in-band, never dispatched. */
      readonly args: Json
      readonly issues: readonly StandardSchemaV1.Issue[]
      readonly detail: string
      readonly raw: string
    }
