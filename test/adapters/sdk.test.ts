import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

// The official clients, reading a payload of the corpus instead of the network.
const payload = (path: string) => readFileSync(new URL(`../corpus/${path}`, import.meta.url))
const options = (path: string) => ({
  apiKey: 'none',
  fetch: async () => new Response(payload(path), { headers: { 'content-type': 'text/event-stream' } }),
})
const all = async (events: AsyncIterable<unknown>) => {
  const list: unknown[] = []
  for await (const event of events) list.push(event)
  return list
}

test.each(['parallel-interleaved', 'max-tokens-closed-block'])(
  'what Anthropic’s client yields reads like its bytes: %s',
  async (name) => {
    const client = new Anthropic(options(`anthropic/${name}.sse`))
    const body = { model: 'm', max_tokens: 1, messages: [] }
    const events = await all(await client.messages.create({ ...body, stream: true }))
    expect(eventsOf(anthropic, events)).toEqual(eventsOfBytes(anthropic, [payload(`anthropic/${name}.sse`)]))
  },
)

test.each(['parallel-all-index-zero', 'finish-stop-with-calls'])(
  'the chunks that OpenAI’s client yields read like its bytes: %s',
  async (name) => {
    const client = new OpenAI(options(`openai-chat/${name}.sse`))
    const chunks = await all(await client.chat.completions.create({ model: 'm', messages: [], stream: true }))
    expect(eventsOf(openaiChat, chunks)).toEqual(eventsOfBytes(openaiChat, [payload(`openai-chat/${name}.sse`)]))
  },
)

test.each(['done-only-arguments', 'incomplete-max-output', 'custom-tool-text'])(
  'the response events that OpenAI’s client yields read like its bytes: %s',
  async (name) => {
    const client = new OpenAI(options(`openai-responses/${name}.sse`))
    const events = await all(await client.responses.create({ model: 'm', input: 'x', stream: true }))
    const bytes = eventsOfBytes(openaiResponses, [payload(`openai-responses/${name}.sse`)])
    expect(eventsOf(openaiResponses, events)).toEqual(bytes)
  },
)
