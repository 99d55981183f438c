import { ArgumentBuffer } from '../core/argument-buffer.ts'
import { type Call, type CallState, LEDGER_PHASES, type Message } from '../core/call.ts'
import type { Ending } from '../core/events.ts'
import { rawOf } from '../core/finalize.ts'
import { isRecord } from '../core/json.ts'
import { english } from '../core/labels.ts'
import type { MessageEnd } from '../core/message-end.ts'
import { type Executor, executorOf, type Registry } from '../core/tools.ts'
import { createTurn, NO_STREAM, type RetriedCall, type Turn } from '../core/turn.ts'

/** A store as data, to be kept by the host over a reload. Holds the model's text and no arguments. */
export interface Snapshot {
  readonly version: 1
  readonly turns: readonly TurnSnapshot[]
}

export interface SnapshotOptions {
  /** Keeps the arguments of calls of ours that wait for a person. Default `false`. */
  readonly arguments?: boolean
}

interface TurnSnapshot {
  readonly id: string
  readonly scope?: string | undefined
  readonly retryOf?: RetriedCall | undefined
  readonly ending: Ending | null
  readonly messages: readonly {
    readonly key: string
    readonly id?: string | undefined
    readonly end: MessageEnd | null
    /** Whether the gate has passed its calls. */
    readonly sound?: boolean
  }[]
  readonly items: readonly (
    | { readonly type: 'text'; readonly message: string; readonly text: string }
    | { readonly type: 'call'; readonly message: string; readonly call: CallSnapshot }
  )[]
}

type CorrectionFacts = 'block' | 'attempt' | 'replaced'

interface CallSnapshot
  extends Omit<Call, 'message' | 'buffer' | 'verdict' | 'state' | CorrectionFacts>,
    Partial<Pick<Call, CorrectionFacts>> {
  /** The phase; with what settled it, where it is settled. */
  readonly state: { readonly phase: Exclude<CallState['phase'], 'settled'> } | Extract<CallState, { phase: 'settled' }>
  /** The text that a person was asked about. */
  readonly arguments?: string | undefined
}

/** What there is to keep of a turn. */
export function snapshotOf(turn: Turn, { arguments: keeps = false }: SnapshotOptions = {}): TurnSnapshot {
  return {
    id: turn.id,
    scope: turn.scope,
    retryOf: turn.retryOf,
    // A stream that is open now will not be there when this is read again.
    ending: turn.openStreams.size > 0 ? { type: 'lost', how: 'reloaded', speaker: 'nobody' } : turn.lastEnding,
    messages: [...turn.messages.values()].map(({ key, id, end, batch }) => ({
      key,
      id,
      end,
      sound: batch === 'sound',
    })),
    items: turn.items.map((item) =>
      item.type === 'text'
        ? { type: 'text', message: item.message.key, text: item.text }
        : { type: 'call', message: item.call.message.key, call: callSnapshot(item.call, keeps) },
    ),
  }
}

function callSnapshot({ message, buffer, verdict: _verdict, state, ...facts }: Call, keeps: boolean): CallSnapshot {
  const isAsked = state.phase === 'asking' && facts.executor === 'local' && message.batch === 'sound'
  return {
    ...facts,
    state: state.phase === 'settled' ? state : { phase: standing(state) },
    ...(keeps && isAsked ? { arguments: rawOf(buffer) } : {}),
  }
}

function standing(state: Exclude<CallState, { phase: 'settled' }>): Exclude<CallState['phase'], 'settled'> {
  return state.phase === 'resuming' ? standing(state.before as Exclude<CallState, { phase: 'settled' }>) : state.phase
}

/** Whether something that was kept is a snapshot of this version, whole: storage is written by other programs, and other versions, too. */
export function isSnapshot(value: unknown): value is Snapshot {
  return isRecord(value) && value['version'] === 1 && isListOf(value['turns'], isTurn)
}

