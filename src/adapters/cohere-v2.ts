import type { Cohere } from 'cohere-ai'
import type { CallKey, StopReason } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { object, present, providerError, table, text, type WireObject } from './wire-values.ts'

/**
 * Cohere's v2 chat, streamed: its bytes, or what its SDK makes of them (`toolCalls` for `tool_calls`).
 *
 * `tool_calls` holds one call here, not a list. A `tool-call-end` closes cut documents too (ortus-boxlang/bx-ai#281),
 * and an error or a timeout comes as an ordinary `message-end`: its reason decides. The tool plan is text.
 */
export const cohereV2: Adapter = { format: 'cohere-v2', speaker: 'model', framer: sse, reader }

type EventName = Cohere.V2ChatStreamResponse['type'] | 'error'

const REASONS = table<StopReason>({
  COMPLETE: 'natural',
  STOP_SEQUENCE: 'natural',
  TOOL_CALL: 'natural',
  MAX_TOKENS: 'length',
  ERROR: 'error',
  TIMEOUT: 'error',
} satisfies Record<Cohere.ChatFinishReason, StopReason>)

interface IndexedCall {
  readonly key: CallKey
  readonly callId: string | undefined
  finished: boolean
}

function reader(): WireReader {
  let message: 'none' | 'open' | 'ended' = 'none'
  let over = false
  let minted = 0
  const calls = new Map<unknown, IndexedCall>() // by index, which starts anew with each message

  function start(messageId: string | undefined, say: Emit): void {
    message = 'open'
    calls.clear()
    say({ type: 'message-started', ...present({ messageId }) })
  }

  function end(reason: StopReason | null, rawReason: string | undefined, say: Emit): void {
    if (message !== 'open') return
    message = 'ended'
    say({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: false })
  }

  function startCall(index: unknown, said: WireObject, say: Emit): IndexedCall {
    const callId = text(said.id)
    const known = calls.get(index)
    // The same id at the same index is the same call, sent again; without ids, only a call still open can be.
    const again = known !== undefined && known.callId === callId && (callId !== undefined || !known.finished)
    const call = again ? known : { key: `call-${++minted}`, callId, finished: false }
    calls.set(index, call)
    say({ type: 'call-announced', key: call.key, ...present({ callId, name: text(object(said.function).name) }) })
    return call
  }

  function read(event: unknown, emit: Emit): boolean {
    // After an error or the end marker the stream is over: what still comes must not seem to be of the message.
    const say: Emit = over ? () => {} : emit
    if (typeof event === 'string') {
      if (event.trim() !== '[DONE]') return false
      if (!over) end(null, undefined, emit)
      over = true
      return true
    }
    if (!isRecord(event)) return false
    const { index, error } = event
    const name = (event.type ?? (isRecord(error) ? 'error' : undefined)) as EventName
    const delta = object(event.delta)
    const said = object(delta.message)
    const part = object(said.tool_calls ?? said.toolCalls)
    switch (name) {
      case 'message-start':
        start(text(event.id), say)
        return true
      case 'tool-plan-delta':
      case 'content-start':
      case 'content-delta': {
        const words = text(said.tool_plan ?? said.toolPlan ?? object(said.content).text)
        if (words === undefined) return true
        if (message === 'none') start(undefined, say)
        say({ type: 'text-fragment', text: words })
        return true
      }
      case 'tool-call-start':
      case 'tool-call-delta': {
        if (message === 'none') start(undefined, say)
        const call = name === 'tool-call-start' ? startCall(index, part, say) : calls.get(index)
        const json = text(object(part.function).arguments)
        if (call !== undefined && json !== undefined) say({ type: 'call-fragment', key: call.key, text: json })
        return true
      }
      case 'tool-call-end': {
        const call = calls.get(index)
        if (call !== undefined && !call.finished) say({ type: 'call-finished', key: call.key })
        if (call !== undefined) call.finished = true
        return true
      }
      case 'message-end': {
        const rawReason = text(delta.finish_reason ?? delta.finishReason)
        const stated = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
        // Whatever reason stands beside an error, the message did not end well.
        end(text(delta.error) === undefined ? stated : 'error', rawReason, say)
        return true
      }
      case 'error':
        say(providerError(object(error).type))
        over = true
        return true
      case 'content-end':
      case 'citation-start':
      case 'citation-end':
      case 'debug':
        return true
      default:
        name satisfies never
        return false
    }
  }

  function open(): void {
    message = 'none'
    over = false
    calls.clear()
  }

  return { open, read }
}
