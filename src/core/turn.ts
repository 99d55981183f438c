import { ArgumentBuffer } from './argument-buffer.ts'
import type { Call, Message } from './call.ts'
import type { CallKey, Ending, MessageKey, StreamEvent } from './events.ts'
import type { Held } from './held.ts'
import { executorOf, type Registry } from './tools.ts'

/** What the user sees as one reply, in reading order. */
type TurnItem = NonNullable<Message['text']> | { readonly type: 'call'; readonly call: Call }

/** The call of an earlier turn that a turn tries again. */
export interface RetriedCall {
  readonly turnId: string
  /** The key of its view. */
  readonly key: string
}

/** The ledger's working state of one turn. Mutable on purpose: a fragment costs an append and nothing else. */
export interface Turn {
  readonly id: string
  readonly scope: string | undefined
  readonly retryOf: RetriedCall | undefined
  readonly items: TurnItem[]
  readonly calls: Map<CallKey, Call>
  readonly unsettled: Set<Call>
  /** Those that wait for a correction, in their order. */
  readonly correcting: Set<Call>
  /** Keys of calls that a correction replaced before a reload: what a wire says of them again is settled history. */
  readonly replaced: Set<CallKey>
  /** Ids are data: one id may stand for several calls. */
  readonly byId: Map<string, Call[]>
  readonly messages: Map<MessageKey, Message>
  /** By stream: the message that its events without a message key belong to. */
  readonly current: Map<number, Message>
  readonly held: Held[]
  readonly openStreams: Set<number>
  /** The streams whose schema errors the host sends back to the model. */
  readonly correctable: Set<number>
  /** The ending of the stream that ended last; null while none has. */
  lastEnding: Ending | null
  /** Calls changed since the store last looked. */
  readonly touched: Set<Call>
  /** True when items or endings changed since the store last looked. */
  changed: boolean
  minted: number
}

/** An empty turn. */
export function createTurn(id: string, scope: string | undefined, retryOf?: RetriedCall): Turn {
  return {
    id,
    scope,
    retryOf,
    items: [],
    calls: new Map(),
    unsettled: new Set(),
    correcting: new Set(),
    replaced: new Set(),
    byId: new Map(),
    messages: new Map(),
    current: new Map(),
    held: [],
    openStreams: new Set(),
    correctable: new Set(),
    lastEnding: null,
    touched: new Set(),
    changed: true,
    minted: 0,
  }
}

/** Stands for the stream of messages that came by none. */
export const NO_STREAM = { restored: -1, reported: -2 } as const

/** Begins a message; an unnamed one becomes the current one. */
export function startMessage(turn: Turn, stream: number, id: string | undefined, key: MessageKey | undefined): Message {
  const message: Message = {
    key: key ?? `#${turn.messages.size}`,
    id,
    order: turn.messages.size,
    stream,
    calls: [],
    end: null,
    text: null,
    correctable: turn.correctable.has(stream),
    batch: 'open',
  }
  turn.messages.set(message.key, message)
  turn.current.set(stream, message)
  return message
}

/** The message an event belongs to; begun if the wire never said so. */
export function messageOf(turn: Turn, stream: number, key: MessageKey | undefined): Message {
  const known = key === undefined ? turn.current.get(stream) : turn.messages.get(key)
  return known ?? startMessage(turn, stream, undefined, key)
}

/** Adds a call to its message and its turn. */
export function addCall(
  turn: Turn,
  message: Message,
  event: Extract<StreamEvent, { type: 'call-announced' }>,
  registry: Registry,
): Call {
  const name = nonEmpty(event.name)
  const byProvider = event.executor === 'provider'
  const id = nonEmpty(event.callId)
  if (id !== null) yieldMintedId(turn, id)
  const call: Call = {
    key: event.key,
    message,
    order: turn.calls.size,
    block: event.key,
    attempt: 1,
    replaced: false,
    buffer: new ArgumentBuffer(),
    encoding: event.encoding ?? 'json',
    byProvider,
    id: id ?? mintId(turn),
    hasWireId: id !== null,
    name,
    executor: event.executor ?? executorOf(registry, name),
    finished: null,
    approval: 'none',
    approvalId: undefined,
    dispatched: false,
    verdict: null,
    state: { phase: 'preparing' },
  }
  index(turn, call)
  turn.calls.set(call.key, call)
  message.calls.push(call)
  message.text = null
  turn.unsettled.add(call)
  turn.items.push({ type: 'call', call })
  turn.changed = true
  return call
}

/** Fills in what the wire said late; a first name or id is never overwritten. */
export function identify(
  turn: Turn,
  call: Call,
  callId: string | undefined,
  name: string | undefined,
  registry: Registry,
): void {
  const id = nonEmpty(callId)
  if (id !== null && !call.hasWireId) {
    yieldMintedId(turn, id)
    unindex(turn, call)
    call.id = id
    call.hasWireId = true
    index(turn, call)
  }
  const said = nonEmpty(name)
  if (said !== null && call.name === null) {
    call.name = said
    if (!call.byProvider) call.executor = executorOf(registry, said)
  }
}

/** The calls of one id, of any message or of the one that is named. */
export function callsNamed(turn: Turn, callId: string, messageId: string | undefined): readonly Call[] {
  const same = turn.byId.get(callId) ?? []
  return messageId === undefined ? same : same.filter((call) => call.message.id === messageId)
}

/** A minted id that a wire now uses for another call gives way. */
function yieldMintedId(turn: Turn, id: string): void {
  const minted = turn.byId.get(id)?.find((call) => !call.hasWireId)
  if (minted === undefined) return
  unindex(turn, minted)
  minted.id = mintId(turn)
  index(turn, minted)
  turn.touched.add(minted)
}

function mintId(turn: Turn): string {
  let id: string
  do id = `kit-call-${++turn.minted}`
  while (turn.byId.has(id))
  return id
}

function index(turn: Turn, call: Call): void {
  const same = turn.byId.get(call.id)
  if (same === undefined) turn.byId.set(call.id, [call])
  else same.push(call)
}

function unindex(turn: Turn, call: Call): void {
  const rest = turn.byId.get(call.id)?.filter((other) => other !== call) ?? []
  if (rest.length === 0) turn.byId.delete(call.id)
  else turn.byId.set(call.id, rest)
}

function nonEmpty(word: string | undefined): string | null {
  return word === undefined || word === '' ? null : word
}
