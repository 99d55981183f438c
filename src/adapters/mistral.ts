import type {
  CompletionResponseStreamChoiceFinishReason,
  FunctionCallEventConfirmationStatus,
  SSETypes,
} from '@mistralai/mistralai/models/components'
import type { CallKey, StopReason } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { object, present, providerError, table, text, type WireObject } from './wire-values.ts'

/**
 * Mistral, streamed: chat completions and conversations, as bytes or as its SDK yields them (`{ data }`, and in it
 * `toolCalls` for `tool_calls`). Neither has a completion per call: the end finishes them all.
 *
 * Chat looks like OpenAI's, but its calls mostly come whole, beside the finish reason, and the arguments may be an object.
 * A name begins a call, as neither ids nor indexes have to be there: the SDK fills in "null" and 0 for every call.
 *
 * Conversations give no reason for their end. Their `tool.execution` events tell of tools that Mistral runs, and it also
 * runs the functions for which it asks a confirmation.
 */
export const mistral: Adapter = { format: 'mistral', speaker: 'model', framer: sse, reader }

type Word<Enum> = Enum[keyof Enum]

const REASONS = table<StopReason>({
  stop: 'natural',
  tool_calls: 'natural',
  length: 'length',
  model_length: 'length',
  error: 'error',
} satisfies Record<Word<typeof CompletionResponseStreamChoiceFinishReason> | 'model_length', StopReason>)

/** Whether the confirmation was given; null: it is waited for. */
const CONFIRMATIONS = table<boolean | null>({
  pending: null,
  allowed: true,
  denied: false,
} satisfies Record<Word<typeof FunctionCallEventConfirmationStatus>, boolean | null>)

function reader(): WireReader {
  // By the call's id. What waits for a confirmation goes on in a later stream of the turn.
  const calls = new Map<unknown, CallKey>()
  const confirmations = new Map<CallKey, unknown>()
  // The calls of the message by their index, and without one the last of them.
  const places = new Map<unknown, CallKey>()
  let ended = true
  let messageId: unknown = null // before any message
  let over = false
  let minted = 0
  let emit: Emit

  /** Starts a message where none is open, unless what comes is still of the one that has ended. */
  function begin(id?: unknown): void {
    if (!ended || messageId === id) return
    ended = false
    messageId = id
    places.clear()
    for (const [callId, key] of calls) if (confirmations.get(key) !== 'pending') calls.delete(callId)
    emit({ type: 'message-started', ...present({ messageId: text(id) }) })
  }

  function end(rawReason: string | undefined): void {
    const reason = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
    if (!ended) emit({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: true })
    ended = true
  }

  function fail({ code, type }: WireObject): void {
    emit(providerError(typeof code === 'number' ? `${code}` : (code ?? type)))
    over = true
  }

  function say(content: unknown): void {
    // Text, or pieces of content: thoughts and references have no text of their own.
    const words = [content].flat().map((piece) => text(piece) ?? text(object(piece).text) ?? '')
    const said = words.join('')
    if (said) emit({ type: 'text-fragment', text: said })
  }

  function announce(id: unknown, name: unknown, executor?: 'provider'): CallKey {
    const key = `call-${++minted}`
    calls.set(id ?? key, key)
    emit({ type: 'call-announced', key, ...present({ callId: text(id), name: text(name), executor }) })
    return key
  }

  function tellInput(key: CallKey, input: unknown): void {
    if (typeof input !== 'string') {
      if (input != null) emit({ type: 'call-snapshot', key, value: input as Json })
    } else if (input) emit({ type: 'call-fragment', key, text: input })
  }

  function readPart(part: WireObject): void {
    const { name, arguments: input } = object(part.function)
    const id = part.id === 'null' ? undefined : text(part.id)
    const { index } = part
    let key = calls.get(id)
    if (!key && !id && !name) {
      key = places.get(index)
      if (!key && !input) return
    }
    key ??= announce(id, name)
    places.set(index, key).set(undefined, key)
    tellInput(key, input)
  }

  function readChoice({ delta, finish_reason, finishReason = finish_reason }: WireObject): void {
    const { content, tool_calls, toolCalls = tool_calls } = object(delta)
    say(content)
    for (const part of list(toolCalls)) readPart(part)
    const rawReason = text(finishReason)
    if (rawReason) end(rawReason)
  }

  function confirm(key: CallKey, approvalId: unknown, status: unknown): void {
    const granted = CONFIRMATIONS.get(status)
    const before = confirmations.get(key)
    if (granted === undefined || status === before) return
    confirmations.set(key, status)
    // What was allowed before anybody asked is a call like any other.
    if (before === undefined && granted) return
    if (before === undefined) emit({ type: 'approval-requested', key, ...present({ approvalId: text(approvalId) }) })
    if (granted !== null) emit({ type: 'approval-answered', key, granted, by: 'person' })
  }

  function readConversation(wire: WireObject): boolean {
    const { id, name, arguments: input } = wire
    const event = wire.type as Word<typeof SSETypes>
    switch (event) {
      case 'conversation.response.started':
        ended = true
        messageId = null
        begin()
        return true
      case 'message.output.delta':
        begin()
        say(wire.content)
        return true
      case 'function.call.delta': {
        const { tool_call_id = wire.toolCallId ?? id, confirmation_status = wire.confirmationStatus } = wire
        begin()
        const key =
          calls.get(tool_call_id) ?? announce(tool_call_id, name, confirmation_status ? 'provider' : undefined)
        tellInput(key, input)
        confirm(key, tool_call_id, confirmation_status)
        return true
      }
      case 'tool.execution.started':
      case 'tool.execution.delta':
      case 'tool.execution.done': {
        begin()
        const key = calls.get(id) ?? announce(id, name, 'provider')
        if (event === 'tool.execution.started') {
          tellInput(key, input)
          emit({ type: 'call-dispatched', key })
        } else if (event === 'tool.execution.delta') emit({ type: 'call-progress', key })
        else emit({ type: 'call-returned', key, ok: true, ...present({ value: wire.info }) })
        return true
      }
      case 'agent.handoff.started':
      case 'agent.handoff.done':
        return true
      case 'conversation.response.done':
        end(undefined)
        return true
      case 'conversation.response.error':
        fail(wire)
        return true
      default:
        event satisfies never
        return false
    }
  }

  return {
    open() {
      ended = true
      messageId = null
      over = false
    },
    read(event, to) {
      // After an error or the end marker the stream is over: what still comes must not seem to be of the message.
      if (over) return true
      emit = to
      if (typeof event === 'string') {
        if (event.trim() !== '[DONE]') return false
        end(undefined)
        over = true
        return true
      }
      const { data = event } = object(event)
      const wire = object(data)
      const { choices, error, object: kind, type, id } = wire
      if (isRecord(error) || text(error) || kind === 'error') {
        fail(isRecord(error) ? error : wire)
        return true
      }
      if (type) return readConversation(wire)
      for (const choice of list(choices)) {
        if (choice.index) continue
        begin(id)
        readChoice(choice)
      }
      return Array.isArray(choices)
    },
  }
}

function list(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.map(object) : []
}
