import { readFileSync } from 'node:fs'
import { Ollama } from 'ollama'
import { expect, test } from 'vitest'
import { ollama } from '../../src/adapters/ollama.ts'
import { createToolCallStore, pump } from '../../src/core.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const payload = readFileSync(new URL('../corpus/ollama/two-chunks-no-ids.ndjson', import.meta.url))
// The official client, reading a payload instead of the network.
const open = () =>
  new Ollama({ fetch: async () => new Response(new Uint8Array(payload)) }).chat({
    model: 'm',
    messages: [],
    stream: true,
  })

test('the lines that Ollama’s client yields read like their bytes', async () => {
  const yielded: unknown[] = []
  for await (const line of await open()) yielded.push(line)
  expect(eventsOf(ollama, yielded)).toEqual(eventsOfBytes(ollama, [payload]))
})

test('its iterable can be pumped', async () => {
  const store = createToolCallStore({ tools: { get_weather: { executor: 'local' } } })
  const { dispatchable, ending } = await pump(open, ollama, store).ended
  expect(dispatchable).toMatchObject([{ args: { city: 'Amsterdam' } }, { args: { city: 'Paris' } }])
  expect(ending).toEqual({ type: 'complete', speaker: 'model' })
})
