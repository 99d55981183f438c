import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mistral } from '../../src/adapters/mistral.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const chunk = (delta: object, finish_reason: unknown = null, id: unknown = 'cmpl-1') => ({
  id,
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (id: unknown, name: unknown, args: unknown, index: unknown = 0) => ({
  id,
  function: { name, arguments: args },
  index,
})
const calls = (...tool_calls: readonly object[]) => chunk({ tool_calls })
const end = (reason: unknown) => chunk({ content: '' }, reason)

const started = { type: 'message-started', messageId: 'cmpl-1' }
const ended = { type: 'message-ended', reason: 'natural', rawReason: 'tool_calls', finishesOpenCalls: true }

test('has the name and the speaker of a raw provider wire', () => {
  expect(mistral.format).toBe('mistral')
  expect(mistral.speaker).toBe('model')
})

describe('chat', () => {
  test('whole calls beside the finish reason, with arguments as text or as an object', () => {
    const last = chunk(
      { content: '', tool_calls: [call('a', 'add_task', '{"title":"A"}'), call('b', 'search', { query: 'x' }, 1)] },
      'tool_calls',
    )
    expect(eventsOf(mistral, [chunk({ role: 'assistant', content: 'I’ll do it' }), last, '[DONE]'])).toEqual([
      started,
      { type: 'text-fragment', text: 'I’ll do it' },
      { type: 'call-announced', key: 'call-1', callId: 'a', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{"title":"A"}' },
      { type: 'call-announced', key: 'call-2', callId: 'b', name: 'search' },
      { type: 'call-snapshot', key: 'call-2', value: { query: 'x' } },
      ended,
    ])
  })

  test('what the SDK makes of it reads the same', () => {
    const data = {
      id: 'cmpl-1',
      model: 'm',
      choices: [{ index: 0, delta: { toolCalls: [call('a', 'add_task', '{}')] }, finishReason: 'tool_calls' }],
    }
    expect(eventsOf(mistral, [{ data }])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'a', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      ended,
    ])
  })

  test('fragments go by id, else by index, else to the last call', () => {
    expect(
      eventsOf(mistral, [
        calls(call('a', 'add_task', '{"a"'), call('b', 'add_task', '{"b"', 1)),
        calls(call('a', 'add_task', ':1', 5)),
        calls(call('null', '', ':2', 1)),
        calls({ function: { arguments: '}' } }),
        calls(call(undefined, undefined, '}')),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'a', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{"a"' },
      { type: 'call-announced', key: 'call-2', callId: 'b', name: 'add_task' },
      { type: 'call-fragment', key: 'call-2', text: '{"b"' },
      { type: 'call-fragment', key: 'call-1', text: ':1' },
      { type: 'call-fragment', key: 'call-2', text: ':2' },
      { type: 'call-fragment', key: 'call-2', text: '}' },
      { type: 'call-fragment', key: 'call-1', text: '}' },
    ])
  })

  test('the SDK’s "null" is no id and its 0 no index: a name begins a call, in one chunk or in two', () => {
    const both = [call('null', 'add_task', { title: 'A' }), call('null', 'add_task', { title: 'B' })]
    const events = [
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      { type: 'call-announced', key: 'call-2', name: 'add_task' },
      { type: 'call-snapshot', key: 'call-2', value: { title: 'B' } },
    ]
    expect(eventsOf(mistral, [calls(...both)])).toEqual(events)
    expect(
      eventsOf(
        mistral,
        both.map((one) => calls(one)),
      ),
    ).toEqual(events)
  })

  test('an empty part is no call; a part of no known call is one', () => {
    expect(
      eventsOf(mistral, [calls({}, call('', '', ''), call(null, null, null)), calls(call('', '', '{}', 3))]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
    ])
  })

  test('of a wrong type, arguments do not pass for none', () => {
    expect(eventsOf(mistral, [calls(call('a', 'add_task', 7))])).toContainEqual({
      type: 'call-snapshot',
      key: 'call-1',
      value: 7,
    })
  })

  test('text is that of all pieces, but no thought and no reference', () => {
    const pieces = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'I’ll ' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'look' },
    ]
    expect(eventsOf(mistral, [chunk({ content: pieces }), chunk({ content: null })])).toEqual([
      started,
      { type: 'text-fragment', text: 'I’ll look' },
    ])
  })

  test.each([
    ['stop', 'natural'],
    ['tool_calls', 'natural'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['error', 'error'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends a message as %s', (rawReason, reason) => {
    expect(eventsOf(mistral, [end(rawReason), end('stop'), '[DONE]'])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: true },
    ])
  })

  test('[DONE] ends a message that no reason has ended, and what comes after it is noise', () => {
    expect(eventsOf(mistral, [chunk({ content: 'hi' }), '[DONE] ', chunk({ content: 'no' }), '[DONE]'])).toEqual([
      started,
      { type: 'text-fragment', text: 'hi' },
      { type: 'message-ended', reason: null, finishesOpenCalls: true },
    ])
  })

  test('the next response, in the same stream or in another, is a new message with calls of its own', () => {
    const first = calls(call('a', 'add_task', '{}'))
    const next = chunk({ tool_calls: [call('a', 'add_task', '{}')] }, null, 'cmpl-2')
    const keysOf = (...streams: readonly (readonly unknown[])[]) =>
      eventsOf(mistral, ...streams).flatMap((event) => (event.type === 'call-announced' ? event.key : []))
    expect(keysOf([first, end('tool_calls'), next])).toEqual(['call-1', 'call-2'])
    expect(keysOf([first], [first])).toEqual(['call-1', 'call-2'])
    expect(keysOf([first, end('tool_calls'), first])).toEqual(['call-1'])
  })

  test('of several choices the reply is the first', () => {
    const second = {
      index: 1,
      delta: { content: 'no', tool_calls: [call('a', 'add_task', '{}')] },
      finish_reason: 'stop',
    }
    expect(eventsOf(mistral, [{ id: 'cmpl-1', choices: [second, { index: 0, delta: { content: 'yes' } }] }])).toEqual([
      started,
      { type: 'text-fragment', text: 'yes' },
    ])
  })

  test('a chunk without choices says nothing', () => {
    expect(eventsOf(mistral, [{ id: 'cmpl-1', choices: [], usage: {} }])).toEqual([])
  })
})

