import { readFileSync } from 'node:fs'
import type { ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bedrockConverse } from '../../src/adapters/bedrock-converse.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

// Events as the official client types them; what no client would send is built by hand.
const start: ConverseStreamOutput = { messageStart: { role: 'assistant' } }
const toolUse = (index: number, toolUseId: string, name: string, type?: 'server_tool_use'): ConverseStreamOutput => ({
  contentBlockStart: { contentBlockIndex: index, start: { toolUse: { toolUseId, name, type } } },
})
const input = (index: number, text: string): ConverseStreamOutput => ({
  contentBlockDelta: { contentBlockIndex: index, delta: { toolUse: { input: text } } },
})
const words = (index: number, text: string): ConverseStreamOutput => ({
  contentBlockDelta: { contentBlockIndex: index, delta: { text } },
})
const stop = (index: number): ConverseStreamOutput => ({ contentBlockStop: { contentBlockIndex: index } })
const end = (stopReason: unknown) => ({ messageStop: { stopReason } })
const metadata = { metadata: { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 } } }

const started = { type: 'message-started' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'tooluse_1', name: 'add_task' }
const finished = { type: 'call-finished', key: 'call-1' }
const ended = { type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false }

test('has the name and the speaker of a raw provider wire', () => {
  expect(bedrockConverse.format).toBe('bedrock-converse')
  expect(bedrockConverse.speaker).toBe('model')
})

