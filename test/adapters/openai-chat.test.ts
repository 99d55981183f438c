import { describe, expect, test } from 'vitest'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { eventsOf } from './events-of.ts'

/** A chunk of choice 0. */
const chunk = (delta: unknown, finish_reason: unknown = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})
/** A chunk with parts of calls in choice 0. */
const calls = (...tool_calls: readonly unknown[]) => chunk({ tool_calls })
const DONE = '[DONE]'

const message = 'message-1'
const started = { type: 'message-started', messageId: 'chatcmpl-1', message }
const announced = (key: string, callId?: string, name?: string) => ({
  type: 'call-announced',
  key,
  ...(callId === undefined ? {} : { callId }),
  ...(name === undefined ? {} : { name }),
  message,
})
const fragment = (key: string, text: string) => ({ type: 'call-fragment', key, text })
const ended = (reason: string | null, rawReason?: string) => ({
  type: 'message-ended',
  reason,
  ...(rawReason === undefined ? {} : { rawReason }),
  finishesOpenCalls: true,
  message,
})
const lost = (detail?: string) => ({
  type: 'stream-ended',
  ending: { type: 'lost', how: 'provider-error', speaker: 'model', ...(detail === undefined ? {} : { detail }) },
})

test('has the name and the speaker of a raw provider wire', () => {
  expect(openaiChat.format).toBe('openai-chat')
  expect(openaiChat.speaker).toBe('model')
})

