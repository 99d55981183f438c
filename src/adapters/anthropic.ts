import type {
  BetaContentBlock,
  BetaRawMessageStreamEvent,
  BetaStopReason,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { CallKey, StopReason } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { type ToldText, toldText } from './told-text.ts'
import { object, present, providerError, table, text, type WireObject } from './wire-values.ts'

/**
 * Anthropic Messages, streamed: the events of `messages.stream` and of its beta.
 *
 * A block's `content_block_stop` only says that no more fragments come; the message ends with the first `stop_reason`
 * of a `message_delta`, which `message_stop` confirms. `server_tool_use` and `mcp_tool_use` run at the provider, and
 * their results may come in a later message of the turn (`pause_turn`, anthropics/anthropic-sdk-python#1170) or never
 * (anthropics/anthropic-sdk-python#1325).
 */
export const anthropic: Adapter = { format: 'anthropic', speaker: 'model', framer: sse, reader }

type EventName = BetaRawMessageStreamEvent['type'] | 'ping' | 'error'

const REASONS = table<StopReason>({
  end_turn: 'natural',
  tool_use: 'natural',
  stop_sequence: 'natural',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filter',
  pause_turn: 'paused',
  compaction: 'paused',
} satisfies Record<BetaStopReason, StopReason>)

/** The blocks that are calls. One issued by code that the provider runs (`caller`) is the client's all the same. */
const CALL_BLOCKS = table<'provider' | undefined>({
  tool_use: undefined,
  server_tool_use: 'provider',
  mcp_tool_use: 'provider',
} satisfies Record<Extract<BetaContentBlock['type'], `${string}tool_use`>, 'provider' | undefined>)

interface CallBlock {
  readonly key: CallKey
  readonly callId: string | undefined
  stopped: boolean
  /** Given whole at the start, while no fragment says otherwise. */
  input: Json | undefined
}

interface Message {
  /** By the block's index, which starts anew with each message, even where the message's id does not change. */
  readonly calls: Map<unknown, CallBlock>
  readonly words: ToldText
  ended: boolean
}

function reader(): WireReader {
  let message: Message | null = null
  let over = false
  let minted = 0
  const known = new Map<string, Message>()
  // Those that a stream which resumes the one before may tell again, each once.
  let toldBefore = new Map<string, Message>()

  function start(messageId = '', say: Emit): Message {
    message = toldBefore.get(messageId) ?? null
    toldBefore.delete(messageId)
    message?.words.again()
    if (message !== null) return message
    message = { calls: new Map(), words: toldText(), ended: false }
    if (messageId !== '') known.set(messageId, message)
    say({ type: 'message-started', ...present({ messageId: messageId || undefined }) })
    return message
  }

  function tellText(words: string, say: Emit): void {
    const news = (message ?? start(undefined, say)).words.take(words)
    if (news !== '') say({ type: 'text-fragment', text: news })
  }

  function end(rawReason: string | undefined, say: Emit): void {
    if (message === null || message.ended) return
    message.ended = true
    const reason = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
    say({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: false })
  }

  function startBlock(index: unknown, block: WireObject, say: Emit): void {
    // Only where a gateway left `message_start` out: a block after the message's end belongs to the ended one.
    const { calls } = message ?? start(undefined, say)
    const type = text(block.type) ?? ''
    if (CALL_BLOCKS.has(type)) {
      startCall(calls, index, type, block, say)
      return
    }
    calls.delete(index)
    const words = text(block.text)
    if (type === 'text' && words !== undefined) tellText(words, say)
    const callId = text(block.tool_use_id)
    if (type.endsWith('_tool_result') && callId !== undefined) {
      const value = block.content
      const failed = block.is_error === true || text(object(value).type)?.endsWith('_error') === true
      say({ type: 'call-returned', callId, ok: !failed, ...present({ value }) })
    }
  }

  // `input` is a placeholder here: without deltas the buffer stays empty (BerriAI/litellm#5063). A gateway that does not
  // stream puts the whole input there; to drop it would make `{}` of arguments that were given.
  function startCall(calls: Message['calls'], index: unknown, type: string, block: WireObject, say: Emit): void {
    const callId = text(block.id)
    const name = text(block.name)
    const known = calls.get(index)
    // The same id at the same index is the same block, sent again; without ids, only a block still open can be.
    const again = known !== undefined && known.callId === callId && (callId !== undefined || !known.stopped)
    const call = again ? known : { key: `call-${++minted}`, callId, stopped: false, input: undefined }
    call.input = Object.keys(object(block.input)).length > 0 ? (block.input as Json) : undefined
    calls.set(index, call)
    const executor = CALL_BLOCKS.get(type)
    say({ type: 'call-announced', key: call.key, ...present({ callId, name, executor }) })
  }

  function readDelta(index: unknown, delta: WireObject, say: Emit): void {
    const call = message?.calls.get(index)
    const json = text(delta.partial_json)
    const words = text(delta.text)
    if (delta.type === 'input_json_delta' && call !== undefined && json !== undefined) {
      call.input = undefined
      say({ type: 'call-fragment', key: call.key, text: json })
    } else if (delta.type === 'text_delta' && words !== undefined) tellText(words, say)
  }

  function read(event: unknown, emit: Emit): boolean {
    if (!isRecord(event)) return false
    const { error } = event
    const name = (event.type ?? (isRecord(error) ? 'error' : undefined)) as EventName
    // After an error the stream is over: what a gateway still sends of the message must not seem to end it.
    const say: Emit = over ? () => {} : emit
    const index = typeof event.index === 'number' ? event.index : undefined
    const delta = object(event.delta)
    switch (name) {
      case 'message_start':
        start(text(object(event.message).id), say)
        return true
      case 'content_block_start':
        startBlock(index, object(event.content_block), say)
        return true
      case 'content_block_delta':
        readDelta(index, delta, say)
        return true
      case 'content_block_stop': {
        const call = message?.calls.get(index)
        if (call === undefined || call.stopped) return true
        if (call.input !== undefined) say({ type: 'call-snapshot', key: call.key, value: call.input })
        say({ type: 'call-finished', key: call.key })
        call.stopped = true
        return true
      }
      case 'message_delta': {
        const rawReason = text(delta.stop_reason)
        if (rawReason !== undefined) end(rawReason, say)
        return true
      }
      case 'message_stop':
        end(undefined, say)
        return true
      case 'error':
        say(providerError(object(error).type))
        over = true
        return true
      case 'ping':
        return true
      default:
        name satisfies never
        return false
    }
  }

  function open(resumes = false): void {
    if (!resumes) message = null
    over = false
    toldBefore = new Map(resumes ? known : [])
  }

  return { open, read }
}