test('text without a start, then a call, announced, streamed, finished and ended', () => {
  expect(
    eventsOf(bedrockConverse, [
      start,
      words(0, 'I’ll do it'),
      stop(0),
      toolUse(1, 'tooluse_1', 'add_task'),
      input(1, ''),
      input(1, '{"title":'),
      input(1, '"A"}'),
      stop(1),
      end('tool_use'),
      metadata,
    ]),
  ).toEqual([
    started,
    { type: 'text-fragment', text: 'I’ll do it' },
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{"title":' },
    { type: 'call-fragment', key: 'call-1', text: '"A"}' },
    finished,
    ended,
  ])
})

describe('stop reasons', () => {
  test.each([
    ['end_turn', 'natural'],
    ['tool_use', 'natural'],
    ['stop_sequence', 'natural'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'filter'],
    ['content_filtered', 'filter'],
    ['malformed_model_output', 'malformed'],
    ['malformed_tool_use', 'malformed'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends a message as %s', (rawReason, reason) => {
    expect(eventsOf(bedrockConverse, [start, end(rawReason)])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test('a stop without a reason has none to give, the first one counts, and metadata ends nothing', () => {
    expect(eventsOf(bedrockConverse, [start, metadata, end(undefined), end('tool_use')])).toEqual([
      started,
      { type: 'message-ended', reason: null, finishesOpenCalls: false },
    ])
  })

  test('a stop of no message ends nothing', () => {
    expect(eventsOf(bedrockConverse, [end('tool_use')])).toEqual([])
  })
})

describe('input', () => {
  test('on the start of a block it is never arguments', () => {
    const whole = { toolUseId: 'tooluse_1', name: 'add_task', input: { title: 'A' } }
    const block = { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: whole } } }
    expect(eventsOf(bedrockConverse, [start, block, stop(0)])).toEqual([started, announced, finished])
  })

  test('fragments of interleaved blocks go by index', () => {
    expect(
      eventsOf(bedrockConverse, [
        start,
        toolUse(0, 'tooluse_1', 'add_task'),
        toolUse(1, 'tooluse_2', 'search'),
        input(1, '{"b'),
        input(0, '{"a'),
        stop(1),
        stop(0),
        stop(0),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-announced', key: 'call-2', callId: 'tooluse_2', name: 'search' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-finished', key: 'call-2' },
      finished,
    ])
  })

  test('a fragment for a block that is no call, or for none, says nothing', () => {
    const image = { contentBlockStart: { contentBlockIndex: 0, start: { image: { format: 'png' } } } }
    expect(
      eventsOf(bedrockConverse, [
        start,
        toolUse(0, 'tooluse_1', 'add_task'),
        image,
        input(0, '{}'),
        stop(0),
        input(7, '{}'),
      ]),
    ).toEqual([started, announced])
  })

  test('a block sent again is the same call; one with another id at its index is a new call', () => {
    expect(
      eventsOf(bedrockConverse, [
        start,
        toolUse(0, 'tooluse_1', 'add_task'),
        input(0, '{'),
        toolUse(0, 'tooluse_1', 'add_task'),
        input(0, '{}'),
        stop(0),
        toolUse(0, 'tooluse_2', 'add_task'),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      finished,
      { type: 'call-announced', key: 'call-2', callId: 'tooluse_2', name: 'add_task' },
    ])
  })

  test('a gateway’s whole object is taken as one, and of a wrong type it does not pass for no arguments', () => {
    const odd = (value: unknown) => ({
      contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: value } } },
    })
    expect(
      eventsOf(bedrockConverse, [start, toolUse(0, 'tooluse_1', 'add_task'), odd({ a: 1 }), odd(7), odd(null)]),
    ).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { a: 1 } },
      { type: 'call-snapshot', key: 'call-1', value: 7 },
    ])
  })

  test('a gateway that leaves ids, indexes and the message’s start out gets a call per block', () => {
    const block = { contentBlockStart: { start: { toolUse: { toolUseId: '', name: 'add_task' } } } }
    const fragment = { contentBlockDelta: { delta: { toolUse: { input: '{}' } } } }
    const over = { contentBlockStop: {} }
    expect(eventsOf(bedrockConverse, [block, fragment, over, block, over])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      finished,
      { type: 'call-announced', key: 'call-2', name: 'add_task' },
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('a call that no stop has closed is left open at the end, and not run', async () => {
    const lines = [start, toolUse(0, 'tooluse_1', 'add_task'), input(0, '{}'), end('tool_use')]
    const pieces = lines.map((line) => `${JSON.stringify(line)}\n`)
    const { calls } = await replay({ adapter: bedrockConverse, tools: { add_task: { executor: 'local' } }, pieces })
    expect(calls).toMatchObject([
      { detail: 'incomplete-at-finish', label: 'add_task — not run (the response ended early)', mayDispatch: false },
    ])
  })
})

describe('what the provider runs', () => {
  const result = (status?: string) => ({
    contentBlockStart: {
      contentBlockIndex: 1,
      start: { toolResult: { toolUseId: 'srv_1', type: 'web_search_tool_result', status } },
    },
  })

  test('a server tool is a call of the provider, and its result comes in a block of its own', () => {
    expect(
      eventsOf(bedrockConverse, [
        start,
        toolUse(0, 'srv_1', 'web_search', 'server_tool_use'),
        input(0, '{"query":"x"}'),
        stop(0),
        result('success'),
        { contentBlockDelta: { contentBlockIndex: 1, delta: { toolResult: [{ text: 'found' }] } } },
        stop(1),
        end('end_turn'),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'srv_1', name: 'web_search', executor: 'provider' },
      { type: 'call-fragment', key: 'call-1', text: '{"query":"x"}' },
      finished,
      { type: 'call-returned', callId: 'srv_1', ok: true },
      { type: 'message-ended', reason: 'natural', rawReason: 'end_turn', finishesOpenCalls: false },
    ])
  })

  test.each([
    ['success', true],
    ['error', false],
    [undefined, true],
  ])('a result with the status %s is one', (status, ok) => {
    expect(eventsOf(bedrockConverse, [start, result(status)])).toEqual([
      started,
      { type: 'call-returned', callId: 'srv_1', ok },
    ])
  })

  test('a result that names no call says nothing', () => {
    const nameless = { contentBlockStart: { contentBlockIndex: 1, start: { toolResult: { status: 'success' } } } }
    expect(eventsOf(bedrockConverse, [start, nameless])).toEqual([started])
  })
})

test('reasoning and citations are not said', () => {
  const delta = (value: unknown) => ({ contentBlockDelta: { contentBlockIndex: 0, delta: value } })
  expect(
    eventsOf(bedrockConverse, [
      start,
      delta({ reasoningContent: { text: 'hm' } }),
      delta({ citation: { title: 'x' } }),
    ]),
  ).toEqual([started])
})

test('text without any start of a message starts one', () => {
  expect(eventsOf(bedrockConverse, [words(0, 'hi')])).toEqual([started, { type: 'text-fragment', text: 'hi' }])
})

describe('errors', () => {
  test.each([
    'internalServerException',
    'modelStreamErrorException',
    'validationException',
    'throttlingException',
    'serviceUnavailableException',
  ])('%s ends the stream by its name, and nothing after it counts', (name) => {
    const exception = { [name]: { message: 'secret' } }
    expect(eventsOf(bedrockConverse, [start, exception, end('tool_use'), exception])).toEqual([
      started,
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: name } },
    ])
  })

  test('the next stream of the turn is read again, and keys go on', () => {
    const calling = toolUse(0, 'tooluse_1', 'add_task')
    const events = eventsOf(bedrockConverse, [start, calling, { throttlingException: {} }], [start, calling])
    expect(events.slice(3)).toEqual([started, { ...announced, key: 'call-2' }])
  })
})