describe('conversations', () => {
  const begin = { type: 'conversation.response.started', conversation_id: 'conv_1' }
  const done = { type: 'conversation.response.done', usage: {} }
  const fragment = (args: string, rest: object = {}) => ({
    type: 'function.call.delta',
    id: 'fc_1',
    tool_call_id: 'a',
    name: 'add_task',
    output_index: 0,
    arguments: args,
    ...rest,
  })
  const message = { type: 'message-started' }
  const announced = { type: 'call-announced', key: 'call-1', callId: 'a', name: 'add_task' }
  const byProvider = { ...announced, executor: 'provider' }
  const over = { type: 'message-ended', reason: null, finishesOpenCalls: true }

  test('text, then a function, whose end is that of the response', () => {
    const words = (content: unknown) => ({ type: 'message.output.delta', id: 'msg_1', role: 'assistant', content })
    expect(
      eventsOf(mistral, [
        begin,
        words('I’ll '),
        words({ type: 'text', text: 'do it' }),
        words({ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }),
        fragment('{"title":'),
        fragment('"A"}'),
        done,
        '[DONE]',
      ]),
    ).toEqual([
      message,
      { type: 'text-fragment', text: 'I’ll ' },
      { type: 'text-fragment', text: 'do it' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"title":' },
      { type: 'call-fragment', key: 'call-1', text: '"A"}' },
      over,
    ])
  })

  test('what the SDK makes of it reads the same', () => {
    const data = { type: 'function.call.delta', id: 'fc_1', toolCallId: 'a', name: 'add_task', arguments: '{}' }
    const status = { data: { ...data, confirmationStatus: 'pending' } }
    expect(eventsOf(mistral, [{ event: begin.type, data: begin }, { event: data.type, data }, status])).toEqual([
      message,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'approval-requested', key: 'call-1', approvalId: 'a' },
    ])
  })

  test('two functions at once go by their ids', () => {
    const other = fragment('{"b', { tool_call_id: 'b', name: 'search' })
    expect(eventsOf(mistral, [begin, fragment('{"a'), other, fragment('"')])).toEqual([
      message,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-announced', key: 'call-2', callId: 'b', name: 'search' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-fragment', key: 'call-1', text: '"' },
    ])
  })

  test('a function that asks for a confirmation is run by Mistral; it is asked for once and answered once', () => {
    const status = (confirmation_status: unknown, args = '') => fragment(args, { confirmation_status })
    const asked = { type: 'approval-requested', key: 'call-1', approvalId: 'a' }
    const answered = (granted: boolean) => ({ type: 'approval-answered', key: 'call-1', granted, by: 'person' })
    expect(
      eventsOf(mistral, [begin, status('pending', '{}'), status('pending'), status('allowed'), status('allowed')]),
    ).toEqual([message, byProvider, { type: 'call-fragment', key: 'call-1', text: '{}' }, asked, answered(true)])
    expect(eventsOf(mistral, [begin, status('denied'), status('denied')])).toEqual([
      message,
      byProvider,
      asked,
      answered(false),
    ])
    expect(eventsOf(mistral, [begin, status('allowed')])).toEqual([message, byProvider])
    expect(eventsOf(mistral, [begin, status('of_tomorrow')])).toEqual([message, byProvider])
    expect(eventsOf(mistral, [begin, status(null)])).toEqual([message, announced])
  })

  test('what waits for a confirmation goes on in the next stream, what does not is forgotten', () => {
    const waiting = fragment('{}', { confirmation_status: 'pending' })
    const other = fragment('{}', { tool_call_id: 'b' })
    const allowed = fragment('', { confirmation_status: 'allowed' })
    expect(eventsOf(mistral, [begin, waiting, other, done], [begin, allowed, other]).slice(6)).toEqual([
      over,
      message,
      { type: 'approval-answered', key: 'call-1', granted: true, by: 'person' },
      { ...announced, key: 'call-3', callId: 'b' },
      { type: 'call-fragment', key: 'call-3', text: '{}' },
    ])
  })

  test('tools that Mistral runs are announced with their start, get on and return', () => {
    const execution = (event: string, rest: object = {}) => ({
      type: `tool.execution.${event}`,
      id: 'exec_1',
      name: 'web_search',
      output_index: 0,
      ...rest,
    })
    const search = {
      type: 'call-announced',
      key: 'call-1',
      callId: 'exec_1',
      name: 'web_search',
      executor: 'provider',
    }
    expect(
      eventsOf(mistral, [
        begin,
        execution('started', { arguments: '{"query":"x"}' }),
        execution('delta', { arguments: '' }),
        execution('done', { info: { found: 1 } }),
        done,
      ]),
    ).toEqual([
      message,
      search,
      { type: 'call-fragment', key: 'call-1', text: '{"query":"x"}' },
      { type: 'call-dispatched', key: 'call-1' },
      { type: 'call-progress', key: 'call-1' },
      { type: 'call-returned', key: 'call-1', ok: true, value: { found: 1 } },
      over,
    ])
    expect(eventsOf(mistral, [execution('done')])).toEqual([
      message,
      search,
      { type: 'call-returned', key: 'call-1', ok: true },
    ])
  })

  test('a handoff between agents says nothing', () => {
    expect(eventsOf(mistral, [{ type: 'agent.handoff.started' }, { type: 'agent.handoff.done' }])).toEqual([])
  })

  test('an end of no response ends nothing', () => {
    expect(eventsOf(mistral, [done])).toEqual([])
  })
})

