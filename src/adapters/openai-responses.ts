import type { Response, ResponseStatus } from 'openai/resources/responses/responses'
import type { CallKey, StopReason, StreamEvent } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { CALL_ITEMS, type ItemKind, resultOf } from './openai-responses-items.ts'
import { sse } from './sse.ts'
import { toldText } from './told-text.ts'
import { object, present, providerError, table, text, type WireObject } from './wire-values.ts'

/**
 * OpenAI Responses, streamed. One response is one message; those of its items that are calls are the calls.
 *
 * The same input comes up to three times: as deltas, in `done` events and in the final response. Some servers send only
 * one of them (BerriAI/litellm#27144), so each is handed on as a snapshot until the item is done. An empty text is no
 * snapshot: beside deltas it means "not given", and without them the buffer is empty anyway. Some proxies change the
 * ids of an item from event to event (lidge-jun/opencodex#996); its `call_id` and `output_index` then tell.
 */
export const openaiResponses: Adapter = { format: 'openai-responses', speaker: 'model', framer: sse, reader }

type Ending = Exclude<ResponseStatus, 'in_progress' | 'queued'>
type Detail = NonNullable<Response.IncompleteDetails['reason']>
// Left to be unknown: a response that was steered, or has too many messages, is no reason to run anything.
type UnknownDetail = 'max_messages' | 'steered'

const REASONS = table<StopReason>({
  completed: 'natural',
  failed: 'error',
  cancelled: 'cancelled',
  incomplete: 'unknown',
  'incomplete/max_output_tokens': 'length',
  'incomplete/content_filter': 'filter',
} satisfies Record<Ending | `incomplete/${Exclude<Detail, UnknownDetail>}`, StopReason>)

const STATUSES = table({ completed: 'complete', incomplete: 'incomplete' })

/** A call of the current response, as far as the wire has told. */
interface Call {
  readonly key: CallKey
  readonly executor: 'provider' | undefined
  readonly callId?: string | undefined
  readonly name?: string | undefined
  readonly type: string
  /** What was told of it. */
  readonly told: Set<StreamEvent['type']>
}

