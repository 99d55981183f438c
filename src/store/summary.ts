import type { Call } from '../core/call.ts'
import type { Ending } from '../core/events.ts'
import { rawOf } from '../core/finalize.ts'
import type { JsonObject } from '../core/json.ts'
import type { MessageEnd } from '../core/message-end.ts'
import type { Outcome, Settled } from '../core/outcomes.ts'
import type { Executor } from '../core/tools.ts'
import type { Turn } from '../core/turn.ts'
import type { Gaps } from '../gaps.ts'
import type { CallRef } from './refs.ts'

/** A call that may be given to its tool: pass it to `dispatched`, and run the tool only if that says yes. */
export interface DispatchableCall extends CallRef {
  readonly turnId: string
  readonly name: string
  /** What the tool's schema returned; the text itself for a free-text tool. */
  readonly args: JsonObject | string
}

/** What one stream came to. */
export interface StreamSummary {
  readonly turnId: string
  readonly ending: Ending
  /** What finalising made of the calls of ours that came by this stream, in order. For records: may carry raw text. */
  readonly outcomes: readonly Outcome[]
  /** What may be dispatched now. */
  readonly dispatchable: readonly DispatchableCall[]
  /** All calls of this stream, in order. */
  readonly calls: readonly SummarisedCall[]
  /** How its last message ended; null where none did. */
  readonly end: MessageEnd | null
  /** The model's text that came by this stream. */
  readonly text: string
  /** The silences of this stream. */
  readonly gaps: Gaps
}

/** Those of some calls that may be given to their tools. */
export function dispatchableOf(turnId: string, calls: Iterable<Call>): readonly DispatchableCall[] {
  return [...calls].flatMap(({ id, block, message, name, state }) =>
    state.phase === 'ready' && name !== null
      ? { callId: id, turnId, messageId: message.id, key: block, name, args: state.args }
      : [],
  )
}

/** What is known of a call when it is settled, and gone with its text afterwards. */
export type Judged = Pick<SummarisedCall, 'outcome' | 'reason' | 'raw'>

/** What is known of a call now. */
export function judgedOf({ buffer, executor, verdict }: Call, outcome: Outcome | null): Judged {
  // A summary is kept as long as its host likes: it holds no text that nobody sends back.
  return {
    outcome,
    raw: executor === 'local' ? rawOf(buffer) : '',
    reason: verdict?.passed === false ? verdict.reason : undefined,
  }
}

/** One call of a stream, whoever runs it. */
export interface SummarisedCall {
  /** Unique in the turn. */
  readonly key: string
  readonly callId: string
  readonly name: string | null
  readonly executor: Executor
  /** What finalising made of it; null for calls that others run. */
  readonly outcome: Outcome | null
  /** Why a business rule refused it. */
  readonly reason?: string | undefined
  /** Whether its block waits for a correction: for one that takes its place, or for `giveUpCorrections`. */
  readonly correcting: boolean
  /** False where `callId` was minted, as the wire gave none. */
  readonly hasWireId: boolean
  /** 1 as first made, one more for each correction that it is. */
  readonly attempt: number
  /** How it ended; null while it waits or runs. */
  readonly settled: Settled | null
  /** The argument text as the model wrote it; `''` for calls that others run. For what goes back to the model, never for a screen. */
  readonly raw: string
}

/** Sums up the calls of one stream. */
export function summarise(
  turn: Turn,
  stream: number,
  ending: Ending,
  calls: readonly Call[],
  judged: ReadonlyMap<Call, Judged>,
  gaps: Gaps,
): StreamSummary {
  const summarised = calls.map((call): SummarisedCall => {
    const { block, id, hasWireId, name, executor, attempt, state } = call
    return {
      key: block,
      callId: id,
      hasWireId,
      name,
      executor,
      attempt,
      correcting: state.phase === 'correcting',
      settled: state.phase === 'settled' ? state.settled : null,
      ...(judged.get(call) ?? judgedOf(call, call.verdict?.outcome ?? null)),
    }
  })
  const texts = turn.items.flatMap((item) =>
    item.type === 'text' && item.message.stream === stream ? [item.text] : [],
  )
  return {
    turnId: turn.id,
    ending,
    outcomes: summarised.flatMap(({ outcome }) => outcome ?? []),
    dispatchable: dispatchableOf(turn.id, calls),
    calls: summarised,
    end: [...turn.messages.values()].findLast((message) => message.stream === stream)?.end ?? null,
    text: texts.join(''),
    gaps,
  }
}