test('one call is announced, streamed and ended together with its message', () => {
  expect(
    eventsOf(openaiChat, [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'I’ll do it.' }),
      calls({ index: 0, id: 'call_1', type: 'function', function: { name: 'add_task', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"a":' } }),
      calls({ index: 0, function: { arguments: '1}' } }),
      chunk({}, 'tool_calls'),
      { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage: {} },
      DONE,
    ]),
  ).toEqual([
    started,
    { type: 'text-fragment', text: 'I’ll do it.', message },
    announced('call-1', 'call_1', 'add_task'),
    fragment('call-1', '{"a":'),
    fragment('call-1', '1}'),
    ended('natural', 'tool_calls'),
  ])
})

describe('the end of a message', () => {
  test.each([
    ['stop', 'natural'],
    ['tool_calls', 'natural'],
    ['function_call', 'natural'],
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['error', 'error'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
  ])('finish reason %s means %s', (rawReason, reason) => {
    expect(eventsOf(openaiChat, [chunk({}, rawReason)])).toEqual([started, ended(reason, rawReason)])
  })

  test('"stop" beside calls is a natural end', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{}' } }),
        chunk({}, 'stop'),
        DONE,
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{}'), ended('natural', 'stop')])
  })

  test('[DONE] ends what no finish reason ended, without a reason', () => {
    expect(eventsOf(openaiChat, [chunk({ content: '' }), chunk({}, ''), DONE])).toEqual([started, ended(null)])
  })

  test('a finish reason without [DONE] is the end', () => {
    expect(eventsOf(openaiChat, [chunk({}, 'content_filter')])).toEqual([started, ended('filter', 'content_filter')])
  })

  test('without either, nothing says that the message ended', () => {
    expect(eventsOf(openaiChat, [chunk({ content: '' })])).toEqual([started])
  })

  test('[DONE] alone starts and ends no message', () => {
    expect(eventsOf(openaiChat, [DONE])).toEqual([])
  })

  test('"tool_calls" without calls is a message without calls', () => {
    expect(eventsOf(openaiChat, [chunk({}, 'tool_calls'), DONE])).toEqual([started, ended('natural', 'tool_calls')])
  })

  test('the first finish reason counts', () => {
    expect(eventsOf(openaiChat, [chunk({}, 'length'), chunk({}, 'stop'), DONE])).toEqual([
      started,
      ended('length', 'length'),
    ])
  })

  test('a call that comes after the finish reason is announced all the same', () => {
    expect(
      eventsOf(openaiChat, [
        chunk({}, 'stop'),
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{}' } }),
        DONE,
      ]),
    ).toEqual([started, ended('natural', 'stop'), announced('call-1', 'a', 't'), fragment('call-1', '{}')])
  })

  test('after [DONE] all is noise, until the next stream of the turn, whose keys go on', () => {
    const call = calls({ index: 0, id: 'a', function: { name: 't', arguments: '' } })
    expect(
      eventsOf(openaiChat, [call, DONE, call, chunk({ content: 'x' }), { error: { code: 1 } }, DONE], [call]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      ended(null),
      { ...started, message: 'message-2' },
      { ...announced('call-2', 'a', 't'), message: 'message-2' },
    ])
  })
})

describe('identity', () => {
  test('parallel calls that all have index 0 are told apart by their ids', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{"x":1}' } }),
        calls({ index: 0, id: 'b', function: { name: 't', arguments: '{"x"' } }),
        calls({ index: 0, function: { arguments: ':2}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{"x":1}'),
      announced('call-2', 'b', 't'),
      fragment('call-2', '{"x"'),
      fragment('call-2', ':2}'),
    ])
  })

  test('without an index an id tells the call, else the last one goes on', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ id: 'a', function: { name: 't', arguments: '{' } }),
        calls({ id: 'b', function: { name: 'u', arguments: '[' } }),
        calls({ function: { arguments: ']' } }),
        calls({ id: 'a', function: { arguments: '}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{'),
      announced('call-2', 'b', 'u'),
      fragment('call-2', '['),
      fragment('call-2', ']'),
      fragment('call-1', '}'),
    ])
  })

  test('every event being tool_calls[0], fragments without id go to the call announced last', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ id: 'a', function: { name: 't' } }),
        calls({ function: { arguments: '{}' } }),
        calls({ id: 'b', function: { name: 't' } }),
        calls({ function: { arguments: '{ }' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{}'),
      announced('call-2', 'b', 't'),
      fragment('call-2', '{ }'),
    ])
  })

  test('without ids and indexes, whole calls of one chunk are calls of their own', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ function: { name: 't', arguments: '{}' } }, { function: { name: 't', arguments: '{ }' } }),
        calls({ function: { name: 't', arguments: '  ' } }),
        calls({ function: { name: 'u', arguments: '{}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', undefined, 't'),
      fragment('call-1', '{}'),
      announced('call-2', undefined, 't'),
      fragment('call-2', '{ }'),
      fragment('call-2', '  '),
      announced('call-3', undefined, 'u'),
      fragment('call-3', '{}'),
    ])
  })

  test('an index is a key, not a count', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 1, id: 'a', function: { name: 't' } }, { index: 5, id: 'b', function: { name: 'u' } }),
        calls({ index: 5, function: { arguments: '2' } }, { index: 1, function: { arguments: '1' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      announced('call-2', 'b', 'u'),
      fragment('call-2', '2'),
      fragment('call-1', '1'),
    ])
  })

  test.each([undefined, '', null, 'null', 7])('a call whose id is %s is announced without one', (id) => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id, function: { name: 't', arguments: '{' } }),
        calls({ index: 0, id, function: { arguments: '}' } }),
      ]),
    ).toEqual([started, announced('call-1', undefined, 't'), fragment('call-1', '{'), fragment('call-1', '}')])
  })

  test.each(['', null, 'null', undefined])('an id and a name of %s on continuations are absent', (nothing) => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '' } }),
        calls({ index: 0, id: nothing, type: 'function', function: { name: nothing, arguments: '{}' } }),
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{}')])
  })

  test('a name repeated on every delta is not joined, and the first one stays', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{' } }),
        calls({ index: 0, function: { name: 't', arguments: '}' } }),
        calls({ index: 0, function: { name: 'other', arguments: ' ' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{'),
      fragment('call-1', '}'),
      fragment('call-1', ' '),
    ])
  })

  test('an id inside `function` is an id', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, function: { id: 'a', name: 't', arguments: '{' } }),
        calls({ index: 0, function: { id: 'b', name: 't', arguments: '{' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{'),
      announced('call-2', 'b', 't'),
      fragment('call-2', '{'),
    ])
  })

  test('an id repeated on every delta is the same call', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{' } }),
        calls({ index: 0, id: 'a', function: { arguments: '}' } }),
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{'), fragment('call-1', '}')])
  })

  test('id, name and arguments may come in any order and one by one', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, function: { arguments: '{' } }),
        calls({ index: 0, id: 'a' }),
        calls({ index: 0, function: { name: 't' } }),
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1'),
      fragment('call-1', '{'),
      { type: 'call-identified', key: 'call-1', callId: 'a' },
      { type: 'call-identified', key: 'call-1', name: 't' },
      fragment('call-1', '}'),
    ])
  })

  test('an index alone opens a call, identified all at once', () => {
    expect(eventsOf(openaiChat, [calls({ index: 0 }), calls({ index: 0, id: 'a', function: { name: 't' } })])).toEqual([
      started,
      announced('call-1'),
      { type: 'call-identified', key: 'call-1', callId: 'a', name: 't' },
    ])
  })

  test('without an index, too, an id may come late', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ function: { name: 't' } }),
        calls({ id: 'a' }),
        calls({ function: { arguments: '{}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', undefined, 't'),
      { type: 'call-identified', key: 'call-1', callId: 'a' },
      fragment('call-1', '{}'),
    ])
  })

  test('an id that comes with quite another name is not the late id of the call before it', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, function: { name: 't', arguments: '{}' } }),
        calls({ index: 0, id: 'b', function: { name: 'u', arguments: '{}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', undefined, 't'),
      fragment('call-1', '{}'),
      announced('call-2', 'b', 'u'),
      fragment('call-2', '{}'),
    ])
  })

  test('ids are unique only within a response: in the next stream the same id is a new call', () => {
    const call = calls({ index: 0, id: 'functions.x:0', function: { name: 'x', arguments: '{}' } })
    expect(eventsOf(openaiChat, [call, DONE], [call])).toEqual([
      started,
      announced('call-1', 'functions.x:0', 'x'),
      fragment('call-1', '{}'),
      ended(null),
      { ...started, message: 'message-2' },
      { ...announced('call-2', 'functions.x:0', 'x'), message: 'message-2' },
      fragment('call-2', '{}'),
    ])
  })

  test('an empty part beside the finish reason is no new call', () => {
    const last = (part: unknown) => chunk({ tool_calls: [part] }, 'tool_calls')
    const call = calls({ index: 0, id: 'a', function: { name: 't', arguments: '{}' } })
    for (const part of [
      { index: 0, function: { arguments: '' } },
      { index: 1, function: { arguments: '' } },
      { function: { arguments: '' } },
      { index: 0, id: '', function: { name: null, arguments: null } },
      null,
    ]) {
      expect(eventsOf(openaiChat, [call, last(part)])).toEqual([
        started,
        announced('call-1', 'a', 't'),
        fragment('call-1', '{}'),
        ended('natural', 'tool_calls'),
      ])
    }
  })

  test('a part that says nothing at all is no call', () => {
    expect(eventsOf(openaiChat, [calls({}, { type: 'function' }, { function: { arguments: '' } }, 'x')])).toEqual([
      started,
    ])
  })

  test('a call may come whole beside its finish reason', () => {
    expect(
      eventsOf(openaiChat, [
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 't', arguments: '{}' } }] }, 'tool_calls'),
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{}'), ended('natural', 'tool_calls')])
  })
})

