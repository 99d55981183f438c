/**
 * A server with a tool that takes effect in a file, to be killed. It says on its standard output how far it got:
 * `listening PORT`, `stalled` (the model writes no more), `began` and `written` (the tool), `finished`.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { anthropic } from '../../src/adapters/anthropic.ts'
import type { RunningCall } from '../../src/core/tools.ts'
import { anthropicMessages, createDispatcher, type Journal, recover, runTurn } from '../../src/dispatch/index.ts'
import { createRelay, finishOnSignal } from '../../src/server/index.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'

const [directory = '', stage = '', ...flags] = process.argv.slice(2)
const effects = join(directory, 'effects')
const journalFile = join(directory, 'journal')
const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
const mark = (word: string) => process.stdout.write(`${word}\n`)
const never = () => new Promise<never>(() => {})

async function run(_args: unknown, { idempotencyKey, signal }: RunningCall): Promise<string> {
  mark('began')
  if (stage === 'began') await never()
  // A tool that brings to an end what it has begun, also when it is asked to stop.
  if (stage === 'stopped') await new Promise((resolve) => signal.addEventListener('abort', resolve))
  appendFileSync(effects, `${idempotencyKey}\n`)
  mark('written')
  if (stage === 'written') await never()
  return 'paid'
}

const query = (key: string) =>
  linesOf(effects).includes(key) ? ({ ran: 'yes', ok: true } as const) : ({ ran: 'no' } as const)

const tools = { pay: { executor: 'local', run, ...(flags.includes('query') ? { query } : {}) } } as const
const journal: Journal = {
  append: (entry) => appendFileSync(journalFile, `${JSON.stringify(entry)}\n`),
  read: () => linesOf(journalFile).map((line) => JSON.parse(line)),
}
const recovered = await recover((await journal.read?.()) ?? [], tools)
const store = createToolCallStore({ defaultExecutor: 'local', tools })
const dispatcher = createDispatcher(store, { journal })
const relay = createRelay(store, { recovered })

async function* reply(number: number): AsyncGenerator<object> {
  yield { type: 'message_start', message: { id: `msg-${number}`, content: [] } }
  if (number === 1) {
    yield {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'c1', name: 'pay', input: {} },
    }
    yield { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"amount":1}' } }
    yield { type: 'content_block_stop', index: 0 }
  }
  if ((number === 1 && stage === 'before') || (number === 2 && stage === 'after')) {
    mark('stalled')
    await never()
  }
  yield { type: 'message_delta', delta: { stop_reason: number === 1 ? 'tool_use' : 'end_turn' } }
  yield { type: 'message_stop' }
}

const server = createServer(async (request, response) => {
  const turnId = request.url?.slice(1) ?? ''
  if (request.method === 'POST') {
    const turn = runTurn({
      store,
      dispatcher,
      turnId,
      adapter: anthropic,
      dialect: anthropicMessages,
      request: ({ number }) => reply(number),
    })
    relay.follow(turn)
    void turn.ended.then(() => mark('finished'))
  }
  const { status, headers, body } = relay.respond(turnId, { after: String(request.headers['last-event-id']) })
  response.writeHead(status, Object.fromEntries(headers))
  if (body === null) response.end()
  else await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => {})
})
finishOnSignal(store, {
  dispatcher,
  relay,
  grace: flags.includes('no-grace') ? 0 : 60_000,
  close: () => new Promise((done) => server.close(done)),
})
server.listen(0, '127.0.0.1', () => mark(`listening ${(server.address() as { port: number }).port}`))
