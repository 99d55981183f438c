import { readFileSync } from 'node:fs'
import { GoogleGenAI } from '@google/genai'
import { expect, test } from 'vitest'
import { gemini } from '../../src/adapters/gemini.ts'
import { createToolCallStore, pump } from '../../src/core.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const payload = readFileSync(new URL('../corpus/gemini/partial-args-last-chunk-unmarked.sse', import.meta.url))
// The official client, reading a payload instead of the network.
const client = (body: string | Uint8Array<ArrayBuffer>) =>
  new GoogleGenAI({
    apiKey: 'none',
    httpOptions: {
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    },
  } as ConstructorParameters<typeof GoogleGenAI>[0])
const all = async (events: AsyncIterable<unknown>) => {
  const list: unknown[] = []
  for await (const event of events) list.push(event)
  return list
}

test('the responses that Google’s client yields read like their bytes', async () => {
  const responses = await client(new Uint8Array(payload)).models.generateContentStream({ model: 'm', contents: 'x' })
  expect(eventsOf(gemini, await all(responses))).toEqual(eventsOfBytes(gemini, [payload]))
})

test('its iterable can be pumped', async () => {
  const store = createToolCallStore({ tools: { set_tags: { executor: 'local' } } })
  const open = () => client(new Uint8Array(payload)).models.generateContentStream({ model: 'm', contents: 'x' })
  const { dispatchable, ending } = await pump(open, gemini, store).ended
  expect(dispatchable).toMatchObject([{ callId: 'fc-1', args: { label: 'overdue', ids: [4, 12] } }])
  expect(ending).toEqual({ type: 'complete', speaker: 'model' })
})

test('so do the events of its interactions', async () => {
  const events = [
    { event_type: 'interaction.created', interaction: { id: 'v1_1', status: 'in_progress' } },
    {
      event_type: 'step.start',
      index: 0,
      step: { type: 'function_call', id: 'fc-1', name: 'add_task', arguments: {} },
    },
    { event_type: 'step.delta', index: 0, delta: { type: 'arguments_delta', arguments: '{"title":"A"}' } },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'interaction.completed', interaction: { id: 'v1_1', status: 'requires_action' } },
  ]
  const body = events.map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const stream = await client(body).interactions.create({ model: 'm', input: 'x', stream: true })
  const yielded = await all(stream)
  expect(yielded).toHaveLength(5)
  expect(eventsOf(gemini, yielded)).toEqual(eventsOfBytes(gemini, [Buffer.from(body)]))
})
