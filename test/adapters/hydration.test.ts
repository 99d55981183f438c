import type { DynamicToolUIPart } from 'ai'
import { describe, expect, test } from 'vitest'
import { hydration } from '../../src/adapters/hydration.ts'
import { oneDocument } from '../../src/adapters/hydration-document.ts'
import { readToolPart } from '../../src/adapters/hydration-ui-part.ts'
import { CALL_ITEMS } from '../../src/adapters/openai-responses-items.ts'
import type { StreamEvent } from '../../src/core/events.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { eventsOf } from './events-of.ts'

const eventsOfMessages = (...messages: readonly object[]) => eventsOf(hydration, [messages])
/** What one stored tool part says, after the announcement of its call. */
const eventsOfPart = (state: unknown, more: object = {}) => {
  const events: StreamEvent[] = []
  const part = { type: 'tool-add_task', toolCallId: 'c1', state, ...more }
  expect(readToolPart(part, 'k', (event) => events.push(event))).toBe(true)
  expect(events.shift()).toEqual({ type: 'call-announced', key: 'k', callId: 'c1', name: 'add_task' })
  return events
}

const announced = { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'add_task' }
const finished = { type: 'call-finished', key: 'call-1' }
const value = { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } }
const returned = { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true }
const reloaded = {
  type: 'stream-ended',
  ending: { type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' },
}
const stored = { type: 'stream-ended', ending: { type: 'complete', speaker: 'nobody' } }
const unclear = {
  type: 'outcome-reported',
  report: { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' },
  stored: true,
}
const notRun = { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no' }, stored: true }

test('has the name of the format, and nobody speaks', () => {
  expect(hydration.format).toBe('hydration')
  expect(hydration.speaker).toBe('nobody')
})

describe('the document', () => {
  const message = { role: 'assistant', content: 'Hi' }
  const events = [{ type: 'message-started' }, { type: 'text-fragment', text: 'Hi' }, stored]

  test.each([[[message]], [{ format: 'ai-ui-message', messages: [message] }], [{ id: 'resp_1', output: [message] }]])(
    '%j',
    (document) => {
      expect(eventsOf(hydration, [document])).toEqual(events)
    },
  )

  test.each([[null], ['text'], [7], [{}], [{ messages: {} }], [message]])('%j is none', (document) => {
    const reader = hydration.reader()
    reader.open()
    expect(reader.read(document, () => expect.unreachable())).toBe(false)
  })

  test('what is no message in it is left out', () => {
    const holes = [null, 'text', 7, [message], {}, { role: {} }, { parts: [] }, message]
    delete holes[1]
    expect(eventsOf(hydration, [holes])).toEqual(events)
  })

  const framesOf = (...pieces: readonly string[]) => {
    const frames: unknown[] = []
    const framer = oneDocument({ frame: (data) => frames.push(data) })
    for (const piece of pieces) framer.feed(new TextEncoder().encode(piece))
    return frames
  }

  test('is whole with its last bracket, and nothing after it counts', () => {
    expect(framesOf(' {"a":["}{",', '"\\', '"]"]', '}\n', '{}')).toEqual([{ a: ['}{', '"]'] }])
    expect(framesOf('[1,[2],{}]')).toEqual([[1, [2], {}]])
  })

  test.each(['', '"{}"', '[[1]', '{"a":"]}', '7', ']{}'])('%j is none', (text) => {
    expect(framesOf(text)).toEqual([])
  })

  test('one that is not JSON is a frame of text', () => {
    expect(framesOf('{a}')).toEqual(['{a}'])
  })

  test('a character that was cut in two is whole again, and so is text', () => {
    const bytes = new TextEncoder().encode('["ä🚀"]')
    const frames: unknown[] = []
    const framer = oneDocument({ frame: (data) => frames.push(data) })
    for (const byte of bytes) framer.feed(Uint8Array.of(byte))
    oneDocument({ frame: (data) => frames.push(data) }).feed('["ä🚀"]')
    expect(frames).toEqual([['ä🚀'], ['ä🚀']])
  })
})

describe('UI messages of the AI SDK', () => {
  test('a step is a message of the same id; only the assistant speaks', () => {
    expect(
      eventsOfMessages(
        { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Please.' }] },
        {
          id: 'm1',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { type: 'reasoning', text: 'Hm.', state: 'done' },
            { type: 'text', text: 'I will.', state: 'done' },
            { type: 'tool-add_task', toolCallId: 'c1', state: 'output-available', input: { title: 'A' }, output: 1 },
            { type: 'step-start' },
            { type: 'dynamic-tool', toolName: 'search', toolCallId: 'c1', state: 'output-available', output: null },
            { type: 'steering-message', id: 'u2', parts: [{ type: 'text', text: 'Also this.' }] },
            { type: 'data-tool', data: {} },
          ],
        },
      ),
    ).toEqual([
      { type: 'message-started', messageId: 'm1' },
      { type: 'message-started', messageId: 'm1' },
      { type: 'text-fragment', text: 'I will.' },
      announced,
      value,
      finished,
      { ...returned, value: 1 },
      { type: 'message-started', messageId: 'm1' },
      { type: 'call-announced', key: 'call-2', callId: 'c1', name: 'search' },
      { type: 'call-finished', key: 'call-2' },
      { ...returned, key: 'call-2', value: null },
      stored,
    ])
  })

  const requested = { type: 'approval-requested', key: 'k', approvalId: 'ap1' }
  const answered = { type: 'approval-answered', key: 'k', approvalId: 'ap1', by: 'person' }
  const handedOver = [
    { type: 'call-snapshot', key: 'k', value: {} },
    { type: 'call-finished', key: 'k' },
  ]

  // Every state of the SDK's own union: a new one is a type error here.
  const states = {
    'input-streaming': [
      { input: { title: 'repaired' }, rawInput: '{"title":"rep' },
      [{ type: 'call-fragment', key: 'k', text: '{"title":"rep' }],
    ],
    'input-available': [{ input: {} }, handedOver],
    'approval-requested': [{ input: {}, approval: { id: 'ap1' } }, [...handedOver, requested]],
    'approval-responded': [
      { input: {}, approval: { id: 'ap1', approved: true } },
      [...handedOver, requested, { ...answered, granted: true }],
    ],
    'output-available': [
      { input: {}, output: 1 },
      [...handedOver, { type: 'call-returned', key: 'k', callId: 'c1', value: 1, ok: true }],
    ],
    'output-error': [{ input: {}, errorText: 'no' }, [...handedOver, unclear]],
    'output-denied': [
      { input: {}, approval: { id: 'ap1', approved: false } },
      [...handedOver, requested, { ...answered, granted: false }],
    ],
  } satisfies Record<DynamicToolUIPart['state'], readonly [more: object, events: readonly object[]]>

  test.each(Object.entries(states))('%s', (state, [more, events]) => {
    expect(eventsOfPart(state, more)).toEqual(events)
  })

  test.each<[string, unknown, object, readonly object[]]>([
    ['nothing came yet', 'input-streaming', {}, []],
    ['no input is kept', 'input-available', {}, handedOver.slice(1)],
    [
      'a rule is about to answer',
      'approval-requested',
      { approval: { id: 'ap1', isAutomatic: true } },
      handedOver.slice(1),
    ],
    [
      'a person refused',
      'approval-responded',
      { approval: { id: 'ap1', approved: false } },
      [...handedOver.slice(1), requested, { ...answered, granted: false }],
    ],
    [
      'a rule refused',
      'output-denied',
      { approval: { id: 'ap1', isAutomatic: true } },
      [...handedOver.slice(1), requested, { ...answered, granted: false, by: 'policy' }],
    ],
    ['no answer is kept', 'approval-responded', { approval: { id: 'ap1' } }, handedOver.slice(1)],
    ['progress is no result', 'output-available', { output: 10, preliminary: true }, handedOver.slice(1)],
    [
      'the error is this kit’s own',
      'output-error',
      { errorText: `${NOT_RUN_MARK} held back` },
      [...handedOver.slice(1), notRun],
    ],
    ['a state of tomorrow', 'output-teleported', { input: {} }, handedOver],
    ['no state', undefined, { input: {} }, handedOver],
  ])('%s', (_, state, more, events) => {
    expect(eventsOfPart(state, more)).toEqual(events)
  })

  test('the provider’s own call, and free text', () => {
    const events: StreamEvent[] = []
    const part = { type: 'dynamic-tool', state: 'input-streaming', providerExecuted: true, inputEncoding: 'text' }
    expect(readToolPart(part, 'k', (event) => events.push(event))).toBe(true)
    expect(events).toEqual([{ type: 'call-announced', key: 'k', executor: 'provider', encoding: 'text' }])
  })

  test.each([[{ type: 'text' }], [{ type: 'tool-' }], [{ type: { toString: null } }], [null], ['tool-x'], [undefined]])(
    '%j is no tool part',
    (part) => {
      expect(readToolPart(part, 'k', () => expect.unreachable())).toBe(false)
    },
  )
})

describe('what was broken off', () => {
  const message = (...parts: readonly object[]) => ({ id: 'm1', role: 'assistant', parts })
  const part = (state: string, more: object = {}) => ({ type: 'tool-add_task', toolCallId: 'c1', state, ...more })

  test.each([
    [[{ type: 'text', text: 'Hi', state: 'done' }]],
    [[{ type: 'text', text: 'Hi' }]],
    [[part('output-available', { output: 1 })]],
    [[part('output-error', { errorText: 'no' })]],
    [[part('output-denied', { approval: { id: 'ap1' } })]],
    [[part('approval-responded', { approval: { id: 'ap1', approved: false } })]],
    [[]],
  ])('nothing is open in %j: it does not claim to have been broken off', (parts) => {
    expect(eventsOfMessages(message(...parts)).at(-1)).toEqual(stored)
  })

  test.each([
    [[{ type: 'text', text: 'Hi', state: 'streaming' }]],
    [[{ type: 'reasoning', text: 'Hm', state: 'streaming' }]],
    [[part('input-streaming')]],
    [[part('input-available')]],
    [[part('approval-requested', { approval: { id: 'ap1' } })]],
    [[part('approval-responded', { approval: { id: 'ap1', approved: true } })]],
    [[part('output-available', { preliminary: true })]],
    [[part('a-state-of-tomorrow')]],
    [[part('input-available'), part('output-available', { toolCallId: 'c2', output: 1 })]],
  ])('something is open in %j', (parts) => {
    expect(eventsOfMessages(message(...parts)).at(-1)).toEqual(reloaded)
  })
})

describe('histories of Anthropic', () => {
  const wanted = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'I will.' },
      { type: 'tool_use', id: 'c1', name: 'add_task', input: { title: 'A' } },
    ],
  }
  const result = (more: object) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...more }] })
  const before = [{ type: 'message-started' }, { type: 'text-fragment', text: 'I will.' }, announced, value, finished]

  test('a call with its result in the next message', () => {
    expect(eventsOfMessages({ role: 'user', content: 'Please.' }, wanted, result({ content: 'ok' }))).toEqual([
      ...before,
      { ...returned, value: 'ok' },
      stored,
    ])
  })

  test.each([
    ['no result', [], reloaded],
    ['an error', [result({ content: 'no', is_error: true })], unclear],
    ['an error in blocks', [result({ content: [{ type: 'text', text: 'no' }], is_error: true })], unclear],
    ['this kit’s own error', [result({ content: `${NOT_RUN_MARK} held back`, is_error: true })], notRun],
    ['this kit’s own, in blocks', [result({ content: [{ type: 'text', text: NOT_RUN_MARK }] })], notRun],
  ])('%s', (_, messages, event) => {
    const events = eventsOfMessages(wanted, ...messages)
    expect(events[before.length]).toEqual(event)
  })

  test('what the provider ran, with its result in the same message', () => {
    const content = (outcome: object) => [
      { type: 'server_tool_use', id: 'c1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'c1', content: outcome },
      { type: 'mcp_tool_use', id: 'c2', name: 'lookup', server_name: 's', input: {} },
    ]
    const search = [
      { type: 'message-started', messageId: 'msg_1' },
      { ...announced, name: 'web_search', executor: 'provider' },
      { ...value, value: {} },
      finished,
    ]
    const lookup = { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'lookup', executor: 'provider' }
    const rest = [lookup, { ...value, key: 'call-2', value: {} }, { ...finished, key: 'call-2' }, reloaded]
    expect(eventsOfMessages({ id: 'msg_1', role: 'assistant', content: content([]) })).toEqual([
      ...search,
      { ...returned, value: [] },
      ...rest,
    ])
    const error = { type: 'web_search_tool_result_error', error_code: 'unavailable' }
    expect(eventsOfMessages({ id: 'msg_1', role: 'assistant', content: content(error) })).toEqual([
      ...search,
      unclear,
      ...rest,
    ])
  })
})

