import { toolDefinition } from '@tanstack/ai'
import type { SubscribeConnectionAdapter } from '@tanstack/ai-client'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { chatAt, THREAD } from './tanstack-chat.ts'
import { args, end, finished, half, preamble, start } from './tanstack-wire.ts'

type Chunk = SubscribeConnectionAdapter['subscribe'] extends (...given: never) => AsyncIterable<infer Each>
  ? Each
  : never

/** A connection as over a WebSocket: what is sent, and one long stream of what comes. */
function socket() {
  let answer: ReadableStreamDefaultController<Chunk> | undefined
  const sent: { readonly runId: string; readonly signal: AbortSignal | undefined }[] = []
  let left = 0
  const adapter: SubscribeConnectionAdapter = {
    subscribe(signal) {
      const stream = new ReadableStream<Chunk>({
        start(controller) {
          answer = controller
          signal?.addEventListener('abort', () => controller.close())
        },
        cancel() {
          left++
        },
      })
      return stream as unknown as AsyncIterable<Chunk>
    },
    async send(_messages, _data, signal, context) {
      sent.push({ runId: context?.runId ?? '', signal })
    },
  }
  return {
    adapter,
    sent,
    left: () => left,
    /** Chunks of the run that was asked for last, unless they say otherwise. */
    say(...chunks: readonly object[]) {
      const runId = sent.at(-1)?.runId
      for (const chunk of chunks) answer?.enqueue(('runId' in chunk ? { ...chunk, runId } : chunk) as Chunk)
    },
    raw: (chunk: object) => answer?.enqueue(chunk as Chunk),
    end: () => answer?.close(),
    fail: () => answer?.error(new Error('MARKER')),
  }
}

const local = { tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'local' } as const
const open = [...preamble, start(), args(half)]
const good = [...preamble, start(), args('{}'), end({}), finished('stop')]

function talk(options: Parameters<typeof chatAt>[1] = local) {
  const line = socket()
  const chat = chatAt('', options, () => line.adapter)
  return { ...line, ...chat }
}

test('every run is a turn of its own, on one subscription', async () => {
  const { client, sent, say, said, store } = talk()
  for (const round of [1, 2]) {
    const sending = client.sendMessage('Create a ticket.')
    await vi.waitFor(() => expect(sent).toHaveLength(round))
    say(...good)
    await sending
    expect(said()).toEqual({ labels: ['create_ticket — waiting to run'], notice: '' })
    expect(store.turnIds()).toHaveLength(round)
    expect(store.turnOf(THREAD)?.getState().ending?.type).toBe('complete')
  }
  expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
})

describe('a run that is cut', () => {
  async function talking() {
    const chat = talk()
    const sending = chat.client.sendMessage('Create a ticket.')
    await vi.waitFor(() => expect(chat.sent).toHaveLength(1))
    chat.say(...open)
    await chat.seen('TOOL_CALL_ARGS')
    expect(chat.said().labels).toEqual(['Preparing create_ticket…'])
    return { ...chat, sending }
  }

  test('by the person is cancelled, and what still comes of it changes nothing', async () => {
    const { client, sending, sent, say, said, store } = await talking()
    client.stop()
    await sending
    expect(sent[0]?.signal?.aborted).toBe(true)
    say(args('iption":""}'), end(), finished('stop'))
    expect(said().labels).toEqual(['create_ticket — cancelled'])
    expect(store.turnIds()).toHaveLength(1)
  })

  test('by silence ends for the chat client too, and the subscription goes on', async () => {
    const { client, clock, sending, sent, say, said, store } = await talking()
    clock.advance(DEFAULT_DEADLINES.idleEvents - 1)
    expect(said().labels).toEqual(['Preparing create_ticket…'])
    clock.advance(1)
    expect(said().labels).toEqual(['create_ticket — not run (connection lost)'])
    await sending
    expect(client.getStatus()).toBe('error')
    expect(sent[0]?.signal?.aborted).toBe(true)
    const again = client.sendMessage('Once more.')
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    say(...good)
    await again
    expect(said().labels).toEqual(['create_ticket — waiting to run'])
    expect(store.turnIds()).toHaveLength(2)
  })

  test.each([
    ['fail', 'not run (connection lost)'],
    ['end', 'not run (the response ended early)'],
  ] as const)('by the subscription: %s', async (how, words) => {
    const chat = await talking()
    chat[how]()
    await vi.waitFor(() => expect(chat.said().labels).toEqual([`create_ticket — ${words}`]))
    chat.client.stop()
    await chat.sending
    expect(chat.store.balance().preparing).toBe(0)
  })
})

test('what cannot be sent ends its turn', async () => {
  const { client, adapter, said, store } = talk()
  adapter.send = async () => {
    throw new Error('MARKER')
  }
  await client.sendMessage('Create a ticket.')
  expect(said()).toEqual({ labels: [], notice: 'The reply stopped here (connection lost). No tool was run.' })
  expect(store.turnOf(THREAD)?.getState().ending?.type).toBe('lost')
})

test('a run that the server begins by itself is heard, in its thread', async () => {
  const { client, raw, said } = talk()
  client.subscribe()
  for (const chunk of good) raw(chunk)
  await vi.waitFor(() => expect(said().labels).toEqual(['create_ticket — waiting to run']))
  client.unsubscribe()
})

test('a run whose tools run on the server goes on behind the end of a message', async () => {
  const { client, sent, say, said, store } = talk({ tools: { create_ticket: { executor: 'server' } } })
  const sending = client.sendMessage('Create a ticket.')
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  say(...preamble, start(), args('{}'), end({}), finished('tool_calls'))
  say({ type: 'TOOL_CALL_RESULT', messageId: 'm1', toolCallId: 'c1', content: '7' }, finished('stop'))
  await sending
  expect(said()).toEqual({ labels: ['create_ticket — done'], notice: '' })
  expect(store.turnIds()).toHaveLength(1)
})

describe('behind the gate', () => {
  const openMap = toolDefinition({ name: 'create_ticket', description: 'x', inputSchema: z.looseObject({}) })
  const interrupted = {
    ...finished('tool_calls'),
    outcome: {
      type: 'interrupt',
      interrupts: [
        {
          id: 'client_tool_c1',
          reason: 'client_tool_input',
          toolCallId: 'c1',
          metadata: { kind: 'client_tool', toolName: 'create_ticket', input: {} },
        },
      ],
    },
  }

  test.each([
    ['{}', 1, 'done'],
    ['{"title', 0, 'not run (the request was unreadable)'],
  ])('%s runs %i times', async (text, times, words) => {
    const line = socket()
    let ran = 0
    const tool = openMap.client(() => {
      ran++
      return 7
    })
    const { client, said, store } = chatAt('', { tools: { create_ticket: { executor: 'host' } } }, () => line.adapter, [
      tool,
    ])
    const sending = client.sendMessage('Create a ticket.')
    await vi.waitFor(() => expect(line.sent).toHaveLength(1))
    line.say(...preamble, start(), args(text), end({}), interrupted)
    if (times > 0) {
      await vi.waitFor(() => expect(line.sent).toHaveLength(2))
      line.say(preamble[0] ?? {}, finished('stop'))
    }
    await sending
    expect(ran).toBe(times)
    expect(said().labels).toEqual([`create_ticket — ${words}`])
    expect(store.turnIds()).toHaveLength(1)
    expect(client.getStatus()).toBe('ready')
    expect(JSON.stringify(client.getMessages()).includes(NOT_RUN_MARK)).toBe(times === 0)
  })
})
