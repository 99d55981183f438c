import Anthropic from '@anthropic-ai/sdk'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import {
  type Asked,
  anthropicMessages,
  type Dialect,
  openaiChatMessages,
  openaiResponsesInput,
} from '../../src/dispatch/index.ts'
import type { Source } from '../../src/pump.ts'

/** What a request told the model of one call. */
export interface Told {
  readonly text: string
  /** Undefined on wires that have no such flag. */
  readonly isError: boolean | undefined
}

/** How a turn goes over one wire, through the official SDK. */
export interface TurnWire<Message> {
  readonly adapter: Adapter
  readonly dialect: Dialect<Message>
  /** What the user says. */
  readonly user: (text: string) => Message
  readonly ask: (url: string, messages: readonly Message[], signal: AbortSignal) => Promise<Source>
  /** The same by the SDK's helper, with what it makes of the model's message. */
  readonly askOwn: (url: string, messages: readonly Message[], signal: AbortSignal) => Promise<Asked>
  /** What a request says of the calls, in their order. */
  readonly told: (body: Readonly<Record<string, unknown>>) => readonly Told[]
}

// Nobody may be asked but the server of the test, once, and nothing printed.
const options = (baseURL: string) => ({ apiKey: 'none', baseURL, maxRetries: 0, logLevel: 'off' }) as const

type Part = { readonly [member: string]: unknown }

const anthropicWire: TurnWire<MessageParam> = {
  adapter: anthropic,
  dialect: anthropicMessages,
  user: (content) => ({ role: 'user', content }),
  ask: (url, messages, signal) =>
    new Anthropic(options(url)).messages.create(
      { model: 'm', max_tokens: 99, messages: [...messages], stream: true },
      { signal },
    ),
  async askOwn(url, messages, signal) {
    const stream = new Anthropic(options(url)).messages.stream(
      { model: 'm', max_tokens: 99, messages: [...messages] },
      { signal },
    )
    const own = async () => {
      const { role, content } = await stream.finalMessage()
      return { role, content }
    }
    return { source: stream, own }
  },
  told: ({ messages }) =>
    (messages as readonly { readonly content: string | readonly Part[] }[])
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content, is_error = false }) => ({ text: content as string, isError: is_error as boolean })),
}

const openaiChatWire: TurnWire<ChatCompletionMessageParam> = {
  adapter: openaiChat,
  dialect: openaiChatMessages,
  user: (content) => ({ role: 'user', content }),
  ask: (url, messages, signal) =>
    new OpenAI(options(url)).chat.completions.create({ model: 'm', messages: [...messages], stream: true }, { signal }),
  async askOwn(url, messages, signal) {
    const stream = new OpenAI(options(url)).chat.completions.stream({ model: 'm', messages: [...messages] }, { signal })
    return { source: stream, own: () => stream.finalMessage() }
  },
  told: ({ messages }) =>
    (messages as readonly Part[])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => ({ text: content as string, isError: undefined })),
}

const openaiResponsesWire: TurnWire<ResponseInputItem> = {
  adapter: openaiResponses,
  dialect: openaiResponsesInput,
  user: (content) => ({ role: 'user', content }),
  ask: (url, input, signal) =>
    new OpenAI(options(url)).responses.create({ model: 'm', input: [...input], stream: true }, { signal }),
  async askOwn(url, input, signal) {
    const stream = new OpenAI(options(url)).responses.stream({ model: 'm', input: [...input] }, { signal })
    return { source: stream, own: async () => (await stream.finalResponse()).output }
  },
  told: ({ input }) =>
    (input as readonly Part[])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => ({ text: output as string, isError: undefined })),
}

/** Each wire by its name. Their messages are nobody's business but their own. */
export const TURN_WIRES = Object.entries({
  anthropic: anthropicWire,
  'openai chat': openaiChatWire,
  'openai responses': openaiResponsesWire,
}) as unknown as readonly (readonly [name: string, wire: TurnWire<object>])[]
