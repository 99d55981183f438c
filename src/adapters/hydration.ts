import type { CallKey, Ending, StreamEvent } from '../core/events.ts'
import { isMarkedNotRun } from '../core/marks.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { oneDocument } from './hydration-document.ts'
import { readToolPart, reportOfError, tellOf } from './hydration-ui-part.ts'
import { object, present, text, type WireObject } from './wire-values.ts'

/**
 * Stored messages, with no stream behind them: UI messages of the AI SDK, or a history as it is sent to Anthropic, to
 * OpenAI Chat or to OpenAI Responses. Takes one JSON document: an array of them, or an object with `messages`.
 *
 * No message of it ever ends: nobody knows how it did, and nothing stored may be run again. What is open at the end of
 * the document is settled as after a reload; a document in which nothing is open does not claim that it was broken off.
 */
export const hydration: Adapter = { format: 'hydration', speaker: 'nobody', framer: oneDocument, reader }

// Of Anthropic's blocks and of the items of OpenAI Responses: what is a call, and which of them the provider runs.
const CALL = /^(.+_call|(.+_)?tool_use|mcp_list_tools|mcp_approval_request|program)$/
const PROVIDER = /^(server_|mcp_|web_|file_|image_|code_|program)/

function reader(): WireReader {
  let minted = 0

  function readDocument(messages: unknown, emit: Emit): void {
    const calls = new Map<unknown, CallKey>() // the latest of an id
    const open = new Set<CallKey | undefined>()
    let begun = false
    let streaming = false

    function tell(event: StreamEvent): void {
      emit(event)
      if (event.type === 'call-announced') {
        if (event.callId) calls.set(event.callId, event.key)
        open.add(event.key)
      } else if (event.type === 'outcome-reported') open.delete(calls.get(event.report.callId))
      else if (event.type === 'call-returned' || (event.type === 'approval-answered' && !event.granted))
        open.delete(event.key)
    }

    function begin(messageId: unknown): void {
      begun = true
      tell({ type: 'message-started', ...present({ messageId: text(messageId) }) })
    }

    function tellText(words: unknown): void {
      if (text(words)) tell({ type: 'text-fragment', text: words as string })
    }

    function announce(members: object, input: unknown, status?: unknown): void {
      const key = `call-${++minted}`
      tellOf(tell, key, 'call-announced', members)
      if (input != null) tellOf(tell, key, 'call-snapshot', { [typeof input === 'string' ? 'text' : 'value']: input })
      if (status !== 'in_progress')
        tellOf(tell, key, 'call-finished', { status: status === 'incomplete' ? status : undefined })
    }

    function giveBack(id: unknown, value: unknown, failed: boolean): void {
      const callId = text(id)
      const words = Array.isArray(value) ? object(value[0]).text : value
      if (!callId) return
      if (failed || isMarkedNotRun(words)) tell(reportOfError(callId, words))
      else tell({ type: 'call-returned', ...present({ key: calls.get(callId), callId, value }), ok: true })
    }

    function readPart(part: WireObject, messageId: unknown): void {
      if (part.type === 'step-start') begin(messageId)
      if (part.type === 'text') tellText(part.text)
      if (part.state === 'streaming') streaming = true
      if (readToolPart(part, `call-${minted + 1}`, tell)) minted++
    }

    /** A message of Anthropic or of OpenAI Chat, or one among the items of OpenAI Responses. */
    function readMessage({ role, id, content, tool_call_id: callId, tool_calls: wanted }: WireObject): void {
      begun = false
      if (role === 'tool') return giveBack(callId, content, false)
      if (role === 'assistant') {
        begin(id)
        tellText(content)
      }
      listOf(content).forEach(readItem)
      for (const call of listOf(begun && wanted)) {
        const { name, arguments: json, input } = object(call.function ?? call.custom)
        announce({ callId: text(call.id), name: text(name) }, json ?? input)
      }
    }

    /** A block of a message, or an item of OpenAI Responses. */
    function readItem(item: WireObject): void {
      const type = text(item.type) ?? ''
      const { content, status, error } = item
      const value = content ?? error ?? item.output ?? item.result ?? item.results ?? item.tools
      const failed = item.is_error === true || status === 'failed' || error != null || !!object(content).error_code
      const callId = text(item.tool_use_id) ?? text(item.call_id) ?? text(item.id)
      const asked = calls.get(item.approval_request_id)
      if (/^(output_)?text$/.test(type)) {
        if (begun) tellText(item.text)
      } else if (CALL.test(type)) {
        if (!begun) begin(undefined)
        const name = text(item.name) ?? type.replace('_call', '')
        const input = item.arguments ?? item.input ?? item.action ?? item.operation ?? item.code ?? item.actions
        const executor = PROVIDER.test(type) ? 'provider' : undefined
        if (asked) calls.set(callId, asked)
        else announce({ callId, name, executor }, input, status)
        const has = failed || status === 'completed' || (status !== 'incomplete' && value != null)
        if (executor && has) giveBack(callId, value, failed)
      } else if (/(_output|tool_result)$/.test(type)) giveBack(callId, value, failed)
      else if (asked && type === 'mcp_approval_response') {
        tellOf(tell, asked, 'approval-requested')
        tellOf(tell, asked, 'approval-answered', { granted: item.approve === true, by: 'person' })
      }
    }

    for (const message of listOf(messages)) {
      const { role, parts, id } = message
      if (!Array.isArray(parts)) (role ? readMessage : readItem)(message)
      else if (role === 'assistant') {
        begin(id)
        for (const part of listOf(parts)) readPart(part, id)
      }
    }
    // `stored`: unlike a page that sees itself closed, nobody here knows what was dispatched before.
    const ending: Ending =
      streaming || open.size
        ? { type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' }
        : { type: 'complete', speaker: 'nobody' }
    emit({ type: 'stream-ended', ending })
  }

  return {
    open() {},
    read(document, emit) {
      const { messages, output } = object(document)
      const list = [document, messages, output].find(Array.isArray)
      if (list) readDocument(list, emit)
      return list !== undefined
    },
  }
}

function listOf(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? Array.from(value, object) : []
}
