import type { Response, ResponseStatus } from 'openai/resources/responses/responses'
import type { StopReason } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { type ResponseCall, responseCalls } from './openai-responses-calls.ts'
import { CALL_ITEMS, type CallType, type Item } from './openai-responses-items.ts'
import { sse } from './sse.ts'
import { lookUp, present, providerError, text } from './wire-values.ts'

/**
 * OpenAI Responses, streamed. One response is one message; those of its items that are calls are the calls.
 *
 * The same input comes up to three times: as deltas, in `done` events and in the final response. Some servers send only
 * one of them (BerriAI/litellm#27144), so each is handed on as a snapshot until the item is done. An empty text is no
 * snapshot: beside deltas it means "not given", and without them the buffer is empty anyway. Some proxies change the
 * ids of an item from event to event (lidge-jun/opencodex#996); its `call_id` and `output_index` then tell.
 */
export const openaiResponses: Adapter = { format: 'openai-responses', speaker: 'model', framer: sse, reader }

const REASONS: Readonly<Record<Exclude<ResponseStatus, 'in_progress' | 'queued'>, StopReason>> = {
  completed: 'natural',
  incomplete: 'unknown',
  failed: 'error',
  cancelled: 'cancelled',
}

type IncompleteReason = NonNullable<Response.IncompleteDetails['reason']>

const INCOMPLETE_REASONS: Readonly<Record<Exclude<IncompleteReason, 'max_messages' | 'steered'>, StopReason>> = {
  max_output_tokens: 'length',
  content_filter: 'filter',
}

const STATUSES = { completed: 'complete', incomplete: 'incomplete' }

function reader(): WireReader {
  let message: 'none' | 'open' | 'ended' = 'none'
  let responseId: string | undefined
  let over = false
  let emit: Emit
  const calls = responseCalls((event) => emit(event))

  function giveInput(call: ResponseCall, value: unknown): void {
    if (call.told.has('call-finished') || value === '' || value === null || value === undefined) return
    calls.tell(call, 'call-snapshot', typeof value === 'string' ? { text: value } : { value })
  }

  function giveResult(call: ResponseCall, item: Item): void {
    const { status } = item
    const error = item.error ?? undefined
    const value = item.output ?? item.outputs ?? item.result ?? item.results ?? item.tools ?? undefined
    const failed = status === 'failed' || error !== undefined
    // Lists of tools have no status, and pictures may come whole as still "generating" (Wei-Shaw/sub2api#4051).
    if (failed || status === 'completed' || (status !== 'incomplete' && value !== undefined)) {
      calls.tellOnce(call, 'call-returned', { ok: !failed, value: error ?? value })
    }
  }

  /** An item is there: newly added, or done, by its own event or because the final response has it. */
  function readItem(item: Item, index: unknown, added: boolean): void {
    const { type, status, actions } = item
    const answered = text(type)?.endsWith('_output') && calls.answered(text(item.call_id))
    if (answered && answered.executor) {
      if (added) calls.tellOnce(answered, 'call-dispatched')
      else giveResult(answered, item)
    }
    const kind = lookUp(CALL_ITEMS, type)
    if (kind === undefined) return
    const call = calls.see(type as CallType, item, index, added)
    if (added) return
    // Several actions of a computer call stand in `actions`, one in `action`.
    giveInput(call, item[kind.input ?? ''] ?? (actions && { actions }))
    calls.tellOnce(call, 'call-finished', { status: lookUp(STATUSES, status) })
    if (type === 'mcp_approval_request') {
      const approvalId = text(item.id)
      if (approvalId) calls.waiting.set(approvalId, call)
      calls.tellOnce(call, 'approval-requested', { approvalId })
    } else if (kind.provider) giveResult(call, item)
  }

  function end(word: string, { output, incomplete_details: details, error }: Item): void {
    if (Array.isArray(output)) {
      output.forEach((item, index) => {
        if (isRecord(item)) readItem(item, index, false)
      })
    }
    // The input's own `done` event is a completion too, for servers that send no more than that.
    for (const call of calls.all) if (call.told.has('whole')) calls.tellOnce(call, 'call-finished')
    if (message === 'open') {
      const given = word === 'incomplete' && isRecord(details) ? text(details.reason) : undefined
      const reason = (given ? lookUp(INCOMPLETE_REASONS, given) : lookUp(REASONS, word)) ?? 'unknown'
      emit({ type: 'message-ended', reason, rawReason: given ?? word, finishesOpenCalls: false })
    }
    message = 'ended'
    if (word === 'failed') fail(error)
  }

  function fail(error: unknown, code?: unknown): void {
    over = true
    emit(isRecord(error) ? providerError(code, error.code, error.type) : providerError(code))
  }

  /** What comes of one item while it is under way: its input, or how the provider gets on with it. */
  function readProgress(subject: string, phase: string | undefined, event: Item): void {
    const [, word, member] = /^(.*?)(?:_(arguments|input|code))?$/.exec(subject) ?? []
    const kind = lookUp(CALL_ITEMS, word)
    // Where the model writes an input (MCP, code), `in_progress` comes before that and shows no execution.
    if (kind === undefined || (kind.input !== member && phase === 'in_progress')) return
    const call = calls.see(word as CallType, { id: event.item_id, name: event.name }, event.output_index)
    const fragment = text(event.delta)
    if (member === undefined) calls.tellOnce(call, 'call-dispatched')
    else if (phase === 'done') {
      giveInput(call, event[member])
      call.told.add('whole')
    } else if (fragment && !call.told.has('call-finished')) calls.tell(call, 'call-fragment', { text: fragment })
  }

  function readEvent(subject: string, phase: string | undefined, event: Item): void {
    const response = isRecord(event.response) ? event.response : {}
    const id = text(response.id)
    // Created again, with the same id and still open: the same response, read anew (background mode). Else only what
    // comes first in a stream starts a message; what comes after its end belongs to the ended one.
    if (subject === 'created' ? message !== 'open' || !id || id !== responseId : message === 'none') {
      message = 'open'
      responseId = id
      calls.clear()
      emit({ type: 'message-started', ...present({ messageId: id }) })
    }
    const words = text(event.delta)
    if (subject === 'output_text' || subject === 'refusal') {
      if (phase === 'delta' && words) emit({ type: 'text-fragment', text: words })
    } else if (subject === 'output_item') {
      if (isRecord(event.item)) readItem(event.item, event.output_index, phase !== 'done')
    } else if (lookUp(REASONS, subject)) {
      // A status that tells of a worse ending than the event's name is believed.
      const status = text(response.status)
      end(subject === 'completed' && status && lookUp(REASONS, status) ? status : subject, response)
    } else readProgress(subject, phase, event)
  }

  return {
    // A response that is still open goes on: in background mode it can be resumed in another stream.
    open() {
      over = false
      if (message === 'ended') message = 'none'
    },
    read(event, to) {
      if (!isRecord(event)) return false
      const { error } = event
      const type = event.type ?? (isRecord(error) ? 'error' : undefined)
      const isError = type === 'error'
      // `keepalive` is not documented, but sent (openai/openai-node#1964).
      if (typeof type !== 'string' || !(isError || type.startsWith('response.'))) return type === 'keepalive'
      if (over) return true
      emit = to
      const [, subject = '', phase] = type.split('.')
      if (isError) fail(error, event.code)
      else readEvent(subject, phase, event)
      return true
    },
  }
}