test('a new message is one, even where its calls look the same', () => {
  const calling = toolUse(0, 'tooluse_1', 'add_task')
  expect(eventsOf(bedrockConverse, [start, calling, stop(0), end('tool_use'), start, calling])).toEqual([
    started,
    announced,
    finished,
    ended,
    started,
    { ...announced, key: 'call-2' },
  ])
})

test('tells events of the format from others', () => {
  const reader = bedrockConverse.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [start, toolUse(0, 'a', 'b'), { contentBlockDelta: {} }, stop(0), end('x'), metadata]) {
    expect(belongs(event)).toBe(true)
  }
  const unknown = { $unknown: ['event_of_tomorrow', {}] }
  for (const event of ['[DONE]', null, 1, [], {}, unknown, { messageStart: null }, { choices: [] }, { error: {} }]) {
    expect(belongs(event)).toBe(false)
  }
})

describe('the corpus', () => {
  const path = '../corpus/bedrock-converse/stream-exception-mid-arguments'
  const bytes = readFileSync(new URL(`${path}.ndjson`, import.meta.url))
  const file = readFileSync(new URL(`${path}.expect.json`, import.meta.url), 'utf8')
  const [tool] = (JSON.parse(file) as { readonly tools: readonly { readonly parameters: object }[] }).tools
  const tools = { write_file: { executor: 'local', ...fromJsonSchema(tool?.parameters ?? {}) } } as const
  const whole = eventsOfBytes(bedrockConverse, [bytes])

  test('an exception in mid-arguments: nothing is run', async () => {
    const { calls } = await replay({ adapter: bedrockConverse, tools, pieces: [bytes], ending: 'error' })
    expect(calls).toMatchObject([
      {
        id: 'tooluse_a',
        outcome: 'abandoned',
        cause: 'provider-error',
        detail: 'modelStreamErrorException',
        ran: 'no',
        label: 'write_file — not run (the service reported an error)',
        mayDispatch: false,
      },
    ])
  })

  test('the same byte by byte, and cut in two at any place', () => {
    expect(eventsOfBytes(bedrockConverse, cut(bytes, bytes.keys()))).toEqual(whole)
    for (const place of bytes.keys()) expect(eventsOfBytes(bedrockConverse, cut(bytes, [place]))).toEqual(whole)
  })
})

describe('whatever comes', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
  const word = or(fc.constantFrom('a', 'b', 'tool_use', 'error', ''))
  const index = or(fc.constantFrom(0, 1))
  const block = some({
    toolUse: some({ toolUseId: word, name: word, type: word }),
    toolResult: some({ toolUseId: word }),
  })
  const shaped = fc.oneof(
    fc.record({ messageStart: junk }),
    fc.record({ contentBlockStart: some({ contentBlockIndex: index, start: block }) }),
    fc.record({ contentBlockStart: some({ contentBlockIndex: index, start: block }) }),
    fc.record({
      contentBlockDelta: some({
        contentBlockIndex: index,
        delta: some({ text: word, toolUse: some({ input: word }) }),
      }),
    }),
    fc.record({ contentBlockStop: some({ contentBlockIndex: index }) }),
    fc.record({ messageStop: some({ stopReason: word }) }),
    fc.record({ throttlingException: junk }),
  )
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })
  const frames = fc.array(fc.oneof({ arbitrary: shaped, weight: 6 }, anything), { maxLength: 25 })

  test('it never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(frames, frames, (first, second) => {
        const events = eventsOf(bedrockConverse, first, second)
        const keys = new Set<string>()
        for (const event of events) {
          expect(STREAM_EVENT_TYPES).toContain(event.type)
          expect(Object.values(event)).not.toContain(undefined)
          if (event.type === 'call-announced') keys.add(event.key)
          else if ('key' in event) expect(keys).toContain(event.key)
        }
        const count = (type: string) => events.filter((event) => event.type === type).length
        expect(count('message-ended')).toBeLessThanOrEqual(count('message-started'))
        expect(count('stream-ended')).toBeLessThanOrEqual(2)
      }),
      { numRuns: 200 },
    )
  })
})
