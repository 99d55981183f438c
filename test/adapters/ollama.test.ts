import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { ChatResponse, Message, ToolCall } from 'ollama'
import { describe, expect, test } from 'vitest'
import { ollama } from '../../src/adapters/ollama.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

// Lines as the official client types them, without what is never read.
const line = (message: Partial<Message>, rest: Partial<ChatResponse> = {}) =>
  ({
    model: 'm',
    message: { role: 'assistant', content: '', ...message },
    done: false,
    ...rest,
  }) satisfies Partial<ChatResponse>
const call = (name: string, args: ToolCall['function']['arguments']): ToolCall => ({
  function: { name, arguments: args },
})
const done = (done_reason: string) => line({}, { done: true, done_reason })

const started = { type: 'message-started' }
const ended = { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: false }

test('has the name and the speaker of a raw provider wire', () => {
  expect(ollama.format).toBe('ollama')
  expect(ollama.speaker).toBe('model')
})

test('text, then a call, whole and finished by its own line, then the end', () => {
  const calling = line({ tool_calls: [call('add_task', { title: 'A', tags: [1, null] })] })
  expect(eventsOf(ollama, [line({ content: 'I’ll ' }), line({ content: 'do it' }), calling, done('stop')])).toEqual([
    started,
    { type: 'text-fragment', text: 'I’ll ' },
    { type: 'text-fragment', text: 'do it' },
    { type: 'call-announced', key: 'call-1', name: 'add_task' },
    { type: 'call-snapshot', key: 'call-1', value: { title: 'A', tags: [1, null] } },
    { type: 'call-finished', key: 'call-1' },
    ended,
  ])
})

describe('calls', () => {
  test('two calls of one tool are two, in one line or in two', () => {
    const both = [call('get_weather', { city: 'Amsterdam' }), call('get_weather', { city: 'Paris' })]
    const events = [
      started,
      { type: 'call-announced', key: 'call-1', name: 'get_weather' },
      { type: 'call-snapshot', key: 'call-1', value: { city: 'Amsterdam' } },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2', name: 'get_weather' },
      { type: 'call-snapshot', key: 'call-2', value: { city: 'Paris' } },
      { type: 'call-finished', key: 'call-2' },
      ended,
    ]
    expect(eventsOf(ollama, [line({ tool_calls: both }), done('stop')])).toEqual(events)
    expect(eventsOf(ollama, [...both.map((one) => line({ tool_calls: [one] })), done('stop')])).toEqual(events)
  })

  test('a call may stand in the last line', () => {
    const last = line({ tool_calls: [call('add_task', {})] }, { done: true, done_reason: 'stop' })
    expect(eventsOf(ollama, [last])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      { type: 'call-finished', key: 'call-1' },
      ended,
    ])
  })

  test('newer servers give ids; an equal one does not make two calls one', () => {
    const withId = { id: 'call_1', function: { index: 0, name: 'add_task', arguments: { title: 'A' } } }
    expect(eventsOf(ollama, [line({ tool_calls: [withId, withId] })])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'call_1', name: 'add_task' },
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2', callId: 'call_1', name: 'add_task' },
      { type: 'call-snapshot', key: 'call-2', value: { title: 'A' } },
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('arguments that are not there say nothing; of a wrong type they do not pass for none', () => {
    const odd = (value: unknown) => ({ message: { tool_calls: [{ function: { name: 'a', arguments: value } }] } })
    const whole = [
      { type: 'call-announced', key: 'call-1', name: 'a' },
      { type: 'call-finished', key: 'call-1' },
    ]
    expect(eventsOf(ollama, [odd(undefined)])).toEqual([started, ...whole])
    expect(eventsOf(ollama, [odd(null)])).toEqual([started, ...whole])
    expect(eventsOf(ollama, [odd('{}')])).toContainEqual({ type: 'call-snapshot', key: 'call-1', value: '{}' })
    expect(eventsOf(ollama, [odd([])])).toContainEqual({ type: 'call-snapshot', key: 'call-1', value: [] })
  })

  test('a call without a name or a function is announced all the same', () => {
    expect(eventsOf(ollama, [{ message: { tool_calls: [{}, { function: { name: '' } }, null, 'x'] } }])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1' },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2' },
      { type: 'call-finished', key: 'call-2' },
    ])
  })
})

