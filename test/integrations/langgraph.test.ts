import { FetchStreamTransport } from '@langchain/langgraph-sdk/react'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { Executor } from '../../src/core/tools.ts'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { withToolCalls } from '../../src/langgraph.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { type Exchange, type Loopback, startLoopback } from '../wire/loopback.ts'
import {
  BEGUN,
  CALLED,
  chunk,
  frame,
  HALF,
  METADATA,
  PREAMBLE,
  piece,
  RESULT,
  stopped,
  VALUES,
  WHOLE,
} from './langgraph-wire.ts'

type Transport = ReturnType<typeof withToolCalls>
type Item = { readonly event: string; readonly data: unknown }

let server: Loopback

beforeAll(async () => {
  server = await startLoopback()
})
afterAll(() => server.close())
afterEach(() => {
  vi.unstubAllGlobals()
})

interface World {
  readonly store: ToolCallStore
  readonly clock: FakeClock
}

function world(executor: Exclude<Executor, 'provider'> = 'server'): World {
  const clock = createFakeClock()
  const tools = { create_ticket: { executor }, send_payment: { executor } }
  return { clock, store: createToolCallStore({ clock, frame: () => () => {}, tools, defaultExecutor: executor }) }
}

function payload(signal: AbortSignal, members: object = {}): Parameters<Transport['stream']>[0] {
  const config = { configurable: { thread_id: 't1' } }
  return { input: { messages: [] }, context: undefined, command: undefined, config, signal, ...members }
}

/** As the host's hook reads: it leaves at an `error`, without a word. */
async function consume(
  items: AsyncGenerator<Item>,
  seen: (items: readonly Item[]) => void = () => {},
): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) {
    all.push(item)
    if (item.event === 'error') break
    seen(all)
  }
  return all
}

/** What the user reads of the thread's latest reply, or of the one that has a message. */
function said({ store }: World, messageId?: string): { readonly labels: string[]; readonly notice: string } {
  store.flush()
  const turn = store.turnOf('t1', messageId)?.getState()
  const labels = turn?.items.flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turn.id, item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
  return { labels: labels ?? [], notice: turn?.notice == null ? '' : noticeSentences(turn.notice).join(' ') }
}

interface Run {
  readonly exchange: Exchange
  /** Which error the host got, if any. */
  readonly error: unknown
}

/** Runs once, to the end; `at` is called with each event, after the host has it. */
async function run(
  { store }: World,
  answer: Parameters<Loopback['expect']>[0],
  at: (count: number, exchange: Exchange, stop: () => void) => void = () => {},
  members: object = {},
): Promise<Run> {
  const exchange = server.expect(answer)
  const host = new AbortController()
  const transport = withToolCalls(store, new FetchStreamTransport({ apiUrl: exchange.url }))
  let error: unknown
  try {
    const items = await transport.stream(payload(host.signal, members))
    await consume(items, ({ length }) => at(length, exchange, () => host.abort()))
  } catch (thrown) {
    error = thrown
  }
  await exchange.closed
  return { exchange, error }
}

/** How many events a body makes. */
const eventsIn = (body: string): number => body.split('\n\n').length - 1

/** Acts once the whole body was read. */
const after = (body: string, act: (exchange: Exchange, stop: () => void) => void) => {
  return (count: number, exchange: Exchange, stop: () => void): void => {
    if (count === eventsIn(body)) act(exchange, stop)
  }
}

test('the host sees the very events of the transport', async () => {
  const body = CALLED + RESULT + VALUES
  const plain = server.expect({ body, after: 'end' })
  const wrapped = server.expect({ body, after: 'end' })
  const { signal } = new AbortController()
  const bare = new FetchStreamTransport({ apiUrl: plain.url })
  const tapped = withToolCalls(world().store, new FetchStreamTransport({ apiUrl: wrapped.url }))
  expect(await consume(await tapped.stream(payload(signal)))).toEqual(await consume(await bare.stream(payload(signal))))
})