describe('histories of OpenAI Chat', () => {
  const wanted = {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'add_task', arguments: '{"title":"A"}' } },
      { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
    ],
  }

  test('calls, and the results of tool messages', () => {
    expect(
      eventsOfMessages(
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        wanted,
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: NOT_RUN_MARK }] },
        { role: 'tool', tool_call_id: 'c9', content: 'of a message that was cut off' },
        { role: 'assistant', content: 'Done.' },
      ),
    ).toEqual([
      { type: 'message-started' },
      announced,
      { type: 'call-snapshot', key: 'call-1', text: '{"title":"A"}' },
      finished,
      { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'sql' },
      { type: 'call-snapshot', key: 'call-2', text: 'SELECT 1' },
      { ...finished, key: 'call-2' },
      { ...returned, value: 'ok' },
      { type: 'outcome-reported', report: { callId: 'c2', name: null, ran: 'no' }, stored: true },
      { type: 'call-returned', callId: 'c9', value: 'of a message that was cut off', ok: true },
      { type: 'message-started' },
      { type: 'text-fragment', text: 'Done.' },
      stored,
    ])
  })

  test('a call without a result is open', () => {
    expect(eventsOfMessages(wanted).at(-1)).toEqual(reloaded)
  })

  test('an id that is used again is the later call', () => {
    const events = eventsOfMessages(
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'add_task' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '1' },
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'add_task' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
    )
    expect(events.flatMap((event) => (event.type === 'call-returned' ? [[event.key, event.value]] : []))).toEqual([
      ['call-1', '1'],
      ['call-2', '2'],
    ])
  })
})