describe('the end of a message', () => {
  test.each([
    ['stop', 'natural'],
    ['length', 'length'],
    ['load', 'unknown'],
    ['unload', 'unknown'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends it as %s', (rawReason, reason) => {
    expect(eventsOf(ollama, [done(rawReason)])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test('done without a reason has none to give', () => {
    expect(eventsOf(ollama, [line({}, { done: true }), line({}, { done: true, done_reason: 'stop' })])).toEqual([
      started,
      { type: 'message-ended', reason: null, finishesOpenCalls: false },
    ])
  })

  test('a call after it belongs to the message that has ended', () => {
    expect(eventsOf(ollama, [done('stop'), line({ tool_calls: [call('a', {})] }), done('stop')])).toEqual([
      started,
      ended,
      { type: 'call-announced', key: 'call-1', name: 'a' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('the next stream of the turn is the next message, and keys go on', () => {
    const calling = line({ tool_calls: [call('a', {})] })
    const keys = eventsOf(ollama, [calling, done('stop')], [calling]).flatMap((event) =>
      event.type === 'call-announced' ? event.key : event.type === 'message-started' ? 'message' : [],
    )
    expect(keys).toEqual(['message', 'call-1', 'message', 'call-2'])
  })
})

test('thoughts are not said', () => {
  expect(eventsOf(ollama, [line({ thinking: 'hm' })])).toEqual([started])
})

describe('errors', () => {
  const lost = { type: 'lost', how: 'provider-error', speaker: 'model' }

  test('a line with an error ends the stream, without its words, and nothing after it counts', () => {
    const calling = line({ tool_calls: [call('a', {})] })
    expect(eventsOf(ollama, [line({}), { error: 'secret' }, calling, done('stop'), { error: 'again' }])).toEqual([
      started,
      { type: 'stream-ended', ending: lost },
    ])
  })

  test('a gateway’s error object gives its type', () => {
    expect(eventsOf(ollama, [{ error: { type: 'overloaded', message: 'secret' } }])).toEqual([
      { type: 'stream-ended', ending: { ...lost, detail: 'overloaded' } },
    ])
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(ollama, [{ error: 'x' }], [line({})])).toEqual([{ type: 'stream-ended', ending: lost }, started])
  })
})

test('tells events of the format from others', () => {
  const reader = ollama.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [line({}), done('stop'), { done: false }, { message: {} }, { error: 'x' }]) {
    expect(belongs(event)).toBe(true)
  }
  for (const event of ['[DONE]', null, 1, [], {}, { error: null }, { message: 'x' }, { done: 'x' }, { choices: [] }]) {
    expect(belongs(event)).toBe(false)
  }
})

describe('the corpus', () => {
  const bytes = readFileSync(new URL('../corpus/ollama/two-chunks-no-ids.ndjson', import.meta.url))
  const file = readFileSync(new URL('../corpus/ollama/two-chunks-no-ids.expect.json', import.meta.url), 'utf8')
  const [tool] = (JSON.parse(file) as { readonly tools: readonly { readonly parameters: object }[] }).tools
  const tools = { get_weather: { executor: 'local', ...fromJsonSchema(tool?.parameters ?? {}) } } as const
  const whole = eventsOfBytes(ollama, [bytes])

  test('two chunks without ids: both calls may run, each with its own arguments', async () => {
    const { calls } = await replay({ adapter: ollama, tools, pieces: [bytes] })
    expect(calls).toMatchObject([
      {
        id: 'kit-call-1',
        name: 'get_weather',
        outcome: 'dispatchable',
        mayDispatch: true,
        args: { city: 'Amsterdam' },
      },
      { id: 'kit-call-2', name: 'get_weather', outcome: 'dispatchable', mayDispatch: true, args: { city: 'Paris' } },
    ])
  })

  test('the same byte by byte, and cut in two at any place', () => {
    expect(eventsOfBytes(ollama, cut(bytes, bytes.keys()))).toEqual(whole)
    for (const place of bytes.keys()) expect(eventsOfBytes(ollama, cut(bytes, [place]))).toEqual(whole)
  })

  test('without its last line nothing may run', async () => {
    const pieces = [bytes.subarray(0, bytes.indexOf('{"model":"m"', bytes.indexOf('Paris')))]
    const { calls } = await replay({ adapter: ollama, tools, pieces })
    expect(calls.map(({ label, mayDispatch }) => [label, mayDispatch])).toEqual([
      ['get_weather — not run (the response ended early)', false],
      ['get_weather — not run (the response ended early)', false],
    ])
  })
})

describe('whatever comes', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
  const word = or(fc.constantFrom('a', 'b', 'stop', 'length'))
  const shaped = some({
    message: some({
      content: word,
      tool_calls: or(fc.array(some({ id: word, function: some({ name: word, arguments: junk }) }), { maxLength: 3 })),
    }),
    done: or(fc.constantFrom(false, false, true)),
    done_reason: word,
    error: fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, { arbitrary: junk, weight: 1 }),
  })
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })
  const frames = fc.array(fc.oneof({ arbitrary: shaped, weight: 6 }, anything), { maxLength: 25 })

  test('it never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(frames, frames, (first, second) => {
        const events = eventsOf(ollama, first, second)
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
