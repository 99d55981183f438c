import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { createToolCallStore } from '../../src/core.ts'
import { anthropicMessages, createDispatcher, recover, runTurn } from '../../src/dispatch/index.ts'
import { createRelay, finishOnSignal } from '../../src/server/index.ts'

const schema = z.object({ amount: z.number(), iban: z.string() })
const run = async ({ amount }: z.infer<typeof schema>) => `Paid ${amount}.` // hand the idempotency key on from here
const tools = { send_payment: { executor: 'local', schema, sensitive: ['iban'], needsApproval: true, run } } as const

const file = process.env.JOURNAL ?? 'journal.jsonl'
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
const store = createToolCallStore({ defaultExecutor: 'local', tools })
const dispatcher = createDispatcher(store, {
  journal: { append: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) },
})
const relay = createRelay(store, {
  recovered: await recover(
    lines.map((line) => JSON.parse(line)),
    tools,
  ),
})

const client = new Anthropic()
const prompt = {
  model: 'claude-haiku-5-5',
  max_tokens: 1024,
  tools: [{ name: 'send_payment', input_schema: z.toJSONSchema(schema) as Anthropic.Tool.InputSchema }],
}

function begin(turnId: string, content: string): void {
  const request = ({ messages, signal }: { messages: readonly unknown[]; signal: AbortSignal }) => {
    const all = [{ role: 'user', content }, ...messages] as Anthropic.MessageParam[]
    return client.messages.create({ ...prompt, messages: all, stream: true }, { signal })
  }
  relay.follow(runTurn({ store, dispatcher, turnId, adapter: anthropic, dialect: anthropicMessages, request }))
}

/** Before any of this: may this user see, answer for and stop this turn? */
export const server = createServer(async (request, response) => {
  const [, , action, id = ''] = request.url?.split('/') ?? []
  const body = request.method === 'POST' ? ((await json(request).catch(() => ({}))) as Record<string, string>) : {}
  const { turnId = id, text = '', callId = '', granted } = body
  // A request that is sent again begins nothing again.
  if (request.method === 'POST' && action === 'turn' && store.turn(turnId) === undefined) begin(turnId, text)
  if (action === 'turn') {
    const after = request.headers['last-event-id'] as string | undefined
    const { status, headers, body } = relay.respond(turnId, { after })
    response.writeHead(status, Object.fromEntries(headers))
    // A client that goes away is no error.
    const bytes = body === null ? Readable.from([]) : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    return pipeline(bytes, response).catch(() => {})
  }
  if (action === 'answer') relay.answerApproval({ turnId, callId }, { granted: Boolean(granted) })
  if (action === 'stop' && store.turn(turnId) !== undefined) store.cancel(turnId, 'user')
  return response.writeHead(204).end()
})

server.listen(Number(process.env.PORT ?? 8080))
const close = () => new Promise((done) => server.close(done))
finishOnSignal(store, { dispatcher, relay, close })
