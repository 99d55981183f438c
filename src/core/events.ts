import type { Json } from './json.ts'
import type { Report } from './report.ts'

/** Minted by the adapter, unique within a turn, never shown. */
export type CallKey = string

/** Names a message while several are open at once (OpenAI Chat with `n` > 1). Without it: the latest message. */
export type MessageKey = string

/**
 * Why the model says it stopped a message, normalised.
 * `natural` is the only one after which anything may be dispatched; an unknown word is `unknown`, never `natural`.
 */
export type StopReason = 'natural' | 'length' | 'filter' | 'malformed' | 'error' | 'paused' | 'cancelled' | 'unknown'

/** Whose word an ending is. Only the executor's word proves anything about a server call. */
export type Speaker = 'executor' | 'model' | 'relay' | 'nobody'

/** How a stream was lost. */
export type Loss = 'connection-lost' | 'idle' | 'ended-early' | 'provider-error' | 'reloaded'

/** How one stream ended; there is exactly one ending per stream. */
export type Ending =
  | { readonly type: 'complete'; readonly speaker: Speaker }
  | { readonly type: 'cancelled'; readonly by: 'user' | 'host'; readonly acknowledged: boolean }
  | { readonly type: 'lost'; readonly how: Loss; readonly speaker: Speaker; readonly detail?: string }

/** What every adapter reduces its wire to: the only input that moves a call forward. */
export type StreamEvent =
  | { readonly type: 'message-started'; readonly messageId?: string; readonly message?: MessageKey }
  | { readonly type: 'text-fragment'; readonly text: string; readonly message?: MessageKey }
  | {
      /** First sight of any part of a call. For a known call that is still open: its buffer starts anew (replay). */
      readonly type: 'call-announced'
      readonly key: CallKey
      readonly callId?: string
      readonly name?: string
      /** `provider` only where the wire itself says so; `local` only from a binding that keeps the call back from its host. */
      readonly executor?: 'provider' | 'local'
      /** `text`: a free-text tool whose input is never parsed. Default `json`. */
      readonly encoding?: 'json' | 'text'
      readonly message?: MessageKey
    }
  | { readonly type: 'call-identified'; readonly key: CallKey; readonly callId?: string; readonly name?: string }
  | { readonly type: 'call-fragment'; readonly key: CallKey; readonly text: string }
  /** The arguments so far, or whole, as text: replaces what came before if that is its prefix. */
  | { readonly type: 'call-snapshot'; readonly key: CallKey; readonly text: string }
  /** The whole arguments as a value. */
  | { readonly type: 'call-snapshot'; readonly key: CallKey; readonly value: Json }
  | {
      /** One leaf of the arguments by path (Vertex `partialArgs`); `continues`: its string goes on. */
      readonly type: 'call-leaf'
      readonly key: CallKey
      readonly path: readonly (string | number)[]
      readonly value: Json
      readonly continues: boolean
    }
  /** The provider sends no more of this call; says nothing about the content. */
  | { readonly type: 'call-finished'; readonly key: CallKey; readonly status?: 'complete' | 'incomplete' | 'rejected' }
  | { readonly type: 'call-dispatched'; readonly key: CallKey }
  | { readonly type: 'call-progress'; readonly key: CallKey; readonly value?: Json }
  | {
      /** A result. `ok: false`: the tool ran and says that it failed. */
      readonly type: 'call-returned'
      readonly key?: CallKey
      readonly callId?: string
      readonly ok: boolean
      readonly value?: unknown
    }
  | { readonly type: 'call-withdrawn'; readonly key: CallKey }
  | { readonly type: 'approval-requested'; readonly key: CallKey; readonly approvalId?: string }
  | {
      readonly type: 'approval-answered'
      readonly key?: CallKey
      readonly approvalId?: string
      readonly granted: boolean
      readonly by: 'person' | 'policy' | 'expiry'
    }
  | {
      readonly type: 'outcome-reported'
      readonly report: Report
      /** Read from a stored message: what this process's own host once said, not what a wire says of it. */
      readonly stored?: true
    }
  | {
      readonly type: 'message-ended'
      /** `null`: the wire's own end marker came without a reason. */
      readonly reason: StopReason | null
      readonly rawReason?: string
      /** True on wires that have no completion per call. */
      readonly finishesOpenCalls: boolean
      readonly message?: MessageKey
    }
  | { readonly type: 'stream-ended'; readonly ending: Ending }

/** Every event name, in the order of a call's life; tables over events are checked against it. */
export const STREAM_EVENT_TYPES = [
  'message-started',
  'text-fragment',
  'call-announced',
  'call-identified',
  'call-fragment',
  'call-snapshot',
  'call-leaf',
  'call-finished',
  'approval-requested',
  'approval-answered',
  'call-dispatched',
  'call-progress',
  'call-returned',
  'outcome-reported',
  'call-withdrawn',
  'message-ended',
  'stream-ended',
] as const satisfies readonly StreamEvent['type'][]
