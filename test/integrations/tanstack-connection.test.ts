import { type ConnectConnectionAdapter, fetchServerSentEvents, stream } from '@tanstack/ai-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { withToolCalls } from '../../src/tanstack-ai.ts'
import { startLoopback } from '../wire/loopback.ts'
import { chatAt, THREAD } from './tanstack-chat.ts'
import { args, end, finished, half, preamble, sse, start } from './tanstack-wire.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = [...preamble, start(), args(half)]
const local = { tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'local' } as const

/** Answers every fetch with a stream that the test writes itself. */
function stubFetch(): {
  readonly write: (text: string) => void
  readonly close: () => void
  readonly drop: () => void
  readonly asked: () => number
} {
  const encoder = new TextEncoder()
  let answer: ReadableStreamDefaultController<Uint8Array> | undefined
  let asked = 0
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    asked++
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        answer = controller
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  return {
    write(text) {
      if (answer === undefined) throw new Error('Nobody has asked yet.')
      answer.enqueue(encoder.encode(text))
    },
    close: () => answer?.close(),
    drop: () => answer?.error(new TypeError('terminated')),
    asked: () => asked,
  }
}

describe('a request that brings no stream', () => {
  const reported = 'The reply stopped here (the service reported an error). No tool was run.'
  const refusal = { status: 503, body: 'MARKER' }
  const error = { type: 'application/json', body: '{"error":{"message":"MARKER"}}' }
  const answers: readonly (readonly [
    string,
    { readonly status?: number; readonly type?: string; readonly body: string } | null,
    string,
  ])[] = [
    ['is refused', refusal, reported],
    ['brings an error as JSON', error, reported],
    ['brings an error as a line of JSON', { ...error, body: `${error.body}\n` }, reported],
    ['brings other JSON', { ...error, body: '{}\n' }, 'The reply stopped here (it ended early). No tool was run.'],
    ['reaches nobody', null, 'The reply stopped here (connection lost). No tool was run.'],
  ]

  test.each(answers)('%s', async (_, answer, notice) => {
    // An error is no chunk, which the kit says to whoever develops with it.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const server = await startLoopback()
    const url = answer === null ? server.nobody : server.expect({ ...answer, after: 'end' }).url
    const { client, said } = chatAt(url, local)
    await client.sendMessage('Create a ticket.')
    expect(said()).toEqual({ labels: [], notice })
    await server.close()
  })
})

describe('silence', () => {
  test('is not what keep-alive comments break', async () => {
    const { write } = stubFetch()
    const { client, clock, store, seen, said } = chatAt('/api/chat', local)
    const touched = vi.spyOn(clock, 'now')
    const sent = client.sendMessage('Create a ticket.')
    await vi.waitFor(() => write(sse(...open)))
    await seen('TOOL_CALL_ARGS')
    for (let ping = 0; ping < 4; ping++) {
      clock.advance(DEFAULT_DEADLINES.idle - 1)
      touched.mockClear()
      write(': ping\n\n')
      await vi.waitFor(() => expect(touched).toHaveBeenCalled())
    }
    expect(said().labels).toEqual(['Preparing create_ticket…'])
    clock.advance(DEFAULT_DEADLINES.idle)
    expect(said().labels).toEqual(['create_ticket — not run (connection lost)'])
    await sent
    expect(client.getStatus()).toBe('error')
    expect(store.balance().preparing).toBe(0)
  })

  test('may last longer where the bytes are not seen', async () => {
    const { write } = stubFetch()
    const { client, clock, seen, said } = chatAt('/api/chat', local, () => fetchServerSentEvents('/api/chat'))
    const sent = client.sendMessage('Create a ticket.')
    await vi.waitFor(() => write(sse(...open)))
    await seen('TOOL_CALL_ARGS')
    clock.advance(DEFAULT_DEADLINES.idleEvents - 1)
    expect(said().labels).toEqual(['Preparing create_ticket…'])
    clock.advance(1)
    expect(said().labels).toEqual(['create_ticket — not run (connection lost)'])
    await sent
  })
})

