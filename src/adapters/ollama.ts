import type { ChatResponse, Message, ToolCall } from 'ollama'
import type { StopReason } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { ndjson } from './ndjson.ts'
import { object, present, providerError, table, text } from './wire-values.ts'

/**
 * Ollama's own `/api/chat`, streamed: a JSON document a line. (Its OpenAI-compatible endpoint is `openaiChat`.)
 *
 * Every call comes whole and is finished by its own line, in one line with others or in lines of their own before the
 * last (deepset-ai/haystack-core-integrations#3303). Nothing but its place tells it apart: older servers give no ids, so
 * that every entry is a call. The message ends with `done: true`.
 */
export const ollama: Adapter = { format: 'ollama', speaker: 'model', framer: ndjson, reader }

// An open string on the wire. That a model was loaded or unloaded (`load`, `unload`) is no reason to run anything.
const REASONS = table<StopReason>({ stop: 'natural', length: 'length' })

/** What is read of a line; the names are the wire's. */
type Line = { readonly [Member in keyof ChatResponse]?: unknown } & { readonly error?: unknown }
type LineMessage = { readonly [Member in keyof Message]?: unknown }
type Call = { readonly [Member in keyof ToolCall]?: unknown } & { readonly id?: unknown }
type CallFunction = { readonly [Member in keyof ToolCall['function']]?: unknown }

function reader(): WireReader {
  let message: 'none' | 'open' | 'ended' | 'failed' = 'none'
  let minted = 0

  function readCall({ id, function: called }: Call, emit: Emit): void {
    const key = `call-${++minted}`
    const { name, arguments: value }: CallFunction = object(called)
    emit({ type: 'call-announced', key, ...present({ callId: text(id), name: text(name) }) })
    if (value != null) emit({ type: 'call-snapshot', key, value: value as Json })
    emit({ type: 'call-finished', key })
  }

  return {
    open() {
      message = 'none'
    },
    read(event, emit) {
      const { error, message: said, done, done_reason }: Line = object(event)
      const failed = isRecord(error) || text(error) !== undefined
      if (!failed && !isRecord(said) && typeof done !== 'boolean') return false
      // After an error the stream is over: what still comes of the message must not seem to end it.
      if (message === 'failed') return true
      if (failed) {
        message = 'failed'
        emit(providerError(object(error).type))
        return true
      }
      if (message === 'none') {
        message = 'open'
        emit({ type: 'message-started' })
      }
      const { content, tool_calls }: LineMessage = object(said)
      const words = text(content)
      if (words !== undefined) emit({ type: 'text-fragment', text: words })
      if (Array.isArray(tool_calls)) for (const call of tool_calls.filter(isRecord)) readCall(call, emit)
      if (done === true && message === 'open') {
        message = 'ended'
        const rawReason = text(done_reason)
        const reason = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
        emit({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: false })
      }
      return true
    },
  }
}
