import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cohereV2 } from '../../src/adapters/cohere-v2.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const start = { type: 'message-start', id: 'm1', delta: { message: { role: 'assistant', tool_calls: [] } } }
const callStart = (index: unknown, id: unknown, name: unknown, args: unknown = '') => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: args } } } },
})
const callDelta = (index: unknown, args: unknown) => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: args } } } },
})
const callEnd = (index: unknown) => ({ type: 'tool-call-end', index })
const end = (finish_reason: unknown, error?: unknown) => ({ type: 'message-end', delta: { finish_reason, error } })

const started = { type: 'message-started', messageId: 'm1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'add_1', name: 'add_task' }
const finished = { type: 'call-finished', key: 'call-1' }
const ended = { type: 'message-ended', reason: 'natural', rawReason: 'TOOL_CALL', finishesOpenCalls: false }

test('has the name and the speaker of a raw provider wire', () => {
  expect(cohereV2.format).toBe('cohere-v2')
  expect(cohereV2.speaker).toBe('model')
})

test('one call is announced, streamed, finished and ended', () => {
  expect(
    eventsOf(cohereV2, [
      start,
      callStart(0, 'add_1', 'add_task'),
      callDelta(0, '{"title":'),
      callDelta(0, ''),
      callDelta(0, '"A"}'),
      callEnd(0),
      end('TOOL_CALL'),
      '[DONE]',
    ]),
  ).toEqual([
    started,
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{"title":' },
    { type: 'call-fragment', key: 'call-1', text: '"A"}' },
    finished,
    ended,
  ])
})

test('what the SDK makes of it reads the same', () => {
  expect(
    eventsOf(cohereV2, [
      { type: 'message-start', id: 'm1', delta: { message: { role: 'assistant' } } },
      { type: 'tool-plan-delta', delta: { message: { toolPlan: 'I’ll add it.' } } },
      {
        type: 'tool-call-start',
        index: 0,
        delta: {
          message: { toolCalls: { id: 'add_1', type: 'function', function: { name: 'add_task', arguments: '' } } },
        },
      },
      { type: 'tool-call-delta', index: 0, delta: { message: { toolCalls: { function: { arguments: '{}' } } } } },
      callEnd(0),
      { type: 'message-end', delta: { finishReason: 'MAX_TOKENS' } },
    ]),
  ).toEqual([
    started,
    { type: 'text-fragment', text: 'I’ll add it.' },
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{}' },
    finished,
    { type: 'message-ended', reason: 'length', rawReason: 'MAX_TOKENS', finishesOpenCalls: false },
  ])
})

describe('the end of a message', () => {
  test.each([
    ['COMPLETE', 'natural'],
    ['STOP_SEQUENCE', 'natural'],
    ['TOOL_CALL', 'natural'],
    ['MAX_TOKENS', 'length'],
    ['ERROR', 'error'],
    ['TIMEOUT', 'error'],
    ['A_WORD_OF_TOMORROW', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends it as %s', (rawReason, reason) => {
    expect(eventsOf(cohereV2, [start, end(rawReason)])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test('beside an error no reason is a good one', () => {
    expect(eventsOf(cohereV2, [start, end('COMPLETE', 'secret')])).toEqual([
      started,
      { type: 'message-ended', reason: 'error', rawReason: 'COMPLETE', finishesOpenCalls: false },
    ])
  })

  test('without a reason there is none to give, whether it is said or only [DONE]', () => {
    const none = { type: 'message-ended', reason: null, finishesOpenCalls: false }
    expect(eventsOf(cohereV2, [start, { type: 'message-end' }])).toEqual([started, none])
    expect(eventsOf(cohereV2, [start, ' [DONE] '])).toEqual([started, none])
  })

  test('the first one counts, and after [DONE] nothing does', () => {
    expect(eventsOf(cohereV2, [start, end('MAX_TOKENS'), end('COMPLETE'), '[DONE]', start, '[DONE]'])).toEqual([
      started,
      { type: 'message-ended', reason: 'length', rawReason: 'MAX_TOKENS', finishesOpenCalls: false },
    ])
  })

  test('of no message ends nothing', () => {
    expect(eventsOf(cohereV2, [end('COMPLETE'), '[DONE]'])).toEqual([])
  })
})

describe('calls', () => {
  test('go by their index, which starts anew with each message', () => {
    expect(
      eventsOf(cohereV2, [
        start,
        callStart(0, 'add_1', 'add_task'),
        callStart(1, 'add_2', 'add_task'),
        callDelta(1, '{"b'),
        callDelta(0, '{"a'),
        callEnd(1),
        end('TOOL_CALL'),
        start,
        callStart(0, 'add_1', 'add_task'),
        callEnd(1),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-announced', key: 'call-2', callId: 'add_2', name: 'add_task' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-finished', key: 'call-2' },
      ended,
      started,
      { ...announced, key: 'call-3' },
    ])
  })

  test('may carry arguments from the start', () => {
    expect(eventsOf(cohereV2, [start, callStart(0, 'add_1', 'add_task', '{"a"'), callDelta(0, ':1}')])).toEqual([
      started,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a"' },
      { type: 'call-fragment', key: 'call-1', text: ':1}' },
    ])
  })

  test('started again with the same id begin anew; with another id, or when finished without one, they are new', () => {
    expect(
      eventsOf(cohereV2, [
        start,
        callStart(0, 'add_1', 'add_task'),
        callStart(0, 'add_1', 'add_task'),
        callStart(0, 'add_2', 'add_task'),
        callStart(1, '', 'add_task'),
        callStart(1, '', 'add_task'),
        callEnd(1),
        callEnd(1),
        callStart(1, '', 'add_task'),
      ]),
    ).toEqual([
      started,
      announced,
      announced,
      { type: 'call-announced', key: 'call-2', callId: 'add_2', name: 'add_task' },
      { type: 'call-announced', key: 'call-3', name: 'add_task' },
      { type: 'call-announced', key: 'call-3', name: 'add_task' },
      { type: 'call-finished', key: 'call-3' },
      { type: 'call-announced', key: 'call-4', name: 'add_task' },
    ])
  })

  test('fragments and ends of no call say nothing', () => {
    expect(eventsOf(cohereV2, [start, callDelta(0, '{}'), callEnd(0), callDelta(undefined, '{}')])).toEqual([started])
  })

  test('a gateway that leaves ids, indexes and the message’s start out gets a call all the same', () => {
    expect(
      eventsOf(cohereV2, [
        callStart(undefined, null, 'add_task'),
        callDelta(undefined, '{}'),
        callEnd(undefined),
        end('TOOL_CALL'),
      ]),
    ).toEqual([
      { type: 'message-started' },
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      finished,
      ended,
    ])
  })
})

describe('text', () => {
  const content = (type: string, value: unknown) => ({ type, index: 0, delta: { message: { content: value } } })

  test('is the plan and the content, but no thought and no citation', () => {
    expect(
      eventsOf(cohereV2, [
        start,
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I’ll look.' } } },
        content('content-start', { type: 'text', text: '' }),
        content('content-delta', { text: 'Done' }),
        { type: 'content-end', index: 0 },
        content('content-start', { type: 'thinking', thinking: 'hm' }),
        content('content-delta', { thinking: 'hm' }),
        { type: 'citation-start', index: 0, delta: { message: { citations: { text: 'no' } } } },
        { type: 'citation-end', index: 0 },
        { type: 'debug', prompt: 'no' },
      ]),
    ).toEqual([started, { type: 'text-fragment', text: 'I’ll look.' }, { type: 'text-fragment', text: 'Done' }])
  })

  test('without any start of a message starts one', () => {
    expect(eventsOf(cohereV2, [content('content-delta', { text: 'hi' })])).toEqual([
      { type: 'message-started' },
      { type: 'text-fragment', text: 'hi' },
    ])
  })
})

describe('errors', () => {
  test('an error ends the stream by its type, and nothing after it counts', () => {
    const error = { error: { type: 'overloaded', message: 'secret' } }
    expect(eventsOf(cohereV2, [start, error, end('COMPLETE'), '[DONE]', error])).toEqual([
      started,
      {
        type: 'stream-ended',
        ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded' },
      },
    ])
  })

  test('the next stream of the turn is read again, and keys go on', () => {
    const first = callStart(0, 'add_1', 'add_task')
    expect(eventsOf(cohereV2, [start, first, { type: 'error' }], [start, first])).toEqual([
      started,
      announced,
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model' } },
      started,
      { ...announced, key: 'call-2' },
    ])
  })
})

test('tells events of the format from others', () => {
  const reader = cohereV2.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [start, callStart(0, 'a', 'b'), callDelta(0, 1), callEnd(0), end('x'), { type: 'debug' }]) {
    expect(belongs(event)).toBe(true)
  }
  for (const event of ['x', null, 1, [], {}, { type: 'message_start' }, { type: 7 }, { choices: [] }]) {
    expect(belongs(event)).toBe(false)
  }
  expect(belongs('[DONE]')).toBe(true)
})

describe('the corpus', () => {
  const bytes = readFileSync(new URL('../corpus/cohere-v2/max-tokens-after-end.sse', import.meta.url))
  const file = readFileSync(new URL('../corpus/cohere-v2/max-tokens-after-end.expect.json', import.meta.url), 'utf8')
  const [tool] = (JSON.parse(file) as { readonly tools: readonly { readonly parameters: object }[] }).tools
  const tools = { create_ticket: { executor: 'local', ...fromJsonSchema(tool?.parameters ?? {}) } } as const
  const whole = eventsOfBytes(cohereV2, [bytes])

  test('max-tokens after the end of a call: it was cut short, whatever its end said', async () => {
    const { calls } = await replay({ adapter: cohereV2, tools, pieces: [bytes] })
    expect(calls).toMatchObject([
      {
        id: 'create_ticket_k1',
        outcome: 'truncated',
        cause: 'truncated',
        detail: 'max-tokens',
        ran: 'no',
        label: 'create_ticket — not run (the request was cut short)',
        mayDispatch: false,
      },
    ])
  })

  test('the same byte by byte, and cut in two at any place', () => {
    expect(eventsOfBytes(cohereV2, cut(bytes, bytes.keys()))).toEqual(whole)
    for (const place of bytes.keys()) expect(eventsOfBytes(cohereV2, cut(bytes, [place]))).toEqual(whole)
  })
})

describe('whatever comes', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
  const word = or(fc.constantFrom('a', 'b', 'COMPLETE', ''))
  const part = some({ id: word, function: some({ name: word, arguments: word }) })
  const names = 'message-start content-start content-delta tool-plan-delta message-end debug error'.split(' ')
  const calling = 'tool-call-start tool-call-delta tool-call-end'.split(' ')
  const message = some({ content: some({ text: word }), tool_plan: word, tool_calls: part, toolCalls: part })
  const shaped = some({
    type: or(fc.constantFrom(...names, ...calling, ...calling, ...calling)),
    id: word,
    index: or(fc.constantFrom(0, 1)),
    delta: some({ message, finish_reason: word, finishReason: word }),
  })
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })
  const frames = fc.array(fc.oneof({ arbitrary: shaped, weight: 6 }, fc.constant('[DONE]'), anything), {
    maxLength: 25,
  })

  test('it never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(frames, frames, (first, second) => {
        const events = eventsOf(cohereV2, first, second)
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
