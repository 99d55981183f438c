import type { Call } from '../core/call.ts'
import type { Ending } from '../core/events.ts'
import type { JsonObject } from '../core/json.ts'
import type { Outcome } from '../core/outcomes.ts'
import type { Executor } from '../core/tools.ts'
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
  /** The silences of this stream. */
  readonly gaps: Gaps
}

/** Those of some calls that may be given to their tools. */
export function dispatchableOf(turnId: string, calls: Iterable<Call>): readonly DispatchableCall[] {
  return [...calls].flatMap(({ id, key, message, name, state }) =>
    state.phase === 'ready' && name !== null
      ? { callId: id, turnId, messageId: message.id, key, name, args: state.args }
      : [],
  )
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
}

/** Sums up the calls of one stream. */
export function summarise(
  turnId: string,
  ending: Ending,
  calls: readonly Call[],
  outcomes: ReadonlyMap<Call, Outcome>,
  gaps: Gaps,
): StreamSummary {
  const summarised = calls.map((call): SummarisedCall => {
    const { key, id, name, executor, verdict } = call
    return { key, callId: id, name, executor, outcome: outcomes.get(call) ?? verdict?.outcome ?? null }
  })
  return {
    turnId,
    ending,
    outcomes: summarised.flatMap(({ outcome }) => outcome ?? []),
    dispatchable: dispatchableOf(turnId, calls),
    calls: summarised,
    gaps,
  }
}
