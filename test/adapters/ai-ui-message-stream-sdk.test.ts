import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  readUIMessageStream,
  type StreamTextResult,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aiUiMessageStream } from '../../src/adapters/ai-ui-message-stream.ts'
import { hydration } from '../../src/adapters/hydration.ts'
import { createPlayer, type ReplayEnding, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

// The SDK itself as the emitter, with a model that says what it is told to say, and a tool that counts its runs.

type Part = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const usage = { inputTokens: {}, outputTokens: {} } as Extract<Part, { type: 'finish' }>['usage']
const stop = (reason: 'stop' | 'tool-calls' | 'length' | 'error'): Part => ({
  type: 'finish',
  finishReason: { unified: reason, raw: reason },
  usage,
})
const begun: Part = { type: 'stream-start', warnings: [] }
const words = (delta: string): Part[] => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta },
  { type: 'text-end', id: '1' },
]
const call = (id: string, input = '{"to":"a"}'): Part[] => [
  { type: 'tool-input-start', id, toolName: 'pay' },
  ...(input.match(/.{1,4}/gs) ?? []).map((delta): Part => ({ type: 'tool-input-delta', id, delta })),
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName: 'pay', input },
]

function emitter(steps: readonly (readonly Part[])[], options: object = {}) {
  const counted = { runs: 0 }
  let step = 0
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream([begun, ...(steps[step++] ?? [])]) }),
  })
  const pay = tool({
    inputSchema: z.object({ to: z.string() }),
    execute: async () => {
      counted.runs++
      return { ok: true }
    },
  })
  const result = streamText({
    model,
    tools: { pay },
    prompt: 'Pay a.',
    stopWhen: stepCountIs(3),
    onError: () => {},
    ...options,
  } as Parameters<typeof streamText>[0])
  return { result: result as StreamTextResult<ToolSet, never, never>, counted }
}

async function all<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}

/** What the user reads, where a tool is the server's, after so many chunks and this ending. */
function labelsAfter(chunks: readonly UIMessageChunk[], ending: ReplayEnding = 'done') {
  const player = createPlayer({ adapter: aiUiMessageStream })
  for (const chunk of chunks) player.feed(`data: ${JSON.stringify(chunk)}\n\n`)
  if (ending === 'done') player.feed('data: [DONE]\n\n')
  player.end(ending)
  const { items } = player.store.turn(player.turnId)?.getState() ?? { items: [] }
  return items.flatMap((item) => {
    const view = item.type === 'call' ? player.store.callByKey(player.turnId, item.key)?.getState() : undefined
    return view === undefined ? [] : view.phase === 'settled' ? `${view.settled.ran} ${view.settled.cause}` : view.phase
  })
}

const cases: readonly [name: string, steps: readonly (readonly Part[])[], runs: number, labels: readonly string[]][] = [
  [
    'a tool that ran, and then the answer',
    [
      [...words('I will pay.'), ...call('c1'), stop('tool-calls')],
      [...words('Paid.'), stop('stop')],
    ],
    1,
    ['yes ok'],
  ],
  [
    'the same id in two steps',
    [[...call('c1'), stop('tool-calls')], [...call('c1'), stop('tool-calls')], [stop('stop')]],
    2,
    ['yes ok', 'yes ok'],
  ],
  [
    'an input that does not fit',
    [[...call('c1', '{"to":1}'), stop('tool-calls')], [stop('stop')]],
    0,
    ['no invalid-arguments'],
  ],
  [
    'an input that is not JSON',
    [[...call('c1', '{"to":'), stop('tool-calls')], [stop('stop')]],
    0,
    ['no invalid-arguments'],
  ],
  ['a limit after the handover', [[...call('c1'), stop('length')]], 0, ['unknown no-result']],
  ['a limit in mid input', [[...call('c1').slice(0, 3), stop('length')]], 0, ['no truncated']],
  ['an end in mid input', [[...call('c1').slice(0, 3), stop('tool-calls')]], 0, ['no ended-early']],
  ['a model that falls silent in mid input', [call('c1').slice(0, 3)], 0, ['no unrecognised']],
  [
    'an error in mid input',
    [[...call('c1').slice(0, 3), { type: 'error', error: new Error('overloaded') }]],
    0,
    ['no provider-error'],
  ],
]

describe.each(cases)('%s', (_, steps, runs, labels) => {
  test('reads the same from chunks and from bytes', async () => {
    const chunks = await all(emitter(steps).result.toUIMessageStream())
    const stream = emitter(steps).result.toUIMessageStream()
    const bytes = await all(createUIMessageStreamResponse({ stream }).body as unknown as AsyncIterable<Uint8Array>)
    const events = eventsOfBytes(aiUiMessageStream, bytes)
    expect(events).toEqual(eventsOf(aiUiMessageStream, [...chunks, '[DONE]']))
    expect(events.filter(({ type }) => type === 'message-started')).not.toHaveLength(0)
  })

  test('every chunk is known, and the labels are true', async () => {
    const { result, counted } = emitter(steps)
    const chunks = await all(result.toUIMessageStream({ generateMessageId: () => 'm1' }))
    const reader = aiUiMessageStream.reader()
    reader.open()
    expect(chunks.filter((chunk) => !reader.read(chunk, () => {}))).toEqual([])
    expect(counted.runs).toBe(runs)
    expect(labelsAfter(chunks)).toEqual(labels)
  })

  test('broken off anywhere, no label says that what ran was not run', async () => {
    const { result, counted } = emitter(steps)
    const chunks = await all(result.toUIMessageStream())
    for (const ending of ['eof', 'error', 'stall', 'user-cancel'] as const) {
      for (const length of chunks.keys()) {
        const notRun = labelsAfter(chunks.slice(0, length), ending).filter((label) => label.startsWith('no '))
        if (counted.runs > 0) expect([length, ending, notRun]).toEqual([length, ending, []])
      }
    }
  })

  test('the message as the SDK would store it after any chunk says nothing that is not so', async () => {
    const { result, counted } = emitter(steps)
    const chunks = await all(result.toUIMessageStream())
    for (const length of chunks.keys()) {
      const stream = convertArrayToReadableStream(chunks.slice(0, length + 1))
      const states = await all(readUIMessageStream({ stream, onError: () => {} }))
      const stored = structuredClone(states.at(-1)) as UIMessage | undefined
      if (stored === undefined) continue
      const { calls } = await replay({ adapter: hydration, pieces: [JSON.stringify([stored])], ending: 'reload' })
      for (const { ran, cause } of calls) {
        expect(ran).not.toBeNull()
        if (counted.runs > 0) expect(ran).not.toBe('no')
        if (counted.runs === 0) expect([ran, cause]).not.toEqual(['yes', 'ok'])
      }
    }
  })
})