test('the request is the same; only its signal is the kit’s own', async () => {
  const { store } = world()
  const { signal } = new AbortController()
  const given = payload(signal, { context: { user: 1 }, command: { resume: true } })
  let asked: object = {}
  const transport = withToolCalls(store, {
    async stream(request) {
      asked = request
      return (async function* () {})()
    },
  })
  await consume(await transport.stream(given))
  expect(asked).toEqual({ ...given, signal: expect.any(AbortSignal) })
})

describe('what the user reads', () => {
  const ticket = 'create_ticket'
  const rows = [
    ['drop', HALF, 'drop', 'not run (connection lost)', 'may have run (connection lost)'],
    [
      'clean end in mid arguments',
      HALF,
      'end',
      'not run (the response ended early)',
      'may have run (the response ended early)',
    ],
    [
      'length stop over well-formed chunks',
      WHOLE + stopped('length'),
      'end',
      'not run (the request was cut short)',
      'may have run (the response was cut short)',
    ],
    [
      'content filter',
      HALF + stopped('content_filter'),
      'end',
      'not run (stopped by a content filter)',
      'may have run (stopped by a content filter)',
    ],
    ['stall', HALF, 'stall', 'not run (connection lost)', 'may have run (connection lost)'],
    ['user stop', HALF, 'stop', 'cancelled', 'may have run (cancelled)'],
    [
      'malformed JSON frame',
      `${HALF}event: messages\ndata: [{"type\n\n`,
      'end',
      'not run (the response ended early)',
      'may have run (the response ended early)',
    ],
    [
      'error event',
      HALF + frame('error', { error: 'InternalError', message: 'MARKER' }),
      'wait',
      'not run (the service reported an error)',
      'may have run (the service reported an error)',
    ],
    [
      'announced, never finished',
      BEGUN,
      'end',
      'not run (the response ended early)',
      'may have run (the response ended early)',
    ],
    [
      'unreadable arguments',
      `${HALF}${stopped('tool_calls')}`,
      'end',
      'not run (the request was unreadable)',
      'may have run (no result received)',
    ],
  ] as const
  const cases = rows.flatMap(([fault, body, how, local, server]) => [
    [fault, 'local', body, how, local] as const,
    [fault, 'server', body, how, server] as const,
  ])
  // Where the last label says why the reply stopped, the notice does not say it again.
  test.each(cases)('%s, %s tool', async (_fault, executor, body, how, label) => {
    const here = world(executor)
    const done = eventsIn(HALF)
    const { error } = await run(here, { body, after: how === 'end' ? 'end' : 'wait' }, (count, exchange, stop) => {
      if (count !== done || how === 'end' || how === 'wait') return
      if (how === 'drop') exchange.drop()
      else if (how === 'stop') stop()
      else here.clock.advance(30_000)
    })
    expect(said(here)).toEqual({
      labels: [`${ticket} — ${label}`],
      notice: `${executor === 'local' ? 'Not run' : 'May have run'}: ${ticket}.`,
    })
    expect(said(here, 'run-1')).toEqual(said(here))
    expect(here.store.balance()).toMatchObject({ announced: 1, preparing: 0, running: 0 })
    if (how === 'stop') expect(error).toHaveProperty('name', 'AbortError')
    if (how === 'stall') expect(String(error)).toContain('nothing came for too long')
  })

  test('the end right behind the preamble, where every tool is local', async () => {
    const here = world('local')
    await run(here, { body: PREAMBLE, after: 'end' })
    expect(said(here, 'run-1')).toEqual({
      labels: [],
      notice: 'The reply stopped here (it ended early). No tool was run.',
    })
  })

  test('the end right behind the preamble, where tools run elsewhere', async () => {
    const here = world()
    await run(here, { body: PREAMBLE, after: 'end' })
    expect(said(here, 'run-1')).toEqual({ labels: [], notice: 'The reply stopped here (it ended early).' })
  })

  test('two calls at once, one of them damaged', async () => {
    const body =
      WHOLE +
      piece('', { id: 'call_2', name: 'send_payment', index: 1 }) +
      piece('{"amount":1', { index: 1 }) +
      stopped('tool_calls')
    const local = world('local')
    await run(local, { body, after: 'end' })
    expect(said(local)).toEqual({
      labels: [
        'create_ticket — not run (another call had a problem)',
        'send_payment — not run (the request was unreadable)',
      ],
      notice: 'Not run: create_ticket, send_payment.',
    })
    expect(local.store.dispatchable()).toEqual([])
  })

  test('a call without arguments', async () => {
    const local = world('local')
    await run(local, { body: BEGUN + stopped('tool_calls'), after: 'end' })
    expect(said(local)).toEqual({ labels: ['create_ticket — waiting to run'], notice: '' })
    expect(local.store.dispatchable()).toMatchObject([{ callId: 'call_1', args: {} }])
    const remote = world()
    await run(remote, { body: BEGUN + stopped('tool_calls') + RESULT, after: 'end' })
    expect(said(remote, 'run-1')).toEqual({ labels: ['create_ticket — done'], notice: '' })
  })

  test('a server’s tool that gave a result, with the state after it', async () => {
    const here = world()
    await run(here, { body: CALLED + RESULT + VALUES, after: 'end' })
    expect(said(here, 'run-1')).toEqual({ labels: ['create_ticket — done'], notice: '' })
    expect(said(here, 'run-2')).toEqual(said(here, 'run-1'))
    expect(here.store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
  })

  test('a server’s tool as its events tell', async () => {
    const here = world()
    const tools = (data: object): string => frame('tools', { tool_call_id: 'call_1', name: 'create_ticket', ...data })
    const start = CALLED + tools({ event: 'on_tool_start', input: {} })
    const heard: string[] = []
    const body = start + tools({ event: 'on_tool_end', output: { content: 'T-1', status: 'success' } }) + RESULT
    await run(
      here,
      { body, after: 'end' },
      after(start, () => heard.push(...said(here).labels)),
    )
    expect(heard).toEqual(['Running create_ticket…'])
    expect(said(here)).toEqual({ labels: ['create_ticket — done'], notice: '' })
  })

  test('a server’s tool that was handed over, and nothing more', async () => {
    const here = world()
    await run(here, { body: CALLED, after: 'end' })
    expect(said(here)).toEqual({
      labels: ['create_ticket — may have run (no result received)'],
      notice: 'May have run: create_ticket.',
    })
  })

  test('the run’s own end proves that a damaged call did not run', async () => {
    const here = world()
    await run(here, { body: HALF + stopped('length') + frame('end', { status: 'success' }), after: 'end' })
    expect(said(here).labels).toEqual(['create_ticket — not run (the request was cut short)'])
  })
})

describe('a request that comes to nothing', () => {
  test.each([
    [{ status: 503, body: '', after: 'end' }, 'provider-error', 'relay'],
    [{ body: '', after: 'drop' }, 'connection-lost', 'nobody'],
    [{ body: '', after: 'end' }, 'ended-early', 'nobody'],
  ] as const)('%j', async (answer, how, speaker) => {
    const here = world()
    const { error } = await run(here, answer)
    expect(here.store.turnOf('t1')?.getState().ending).toMatchObject({ type: 'lost', how, speaker })
    expect(error === undefined).toBe(how === 'ended-early')
  })

  test('nobody listens', async () => {
    const here = world()
    const transport = withToolCalls(here.store, new FetchStreamTransport({ apiUrl: server.nobody }))
    await expect(transport.stream(payload(new AbortController().signal))).rejects.toThrow('fetch failed')
    expect(said(here).notice).toBe('The reply stopped here (connection lost).')
  })

  test('a status on the error counts too', async () => {
    const here = world()
    const refused = Object.assign(new Error('no'), { status: 401 })
    const transport = withToolCalls(here.store, { stream: () => Promise.reject(refused) })
    await expect(transport.stream(payload(new AbortController().signal))).rejects.toBe(refused)
    expect(here.store.turnOf('t1')?.getState().ending).toMatchObject({ how: 'provider-error', detail: 'http-401' })
  })

  test('no headers, for too long', async () => {
    const here = world()
    const exchange = server.expect({ body: '', after: 'silence' })
    const transport = withToolCalls(here.store, new FetchStreamTransport({ apiUrl: exchange.url }))
    const opening = transport.stream(payload(new AbortController().signal))
    await exchange.requested
    here.clock.advance(300_000)
    await expect(opening).rejects.toThrow('nothing came for too long')
    await exchange.closed
    expect(said(here).notice).toBe('The reply stopped here (connection lost).')
  })

  test('a transport that throws at once, or opens when it is too late, leaves nothing open', async () => {
    const here = world()
    const host = new AbortController()
    const throwing = withToolCalls(here.store, {
      stream() {
        throw new Error('broken')
      },
    })
    await expect(throwing.stream(payload(host.signal))).rejects.toThrow('broken')
    let returned = false
    let open: (items: AsyncGenerator<Item>) => void = () => {}
    const late = withToolCalls(here.store, {
      stream: () =>
        new Promise((resolve) => {
          open = resolve
        }),
    })
    const opening = late.stream(payload(host.signal))
    host.abort()
    await expect(opening).rejects.toHaveProperty('name', 'AbortError')
    const items = (async function* (): AsyncGenerator<Item> {})()
    items.return = async () => {
      returned = true
      return { done: true, value: undefined }
    }
    open(items)
    await Promise.resolve()
    await Promise.resolve()
    expect(returned).toBe(true)
    expect(here.store.turnIds().map((id) => here.store.turn(id)?.getState().open)).toEqual([false, false])
  })
})

describe('the first cause holds', () => {
  test('a stop that a transport answers with a clean end, or not at all, is a stop', async () => {
    for (const answer of ['clean end', 'nothing'] as const) {
      const here = world()
      const host = new AbortController()
      const transport = withToolCalls(here.store, {
        async stream({ signal }) {
          return (async function* (): AsyncGenerator<Item> {
            yield { event: 'messages', data: JSON.parse(HALF.split('\n\n').at(-2)?.split('data: ')[1] ?? '') }
            await new Promise<void>((resolve) => {
              if (answer === 'clean end') signal.addEventListener('abort', () => resolve())
            })
          })()
        },
      })
      const items = await transport.stream(payload(host.signal))
      await items.next()
      const next = items.next()
      host.abort()
      await expect(next).rejects.toHaveProperty('name', 'AbortError')
      expect(here.store.turnOf('t1')?.getState().ending).toMatchObject({ type: 'cancelled', by: 'user' })
    }
  })

  test('a stop in the kit’s own surface closes the host’s stream, without an error of its own', async () => {
    const here = world()
    const cancel = after(HALF, () => here.store.cancel(here.store.turnOf('t1')?.getState().id ?? ''))
    const { error } = await run(here, { body: HALF }, cancel)
    expect(error).toHaveProperty('name', 'AbortError')
    expect(said(here).labels).toEqual(['create_ticket — may have run (cancelled)'])
  })

  test('after an end that the wire told of the host still gets the rest', async () => {
    const here = world()
    const seen: string[] = []
    const exchange = server.expect({ body: CALLED + RESULT + frame('end', null) + VALUES, after: 'end' })
    const transport = withToolCalls(here.store, new FetchStreamTransport({ apiUrl: exchange.url }))
    for (const { event } of await consume(await transport.stream(payload(new AbortController().signal))))
      seen.push(event)
    expect(seen.slice(-2)).toEqual(['end', 'values'])
    expect(here.store.turnOf('t1')?.getState().ending).toEqual({ type: 'complete', speaker: 'executor' })
  })
})

test('a run that was stopped before it began is cancelled, even by a transport that never answers', async () => {
  const here = world()
  const transport = withToolCalls(here.store, { stream: () => new Promise(() => {}) })
  await expect(transport.stream(payload(AbortSignal.abort()))).rejects.toHaveProperty('name', 'AbortError')
  expect(here.store.turnOf('t1')?.getState().ending).toMatchObject({ type: 'cancelled', by: 'user' })
})

test('a stop behind the end that the wire told of still closes the connection', async () => {
  const here = world()
  const body = HALF + frame('end', null)
  const { error } = await run(
    here,
    { body },
    after(body, (_, stop) => stop()),
  )
  expect(error).toHaveProperty('name', 'AbortError')
  expect(here.store.turnOf('t1')?.getState().ending).toEqual({ type: 'complete', speaker: 'executor' })
})

describe('turns', () => {
  const asks = frame('values', {
    messages: [{ type: 'human', id: 'human-1', content: 'Do it' }],
    __interrupt__: [{ id: 'i1', value: { action_requests: [{ name: 'create_ticket', args: {} }] } }],
  })

  test('a resumed run continues the reply that asked', async () => {
    const here = world()
    await run(here, { body: CALLED + asks, after: 'end' })
    expect(said(here)).toEqual({ labels: ['create_ticket — waiting for your approval'], notice: '' })
    const resumed = METADATA + RESULT + VALUES
    await run(here, { body: resumed, after: 'end' }, () => {}, { input: null, command: { resume: { i1: 'approve' } } })
    expect(here.store.turnIds()).toHaveLength(1)
    expect(said(here, 'run-1')).toEqual({ labels: ['create_ticket — done'], notice: '' })
  })

  const rejected = frame('messages', [
    { type: 'tool', id: 'tool-1', tool_call_id: 'call_1', name: 'create_ticket', content: 'No.', status: 'error' },
    { langgraph_node: 'tools' },
  ])

  test.each([
    ['a refusal', [{ type: 'reject' }], rejected, 'not run (you declined)'],
    ['a grant', [{ type: 'approve' }], RESULT, 'done'],
    // Control: without an answer the same message is what a tool gives that failed.
    ['decisions that fit no question', [{ type: 'reject' }, { type: 'reject' }], rejected, 'ran and failed'],
    ['no decision at all', 'whatever', rejected, 'ran and failed'],
  ])('what a person decided is known from the resume: %s', async (_, decisions, answer, words) => {
    const here = world()
    await run(here, { body: CALLED + asks, after: 'end' })
    const command = { resume: { decisions } }
    await run(here, { body: METADATA + answer, after: 'end' }, () => {}, { input: null, command })
    expect(said(here, 'run-1').labels).toEqual([`create_ticket — ${words}`])
    expect(here.store.counts().contradictedLabels).toBe(0)
  })

  test('a run without an input goes on from where the graph stopped; one that goes elsewhere does not', async () => {
    const here = world()
    await run(here, { body: CALLED, after: 'end' })
    expect(said(here).labels).toEqual(['create_ticket — may have run (no result received)'])
    await run(here, { body: RESULT + VALUES, after: 'end' }, () => {}, { input: null })
    expect(here.store.turnIds()).toHaveLength(1)
    expect(said(here, 'run-1').labels).toEqual(['create_ticket — done'])
    await run(here, { body: PREAMBLE, after: 'end' }, () => {}, { input: null, command: { goto: 'start' } })
    expect(here.store.turnIds()).toHaveLength(2)
  })

  test('a run with an input, or in another thread, is a reply of its own', async () => {
    const here = world()
    await run(here, { body: HALF, after: 'end' })
    await run(here, {
      body: CALLED.replaceAll('run-1', 'run-9').replaceAll('call_1', 'call_9') + RESULT.replaceAll('call_1', 'call_9'),
      after: 'end',
    })
    const elsewhere = { command: { resume: true }, config: { configurable: { thread_id: 't2' } } }
    await run(here, { body: PREAMBLE, after: 'end' }, () => {}, elsewhere)
    expect(here.store.turnIds()).toHaveLength(3)
    expect(said(here, 'run-1').labels).toEqual(['create_ticket — may have run (the response ended early)'])
    expect(said(here, 'run-9').labels).toEqual(['create_ticket — done'])
  })

  test('a run without a thread is in no scope', async () => {
    const here = world()
    await run(here, { body: chunk({ content: 'Hello' }), after: 'end' }, () => {}, { config: undefined })
    expect(here.store.turnIds().map((id) => here.store.turn(id)?.getState().scope)).toEqual([undefined])
  })
})

describe('a transport that is made with our fetch', () => {
  async function heard(answer: Parameters<Loopback['expect']>[0]): Promise<World & { readonly exchange: Exchange }> {
    const here = world()
    const exchange = server.expect(answer)
    const make = (fetch: typeof globalThis.fetch) => new FetchStreamTransport({ apiUrl: exchange.url, fetch })
    const transport = withToolCalls(here.store, make)
    const reading = transport.stream(payload(new AbortController().signal)).then((items) => consume(items))
    await Promise.allSettled(answer.after === 'end' ? [reading] : [exchange.requested])
    reading.catch(() => {})
    return { ...here, exchange }
  }

  test.each([
    [{ status: 503, body: 'MARKER', after: 'end' }, 'http-503'],
    [{ type: 'application/json', body: '{"error":"MARKER"}', after: 'end' }, 'json-error'],
  ] as const)('shows a refusal by itself: %j', async (answer, detail) => {
    const { store } = await heard(answer)
    expect(store.turnOf('t1')?.getState().ending).toEqual({
      type: 'lost',
      how: 'provider-error',
      speaker: 'relay',
      detail,
    })
  })

  test('shows bytes, so that silence is known sooner', async () => {
    const here = await heard({ body: HALF })
    await vi.waitFor(() => expect(said(here).labels).toEqual(['Preparing create_ticket…']))
    here.clock.advance(DEFAULT_DEADLINES.idle - 1)
    expect(said(here).labels).toEqual(['Preparing create_ticket…'])
    here.clock.advance(1)
    expect(said(here).labels).toEqual(['create_ticket — may have run (connection lost)'])
    await here.exchange.closed
  })

  test('shows comments as signs of life', async () => {
    const encoder = new TextEncoder()
    let answer: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        answer = controller
      },
    })
    vi.stubGlobal('fetch', async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    const here = world()
    const touched = vi.spyOn(here.clock, 'now')
    const make = (fetch: typeof globalThis.fetch) => new FetchStreamTransport({ apiUrl: '/run', fetch })
    const reading = withToolCalls(here.store, make)
      .stream(payload(new AbortController().signal))
      .then((items) => consume(items))
    answer?.enqueue(encoder.encode(HALF))
    await vi.waitFor(() => expect(said(here).labels).toEqual(['Preparing create_ticket…']))
    for (let beat = 0; beat < 3; beat++) {
      here.clock.advance(DEFAULT_DEADLINES.idle - 1)
      touched.mockClear()
      answer?.enqueue(encoder.encode(': heartbeat\n\n'))
      await vi.waitFor(() => expect(touched).toHaveBeenCalled())
    }
    expect(said(here).labels).toEqual(['Preparing create_ticket…'])
    here.clock.advance(DEFAULT_DEADLINES.idle)
    expect(said(here).labels).toEqual(['create_ticket — may have run (connection lost)'])
    await expect(reading).rejects.toThrow(/nothing came for too long/)
  })
})
