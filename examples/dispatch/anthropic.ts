import Anthropic from '@anthropic-ai/sdk'
import { anthropic } from 'honest-tool-calls/adapters/anthropic.ts'
import { anthropicMessages, runTurn } from 'honest-tool-calls/dispatch/index.ts'
import { store } from './store.ts'

const client = new Anthropic()

export function reply(history: readonly Anthropic.MessageParam[], tools: Anthropic.Tool[]) {
  return runTurn({
    store,
    adapter: anthropic,
    dialect: anthropicMessages,
    request({ messages, signal }) {
      const asked = { model: 'claude-sonnet-4-5', max_tokens: 4_096, tools, messages: [...history, ...messages] }
      const source = client.messages.stream(asked, { signal })
      return { source, own: async () => ({ role: 'assistant', content: (await source.finalMessage()).content }) }
    },
  })
}
