import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import type { Source } from '../../src/pump.ts'

/** One frame of a stream, and what it says of the call: the little that the oracle needs to know. */
interface WireFrame {
  readonly text: string
  /** The first frame that shows the call, the one that completes it, and the one that ends its message. */
  readonly says?: 'announced' | 'finished' | 'ended'
  /** The official SDK keeps this frame to itself; after `[DONE]` it also stops reading. */
  readonly sdk?: 'drops' | 'stops'
}

/** Opens a stream at an address. */
export type OpenStream = (url: string, signal: AbortSignal) => Source | PromiseLike<Source>

/** A provider's wire: a short stream with a preamble and one call, its deviations, and the SDK's ways to read it. */
export interface Wire {
  readonly adapter: Adapter
  readonly frames: readonly WireFrame[]
  readonly sdks: Readonly<Record<string, OpenStream>>
  /** How many bytes of its last frame the SDK does without, where a body ends in good order: the line ends. */
  readonly sdkSpares: number
  /** The arguments of the call. */
  readonly args: unknown
  /** What the provider reports in the middle of a stream, and the word it has for it. */
  readonly error: { readonly frame: string; readonly detail: string }
  /** The end of a message that was cut by the token ceiling, and by a filter: instead of what follows the open call. */
  readonly ceiling: readonly string[]
  readonly filter: readonly string[]
  /** A stream with a tool that the provider runs, and its result; null where the wire has none. */
  readonly provided: { readonly frames: readonly string[]; readonly label: string } | null
}

// Nobody may be asked but the loopback server, once, and nothing printed.
const options = (baseURL: string) => ({ apiKey: 'none', baseURL, maxRetries: 0, logLevel: 'off' }) as const
const words = [{ role: 'user', content: 'My door is jammed.' }] as const

const named = (event: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const unnamed = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

const anthropicStart = { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } }

export const anthropicWire: Wire = {
  adapter: anthropic,
  args: { title: 'Tür klemmt' },
  frames: [
    { text: named({ type: 'message_start', message: anthropicStart }) },
    { text: named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) },
    {
      text: named({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: "I'll create it now." },
      }),
    },
    { text: named({ type: 'ping' }), sdk: 'drops' },
    {
      text: named({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'create_ticket', input: {} },
      }),
      says: 'announced',
    },
    { text: anthropicArguments('{"title":"Tür') },
    { text: anthropicArguments(' klemmt"}') },
    { text: named({ type: 'content_block_stop', index: 1 }), says: 'finished' },
    { text: anthropicEnd('tool_use'), says: 'ended' },
    { text: named({ type: 'message_stop' }) },
  ],
  sdks: {
    'messages.create': (url, signal) =>
      new Anthropic(options(url)).messages.create(
        { model: 'm', max_tokens: 99, messages: [...words], stream: true },
        { signal },
      ),
    'messages.stream': (url, signal) =>
      new Anthropic(options(url)).messages.stream({ model: 'm', max_tokens: 99, messages: [...words] }, { signal }),
  },
  sdkSpares: 0,
  error: {
    frame: named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    detail: 'overloaded_error',
  },
  ceiling: [
    named({ type: 'content_block_stop', index: 1 }),
    anthropicEnd('max_tokens'),
    named({ type: 'message_stop' }),
  ],
  filter: [named({ type: 'content_block_stop', index: 1 }), anthropicEnd('refusal'), named({ type: 'message_stop' })],
  provided: {
    label: 'web_search — done',
    frames: [
      named({ type: 'message_start', message: anthropicStart }),
      named({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      }),
      named({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"query":"doors"}' },
      }),
      named({ type: 'content_block_stop', index: 0 }),
      named({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      }),
      named({ type: 'content_block_stop', index: 1 }),
      anthropicEnd('end_turn'),
      named({ type: 'message_stop' }),
    ],
  },
}

function anthropicArguments(text: string): string {
  return named({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: text } })
}

function anthropicEnd(reason: string): string {
  return named({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } })
}