function isTurn({ id, ending, messages, items }: Record<string, unknown>): boolean {
  return (
    typeof id === 'string' &&
    (ending === null || isRecord(ending)) &&
    isListOf(messages, ({ key, end }) => typeof key === 'string' && (end === null || isRecord(end))) &&
    isListOf(items, isItem)
  )
}

function isItem({ type, text, call }: Record<string, unknown>): boolean {
  return type === 'text' ? typeof text === 'string' : type === 'call' && isRecord(call) && isCall(call)
}

function isCall({ key, id, name, executor, state }: Record<string, unknown>): boolean {
  return (
    typeof key === 'string' &&
    typeof id === 'string' &&
    (name === null || typeof name === 'string') &&
    EXECUTORS.some((known) => known === executor) &&
    isRecord(state) &&
    LEDGER_PHASES.some((phase) => phase === state['phase']) &&
    (state['phase'] !== 'settled' || isSettled(state['settled']))
  )
}

const EXECUTORS: readonly Executor[] = ['local', 'host', 'server', 'provider']

/** Whether there are words for it. */
function isSettled(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { ran, cause } = value
  return (
    (ran === 'no' || ran === 'unknown' || ran === 'yes') &&
    typeof cause === 'string' &&
    Object.hasOwn(english[ran], cause)
  )
}

function isListOf(value: unknown, is: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && is(item))
}

/** Whether what a person was asked about was kept, so that it can be checked again and asked again. */
export function canBeAskedAgain(call: Call): boolean {
  return (
    call.executor === 'local' && call.state.phase === 'asking' && call.message.batch === 'sound' && !call.buffer.isEmpty
  )
}

/** Puts a turn back as it stood; the ledger then says what the reload makes of what was open. */
export function revive(kept: TurnSnapshot, registry: Registry): Turn {
  const turn = createTurn(kept.id, kept.scope, kept.retryOf)
  turn.lastEnding = kept.ending
  for (const { key, id, end, sound } of kept.messages) {
    const message: Message = {
      key,
      id,
      order: turn.messages.size,
      stream: NO_STREAM.restored,
      calls: [],
      end,
      text: null,
      correctable: false,
      batch: sound === true ? 'sound' : 'damaged',
    }
    turn.messages.set(key, message)
  }
  for (const item of kept.items) {
    const message = turn.messages.get(item.message)
    if (message === undefined) continue
    if (item.type === 'text') turn.items.push({ type: 'text', message, text: item.text })
    else reviveCall(turn, message, item.call, registry)
  }
  return turn
}

function reviveCall(turn: Turn, message: Message, kept: CallSnapshot, registry: Registry): void {
  const { arguments: text, ...facts } = kept
  const byProvider = kept.executor === 'provider'
  const call: Call = {
    ...facts,
    // An earlier version knew no corrections.
    block: kept.block ?? kept.key,
    attempt: kept.attempt ?? 1,
    replaced: false,
    message,
    byProvider,
    // What was declared when it was kept and what is declared now may differ: what claims less holds.
    executor:
      kept.executor === 'local' && executorOf(registry, kept.name) !== 'local'
        ? executorOf(registry, kept.name)
        : kept.executor,
    approvalId: kept.approvalId,
    buffer: new ArgumentBuffer(),
    verdict: null,
    // Arguments are not kept, so that nothing can be ready any more.
    state:
      kept.state.phase === 'ready' || kept.state.phase === 'resuming'
        ? { phase: 'validating' }
        : (kept.state as CallState),
  }
  if (text !== undefined) call.buffer.append(text)
  turn.calls.set(call.key, call)
  if (call.block !== call.key) turn.replaced.add(call.block)
  turn.byId.set(call.id, [...(turn.byId.get(call.id) ?? []), call])
  message.calls.push(call)
  if (call.state.phase !== 'settled') turn.unsettled.add(call)
  turn.items.push({ type: 'call', call })
  turn.touched.add(call)
}
