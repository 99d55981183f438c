import type { AGUIEventOf, EventType } from '@ag-ui/core'
import type { CallKey, Ending, MessageKey, StopReason, StreamEvent } from '../core/events.ts'
import { isErrorText, isMarkedNotRun } from '../core/marks.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { object, present, table, text, type WireObject } from './wire-values.ts'

/**
 * AG-UI 1.0, with the shorthand and the replays of its servers.
 *
 * `TOOL_CALL_END` only says that no more fragments come, and no stop reason is ever stated: a run that finished ends
 * its messages without one. A finished run is the executor's own word; an error is not, as a relay may have written it.
 * Ids of calls go on through the turn, so that history told again (ag-ui-protocol/ag-ui#1524) makes no second call.
 */
export const agUi: Adapter = { format: 'ag-ui', speaker: 'executor', framer: sse, reader }

type EventName = `${EventType}`

/**
 * What a run that finished says of its messages. `success` is the format's default, not a word of the model, and the
 * `pendingToolCallIds` beside it name no more than the stream has shown.
 */
const OUTCOMES = table<StopReason | null>({
  success: null,
  interrupt: 'paused',
  cancelled: 'cancelled',
} satisfies Record<NonNullable<AGUIEventOf<EventType.RUN_FINISHED>['outcome']>['type'], StopReason | null>)

/** What says nothing of a call, and is no text either. An event that is new in the protocol must be added, or read. */
type SkippedName =
  | 'TEXT_MESSAGE_END'
  | 'RAW'
  | 'CUSTOM'
  | `STATE_${'SNAPSHOT' | 'DELTA'}`
  | `ACTIVITY_${'SNAPSHOT' | 'DELTA'}`
  | `STEP_${'STARTED' | 'FINISHED'}`
  | `REASONING_${'START' | 'END' | 'ENCRYPTED_VALUE'}`
  | `REASONING_MESSAGE_${'START' | 'CONTENT' | 'END' | 'CHUNK'}`
  | `SUBAGENT_${'STARTED' | 'FINISHED' | 'ERROR'}` // ends a subagent, not the run

/** What a name of the protocol looks like; one of tomorrow is no frame of another format. */
const NAME = /^[A-Z_]+$/

/** What may stand between the chunks of a call. Whether the end of a run is the end of the call is for it to say. */
const PASSING = /^(TOOL_CALL_C|RUN_[FE]|RAW|ACTIVITY|SUBAGENT|REASONING_ENC)/

interface Call {
  readonly key: CallKey
  readonly message: MessageKey
  /** The assistant message that holds it. */
  readonly parent: string | undefined
  /** `snapshot`: nothing but snapshots told of it, so that no end of its own will come. */
  state: 'open' | 'snapshot' | 'ended'
  /** There was one of the same id before it. */
  readonly other: boolean
  refused?: true
}