export const openaiChatWire: Wire = {
  adapter: openaiChat,
  args: { title: 'Tür klemmt' },
  frames: [
    { text: chatChunk({ role: 'assistant', content: "I'll create it now." }) },
    {
      text: chatChunk({
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'create_ticket', arguments: '' } }],
      }),
      says: 'announced',
    },
    { text: chatArguments('{"title":"Tür') },
    { text: chatArguments(' klemmt"}') },
    { text: chatChunk({}, 'tool_calls'), says: 'ended' },
    { text: 'data: [DONE]\n\n', sdk: 'stops' },
  ],
  sdks: {
    'chat.completions.create': (url, signal) =>
      new OpenAI(options(url)).chat.completions.create({ model: 'm', messages: [...words], stream: true }, { signal }),
    'chat.completions.stream': (url, signal) =>
      new OpenAI(options(url)).chat.completions.stream({ model: 'm', messages: [...words] }, { signal }),
  },
  sdkSpares: 2,
  error: {
    frame: unnamed({ error: { message: 'Overloaded', type: 'server_error', code: 'overloaded' } }),
    detail: 'overloaded',
  },
  ceiling: [chatChunk({}, 'length'), 'data: [DONE]\n\n'],
  filter: [chatChunk({}, 'content_filter'), 'data: [DONE]\n\n'],
  provided: null,
}

function chatChunk(delta: object, reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }]
  return unnamed({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })
}

function chatArguments(text: string): string {
  return chatChunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })
}

const preamble = { id: 'm_1', type: 'message', role: 'assistant' }
const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'create_ticket' }
const whole = '{"title":"Tür klemmt"}'

export const openaiResponsesWire: Wire = {
  adapter: openaiResponses,
  args: { title: 'Tür klemmt' },
  frames: [
    { text: responsesEnd('created', 'in_progress') },
    {
      text: named({
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...preamble, content: [{ type: 'output_text', text: '' }] },
      }),
    },
    {
      text: named({
        type: 'response.output_text.delta',
        item_id: 'm_1',
        output_index: 0,
        content_index: 0,
        delta: "I'll create it now.",
      }),
    },
    {
      text: named({
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...preamble, content: [{ type: 'output_text', text: "I'll create it now." }] },
      }),
    },
    {
      text: named({
        type: 'response.output_item.added',
        output_index: 1,
        item: { ...item, arguments: '' },
      }),
      says: 'announced',
    },
    { text: responsesArguments('{"title":"Tür') },
    { text: responsesArguments(' klemmt"}') },
    {
      text: named({
        type: 'response.output_item.done',
        output_index: 1,
        item: { ...item, arguments: whole, status: 'completed' },
      }),
      says: 'finished',
    },
    { text: responsesEnd('completed', 'completed'), says: 'ended' },
  ],
  sdks: {
    'responses.create': (url, signal) =>
      new OpenAI(options(url)).responses.create({ model: 'm', input: 'My door is jammed.', stream: true }, { signal }),
    'responses.stream': (url, signal) =>
      new OpenAI(options(url)).responses.stream({ model: 'm', input: 'My door is jammed.' }, { signal }),
  },
  sdkSpares: 2,
  error: {
    frame: named({ type: 'error', code: 'server_is_overloaded', message: 'Overloaded', param: null }),
    detail: 'server_is_overloaded',
  },
  ceiling: [responsesEnd('incomplete', 'incomplete', { incomplete_details: { reason: 'max_output_tokens' } })],
  filter: [responsesEnd('incomplete', 'incomplete', { incomplete_details: { reason: 'content_filter' } })],
  provided: {
    label: 'web_search — done',
    frames: [
      responsesEnd('created', 'in_progress'),
      named({
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'ws_1', type: 'web_search_call', status: 'in_progress' },
      }),
      named({ type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' }),
      named({ type: 'response.web_search_call.completed', output_index: 0, item_id: 'ws_1' }),
      named({
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
      }),
      responsesEnd('completed', 'completed'),
    ],
  },
}

function responsesArguments(delta: string): string {
  return named({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta })
}

function responsesEnd(word: string, status: string, more: object = {}): string {
  return named({ type: `response.${word}`, response: { id: 'r_1', status, output: [], ...more } })
}
