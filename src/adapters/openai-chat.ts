import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { CallKey, MessageKey, StopReason } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { type ChatIdentity, type ChatPart, chatIdentity } from './openai-chat-identity.ts'
import { sse } from './sse.ts'
import { type ToldText, toldText } from './told-text.ts'
import { object, present, providerError, table, text } from './wire-values.ts'

/**
 * OpenAI Chat Completions, streamed, with the deviations of the servers that call themselves compatible.
 *
 * The protocol has no completion per call: the finish reason, or `[DONE]`, whichever comes first, finishes them all.
 * Every choice is a message of its own. Arguments are appended as they come and never de-duplicated: servers that send
 * them cumulatively or twice (NousResearch/hermes-agent#35592, vllm-project/vllm#51697) end as unreadable, as any cure
 * would also eat real repetitions (VicBilibily/GCMP#194).
 */
export const openaiChat: Adapter = { format: 'openai-chat', speaker: 'model', framer: sse, reader }

type FinishReason = NonNullable<ChatCompletionChunk.Choice['finish_reason']>

const REASONS = table<StopReason>({
  stop: 'natural', // also with calls: forced tool choice (vllm-project/vllm#25054), Ollama, Gemini's endpoint
  tool_calls: 'natural',
  function_call: 'natural',
  length: 'length',
  content_filter: 'filter',
  error: 'error', // OpenRouter
} satisfies Record<FinishReason | 'error', StopReason>)

interface Choice {
  readonly message: MessageKey
  readonly identity: ChatIdentity
  readonly words: ToldText
  /** The keys of its calls; of those that are told again, and have not been yet, until their start came. */
  readonly calls: Set<CallKey>
  again: Set<CallKey>
  ended: boolean
}