function reader(): WireReader {
  let emit: Emit
  let over = false
  let begun = 0
  let minted = 0
  let runId: string | undefined
  let streams = 0
  let entered = 0 // the last stream in which a run was entered
  const open = new Map<string, { readonly message: MessageKey; readonly run: string | undefined }>()
  const calls = new Map<unknown, Call>() // by id, the last one of each
  const asked = new Map<unknown, Call>() // by the id of the interrupt
  let chunked: Call | undefined // the one that goes on in chunks
  const told = new Map<unknown, number>() // how much of each text; endless, where it is not the assistant's
  let lastText: string | undefined
  let at = 0 // how far that was read, this time

  function say(type: StreamEvent['type'], members: object): void {
    emit({ type, ...present(members) } as StreamEvent)
  }

  function tell(call: Call | undefined, type: StreamEvent['type'], members?: object): void {
    if (call) say(type, { key: call.key, ...members })
  }

  function endStream(ending: Ending): void {
    say('stream-ended', { ending })
    over = true
  }

  /** Enters a run, perhaps one that an earlier stream of this turn left open. */
  function enter(id: string | undefined): void {
    runId = id
    entered = streams
    // In every stream a message of its own, for calls without a parent, and so that there is one to be ended.
    messageOf(undefined)
  }

  /** The open message of an id. What comes after the end of a run must not seem to have ended with it. */
  function messageOf(messageId: string | undefined): MessageKey {
    const place = JSON.stringify([runId, messageId ?? streams])
    const known = open.get(place)
    if (known) return known.message
    const message = `message-${++begun}`
    open.set(place, { message, run: runId })
    say('message-started', { messageId, message })
    return message
  }

  /** The start of a call. Of one that is still open it is a replay, and its buffer begins anew. */
  function start(callId: string | undefined, name: string | undefined, parent: string | undefined): Call {
    let call = calls.get(callId)
    const other = call?.state === 'ended'
    if (call && other) {
      // Told again; but some ids are unique only within a message.
      if (callId && (call.parent ?? parent) === (parent ?? call.parent)) return call
      call = undefined
    }
    call ??= { key: `call-${++minted}`, message: messageOf(parent), parent, state: 'open', other }
    call.state = 'open'
    calls.set(callId, call)
    tell(call, 'call-announced', { callId, name, message: call.message })
    return call
  }

  function append(call: Call | undefined, delta: unknown): void {
    if (!call || call.state === 'ended' || !text(delta)) return
    call.state = 'open'
    tell(call, 'call-fragment', { text: delta })
  }

  function finish(call: Call | undefined): void {
    if (!call || call.state === 'ended') return
    call.state = 'ended'
    tell(call, 'call-finished')
  }

  /** The shorthand: the first chunk of a call has its id and its name, the others may have neither. */
  function readChunk(callId: string | undefined, event: WireObject): void {
    if (callId && (!chunked || calls.get(callId) !== chunked)) {
      finish(chunked)
      chunked = start(callId, text(event.toolCallName), text(event.parentMessageId))
    }
    append(chunked, event.delta)
  }

  function giveBack(callId: string | undefined, value: unknown, ok: boolean): void {
    const call = calls.get(callId)
    // What follows a refusal is the server's answer to it: nothing on this wire tells that from a result.
    if (!callId || call?.refused) return
    const report = { callId, name: null }
    if (isMarkedNotRun(value)) say('outcome-reported', { report: { ...report, ran: 'no' } })
    // Nothing on this wire tells it from a value, nor arguments that a server refused from a tool that threw.
    else if (isErrorText(value)) say('outcome-reported', { report: { ...report, ran: 'unknown', cause: 'tool-error' } })
    else say('call-returned', { key: call?.key, callId, ok, value })
  }

  /** A chunk without an id goes on with the text before it. What is told again is left out. */
  function readText(event: WireObject, anew: boolean): void {
    const messageId = text(event.messageId) ?? lastText
    const words = text(event.delta) ?? ''
    if ((event.role ?? 'assistant') !== 'assistant') told.set(messageId, Number.POSITIVE_INFINITY)
    const before = told.get(messageId) ?? 0
    const from = anew ? 0 : messageId === lastText ? at : before
    lastText = messageId
    at = from + words.length
    if (at <= before) return
    told.set(messageId, at)
    say('text-fragment', { text: words.slice(before - from), message: messageOf(messageId) })
  }

  /** The whole conversation: only what stands behind the person's last message is new in this turn. */
  function readSnapshot(list: unknown): void {
    const all = objects(list)
    const ours = all.slice(all.findLastIndex(({ role }) => role === 'user') + 1)
    for (const { id: parent, role, content, toolCalls, toolCallId, error } of ours) {
      // In history an id may mean an earlier call than the last.
      if (role === 'tool' && !calls.get(toolCallId)?.other) giveBack(text(toolCallId), error ?? content, error == null)
      for (const { id, function: named } of objects(toolCalls)) {
        const body = object(named)
        const callId = text(id)
        let call = calls.get(callId)
        if (!call) {
          call = start(callId, text(body.name), text(parent))
          call.state = 'snapshot'
        }
        if (call.state !== 'ended' && text(body.arguments)) tell(call, 'call-snapshot', { text: body.arguments })
      }
    }
  }

  /** What the request of this run answered, where the run echoes it. */
  function readAnswers(resume: unknown): void {
    for (const { interruptId, status, payload } of objects(resume)) {
      const call = asked.get(interruptId)
      const granted = status === 'resolved' && payload !== false && object(payload).approved !== false
      if (call && !granted) call.refused = true
      tell(call, 'approval-answered', { approvalId: text(interruptId), granted, by: 'person' })
    }
  }

  function endRun(event: WireObject): void {
    const id = text(event.runId)
    if (entered !== streams) enter(id ?? runId)
    const ended = [...open.values()].some(({ run }) => run === id) ? id : runId
    const { type, interrupts } = object(event.outcome)
    let reason = OUTCOMES.get(type ?? 'success')
    if (reason === undefined) reason = 'unknown'
    for (const { id: approvalId, toolCallId } of objects(interrupts)) {
      const call = calls.get(toolCallId)
      if (!call) continue
      // The model was done: it is its call that waits.
      if (reason === 'paused') reason = null
      asked.set(approvalId, call)
      tell(call, 'approval-requested', { approvalId: text(approvalId) })
    }
    if (reason === null) {
      finish(chunked)
      for (const call of calls.values()) if (call.state === 'snapshot') finish(call)
    }
    const rawReason = text(type)
    for (const [place, { message, run }] of open) {
      if (run !== ended) continue
      open.delete(place)
      say('message-ended', { reason, rawReason, finishesOpenCalls: false, message })
    }
    if (reason === 'cancelled') endStream({ type: 'cancelled', by: 'host', acknowledged: true })
  }

  /** @returns whether the event is of the format. */
  function readEvent(event: WireObject): boolean {
    const name = text(event.type) as EventName
    const callId = text(event.toolCallId)
    const call = calls.get(callId)
    const known = NAME.test(name)
    if (known && !PASSING.test(name)) {
      finish(chunked)
      chunked = undefined
    }
    switch (name) {
      case 'RUN_STARTED':
        enter(text(event.runId))
        readAnswers(object(event.input).resume)
        break
      case 'RUN_FINISHED':
        endRun(event)
        break
      case 'RUN_ERROR':
        endStream(
          // The client of the protocol writes this itself when it is aborted.
          event.code === 'abort'
            ? { type: 'cancelled', by: 'user', acknowledged: false }
            : {
                type: 'lost',
                how: 'provider-error',
                speaker: 'relay',
                ...present({ detail: text(event.code)?.slice(0, 64) }),
              },
        )
        break
      case 'TOOL_CALL_START':
        start(callId, text(event.toolCallName), text(event.parentMessageId))
        break
      case 'TOOL_CALL_ARGS':
        append(call, event.delta)
        break
      case 'TOOL_CALL_END':
        finish(call)
        break
      case 'TOOL_CALL_CHUNK':
        readChunk(callId, event)
        break
      case 'TOOL_CALL_RESULT':
        giveBack(callId, event.content, true)
        break
      case 'MESSAGES_SNAPSHOT':
        readSnapshot(event.messages)
        break
      case 'TEXT_MESSAGE_START':
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        readText(event, name === 'TEXT_MESSAGE_START')
        break
      default:
        name satisfies SkippedName
    }
    return known
  }

  return {
    // A run that is still open goes on: its stream may have broken off, and be told again.
    open() {
      over = false
      streams++
      chunked = undefined
    },
    read(event, to) {
      emit = to
      return over || readEvent(object(event))
    },
  }
}

function objects(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.map(object) : []
}