describe('arguments', () => {
  test('are appended from the first delta on', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{' } }),
        calls({ index: 0, function: { arguments: '}' } }),
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{'), fragment('call-1', '}')])
  })

  test('of null are none, and so are those that got lost', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: null } }),
        calls({ index: 0, function: { arguments: '' } }),
        chunk({}, 'tool_calls'),
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), ended('natural', 'tool_calls')])
  })

  test('that are cumulative or sent twice are appended as they come, as real content may repeat, too', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{"n":1' } }),
        calls({ index: 0, function: { arguments: '{"n":100' } }),
        calls({ index: 0, function: { arguments: '00' } }),
        calls({ index: 0, function: { arguments: '{"n":100' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{"n":1'),
      fragment('call-1', '{"n":100'),
      fragment('call-1', '00'),
      fragment('call-1', '{"n":100'),
    ])
  })

  test('that are encoded twice, or hold control tokens, are handed on as they are', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '"{\\"a\\":1}"' } }),
        calls({ index: 1, id: 'b', function: { name: 't[TOOL_CALLS]', arguments: '[ARGS]{}' } }),
      ]),
    ).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '"{\\"a\\":1}"'),
      announced('call-2', 'b', 't[TOOL_CALLS]'),
      fragment('call-2', '[ARGS]{}'),
    ])
  })

  test.each([[{ a: 1 }], [{}], [[1]], [5], [false]])('of %j come as a whole value', (value) => {
    expect(eventsOf(openaiChat, [calls({ index: 0, id: 'a', function: { name: 't', arguments: value } })])).toEqual([
      started,
      announced('call-1', 'a', 't'),
      { type: 'call-snapshot', key: 'call-1', value },
    ])
  })

  test('of a custom tool are free text', () => {
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'run_sql', input: 'SELECT ' } }),
        calls({ index: 0, custom: { input: '1' } }),
      ]),
    ).toEqual([
      started,
      { ...announced('call-1', 'a', 'run_sql'), encoding: 'text' },
      fragment('call-1', 'SELECT '),
      fragment('call-1', '1'),
    ])
  })

  test('of the legacy function_call belong to one call', () => {
    expect(
      eventsOf(openaiChat, [
        chunk({ function_call: { name: 't', arguments: '' } }),
        chunk({ function_call: { arguments: '{"a":' } }),
        chunk({ function_call: { arguments: '1}' } }),
        chunk({}, 'function_call'),
      ]),
    ).toEqual([
      started,
      announced('call-1', undefined, 't'),
      fragment('call-1', '{"a":'),
      fragment('call-1', '1}'),
      ended('natural', 'function_call'),
    ])
  })
})