describe('errors', () => {
  const lost = { type: 'lost', how: 'provider-error', speaker: 'model' }

  test.each([
    [{ type: 'conversation.response.error', message: 'secret', code: 3000 }, '3000'],
    [{ object: 'error', message: 'secret', type: 'rate_limited', code: null }, 'rate_limited'],
    [{ error: { message: 'secret', code: 'overloaded' } }, 'overloaded'],
  ])('%o ends the stream, and nothing after it counts', (error, detail) => {
    expect(eventsOf(mistral, [chunk({}), error, end('stop'), '[DONE]', error])).toEqual([
      started,
      { type: 'stream-ended', ending: { ...lost, detail } },
    ])
  })

  test('an error that is only words gives none of them away', () => {
    expect(eventsOf(mistral, [{ error: 'secret' }])).toEqual([{ type: 'stream-ended', ending: lost }])
  })

  test('what comes after an error is not remembered either', () => {
    const muted = { type: 'function.call.delta', tool_call_id: 'a', confirmation_status: 'pending' }
    expect(eventsOf(mistral, [{ error: {} }, muted], [calls(call('a', 'add_task', '{}'))]).slice(1)).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'a', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
    ])
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(mistral, [{ error: {} }], [chunk({})])).toEqual([{ type: 'stream-ended', ending: lost }, started])
  })
})

