import { type StreamChunk, toolDefinition } from '@tanstack/ai'
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { withToolCalls } from '../../src/tanstack-ai.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { startLoopback } from '../wire/loopback.ts'
import { saidBy, THREAD } from './tanstack-chat.ts'
import { type ChatServer, type Fault, type Reply, serveChat } from './tanstack-server.ts'
import { args, end, finished, preamble, sse, start } from './tanstack-wire.ts'

const schema = z.object({ place: z.string() })
// The server's own schema takes anything: what is damaged must be held back by the page.
const openMap = toolDefinition({ name: 'open_map', description: 'Opens a map.', inputSchema: z.looseObject({}) })

let ran: unknown[]

beforeEach(() => {
  ran = []
})
afterEach(() => {
  vi.restoreAllMocks()
})

interface Chat {
  readonly client: ChatClient
  readonly store: ToolCallStore
}

/** A chat with a tool of the page that notes what it was given. */
function clientOf(
  url: () => string,
  gate: boolean,
  onChunk: (chunk: StreamChunk) => void = () => {},
  check?: () => Promise<undefined>,
  run: () => string = () => 'opened',
): Chat {
  const store = createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { open_map: { executor: 'host', schema, ...(check && { check }) } },
  })
  const client = new ChatClient({
    threadId: THREAD,
    connection: withToolCalls(store, (fetchClient) => fetchServerSentEvents(url, { fetchClient }), { gate }),
    onChunk,
    tools: [
      openMap.client((input) => {
        ran.push(input)
        return run()
      }),
    ],
  })
  return { client, store }
}

async function chatWith(
  gate: boolean,
  replies: readonly Reply[],
  fault?: Fault,
): Promise<Chat & { readonly server: ChatServer }> {
  const server = await serveChat([openMap.client()], replies, fault)
  return { ...clientOf(() => server.url, gate), server }
}

const good = (place: string) => ({ text: JSON.stringify({ place }) })
const closing = { type: 'RUN_FINISHED', threadId: THREAD, metadata: { tanstack: { finishReason: 'stop' } } }

interface Case {
  readonly reply: Reply
  readonly fault?: Fault
  /** What ran behind the gate, and what without one. */
  readonly gated: readonly object[]
  readonly free: readonly object[]
  readonly labels: readonly string[]
  /** What the chat client is left with. */
  readonly states: readonly string[]
}

const A = { place: 'A' }
const B = { place: 'B' }
const cut = 'open_map — not run (the request was cut short)'
const early = 'open_map — not run (the response ended early)'

const cases: Record<string, Case> = {
  'two good calls': {
    reply: { calls: [good('A'), good('B')], finishReason: 'tool_calls' },
    gated: [A, B],
    free: [A, B],
    labels: ['open_map — done', 'open_map — done'],
    states: ['complete', 'complete'],
  },
  'a good call and one that is no JSON': {
    reply: { calls: [good('A'), { text: '{"place":"B' }], finishReason: 'tool_calls' },
    gated: [],
    free: [A, {}],
    labels: ['open_map — not run (another call had a problem)', 'open_map — not run (the request was unreadable)'],
    states: ['error', 'error'],
  },
  'a call that does not fit its schema': {
    reply: { calls: [{ text: '{"place":7}' }], finishReason: 'tool_calls' },
    gated: [],
    free: [{ place: 7 }],
    labels: ['open_map — not run (the details were not valid)'],
    states: ['error'],
  },
  'a token ceiling over a whole call': {
    reply: { calls: [good('A')], finishReason: 'length' },
    gated: [],
    free: [],
    labels: [cut],
    states: ['input-complete'],
  },
  'an end before the end of the run': {
    reply: { calls: [good('A')], finishReason: 'tool_calls' },
    fault: { before: 'MESSAGES_SNAPSHOT', by: 'end' },
    gated: [],
    free: [],
    labels: [early],
    states: ['input-complete'],
  },
}

const partsOf = (client: ChatClient) =>
  client.getMessages().flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? part : [])))