describe('items of OpenAI Responses', () => {
  const call = (more: object = {}) => ({
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    name: 'add_task',
    arguments: '{}',
    status: 'completed',
    ...more,
  })
  const before = [{ type: 'message-started' }, announced, { type: 'call-snapshot', key: 'call-1', text: '{}' }]

  test('a call and its output', () => {
    expect(
      eventsOfMessages(
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Please.' }] },
        call(),
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
        { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      ),
    ).toEqual([
      ...before,
      finished,
      { ...returned, value: 'ok' },
      { type: 'message-started', messageId: 'msg_1' },
      { type: 'text-fragment', text: 'Done.' },
      stored,
    ])
  })

  test.each([
    ['in_progress', []],
    ['incomplete', [{ ...finished, status: 'incomplete' }]],
    [undefined, [finished]],
  ])('an item that was stored as %s', (status, events) => {
    expect(eventsOfMessages(call({ status }))).toEqual([...before, ...events, reloaded])
  })

  test.each([
    [{ output: NOT_RUN_MARK }, notRun],
    [{ output: 'no', status: 'failed' }, unclear],
  ])('an output of %j', (output, event) => {
    expect(eventsOfMessages(call(), { type: 'function_call_output', call_id: 'c1', ...output })).toContainEqual(event)
  })

  test('every item that the live adapter takes for a call is one here, of the same name and run by the same', () => {
    for (const [type, kind] of CALL_ITEMS) {
      const name = kind.named ? { name: 'add_task' } : {}
      const [, event] = eventsOfMessages({ type, call_id: 'c1', ...name })
      expect(event).toEqual({
        type: 'call-announced',
        key: 'call-1',
        callId: 'c1',
        name: kind.named ? 'add_task' : String(type).replace('_call', ''),
        ...(kind.provider === true ? { executor: 'provider' } : {}),
      })
      const input = { [kind.input ?? 'queries']: 'x' }
      const told = eventsOfMessages({ type, call_id: 'c1', ...input }).some((one) => one.type === 'call-snapshot')
      expect([type, told]).toEqual([type, kind.input !== undefined])
    }
  })

  test('what the provider ran holds its result', () => {
    const search = { type: 'web_search_call', id: 'c1' }
    expect(eventsOfMessages({ ...search, results: [] })).toContainEqual({ ...returned, value: [] })
    expect(eventsOfMessages({ ...search, status: 'completed' })).toContainEqual(returned)
    expect(eventsOfMessages({ ...search, status: 'failed' })).toContainEqual(unclear)
    expect(eventsOfMessages({ ...search, status: 'incomplete', results: [] }).at(-1)).toEqual(reloaded)
    expect(eventsOfMessages({ ...search, status: 'in_progress' }).at(-1)).toEqual(reloaded)
  })

  test('an approval, its answer and the call that follows are one call', () => {
    const request = { type: 'mcp_approval_request', id: 'c1', name: 'pay', arguments: '{}', server_label: 's' }
    const answer = { type: 'mcp_approval_response', approval_request_id: 'c1', approve: true }
    const run = { type: 'mcp_call', id: 'mcp_1', approval_request_id: 'c1', name: 'pay', arguments: '{}', output: 'ok' }
    const asked = [
      { type: 'message-started' },
      { ...announced, name: 'pay', executor: 'provider' },
      { type: 'call-snapshot', key: 'call-1', text: '{}' },
      finished,
    ]
    const requested = { type: 'approval-requested', key: 'call-1' }
    const answered = { type: 'approval-answered', key: 'call-1', by: 'person' }
    expect(eventsOfMessages(request, answer, run)).toEqual([
      ...asked,
      requested,
      { ...answered, granted: true },
      { ...returned, callId: 'mcp_1', value: 'ok' },
      stored,
    ])
    expect(eventsOfMessages(request, { ...answer, approve: false })).toEqual([
      ...asked,
      requested,
      { ...answered, granted: false },
      stored,
    ])
  })
})