test('tells events of the format from others', () => {
  const reader = mistral.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [chunk({}), { choices: [] }, { data: chunk({}) }, { type: 'agent.handoff.done' }, '[DONE]']) {
    expect(belongs(event)).toBe(true)
  }
  reader.open()
  for (const event of ['x', null, 1, [], {}, { data: 'x' }, { type: 'UNKNOWN' }, { type: 7 }, { error: null }]) {
    expect(belongs(event)).toBe(false)
  }
})

describe('the corpus', () => {
  const path = '../corpus/mistral/whole-calls-in-last-chunk'
  const bytes = readFileSync(new URL(`${path}.sse`, import.meta.url))
  const file = readFileSync(new URL(`${path}.expect.json`, import.meta.url), 'utf8')
  const declared = (
    JSON.parse(file) as { readonly tools: readonly { readonly name: string; readonly parameters: object }[] }
  ).tools
  const tools = Object.fromEntries(
    declared.map(({ name, parameters }) => [name, { executor: 'local' as const, ...fromJsonSchema(parameters) }]),
  )
  const whole = eventsOfBytes(mistral, [bytes])

  test('whole calls in the last chunk: both may run, the one with the id "null" under a minted one', async () => {
    const { calls: replayed } = await replay({ adapter: mistral, tools, pieces: [bytes] })
    expect(replayed).toMatchObject([
      { id: 'Kq3xT9aBc', name: 'get_weather', outcome: 'dispatchable', mayDispatch: true, args: { city: 'Berlin' } },
      { id: 'kit-call-1', name: 'list_open_tickets', outcome: 'dispatchable', mayDispatch: true, args: {} },
    ])
  })

  test('the same byte by byte, and cut in two at any place', () => {
    expect(eventsOfBytes(mistral, cut(bytes, bytes.keys()))).toEqual(whole)
    for (const place of bytes.keys()) expect(eventsOfBytes(mistral, cut(bytes, [place]))).toEqual(whole)
  })
})

describe('whatever comes', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
  const word = or(fc.constantFrom('a', 'b', 'stop', 'pending', 'allowed', 'denied', ''))
  const part = some({ id: word, index: or(fc.constantFrom(0, 1)), function: some({ name: word, arguments: word }) })
  const parts = or(fc.array(part, { maxLength: 3 }))
  const choice = some({
    index: or(fc.constant(0)),
    delta: some({ content: word, tool_calls: parts, toolCalls: parts }),
    finish_reason: or(fc.constantFrom(null, null, 'stop')),
  })
  const names = 'response.started response.done response.error'.split(' ').map((name) => `conversation.${name}`)
  const executions = ['started', 'delta', 'done'].map((name) => `tool.execution.${name}`)
  const shaped = fc.oneof(
    some({ id: word, choices: or(fc.array(choice, { maxLength: 2 })) }),
    some({
      type: or(fc.constantFrom(...names, ...executions, 'function.call.delta', 'message.output.delta')),
      id: word,
      tool_call_id: word,
      name: word,
      arguments: word,
      content: word,
      confirmation_status: word,
    }),
  )
  const wrapped = fc.oneof(shaped, fc.record({ data: shaped }))
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })
  const frames = fc.array(
    fc.oneof({ arbitrary: wrapped, weight: 12 }, fc.constant('[DONE]'), { arbitrary: anything, weight: 2 }),
    { maxLength: 25 },
  )

  test('it never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(frames, frames, (first, second) => {
        const events = eventsOf(mistral, first, second)
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
