import { readFileSync } from 'node:fs'
import { HTTPClient, Mistral } from '@mistralai/mistralai'
import { expect, test } from 'vitest'
import { mistral } from '../../src/adapters/mistral.ts'
import { createToolCallStore, pump } from '../../src/core.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const payload = readFileSync(new URL('../corpus/mistral/whole-calls-in-last-chunk.sse', import.meta.url))
// The official client, reading a payload instead of the network.
const client = (body: string | Uint8Array<ArrayBuffer>) =>
  new Mistral({
    apiKey: 'none',
    httpClient: new HTTPClient({
      fetcher: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    }),
  })
const all = async (events: AsyncIterable<unknown>) => {
  const list: unknown[] = []
  for await (const event of events) list.push(event)
  return list
}
const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] }

test('the chunks that Mistral’s client yields read like their bytes', async () => {
  const chunks = await all(await client(new Uint8Array(payload)).chat.stream(request))
  expect(eventsOf(mistral, chunks)).toEqual(eventsOfBytes(mistral, [payload]))
})

test('its iterable can be pumped', async () => {
  const local = { executor: 'local' } as const
  const store = createToolCallStore({ tools: { get_weather: local, list_open_tickets: local } })
  const { dispatchable } = await pump(() => client(new Uint8Array(payload)).chat.stream(request), mistral, store).ended
  expect(dispatchable).toMatchObject([{ args: { city: 'Berlin' } }, { args: {} }])
})

test('calls to which it gives the same index and no id stay apart', async () => {
  const chunk = (city: string) => ({
    id: 'cmpl-1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ function: { name: 'get_weather', arguments: { city } } }] },
        finish_reason: null,
      },
    ],
  })
  const body = [chunk('Paris'), chunk('Berlin')].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const values = eventsOf(mistral, await all(await client(body).chat.stream(request))).flatMap((event) =>
    event.type === 'call-snapshot' ? [event] : [],
  )
  expect(values).toEqual([
    { type: 'call-snapshot', key: 'call-1', value: { city: 'Paris' } },
    { type: 'call-snapshot', key: 'call-2', value: { city: 'Berlin' } },
  ])
})

test('the events of a conversation that it yields read like their bytes', async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const events = [
    { type: 'conversation.response.started', conversation_id: 'conv_1' },
    { type: 'message.output.delta', id: 'msg_1', output_index: 0, content_index: 0, role: 'assistant', content: 'Hm' },
    { type: 'tool.execution.started', id: 'exec_1', output_index: 1, name: 'web_search', arguments: '{"query":"x"}' },
    { type: 'tool.execution.done', id: 'exec_1', output_index: 1, name: 'web_search', info: { found: 1 } },
    {
      type: 'function.call.delta',
      id: 'fc_1',
      output_index: 2,
      name: 'send_mail',
      tool_call_id: 'a',
      arguments: '{"to":"x"}',
      confirmation_status: 'pending',
    },
    { type: 'conversation.response.done', usage },
  ]
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const yielded = await all(await client(body).beta.conversations.startStream({ inputs: 'x', stream: true }))
  expect(yielded).toHaveLength(6)
  expect(eventsOf(mistral, yielded)).toEqual(eventsOfBytes(mistral, [Buffer.from(body)]))
  expect(eventsOf(mistral, yielded)).toContainEqual({ type: 'approval-requested', key: 'call-2', approvalId: 'a' })
})