describe('a tool of the page, asked for by the real server', () => {
  test.each(Object.entries(cases))('%s', async (_, { reply, fault, gated, free, labels, states }) => {
    const { client, store } = await chatWith(true, [reply], fault)
    await client.sendMessage('Open it.')
    expect(ran).toEqual(gated)
    expect(saidBy(store).labels).toEqual(labels)
    expect(partsOf(client).map(({ state }) => state)).toEqual(states)
    expect(client.getStatus()).toBe('ready')
    expect(store.counts().contradictedLabels).toBe(0)
    expect(store.balance().preparing).toBe(0)

    ran = []
    const control = await chatWith(false, [reply], fault)
    await control.client.sendMessage('Open it.')
    expect(ran).toEqual(free)
  })

  test('is refused in words that the model reads with the next message, and that stay true', async () => {
    const reply: Reply = { calls: [good('A'), { text: '{"place":"B' }], finishReason: 'tool_calls' }
    const { client, store, server } = await chatWith(true, [reply])
    await client.sendMessage('Open it.')
    expect(server.requests).toHaveLength(1)
    await client.sendMessage('And now?')
    const told = server.requests[1]?.messages.map((message) => JSON.stringify(message)) ?? []
    expect(told.filter((message) => message.includes('"role":"tool"') && message.includes(NOT_RUN_MARK))).toHaveLength(
      2,
    )
    expect(client.getStatus()).toBe('ready')
    expect(client.getMessages().at(-1)?.role).toBe('assistant')
    expect(ran).toEqual([])
    expect(store.turnIds()).toHaveLength(2)
    expect(store.counts().contradictedLabels).toBe(0)
  })
})

/** As servers asked before there were interrupts, and still may. */
const available = (callId: string, input: object) => ({
  type: 'CUSTOM',
  name: 'tool-input-available',
  value: { toolCallId: callId, toolName: 'open_map', input },
})

interface Wire {
  readonly chunks: readonly object[]
  readonly after?: 'end' | 'drop'
  readonly gated: readonly object[]
  readonly free: readonly object[]
  readonly labels: readonly string[]
}

const map = (callId: string) => start(callId, 'open_map')
const whole = JSON.stringify(A)
const asked = [...preamble, map('c1'), args(whole), end(A), available('c1', A)]

const wires: Record<string, Wire> = {
  'two good calls': {
    chunks: [
      ...asked,
      map('c2'),
      args(JSON.stringify(B), 'c2'),
      end(B, 'c2'),
      available('c2', B),
      finished('tool_calls'),
    ],
    gated: [A, B],
    free: [A, B],
    labels: ['open_map — done', 'open_map — done'],
  },
  'a good call, asked for after the end of its message': {
    chunks: [...preamble, map('c1'), args(whole), end(A), finished('tool_calls'), available('c1', A), finished('stop')],
    gated: [A],
    free: [A],
    labels: ['open_map — done'],
  },
  'a good call and a damaged one': {
    chunks: [
      ...asked,
      map('c2'),
      args('{"place":"B', 'c2'),
      end({}, 'c2'),
      available('c2', {}),
      finished('tool_calls'),
    ],
    gated: [],
    free: [A, {}],
    labels: ['open_map — not run (another call had a problem)', 'open_map — not run (the request was unreadable)'],
  },
  'a token ceiling over a whole call': {
    chunks: [...asked, finished('length')],
    gated: [],
    free: [A],
    labels: [cut],
  },
  'a content filter over a whole call': {
    chunks: [...asked, finished('content_filter')],
    gated: [],
    free: [A],
    labels: ['open_map — not run (stopped by a content filter)'],
  },
  'an end before the end of the run': { chunks: asked, gated: [], free: [A], labels: [early] },
  'a drop before the end of the run': {
    chunks: asked,
    after: 'drop',
    gated: [],
    free: [A],
    labels: ['open_map — not run (connection lost)'],
  },
  'an error of the provider': {
    chunks: [...asked, { type: 'RUN_ERROR', message: 'MARKER', code: 'overloaded' }],
    gated: [],
    free: [A],
    labels: ['open_map — not run (the service reported an error)'],
  },
  'a call that does not fit its schema': {
    chunks: [
      ...preamble,
      map('c1'),
      args('{"place":7}'),
      end({ place: 7 }),
      available('c1', { place: 7 }),
      finished('tool_calls'),
    ],
    gated: [],
    free: [{ place: 7 }],
    labels: ['open_map — not run (the details were not valid)'],
  },
  'a call told twice, as in a replay': {
    chunks: [...asked, finished('tool_calls'), available('c1', A), finished('stop')],
    gated: [A],
    free: [A, A],
    labels: ['open_map — done'],
  },
}