function reader(): WireReader {
  let emit: Emit
  let over = false
  // The open response: its id, if it has one; `null` after its end, `undefined` before any of this stream.
  let current: unknown
  let minted = 0
  let words = toldText()
  // The last response's id, where this stream may tell that again; and whether it was over.
  let last: { readonly id: string; ended: boolean } | undefined
  let toldBefore: typeof last
  const calls = new Map<unknown, Call>() // each under itself, its item's id and index, and its call id
  const waiting = new Map<unknown, Call>() // for a person, by approval id; they go on in a later response

  function tell(call: Call, type: StreamEvent['type'], members: object): void {
    call.told.add(type)
    emit({ type, key: call.key, ...present(members) } as StreamEvent)
  }

  /** For what the wire may say several times; without members there is nothing to tell. */
  function tellOnce(call: Call, type: StreamEvent['type'], members: object | undefined): void {
    if (members && !call.told.has(type)) tell(call, type, members)
  }

  function tellInput(call: Call, type: 'call-fragment' | 'call-snapshot', input: unknown): void {
    if ((input ?? '') === '' || call.told.has('call-finished')) return
    tell(call, type, typeof input === 'string' ? { text: input } : { value: input })
  }

  /** The call of an item, or of as much of one as an event gives; announced or identified as far as that allows. */
  function see(type: string, kind: ItemKind, item: WireObject, index: unknown, added: boolean): Call {
    const id = text(item.id)
    const wireId = text(item.call_id)
    const approvalId = item.approval_request_id
    // An `added` item is not the one before it at its index: behind some proxies all are at 0.
    const places = [id, wireId, added ? undefined : index].map((place) => calls.get(place))
    let call = places.find((known) => known?.type === type && (wireId ?? known.callId) === (known.callId ?? wireId))
    call ??= waiting.get(approvalId)
    if (!call) {
      // Always, in the provider's container, or as hosted tool search.
      const hosted = kind.provider || item.execution === 'server' || object(item.environment).container_id
      const executor = hosted ? 'provider' : undefined
      call = { key: `call-${++minted}`, executor, type, told: new Set() }
    } else if (waiting.delete(approvalId)) {
      tell(call, 'approval-answered', { approvalId, granted: true, by: 'person' })
    }
    const { told, executor } = call
    const callId = call.callId ?? wireId ?? (executor && id)
    const name = call.name ?? (kind.named ? text(item.name) : type.replace('_call', ''))
    // Added once more: the response is read again from its start, and the buffer begins anew.
    if (!told.size || (added && !told.has('call-finished'))) {
      tell(call, 'call-announced', { callId, name, executor, encoding: kind.encoding })
    } else if (callId !== call.callId || name !== call.name) tell(call, 'call-identified', { callId, name })
    // Hosted tool search and its result have no call id: `null` stands for the last call without one.
    for (const place of [call, id, wireId ?? null, index]) if (place !== undefined) calls.set(place, call)
    return Object.assign(call, { type, callId, name })
  }

  /**
   * Reads what an event says of an item, or of its input.
   * @param phase the last word of the event's name: `added` or `done`, `delta`, else how the provider gets on with it.
   * @param ofInput the event is one of the input's own, named after the item's type and the member that holds it.
   */
  function readItem(item: WireObject, index: unknown, phase: unknown, ofInput?: unknown): void {
    const type = text(item.type) ?? ''
    const kind = CALL_ITEMS.get(type)
    if (!kind) {
      const call = calls.get(text(item.call_id) ?? null)
      if (call?.executor && phase === 'done' && type.endsWith('_output'))
        tellOnce(call, 'call-returned', resultOf(item))
      return
    }
    const { input = '', provider } = kind
    // Where the model writes an input (MCP, code), `in_progress` comes before that and shows no execution.
    if (input && phase === 'in_progress') return
    const call = see(type, kind, item, index, phase === 'added')
    // Several actions of a computer call stand in `actions`, one in `action`.
    if (phase === 'done') tellInput(call, 'call-snapshot', item[input] ?? (item.actions && { actions: item.actions }))
    else if (ofInput) tellInput(call, 'call-fragment', text(item.delta))
    else if (phase !== 'added') tellOnce(call, 'call-dispatched', {})
    if (phase !== 'done' || ofInput) return
    tellOnce(call, 'call-finished', { status: STATUSES.get(item.status) })
    if (type === 'mcp_approval_request') {
      // The item's id, which is also that of the call.
      waiting.set(call.callId ?? call, call)
      tellOnce(call, 'approval-requested', { approvalId: call.callId })
    } else if (provider) tellOnce(call, 'call-returned', resultOf(item))
  }

  function fail(error: unknown): void {
    const { code, type } = object(error)
    if (!over) emit(providerError(code || type))
    over = true
  }

  /** @param word one of `REASONS`. */
  function end(word: string, { output, incomplete_details: details, error }: WireObject): void {
    if (Array.isArray(output)) for (const [index, item] of output.entries()) readItem(object(item), index, 'done')
    // A snapshot came with the input's own `done` event: a completion too, for servers that send no more than that.
    for (const call of calls.values()) if (call.told.has('call-snapshot')) tellOnce(call, 'call-finished', {})
    const detail = text(object(details).reason)
    const reason = REASONS.get(`${word}/${detail}`) ?? (REASONS.get(word) as StopReason)
    if (current) emit({ type: 'message-ended', reason, rawReason: detail ?? word, finishesOpenCalls: false })
    current = null
    if (last) last.ended = true
    if (word === 'failed') fail(error)
  }

  return {
    // A response that is still open goes on: in background mode it can be resumed in another stream.
    open(resumes = false) {
      over = false
      current ??= undefined
      toldBefore = resumes ? last : undefined
    },
    read(event, to) {
      const wire = object(event)
      const { type, error, output_index: index } = wire
      const [format, subject, phase] = text(type)?.split('.') ?? []
      emit = to
      if (format !== 'response' || !subject) {
        const failed = type === 'error' || (!type && isRecord(error))
        if (failed) fail(error ?? wire)
        // `keepalive` is not documented, but sent (openai/openai-node#1964).
        return failed || type === 'keepalive'
      }
      if (over) return true
      const response = object(wire.response)
      const id = text(response.id)
      // Created again, with the same id and still open: the same response, read anew (background mode). Else only what
      // comes first in a stream starts a message; what comes after its end belongs to the ended one.
      const again = subject === 'created' && ((current && current === id) || (toldBefore && toldBefore.id === id))
      if (again) {
        current = toldBefore?.ended ? null : id
        toldBefore = undefined
        words.again()
      } else if (subject === 'created' || current === undefined) {
        current = id ?? {}
        last = id ? { id, ended: false } : undefined
        words = toldText()
        calls.clear()
        emit({ type: 'message-started', ...present({ messageId: id }) })
      }
      if (subject === 'output_text' || subject === 'refusal') {
        const news = words.take(text(wire.delta) ?? '')
        if (news) emit({ type: 'text-fragment', text: news })
      } else if (subject === 'output_item') readItem(object(wire.item), index, phase)
      // A status that tells of a worse ending than the event's name is believed.
      else if (REASONS.has(subject)) {
        end(subject === 'completed' && REASONS.has(response.status) ? (response.status as string) : subject, response)
      } else {
        const [name, member] = subject.split(/_(?=(?:arguments|input|code)$)/)
        readItem({ ...wire, type: name, id: wire.item_id }, index, phase, member)
      }
      return true
    },
  }
}
