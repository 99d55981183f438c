import type { ArgumentBuffer } from './argument-buffer.ts'
import type { CallKey, Ending, MessageKey } from './events.ts'
import type { FinalizableCall } from './finalize.ts'
import type { Verdict } from './gate.ts'
import type { JsonObject } from './json.ts'
import type { MessageEnd } from './message-end.ts'
import type { Settled } from './outcomes.ts'
import type { Executor } from './tools.ts'

/** How much a fact weighs: lower never overrides higher. */
export const RANK = { inference: 0, dispatch: 1, report: 2, result: 3 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

/**
 * Where a call stands in the ledger. `finished`, `validating`, `correcting` and `ready` are the ledger's own:
 * a block shows the first three as preparing and the last as waiting to run.
 */
export type CallState =
  /** Announced; the provider may still send fragments. */
  | { readonly phase: 'preparing' }
  /** No more fragments; its message goes on. */
  | { readonly phase: 'finished' }
  /** Ours, its message ended: the three checks are at work, or wait for its batch. */
  | { readonly phase: 'validating' }
  /** Ours, passed with its whole batch: waits for the gate to hand it to its tool. */
  | { readonly phase: 'ready'; readonly args: JsonObject | string }
  /** Ours, of a batch that the model is asked to correct: the next message takes its block, or it settles. */
  | { readonly phase: 'correcting' }
  /** Waits for a person. */
  | { readonly phase: 'asking' }
  /** Handed over to whoever runs it; nothing shows that it started. */
  | { readonly phase: 'sent' }
  /** Its stream was lost and may be resumed; `before` is where it stood. */
  | { readonly phase: 'resuming'; readonly before: CallState; readonly ending: Ending }
  | { readonly phase: 'running' }
  | { readonly phase: 'settled'; readonly settled: Settled; readonly rank: Rank }

export type LedgerPhase = CallState['phase']

export const LEDGER_PHASES = [
  'preparing',
  'finished',
  'validating',
  'ready',
  'correcting',
  'asking',
  'sent',
  'resuming',
  'running',
  'settled',
] as const satisfies readonly LedgerPhase[]

/** `correctable`: one did not fit its schema, all could be read, and the host sends that back to the model. */
export type Batch = 'open' | 'sound' | 'damaged' | 'correctable'

/** One model generation, as far as its calls need to know. */
export interface Message {
  readonly key: MessageKey
  readonly id: string | undefined
  /** Its place among the messages of its turn. */
  readonly order: number
  /** The stream it comes by: the one that resumed it, if one did. */
  stream: number
  readonly calls: Call[]
  end: MessageEnd | null
  /** Its last text, while no call has come after it. */
  text: { readonly type: 'text'; readonly message: Message; text: string } | null
  /** Whether the host sends schema errors back to the model, so that its next message may correct them. */
  readonly correctable: boolean
  /** What the gate said of its local calls, once all were judged. */
  batch: Batch
}

/** One call in the ledger. Only the ledger writes to it. */
export interface Call extends FinalizableCall {
  readonly key: CallKey
  readonly message: Message
  /** Its place among the calls of its turn. */
  readonly order: number
  /** The key of its view: its own, or that of the call it corrects. */
  block: CallKey
  /** 1 as first made, one more for each correction that it is. */
  attempt: number
  /** A correction has taken its block: nobody sees it any more. */
  replaced: boolean
  readonly buffer: ArgumentBuffer
  readonly encoding: 'json' | 'text'
  /** True where the wire itself marked the call as the provider's. */
  readonly byProvider: boolean
  /** The wire's id, or a minted one. */
  id: string
  /** False while `id` is minted. */
  hasWireId: boolean
  name: string | null
  executor: Executor
  finished: 'complete' | 'incomplete' | 'rejected' | null
  approval: 'none' | 'pending' | 'granted' | 'refused'
  approvalId: string | undefined
  /** Somebody began to run it, as far as evidence goes. */
  dispatched: boolean
  verdict: Verdict | null
  state: CallState
}

/** The end of a call's message, if it was a natural one. */
export function endedNaturally(call: Pick<Call, 'message'>): boolean {
  const end = call.message.end
  return end !== null && (end.reason === null || end.reason === 'natural')
}
