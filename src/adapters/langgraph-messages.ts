import type { MessageAssembler } from '@langchain/langgraph-sdk'
import type { CallKey, MessageKey, StreamEvent } from '../core/events.ts'
import { isMarkedNotRun } from '../core/marks.ts'
import { entriesOf, kindOf, objects, rawReasonOf, wordsOf } from './langgraph-wire.ts'
import { STOP_REASONS } from './stop-reasons.ts'
import { object, text, type WireObject } from './wire-values.ts'

type BlockEvent = Parameters<MessageAssembler['consume']>[0]['params']['data']['event']

/** What a tool node says in place of a result where it began nothing; a tool that was begun could throw the same words. */
const NOT_BEGUN = /^(Error: )?Received tool input did not match expected schema/

/** A message of the turn. */
interface Message {
  readonly key: MessageKey
  /** Its calls by id and by index. */
  readonly calls: Map<unknown, Call>
  /** How much of its text was told. */
  told: number
}

/** A call, as far as the wire has told. */
export interface Call {
  readonly key: CallKey
  readonly message: Message
  readonly executor: 'provider' | undefined
  id: string | undefined
  name: string | undefined
  /** What came of its arguments: pieces of their text, or nothing but wholes. */
  told?: 'piece' | 'whole'
  asked?: true
  returned?: true
}

/** Tells an event; members that are undefined are left out. */
type Say = (type: StreamEvent['type'], members: object) => void

/** The messages and calls of a turn. */
export interface Transcript {
  readonly open: Set<Message>
  /** By id, each time the last one that was seen. */
  readonly calls: ReadonlyMap<unknown, Call>
  tell(call: Call | undefined, type: StreamEvent['type'], members?: object): void
  end(message: Message, rawReason: string | undefined, finishesOpenCalls: boolean): void
  giveBack(callId: string | undefined, value: unknown, ok: boolean): void
  /** What comes next of a message, at a place in the graph. */
  readChunk(wire: WireObject, place: string): void
  /** Whole messages, as they are so far or for good. */
  readMessages(list: unknown, final: boolean): void
  /** An event of the protocol of content blocks, at a place in the graph. */
  readBlock(data: WireObject, place: string): void
}

