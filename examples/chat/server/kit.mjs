// The same kit runs in Node. An application imports it from `honest-tool-calls`; here it comes from the sources.
import { fileURLToPath } from 'node:url'

const source = (path) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))

export async function loadKit(vite) {
  const [core, { anthropic }, { openaiChat }, { openaiResponses }, { fromJsonSchema }] = await Promise.all(
    [
      'core.ts',
      'adapters/anthropic.ts',
      'adapters/openai-chat.ts',
      'adapters/openai-responses.ts',
      'json-schema/index.ts',
    ].map((path) => vite.ssrLoadModule(source(path))),
  )
  return {
    createToolCallStore: core.createToolCallStore,
    pump: core.pump,
    fromJsonSchema,
    adapters: { anthropic, 'openai-chat': openaiChat, 'openai-responses': openaiResponses },
  }
}