function reader(): WireReader {
  const choices = new Map<number, Choice>()
  let over = false
  // The completion that was read last, and whether this stream may go on with it or tell it again.
  let last: string | undefined
  let resuming = false
  // Those of its choices of which this stream has brought nothing yet. Only the first piece of a choice gives its role:
  // then it is told from its start.
  const resumed = new Set<Choice>()
  let messages = 0
  let calls = 0

  function begin(id: string | undefined): void {
    if (resuming && id !== undefined && id === last) for (const choice of choices.values()) resumed.add(choice)
    else if (resuming) choices.clear()
    resuming = false
    last = id ?? last
  }

  function choiceAt(index: number, messageId: string | undefined, emit: Emit): Choice {
    const known = choices.get(index)
    if (known !== undefined) return known
    const choice = { message: `message-${++messages}`, ...unread() }
    choices.set(index, choice)
    emit({ type: 'message-started', ...present({ messageId }), message: choice.message })
    return choice
  }

  function end(choice: Choice, reason: StopReason | null, rawReason: string | undefined, emit: Emit): void {
    if (choice.ended) return
    choice.ended = true
    const { message } = choice
    emit({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: true, message })
  }

  /** The key of the call that a part belongs to, announced or identified as far as the part allows. */
  function keyOf(choice: Choice, part: ChatPart, encoding: 'text' | undefined, emit: Emit): CallKey {
    const { id, name } = part
    const known = choice.identity.find(part)
    const call = known ?? { key: `call-${++calls}`, id, name }
    choice.identity.keep(call, part)
    choice.calls.add(call.key)
    const again = (id !== undefined || name !== undefined) && choice.again.delete(call.key)
    if (known === undefined || again) {
      const { message } = choice
      emit({ type: 'call-announced', key: call.key, ...present({ callId: id, name, encoding }), message })
      return call.key
    }
    // The first name wins and names are never joined: some servers repeat the whole name in every delta.
    const late = { callId: call.id === undefined ? id : undefined, name: call.name === undefined ? name : undefined }
    call.id ??= id
    call.name ??= name
    if (late.callId !== undefined || late.name !== undefined) {
      emit({ type: 'call-identified', key: call.key, ...present(late) })
    }
    return call.key
  }

  function readPart(choice: Choice, entry: unknown, position: number, ending: boolean, emit: Emit): void {
    if (!isRecord(entry)) return
    const custom = isRecord(entry.custom) ? entry.custom : undefined
    const body = custom ?? object(entry.function)
    const slot = typeof entry.index === 'number' ? entry.index : undefined
    const id = given(entry.id) ?? given(body.id) // older llama.cpp: inside `function` (ggml-org/llama.cpp#13774)
    const part = { slot, id, name: given(body.name), position }
    readCall(choice, part, custom === undefined ? body.arguments : custom.input, custom && 'text', ending, emit)
  }

  function readCall(
    choice: Choice,
    part: ChatPart,
    value: unknown,
    encoding: 'text' | undefined,
    ending: boolean,
    emit: Emit,
  ): void {
    const nothing = value === '' || value === null || value === undefined
    // An empty part beside the finish reason is no new call (vercel/ai#3953), nor is one that says nothing at all.
    const bare = nothing && part.id === undefined && part.name === undefined && (ending || part.slot === undefined)
    if (bare && choice.identity.find(part) === undefined) return
    const key = keyOf(choice, part, encoding, emit)
    if (nothing) return
    if (typeof value === 'string') emit({ type: 'call-fragment', key, text: value })
    // Not text: a whole value (Mistral-style servers). Of a wrong type it must not pass for empty arguments either.
    else emit({ type: 'call-snapshot', key, value: value as Json })
  }

  function readChoice(entry: unknown, messageId: string | undefined, failed: boolean, emit: Emit): void {
    if (!isRecord(entry)) return
    const choice = choiceAt(typeof entry.index === 'number' ? entry.index : 0, messageId, emit)
    const rawReason = text(entry.finish_reason)
    const delta = object(entry.delta)
    if (resumed.delete(choice) && text(delta.role) !== undefined) {
      choice.words.again()
      choice.again = new Set(choice.calls)
    }
    for (const member of ['content', 'refusal']) {
      const words = choice.words.take(text(delta[member]) ?? '')
      if (words !== '') emit({ type: 'text-fragment', text: words, message: choice.message })
    }
    const ending = rawReason !== undefined
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((part, position) => {
        readPart(choice, part, position, ending, emit)
      })
    }
    const legacy = delta.function_call
    if (isRecord(legacy)) {
      const part: ChatPart = { slot: 'function_call', id: undefined, name: given(legacy.name), position: 0 }
      readCall(choice, part, legacy.arguments, undefined, ending, emit)
    }
    if (rawReason === undefined) return
    // Whatever finish reason stands beside an error, the message did not end well.
    end(choice, failed ? 'error' : (REASONS.get(rawReason) ?? 'unknown'), rawReason, emit)
  }

  return {
    open(resumes = false) {
      resuming = resumes
      over = false
      if (!resumes) choices.clear()
    },
    read(event, emit) {
      if (typeof event === 'string') {
        if (event.trim() !== '[DONE]') return false
        // A natural end where no finish reason came (openclaw/openclaw#97994), but not after an error.
        if (!over) for (const choice of choices.values()) end(choice, null, undefined, emit)
        over = true
        return true
      }
      if (!isRecord(event)) return false
      const { error } = event
      const failed = isRecord(error) || text(error) !== undefined
      if (!failed && !Array.isArray(event.choices) && event.object !== 'chat.completion.chunk') return false
      if (over) return true
      begin(text(event.id))
      // Empty in usage chunks and in Azure's first one (langchain4j/langchain4j#2385).
      const entries: readonly unknown[] = Array.isArray(event.choices) ? event.choices : []
      for (const entry of entries) readChoice(entry, text(event.id), failed, emit)
      if (failed) {
        over = true
        const { code, type } = object(error)
        emit(providerError(typeof code === 'number' ? String(code) : (text(code) ?? type)))
      }
      return true
    },
  }
}

function unread(): Omit<Choice, 'message'> {
  return { identity: chatIdentity(), words: toldText(), calls: new Set(), again: new Set(), ended: false }
}

/** An id or a name: absent is also the word "null", which Mistral's client library fills in. */
function given(value: unknown): string | undefined {
  return value === 'null' ? undefined : text(value)
}