/** An empty transcript that tells its events here. */
export function transcript(say: Say): Transcript {
  let begun = 0
  let minted = 0
  let streamed = false // some message came in pieces
  const messages = new Map<unknown, Message>() // by the wire's id
  const current = new Map<string, Message | undefined>() // by place, where a part of a message does not name it
  const open = new Set<Message>()
  const calls = new Map<unknown, Call>()

  function tell(call: Call | undefined, type: StreamEvent['type'], members?: object): void {
    if (call) say(type, { key: call.key, ...members })
  }

  function begin(messageId: string | undefined): Message {
    const message = { key: `message-${++begun}`, calls: new Map(), told: 0 }
    open.add(message)
    if (messageId) messages.set(messageId, message)
    say('message-started', { messageId, message: message.key })
    return message
  }

  function end(message: Message, rawReason: string | undefined, finishesOpenCalls: boolean, error?: 'error'): void {
    if (!open.delete(message)) return
    const stated = rawReason && (STOP_REASONS.find(([, words]) => words.test(rawReason))?.[0] ?? 'unknown')
    say('message-ended', { reason: error ?? stated ?? null, rawReason, finishesOpenCalls, message: message.key })
  }

  /** @param whole the words are all there are so far, not what comes next. */
  function tellText(message: Message, words: string, whole: boolean): void {
    streamed ||= !whole
    const more = whole ? words.slice(message.told) : words
    message.told += more.length
    if (more) say('text-fragment', { text: more, message: message.key })
  }

  /** The call of an entry; announced, again if it begins anew, or identified as far as the entry allows. */
  function see(message: Message, entry: WireObject, index: unknown, anew = false): Call {
    const id = text(entry.id)
    const name = text(entry.name)
    const here = message.calls.get(index)
    const elsewhere = calls.get(id)
    const known =
      message.calls.get(id) ??
      (id && here?.id ? undefined : here) ??
      // Ids that were answered may be used again by a later message.
      (elsewhere?.returned ? undefined : elsewhere)
    const executor = text(entry.type)?.startsWith('server_') ? 'provider' : undefined
    const call = known ?? { key: `call-${++minted}`, message, executor, id, name }
    const isNew = (id && !call.id) || (name && !call.name)
    call.id ??= id
    call.name ??= name
    if (!known || anew) {
      const { executor, message } = call
      tell(call, 'call-announced', { callId: call.id, name: call.name, executor, message: message.key })
    } else if (isNew) tell(call, 'call-identified', { callId: id, name })
    for (const place of [call.id, index]) if (place != null) message.calls.set(place, call)
    if (call.id) calls.set(call.id, call)
    return call
  }

  function tellPiece(call: Call | undefined, args: unknown): void {
    if (!call) return
    call.told = 'piece'
    if (text(args)) tell(call, 'call-fragment', { text: args })
  }

  function tellWhole(call: Call, args: unknown): void {
    if (text(args)) tell(call, 'call-snapshot', { text: args })
    else if (typeof args === 'object' && args) tell(call, 'call-snapshot', { value: args })
  }

  function giveBack(callId: string | undefined, value: unknown, ok: boolean): void {
    const call = calls.get(callId)
    if (call) call.returned = true
    if (!callId) return
    const report = { callId, name: null }
    if (isMarkedNotRun(value)) say('outcome-reported', { report: { ...report, ran: 'no' } })
    else if (!ok && NOT_BEGUN.test(wordsOf(value)))
      say('outcome-reported', { report: { ...report, ran: 'unknown', cause: 'tool-error' } })
    else say('call-returned', { key: call?.key, callId, ok, value })
  }

  function readEntries(message: Message, entries: readonly WireObject[], final: boolean): void {
    for (const [position, entry] of entries.entries()) {
      const call = see(message, entry, entry.index ?? (text(entry.id) ? undefined : position))
      // A value that is not final was completed by somebody, and one after a text is no better than the text.
      const tellable = typeof entry.args === 'string' ? call.told !== 'piece' : final && !call.told
      if (!tellable || !open.has(message)) continue
      call.told = 'whole'
      tellWhole(call, entry.args)
    }
  }

  function readChunk(wire: WireObject, place: string): void {
    const id = text(wire.id)
    const before = id ? messages.get(id) : current.get(place)
    const message = before && (id || open.has(before)) ? before : begin(id)
    current.set(place, message)
    tellText(message, wordsOf(wire.content), false)
    const chunks = objects(wire.tool_call_chunks)
    for (const chunk of chunks) {
      if (text(chunk.id) ?? text(chunk.name) ?? text(chunk.args))
        tellPiece(see(message, chunk, chunk.index), chunk.args)
    }
    if (chunks.length === 0) readEntries(message, objects(wire.tool_calls), true)
    const reason = rawReasonOf(wire.response_metadata, wire.additional_kwargs)
    if (reason) end(message, reason, true)
  }

  /** A message as it is so far, or for good: in the state it is, as its node has returned. */
  function readWhole(wire: WireObject, final: boolean): void {
    const id = text(wire.id)
    const entries = entriesOf(wire)
    // The id of a message need not be that of its chunks; those of its calls are.
    const call = entries.map((entry) => calls.get(entry.id)).find((known) => known && !known.returned)
    const message = messages.get(id) ?? call?.message ?? begin(id)
    if (id) messages.set(id, message)
    if (message.told || !streamed) tellText(message, wordsOf(wire.content), true)
    readEntries(message, entries, final)
    const reason = rawReasonOf(wire.response_metadata, wire.additional_kwargs)
    if (final || reason) end(message, reason, true)
  }

  /** Whole messages: only what stands behind the person's last one is of this turn. */
  function readMessages(list: unknown, final: boolean): void {
    const all = (Array.isArray(list) ? list : [list]).map(object)
    for (const wire of all.slice(all.findLastIndex((message) => kindOf(message) === 'human') + 1)) {
      const kind = kindOf(wire)
      if (kind === 'ai') readWhole(wire, final)
      else if (kind === 'tool') giveBack(text(wire.tool_call_id), wire.content, wire.status !== 'error')
    }
  }

  function readBlock(data: WireObject, place: string): void {
    const name = data.event as BlockEvent
    const message = current.get(place)
    const id = text(data.id)
    switch (name) {
      case 'message-start':
        current.set(place, (data.role ?? 'ai') === 'ai' ? (messages.get(id) ?? begin(id)) : undefined)
        break
      case 'message-finish': {
        const reason = rawReasonOf(data.responseMetadata, data.metadata)
        // Bridges write `stop` whatever the model said.
        if (message) end(message, reason ?? (data.reason === 'stop' ? undefined : text(data.reason)), false)
        break
      }
      case 'error':
        if (message) end(message, text(data.code), false, 'error')
        break
      case 'content-block-start':
      case 'content-block-delta':
      case 'content-block-finish':
        if (message) readPart(message, name.slice(14), data)
        break
      default:
        name satisfies never
    }
  }

  function readPart(message: Message, phase: string, { index, content, delta }: WireObject): void {
    const change = object(delta)
    const part = object(content ?? change.fields ?? change)
    const type = text(part.type) ?? ''
    if (type === 'server_tool_result') {
      giveBack(text(part.tool_call_id), part.output, part.status !== 'error')
    } else if (type === 'tool-call-delta') tellPiece(message.calls.get(index), part.args)
    else if (type.includes('tool_call')) {
      const call = see(message, part, index, phase === 'start')
      if (phase === 'start') tellPiece(call, part.args)
      else tellWhole(call, part.args)
      if (phase === 'finish') tell(call, 'call-finished')
    } else if (phase === 'start' || change.type === 'text-delta') tellText(message, text(part.text) ?? '', false)
  }

  return { open, calls, tell, end, giveBack, readChunk, readMessages, readBlock }
}
