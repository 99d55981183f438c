import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Finding } from 'honest-tool-calls'
import { tools } from '../tools.mjs'

/** The server that this page works with: the model's provider, the tools, and the bank. */
export interface Office {
  /** Asks the model. */
  ask(messages: readonly MessageParam[], signal: AbortSignal): Promise<Response>
  /** Does what a tool does. */
  run(tool: string, args: unknown, key: string): Promise<unknown>
  /** What the bank knows of a payment. */
  find(key: string): Promise<Finding>
  /** What was done, as the server counts it. */
  runs(): Promise<readonly { readonly tool: string }[]>
}

const described = Object.entries(tools).map(([name, { description, parameters }]) => ({
  name,
  description,
  input_schema: parameters,
}))

export function createOffice(session: string): Office {
  const address = `/api/gate/${session}`
  const post = (path: string, body: object, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${address}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  return {
    ask: (messages, signal) =>
      post('messages', { model: 'scripted', max_tokens: 1_024, stream: true, tools: described, messages }, signal),
    async run(tool, args, key) {
      try {
        // Without the signal of the call: nothing here can be stopped once it has begun.
        const response = await post(`tools/${tool}`, { args, key })
        return await response.json()
      } catch (cause) {
        // Of a lost connection browsers make an error like any other: only who called `fetch` knows what it was.
        throw Object.assign(new Error('The link dropped before the answer came.', { cause }), { code: 'ECONNRESET' })
      }
    },
    find: async (key) => (await fetch(`${address}/payments/${key}`)).json(),
    runs: async () => (await fetch(`${address}/runs`)).json(),
  }
}