test('a link that the connection takes up again by itself is one stream', async () => {
  const { write, drop, close, asked } = stubFetch()
  const connect = (fetchClient: typeof fetch) =>
    fetchServerSentEvents('/api/chat', { fetchClient, reconnect: { delayMs: 0 } })
  const { client, store, seen, said } = chatAt('/api/chat', local, connect)
  const sent = client.sendMessage('Create a ticket.')
  const tagged = (from: number, ...chunks: readonly object[]) =>
    chunks.map((chunk, place) => `id: ${from + place}\n${sse(chunk)}`).join('')
  await vi.waitFor(() => write(tagged(0, ...open)))
  await seen('TOOL_CALL_ARGS')
  drop()
  await vi.waitFor(() => expect(asked()).toBe(2))
  expect(said().labels).toEqual(['Preparing create_ticket…'])
  write(tagged(0, ...open, args('iption":""}'), end(), finished('tool_calls')))
  await seen('RUN_FINISHED')
  close()
  await sent
  expect(said().labels).toEqual(['create_ticket — waiting to run'])
  expect(store.turnIds()).toHaveLength(1)
})

test('what the kit cancels ends as an error, as a clean end would pass for a good one', async () => {
  const server = await startLoopback()
  const exchange = server.expect({ body: sse(...open) })
  const { client, store, seen, said } = chatAt(exchange.url, local)
  const sent = client.sendMessage('Create a ticket.')
  await seen('TOOL_CALL_ARGS')
  store.cancel(store.turnIds()[0] ?? '')
  await sent
  await exchange.closed
  expect(client.getStatus()).toBe('error')
  expect(said().labels).toEqual(['create_ticket — cancelled'])
  await server.close()
})

describe('turns', () => {
  type Chunks = ReturnType<ConnectConnectionAdapter['connect']>
  const user = [{ id: 'u1', role: 'user' as const, parts: [] }]
  const reply = [...user, { id: 'm1', role: 'assistant' as const, parts: [] }]
  const context = { threadId: THREAD, runId: 'run-1' }

  async function* chunksOf(...chunks: readonly object[]): Chunks {
    yield* chunks as readonly never[]
  }

  async function drain(chunks: Chunks): Promise<number> {
    let count = 0
    for await (const _ of chunks) count++
    return count
  }

  function connectionOf(store: ToolCallStore, ...chunks: readonly object[]) {
    return withToolCalls(store, () => ({
      ...stream(() => chunksOf(...chunks)),
      joinRun: (_run: string) => chunksOf(...chunks),
      hydrate: async (_thread: string) => ({ messages: [], activeRun: { runId: 'run-9' }, interrupts: null }),
      own: 'kept',
    }))
  }

  test('begin with a person’s message, and go on with whatever else is sent', async () => {
    const store = createToolCallStore(local)
    const connection = connectionOf(store, ...preamble, finished('stop'))
    expect(await drain(connection.connect(user, {}, undefined, context))).toBe(preamble.length + 1)
    await drain(connection.connect(reply, {}, undefined, { ...context, runId: 'run-2' }))
    expect(store.turnIds()).toHaveLength(1)
    await drain(connection.connect(user, {}, undefined, { ...context, runId: 'run-3' }))
    expect(store.turnIds()).toHaveLength(2)
    expect(connection.own).toBe('kept')
  })

  test('are joined by the run: the one that this page began, or one that the thread was said to have', async () => {
    const store = createToolCallStore(local)
    const connection = connectionOf(store, ...preamble)
    await drain(connection.connect(user, {}, undefined, context))
    await drain(connection.joinRun('run-1'))
    expect(store.turnIds()).toHaveLength(1)
    await connection.hydrate('another')
    await drain(connection.joinRun('run-9'))
    expect(store.turnOf('another')?.getState().items).toHaveLength(1)
  })

  test('whose reader leaves are cancelled, not left open', async () => {
    const store = createToolCallStore(local)
    for await (const _ of connectionOf(store, ...open).connect(user, {}, undefined, context)) break
    expect(store.turnOf(THREAD)?.getState().ending).toEqual({ type: 'cancelled', by: 'host', acknowledged: false })
  })

  test('bring the host everything, also what cannot be read', async () => {
    const store = createToolCallStore(local)
    const unreadable = {
      get type(): string {
        throw new Error('MARKER')
      },
    }
    expect(await drain(connectionOf(store, ...open, unreadable).connect(user, {}, undefined, context))).toBe(
      open.length + 1,
    )
  })
})
