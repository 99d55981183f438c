import { readFileSync } from 'node:fs'
import { CohereClientV2 } from 'cohere-ai'
import { expect, test } from 'vitest'
import { cohereV2 } from '../../src/adapters/cohere-v2.ts'
import { createToolCallStore, pump } from '../../src/core.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const payload = readFileSync(new URL('../corpus/cohere-v2/max-tokens-after-end.sse', import.meta.url))
// The official client, reading a payload instead of the network.
const open = () =>
  new CohereClientV2({
    token: 'none',
    fetch: async () => new Response(new Uint8Array(payload), { headers: { 'content-type': 'text/event-stream' } }),
  }).chatStream({ model: 'm', messages: [{ role: 'user', content: 'x' }] })

test('the events that Cohere’s client yields read like their bytes', async () => {
  const yielded: unknown[] = []
  for await (const event of await open()) yielded.push(event)
  expect(yielded).toHaveLength(6)
  expect(eventsOf(cohereV2, yielded)).toEqual(eventsOfBytes(cohereV2, [payload]))
})

test('its iterable can be pumped', async () => {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'local' } } })
  const { calls, ending } = await pump(open, cohereV2, store).ended
  expect(calls).toMatchObject([{ callId: 'create_ticket_k1', outcome: { type: 'failed', reason: 'truncated' } }])
  expect(ending).toEqual({ type: 'complete', speaker: 'model' })
})