describe('a tool of the page, asked for by a chunk of its own', () => {
  test.each(Object.entries(wires))('%s', async (_, { chunks, after = 'end', gated, free, labels }) => {
    const loopback = await startLoopback()
    const talk = async (gate: boolean) => {
      ran = []
      const first = loopback.expect({ body: sse(...chunks), after: after === 'end' ? 'end' : 'wait' })
      const closed = { ...closing, runId: 'run-2' }
      const next = loopback.expect({ body: sse({ ...preamble[0], runId: 'run-2' }, closed), after: 'end' })
      const urls = [first.url, next.url]
      const heard: string[] = []
      const made = clientOf(
        () => urls.shift() ?? loopback.nobody,
        gate,
        ({ type }) => heard.push(type),
      )
      const sent = made.client.sendMessage('Open it.')
      // What the gate keeps back is the last that would be heard.
      const expected = gate ? chunks.length - 1 : chunks.length
      if (after === 'drop') await vi.waitFor(() => expect(heard).toHaveLength(expected))
      if (after === 'drop') first.drop()
      await sent
      return made
    }
    const { client, store } = await talk(true)
    expect(ran).toEqual(gated)
    store.flush()
    expect(saidBy(store).labels).toEqual(labels)
    const refused = partsOf(client).filter(({ state }) => state === 'error')
    expect(refused).toHaveLength(labels.length - gated.length)
    expect(JSON.stringify(refused).split(NOT_RUN_MARK)).toHaveLength(refused.length + 1)
    expect(store.counts().contradictedLabels).toBe(0)
    await talk(false)
    expect(ran).toEqual(free)
    await loopback.close()
  })

  test('waits for a check that takes its time', async () => {
    let allow = (): void => {}
    const slow = new Promise<undefined>((resolve) => {
      allow = () => resolve(undefined)
    })
    const loopback = await startLoopback()
    const first = loopback.expect({ body: sse(...asked, finished('tool_calls')), after: 'end' })
    const urls = [first.url]
    const made = clientOf(
      () => urls.shift() ?? loopback.nobody,
      true,
      undefined,
      () => slow,
    )
    const sent = made.client.sendMessage('Open it.')
    await first.closed
    expect(ran).toEqual([])
    allow()
    await vi.waitFor(() => expect(ran).toEqual([A]))
    await sent
    await loopback.close()
  })

  test('that the person has stopped is not run any more', async () => {
    const loopback = await startLoopback()
    const first = loopback.expect({ body: sse(...asked) })
    const heard: string[] = []
    const { client, store } = clientOf(
      () => first.url,
      true,
      ({ type }) => heard.push(type),
    )
    const sent = client.sendMessage('Open it.')
    await vi.waitFor(() => expect(heard).toContain('TOOL_CALL_END'))
    client.stop()
    await sent
    await first.closed
    expect(saidBy(store).labels).toEqual(['open_map — cancelled'])
    expect(ran).toEqual([])
    await loopback.close()
  })
})

test('a tool of the page that threw has run, and failed', async () => {
  const loopback = await startLoopback()
  const first = loopback.expect({ body: sse(...asked, finished('tool_calls')), after: 'end' })
  const urls = [first.url]
  const { client, store } = clientOf(
    () => urls.shift() ?? loopback.nobody,
    true,
    undefined,
    undefined,
    () => {
      throw new Error('MARKER')
    },
  )
  await client.sendMessage('Open it.')
  expect(ran).toEqual([A])
  expect(saidBy(store).labels).toEqual(['open_map — ran and failed'])
  await loopback.close()
})