test('an abort that the server acknowledged: nothing of the open call ran', async () => {
  const controller = new AbortController()
  const open = new ReadableStream<Part>({
    start(stream) {
      for (const part of [begun, ...call('c1').slice(0, 3)]) stream.enqueue(part)
    },
  })
  const model = new MockLanguageModelV4({ doStream: async () => ({ stream: open }) })
  const { result, counted } = emitter([], { model, abortSignal: controller.signal })
  const chunks: UIMessageChunk[] = []
  for await (const chunk of result.toUIMessageStream()) {
    chunks.push(chunk)
    if (chunk.type === 'tool-input-delta') controller.abort()
  }
  expect(chunks.at(-1)?.type).toBe('abort')
  expect(counted.runs).toBe(0)
  expect(labelsAfter(chunks)).toEqual(['no cancelled'])
})

describe('approvals', () => {
  const steps = [
    [...call('c1'), stop('tool-calls')],
    [...words('ok'), stop('stop')],
  ]

  test.each([
    ['denied', 0, ['no declined-by-policy']],
    ['approved', 1, ['yes ok']],
    ['user-approval', 0, ['waiting']],
  ] as const)('%s', async (type, runs, labels) => {
    const { result, counted } = emitter(steps, { toolApproval: { pay: () => ({ type }) } })
    expect(labelsAfter(await all(result.toUIMessageStream()))).toEqual(labels)
    expect(counted.runs).toBe(runs)
  })

  const answered = (input: unknown, approved: boolean): UIMessage[] => [
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay a.' }] },
    {
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-pay', toolCallId: 'c1', state: 'approval-responded', input, approval: { id: 'ap1', approved } },
      ] as UIMessage['parts'],
    },
  ]

  test.each([
    ['granted', { to: 'a' }, true, 1, ['yes ok']],
    ['refused', { to: 'a' }, false, 0, ['no declined']],
    // The SDK says `tool-output-error` for what it did not run.
    ['granted, but the input no longer fits', { to: 1 }, true, 0, ['unknown tool-error']],
  ] as const)('answered in the next request: %s', async (_, input, approved, runs, labels) => {
    const { result: first } = emitter(steps, { toolApproval: { pay: () => ({ type: 'user-approval' }) } })
    const asked = await all(first.toUIMessageStream({ generateMessageId: () => 'm1' }))
    const originalMessages = answered(input, approved)
    const { result, counted } = emitter(steps.slice(1), {
      prompt: undefined,
      messages: await convertToModelMessages(originalMessages),
      toolApproval: { pay: () => ({ type: 'user-approval' }) },
    })
    const continued = await all(result.toUIMessageStream({ originalMessages, generateMessageId: () => 'm2' }))
    expect(counted.runs).toBe(runs)
    expect(labelsAfter([...asked, ...continued])).toEqual(labels)
  })
})

test('what a server writes around the model’s stream is read with it', async () => {
  const { result } = emitter([[...words('I will.'), ...call('c1'), stop('tool-calls')], [stop('stop')]])
  const stream = createUIMessageStream<UIMessage<unknown, { status: string }>>({
    execute({ writer }) {
      writer.write({ type: 'data-status', data: 'thinking' })
      writer.merge(result.toUIMessageStream())
    },
    originalMessages: [],
    generateId: () => 'm1',
  })
  const events = eventsOf(aiUiMessageStream, [...(await all(stream as unknown as AsyncIterable<unknown>)), '[DONE]'])
  expect(events.map(({ type }) => type)).toEqual([
    'message-started',
    'text-fragment',
    'call-announced',
    'call-fragment',
    'call-fragment',
    'call-fragment',
    'call-snapshot',
    'call-finished',
    'call-returned',
    'message-ended',
    'message-started',
    'message-ended',
  ])
})

// Truth rule 3 takes an `error` chunk for the executor's own end of the turn, and the adapter ends the stream at it. But
// the SDK's stream may go on: the open input is completed, and its tool runs. Then the label that was given is not true.
test('no call that the SDK runs after an error chunk is said not to have run', async () => {
  const [first, second, ...rest] = call('c1')
  const parts = [first, second, { type: 'error', error: new Error('bad chunk') }, ...rest, stop('tool-calls')] as Part[]
  const { result, counted } = emitter([parts, [stop('stop')]])
  const chunks = await all(result.toUIMessageStream())
  const types = chunks.map(({ type }) => type)
  expect(types.indexOf('tool-output-available')).toBeGreaterThan(types.indexOf('error'))
  expect(counted.runs).toBe(1)
  expect(labelsAfter(chunks)).not.toEqual(['no provider-error'])
})