describe('errors', () => {
  test('a top-level error ends the stream by its code, whatever stands beside it', () => {
    const error = { code: 502, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } }
    expect(
      eventsOf(openaiChat, [
        calls({ index: 0, id: 'a', function: { name: 't', arguments: '{' } }),
        { ...chunk({}, 'error'), error },
        DONE,
      ]),
    ).toEqual([started, announced('call-1', 'a', 't'), fragment('call-1', '{'), ended('error', 'error'), lost('502')])
  })

  test('a finish reason beside an error does not make a natural end', () => {
    expect(eventsOf(openaiChat, [{ ...chunk({}, 'tool_calls'), error: { type: 'server_error' } }])).toEqual([
      started,
      ended('error', 'tool_calls'),
      lost('server_error'),
    ])
  })

  test.each([
    [{ error: { type: 'server_error', code: null, message: 'secret' }, choices: [] }, 'server_error'],
    [{ error: { code: 'tool_use_failed', failed_generation: '<function=x>' } }, 'tool_use_failed'],
    [{ error: { message: 'secret' } }, undefined],
    [{ error: 'secret' }, undefined],
    [{ error: { code: 'x'.repeat(1_000) } }, 'x'.repeat(64)],
  ])('%j is an error, not an end', (event, detail) => {
    expect(eventsOf(openaiChat, [chunk({ content: '' }), event, DONE, chunk({}, 'stop')])).toEqual([
      started,
      lost(detail),
    ])
  })

  test('an error of null is none', () => {
    expect(eventsOf(openaiChat, [{ ...chunk({}, 'stop'), error: null }])).toEqual([started, ended('natural', 'stop')])
  })
})

describe('chunks without a call', () => {
  test('Azure’s first chunk and a usage chunk start no message', () => {
    expect(
      eventsOf(openaiChat, [
        { id: '', object: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
        { id: 'x', object: 'chat.completion.chunk', choices: [], usage: {} },
      ]),
    ).toEqual([])
  })

  test('filter results and a content of null beside calls mean nothing', () => {
    const part = { index: 0, id: 'a', function: { name: 't', arguments: '{}' } }
    const event = chunk({ content: null, tool_calls: [part] })
    const choices = event.choices.map((choice) => ({
      ...choice,
      content_filter_results: { hate: { filtered: false } },
    }))
    expect(eventsOf(openaiChat, [{ ...event, choices }])).toEqual([
      started,
      announced('call-1', 'a', 't'),
      fragment('call-1', '{}'),
    ])
  })

  test('a refusal is text; reasoning is not', () => {
    expect(eventsOf(openaiChat, [chunk({ reasoning_content: 'hm' }), chunk({ refusal: 'I can’t.' })])).toEqual([
      started,
      { type: 'text-fragment', text: 'I can’t.', message },
    ])
  })
})

test('several choices are messages of their own, each with its own indexes', () => {
  const choice = (index: number, delta: unknown, finish_reason: unknown = null) => ({
    id: 'c',
    choices: [{ index, delta, finish_reason }],
  })
  const part = (id: string) => ({ tool_calls: [{ index: 0, id, function: { name: 't', arguments: '{}' } }] })
  expect(
    eventsOf(openaiChat, [
      choice(0, part('a')),
      choice(1, part('b')),
      choice(1, { content: 'x' }),
      choice(0, {}, 'length'),
      choice(1, {}, 'stop'),
    ]),
  ).toEqual([
    { type: 'message-started', messageId: 'c', message: 'message-1' },
    { type: 'call-announced', key: 'call-1', callId: 'a', name: 't', message: 'message-1' },
    fragment('call-1', '{}'),
    { type: 'message-started', messageId: 'c', message: 'message-2' },
    { type: 'call-announced', key: 'call-2', callId: 'b', name: 't', message: 'message-2' },
    fragment('call-2', '{}'),
    { type: 'text-fragment', text: 'x', message: 'message-2' },
    { type: 'message-ended', reason: 'length', rawReason: 'length', finishesOpenCalls: true, message: 'message-1' },
    { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: true, message: 'message-2' },
  ])
})

test('tells chunks of the format from others', () => {
  const reader = openaiChat.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [
    chunk({}),
    { choices: [] },
    { object: 'chat.completion.chunk' },
    { error: {} },
    '[DONE]',
    ' [DONE] ',
  ]) {
    expect(belongs(event)).toBe(true)
  }
  for (const event of ['x', '', null, 1, [], {}, { type: 'message_start' }, { choices: 'x' }, { error: null }]) {
    expect(belongs(event)).toBe(false)
  }
})
