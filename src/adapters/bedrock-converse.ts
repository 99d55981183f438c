import type {
  StopReason as BedrockStopReason,
  ConverseStreamOutput,
  ToolUseType,
} from '@aws-sdk/client-bedrock-runtime'
import type { CallKey, StopReason } from '../core/events.ts'
import { isRecord, type Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { ndjson } from './ndjson.ts'
import { object, present, providerError, table, text, type WireObject } from './wire-values.ts'

/**
 * AWS Bedrock's ConverseStream: the events as the AWS SDK yields them, each a union of one member. The binary frames
 * they come in are the SDK's; what is framed here are captures of such events, one a line.
 *
 * A block's `contentBlockStop` only says that no more fragments come, and some gateways never send it
 * (maximhq/bifrost#4262): then the message's end finds the call open. Text blocks have no start. Tools of the type
 * `server_tool_use` run at the provider, and their results come in blocks of their own.
 */
export const bedrockConverse: Adapter = { format: 'bedrock-converse', speaker: 'model', framer: ndjson, reader }

const REASONS = table<StopReason>({
  end_turn: 'natural',
  tool_use: 'natural',
  stop_sequence: 'natural',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
  malformed_model_output: 'malformed',
  malformed_tool_use: 'malformed',
} satisfies Record<BedrockStopReason, StopReason>)

/** The types of a tool block that say who runs it. */
const EXECUTORS = table<'provider'>({ server_tool_use: 'provider' } satisfies Record<ToolUseType, 'provider'>)

// Each member of the union names them all.
type EventName = Exclude<keyof ConverseStreamOutput.MessageStartMember, '$unknown'>

interface CallBlock {
  readonly key: CallKey
  readonly callId: string | undefined
  stopped: boolean
}

function reader(): WireReader {
  let message: 'none' | 'open' | 'ended' = 'none'
  let over = false
  let minted = 0
  const calls = new Map<unknown, CallBlock>() // by the block's index, which starts anew with each message

  function start(say: Emit): void {
    message = 'open'
    calls.clear()
    say({ type: 'message-started' })
  }

  function startBlock(index: unknown, block: WireObject, say: Emit): void {
    // Only where a gateway left `messageStart` out: a block after the message's end belongs to the ended one.
    if (message === 'none') start(say)
    const { toolUse, toolResult } = block
    if (isRecord(toolUse)) return startCall(index, toolUse, say)
    calls.delete(index)
    const { toolUseId, status } = object(toolResult)
    const callId = text(toolUseId)
    // Its content is still to come; that it came to one, and to which, is said here.
    if (callId !== undefined) say({ type: 'call-returned', callId, ok: status !== 'error' })
  }

  // Any input here is a placeholder; it comes in deltas only (crewAIInc/crewAI#4972).
  function startCall(index: unknown, block: WireObject, say: Emit): void {
    const callId = text(block.toolUseId)
    const known = calls.get(index)
    // The same id at the same index is the same block, sent again; without ids, only a block still open can be.
    const again = known !== undefined && known.callId === callId && (callId !== undefined || !known.stopped)
    const call = again ? known : { key: `call-${++minted}`, callId, stopped: false }
    calls.set(index, call)
    const executor = EXECUTORS.get(block.type)
    say({ type: 'call-announced', key: call.key, ...present({ callId, name: text(block.name), executor }) })
  }

  function readDelta(index: unknown, delta: WireObject, say: Emit): void {
    const words = text(delta.text)
    const { input = null } = object(delta.toolUse)
    const key = calls.get(index)?.key
    if (words !== undefined) {
      if (message === 'none') start(say)
      say({ type: 'text-fragment', text: words })
    } else if (key !== undefined && input !== null && input !== '') {
      // Not text: a whole value (gateways). Of a wrong type it must not pass for empty arguments either.
      say(
        typeof input === 'string'
          ? { type: 'call-fragment', key, text: input }
          : { type: 'call-snapshot', key, value: input as Json },
      )
    }
  }

  function stopBlock(index: unknown, say: Emit): void {
    const call = calls.get(index)
    if (call === undefined || call.stopped) return
    call.stopped = true
    say({ type: 'call-finished', key: call.key })
  }

  function end(rawReason: string | undefined, say: Emit): void {
    if (message !== 'open') return
    message = 'ended'
    const reason = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
    say({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: false })
  }

  function read(event: unknown, emit: Emit): boolean {
    const [entry] = Object.entries(object(event)).filter(([, value]) => isRecord(value))
    if (entry === undefined) return false
    const name = entry[0] as EventName
    const body = object(entry[1])
    const { contentBlockIndex: index } = body
    // After an exception the stream is over: what a gateway still sends must not seem to end the message.
    const say: Emit = over ? () => {} : emit
    switch (name) {
      case 'messageStart':
        start(say)
        return true
      case 'contentBlockStart':
        startBlock(index, object(body.start), say)
        return true
      case 'contentBlockDelta':
        readDelta(index, object(body.delta), say)
        return true
      case 'contentBlockStop':
        stopBlock(index, say)
        return true
      case 'messageStop':
        end(text(body.stopReason), say)
        return true
      case 'metadata':
        return true
      case 'internalServerException':
      case 'modelStreamErrorException':
      case 'validationException':
      case 'throttlingException':
      case 'serviceUnavailableException':
        say(providerError(name))
        over = true
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
