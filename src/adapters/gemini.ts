import type { CallKey } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { readLeaf } from './gemini-leaves.ts'
import { REASONS, reasonOf } from './gemini-reasons.ts'
import { sse } from './sse.ts'
import { object, present, providerError, text, type WireObject } from './wire-values.ts'

/**
 * Google Gemini, streamed: `streamGenerateContent`, of the Gemini API and of Vertex AI, and the Interactions API.
 *
 * In the former each event is a response whose parts come in order. A call that has no id has nothing else to be known
 * by: parallel ones come one an event, so that the place within it says nothing (su-kaka/gcli2api#406). It comes whole,
 * or on Vertex in leaves: then it goes on for as long as its parts say `willContinue`, and the last of them may still
 * carry leaves (vercel/ai#14358).
 *
 * In the latter an interaction is a message. A step's stop only says that no more fragments come; the first final status
 * ends the message.
 */
export const gemini: Adapter = { format: 'gemini', speaker: 'model', framer: sse, reader }

/** The name of code that the provider runs, as the Interactions API has it too. */
const CODE = 'code_execution'

function reader(): WireReader {
  let emit: Emit
  let over = false
  let minted = 0
  let ended = true
  let messageId: unknown = null // before any message
  /** Of the last event, where the stream is one of an interaction. */
  let eventType: unknown
  /** By id, by the name of what the provider runs, or by the step's index. */
  const calls = new Map<unknown, CallKey>()
  /** Ids of the calls whose results are under way, by the step's index. */
  const results = new Map<unknown, string | undefined>()
  let last: CallKey | undefined
  /** Whether the last call has parts to come. */
  let goesOn = false

  function start(id: unknown): void {
    ended = false
    messageId = id
    calls.clear()
    results.clear()
    last = undefined
    goesOn = false
    emit({ type: 'message-started', ...present({ messageId: text(id) }) })
  }

  /** Starts a message where none is open, unless what comes is still of the one that has ended. */
  function begin(id?: unknown): void {
    if (ended && messageId !== id) start(id)
  }

  function end(word: unknown, reason = reasonOf(word)): void {
    if (!ended) emit({ type: 'message-ended', reason, ...present({ rawReason: text(word) }), finishesOpenCalls: false })
    ended = true
  }

  function say(words: unknown): void {
    const said = text(words)
    if (said) emit({ type: 'text-fragment', text: said })
  }

  function announce(place: unknown, id: unknown, name: unknown, executor: 'provider' | undefined): CallKey {
    const key = `call-${++minted}`
    calls.set(place, key)
    emit({ type: 'call-announced', key, ...present({ callId: text(id), name: text(name), executor }) })
    return key
  }

  /** An empty object stands for arguments that are still to come, or for none. */
  function tellInput(key: CallKey, input: unknown): void {
    if (typeof input === 'string') {
      if (input) emit({ type: 'call-fragment', key, text: input })
    } else if (input != null && !(isRecord(input) && !Object.keys(input)[0])) {
      emit({ type: 'call-snapshot', key, value: input as Json })
    }
  }

  function finish(key: CallKey): void {
    emit({ type: 'call-finished', key })
  }

  function answer(id: unknown, name: unknown, ok: boolean): void {
    const callId = text(id)
    emit({ type: 'call-returned', ...present({ key: calls.get(callId ?? name), callId }), ok })
  }

  function readCall({ id, name, args, partialArgs, willContinue }: WireObject, executor?: 'provider'): void {
    const leaves = list(partialArgs).flatMap(readLeaf)
    // Sent again under its id, perhaps with other arguments (NousResearch/hermes-agent#25046).
    let key = id ? calls.get(id) : undefined
    if (!id && !name) {
      // The empty part that closes a call may come after one that has closed it already.
      if (!goesOn && !args && !leaves[0]) return
      key = last
    }
    last = key ?? announce(id || (executor && name), id, name, executor)
    for (const leaf of leaves) emit({ type: 'call-leaf', key: last, ...leaf })
    tellInput(last, args)
    goesOn = willContinue === true
    if (!goesOn) finish(last)
  }

  function readPart(part: WireObject): void {
    const { functionCall, executableCode: code, codeExecutionResult: result, toolCall, toolResponse } = part
    if (!part.thought) say(part.text)
    if (isRecord(functionCall)) readCall(functionCall)
    if (isRecord(code)) readCall({ id: code.id, name: CODE, args: code }, 'provider')
    if (isRecord(toolCall)) readCall({ ...toolCall, name: toolCall.toolType }, 'provider')
    if (isRecord(result)) {
      // `OUTCOME_UNSPECIFIED`, and words yet unknown, do not say how it went.
      const [outcome] = /_OK$|_FAILED$|_DEADLINE/.exec(text(result.outcome) as string) ?? []
      if (outcome) answer(result.id, CODE, outcome === '_OK')
    }
    if (isRecord(toolResponse)) answer(toolResponse.id, toolResponse.toolType, true)
  }

  function readStep({ index, step, delta }: WireObject): void {
    const { type, id, name, arguments: input, text: words, call_id, is_error } = object(step ?? delta)
    const kind = text(type) ?? ''
    const stops = eventType === 'step.stop'
    if (step && kind.endsWith('_call')) {
      // All calls but the client's functions run at the provider.
      const executor = kind === 'function_call' ? undefined : 'provider'
      announce(index, id, name ?? (executor && kind.slice(0, -5)), executor)
    }
    if (step && kind.endsWith('_result')) results.set(index, text(call_id))
    say(words)
    const key = calls.get(index)
    if (key) tellInput(key, input)
    if (key && stops) finish(key)
    const callId = results.get(index)
    if (callId && (stops || is_error === true)) {
      results.delete(index)
      answer(callId, undefined, stops)
    }
  }

  return {
    open() {
      over = false
      // An interaction that is still open can be resumed in another stream.
      if (eventType) return
      messageId = null
      ended = true
    },
    read(event, to) {
      const wire = object(event)
      const { candidates, error, index, interaction, promptFeedback, responseId } = wire
      if (over) return true
      emit = to
      eventType = wire.event_type
      over = eventType === 'error' || isRecord(error)
      if (over) {
        emit(providerError(object(error).status ?? object(error).code))
        return true
      }
      if (eventType) {
        const { id, status = wire.status } = object(interaction)
        if (eventType === 'interaction.created') start(id)
        else if (eventType === 'interaction.completed' || REASONS.has(status)) end(status)
        else if (index !== undefined) {
          begin()
          readStep(wire)
        }
        return true
      }
      for (const { index: place, content, finishReason } of list(candidates)) {
        // Of several candidates the reply is the first.
        if (place) continue
        begin(responseId)
        for (const part of list(object(content).parts)) readPart(part)
        if (finishReason) end(finishReason)
      }
      const { blockReason } = object(promptFeedback)
      if (blockReason) {
        begin(responseId)
        end(blockReason, 'filter')
      }
      return !!(candidates ?? promptFeedback ?? responseId)
    },
  }
}

function list(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.map(object) : []
}
