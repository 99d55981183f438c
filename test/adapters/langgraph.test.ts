import { readFileSync } from 'node:fs'
import { Client, type EndStreamEvent, type StreamMode, type ToolsStreamEvent } from '@langchain/langgraph-sdk'
import { describe, expect, test } from 'vitest'
import { langgraph } from '../../src/adapters/langgraph.ts'
import { STOP_REASONS } from '../../src/adapters/stop-reasons.ts'
import type { StreamEvent } from '../../src/core/events.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { REPORT_EVENT } from '../../src/core/report.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

const on = (event: string, data: unknown) => ({ event, data })
const chunk = (members: object, metadata: object = { langgraph_node: 'agent' }) =>
  on('messages', [{ type: 'AIMessageChunk', id: 'run-1', content: '', tool_call_chunks: [], ...members }, metadata])
const piece = (args: unknown, members: object = {}) => ({
  tool_call_chunks: [{ id: null, name: null, args, index: 0, ...members }],
})
const first = chunk(piece('', { id: 'c1', name: 'f' }))
const stop = (finish_reason: unknown) => chunk({ response_metadata: { finish_reason } })
const human = { type: 'human', content: 'Do it' }
const ai = (members: object = {}) => ({ type: 'ai', id: 'run-1', content: '', ...members })
const tool = (members: object = {}) => ({ type: 'tool', tool_call_id: 'c1', content: 'r', ...members })
const end = (status?: unknown) => on('end', status === undefined ? null : { run_id: 'r', status })

const started = { type: 'message-started', messageId: 'run-1', message: 'message-1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'f', message: 'message-1' }
const fragment = (text: string, key = 'call-1') => ({ type: 'call-fragment', key, text })
const ended = { type: 'message-ended', reason: null, finishesOpenCalls: true, message: 'message-1' }
const returned = { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true, value: 'r' }
const complete = { type: 'stream-ended', ending: { type: 'complete', speaker: 'executor' } }

test('has its name, and a relay’s word for a body that just ends', () => {
  expect(langgraph.format).toBe('langgraph')
  expect(langgraph.speaker).toBe('relay')
})

test('one call is announced, streamed, ended and returned', () => {
  expect(
    eventsOf(langgraph, [
      on('metadata', { run_id: 'r', thread_id: 't' }),
      first,
      chunk(piece('{"a":')),
      chunk(piece('1}')),
      stop('tool_calls'),
      on('messages', [tool(), {}]),
      end('success'),
    ]),
  ).toEqual([
    started,
    announced,
    fragment('{"a":'),
    fragment('1}'),
    { ...ended, reason: 'natural', rawReason: 'tool_calls' },
    returned,
    complete,
  ])
})

describe('stop reasons', () => {
  const natural =
    'stop end_turn endTurn tool_use toolUse tool_calls tool-calls function_call stop_sequence completed requires_action STOP COMPLETE STOP_SEQUENCE TOOL_CALL'
  const length =
    'length max_tokens maxTokens MAX_TOKENS max_output_tokens model_length model_context_window_exceeded budget_exceeded'
  const filter =
    'content_filter content-filter content_filtered refusal guardrail_intervened SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION'
  const words = {
    natural,
    length,
    filter,
    malformed:
      'malformed_tool_use malformed_model_output MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS',
    error: 'error failed interrupted ERROR TIMEOUT',
    paused: 'pause_turn compaction requires_continuation CONTINUATION',
    cancelled: 'cancelled',
    unknown:
      'other OTHER incomplete load unload IMAGE_OTHER NO_IMAGE FINISH_REASON_UNSPECIFIED constructor __proto__ stopstop not_stop tool_calls_ natural',
  }
  const all = Object.entries(words).flatMap(([reason, list]) => list.split(' ').map((word) => [word, reason]))

  test.each(all)('%s ends a message as %s', (rawReason, reason) => {
    expect(eventsOf(langgraph, [stop(rawReason)])).toEqual([started, { ...ended, reason, rawReason }])
  })

  test('every reason of the table is tested', () => {
    expect(new Set(STOP_REASONS.map(([reason]) => reason))).toEqual(
      new Set(Object.keys(words).filter((w) => w !== 'unknown')),
    )
  })

  test.each([
    [{ response_metadata: { stop_reason: 'max_tokens' } }, 'max_tokens'],
    [{ response_metadata: { finishReason: 'MAX_TOKENS' } }, 'MAX_TOKENS'],
    [{ response_metadata: { stopReason: 'max_tokens' } }, 'max_tokens'],
    [{ response_metadata: { messageStop: { stopReason: 'max_tokens' } } }, 'max_tokens'],
    [{ response_metadata: { done_reason: 'length' } }, 'length'],
    [
      { response_metadata: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } },
      'max_output_tokens',
    ],
    [{ additional_kwargs: { stop_reason: 'max_tokens' } }, 'max_tokens'],
    [{ additional_kwargs: { stop_reason: 'end_turn' }, response_metadata: { finish_reason: 'length' } }, 'length'],
  ])('stands under many names: %j', (members, rawReason) => {
    expect(eventsOf(langgraph, [chunk(members)])).toEqual([started, { ...ended, reason: 'length', rawReason }])
  })

  test.each([
    {},
    { response_metadata: { finish_reason: null, stop_reason: '' } },
    { response_metadata: { status: 'in_progress', incomplete_details: null } },
    { response_metadata: null, additional_kwargs: 1 },
  ])('is not stated by %j', (members) => {
    expect(eventsOf(langgraph, [chunk(members)])).toEqual([started])
  })
})

describe('chunks', () => {
  test('are parts of a call by index, of a new one by a new id', () => {
    expect(
      eventsOf(langgraph, [
        chunk({
          tool_call_chunks: [
            { id: 'a', name: 'x', args: '', index: 1 },
            { id: 'b', name: 'y', args: '', index: 2 },
          ],
        }),
        chunk({
          tool_call_chunks: [
            { args: '{"b', index: 2 },
            { args: '{"a', index: 1 },
          ],
        }),
        chunk({ tool_call_chunks: [{ id: 'c', name: 'z', args: '{"c', index: 1 }] }),
      ]),
    ).toEqual([
      started,
      { ...announced, callId: 'a', name: 'x' },
      { ...announced, key: 'call-2', callId: 'b', name: 'y' },
      fragment('{"b', 'call-2'),
      fragment('{"a'),
      { ...announced, key: 'call-3', callId: 'c', name: 'z' },
      fragment('{"c', 'call-3'),
    ])
  })

  test('may bring id and name late, and say nothing', () => {
    expect(
      eventsOf(langgraph, [
        chunk(piece('{')),
        chunk(piece(null)),
        chunk(piece('', { id: 'c1' })),
        chunk(piece('}', { name: 'f' })),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', message: 'message-1' },
      fragment('{'),
      { type: 'call-identified', key: 'call-1', callId: 'c1' },
      { type: 'call-identified', key: 'call-1', name: 'f' },
      fragment('}'),
    ])
    expect(eventsOf(langgraph, [chunk(piece(''))])).toEqual([started])
  })

  test('are not what the library made of them', () => {
    const repaired = {
      tool_calls: [{ id: 'c1', name: 'f', args: { a: '' } }],
      invalid_tool_calls: [{ id: 'c1', args: '{' }],
    }
    expect(
      eventsOf(langgraph, [
        chunk({ ...piece('{"a":"', { id: 'c1', name: 'f' }), ...repaired }),
        chunk(repaired),
        on('values', { messages: [human, ai(repaired)] }),
      ]),
    ).toEqual([started, announced, fragment('{"a":"'), ended])
  })

  test('that hold no pieces may hold whole calls', () => {
    expect(eventsOf(langgraph, [chunk({ tool_calls: [{ id: 'c1', name: 'f', args: {} }] })])).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: {} },
    ])
  })

  test('without an id are of the message of their node, until it has ended', () => {
    const at = (langgraph_node: string, members: object) => chunk({ id: null, ...members }, { langgraph_node })
    const bare = (message: string) => ({ type: 'message-started', message })
    expect(
      eventsOf(langgraph, [
        at('a', { content: '1' }),
        at('b', { content: '2' }),
        at('a', { content: '3', response_metadata: { finish_reason: 'stop' } }),
        at('a', { content: '4' }),
      ]),
    ).toEqual([
      bare('message-1'),
      { type: 'text-fragment', text: '1', message: 'message-1' },
      bare('message-2'),
      { type: 'text-fragment', text: '2', message: 'message-2' },
      { type: 'text-fragment', text: '3', message: 'message-1' },
      { ...ended, reason: 'natural', rawReason: 'stop' },
      bare('message-3'),
      { type: 'text-fragment', text: '4', message: 'message-3' },
    ])
  })

  test('hold text as a string, or in parts', () => {
    const parts = [{ type: 'text', text: 'i' }, { type: 'reasoning', text: 'no' }, { type: 'text', text: 't' }, null, 1]
    expect(
      eventsOf(langgraph, [chunk({ content: 'On ' }), chunk({ content: parts }), chunk({ content: null })]),
    ).toEqual([
      started,
      { type: 'text-fragment', text: 'On ', message: 'message-1' },
      { type: 'text-fragment', text: 'it', message: 'message-1' },
    ])
  })

  test.each(['human', 'HumanMessageChunk', 'system', 'remove', 'function'])('of type %s are nobody’s reply', (type) => {
    expect(eventsOf(langgraph, [chunk({ type, content: 'x' })])).toEqual([])
  })
})

describe('whole messages', () => {
  const value = { type: 'call-snapshot', key: 'call-1', value: { a: 1 } }
  const call = { tool_calls: [{ id: 'c1', name: 'f', args: { a: 1 } }] }

  test.each([
    on('values', { messages: [human, ai(call), tool()] }),
    on('values|sub:1', { messages: [human, ai(call), tool()] }),
    on('updates', { agent: { messages: [ai(call), tool()] }, other: null }),
    on('updates', { agent: [{ messages: ai(call) }, { messages: [tool()] }] }),
    on('messages/complete', [human, ai(call), tool()]),
  ])('end their message and return their calls: %j', (event) => {
    expect(eventsOf(langgraph, [event])).toEqual([started, announced, value, ended, returned])
  })

  test('come in a tuple where nothing was streamed', () => {
    expect(
      eventsOf(langgraph, [on('messages', [ai(call), {}]), on('messages', [tool({ status: 'error' }), {}])]),
    ).toEqual([started, announced, value, ended, { ...returned, ok: false }])
  })

  test('of earlier turns are none of this one', () => {
    const old = [human, ai({ id: 'run-0', ...call }), tool(), ai({ id: 'run-01', content: 'Done.' })]
    expect(eventsOf(langgraph, [on('values', { messages: [...old, human] })])).toEqual([])
    expect(eventsOf(langgraph, [first, on('values', { messages: [...old, human, ai()] })])).toEqual([
      started,
      announced,
      ended,
    ])
  })

  test('say nothing twice', () => {
    const state = on('values', { messages: [human, ai({ content: 'On it.', ...call })] })
    expect(eventsOf(langgraph, [state, state])).toEqual([
      started,
      { type: 'text-fragment', text: 'On it.', message: 'message-1' },
      announced,
      value,
      ended,
    ])
  })

  test('state their reason', () => {
    const cut = ai({ ...call, response_metadata: { finish_reason: 'length' } })
    expect(eventsOf(langgraph, [on('values', { messages: [cut] })]).at(-1)).toEqual({
      ...ended,
      reason: 'length',
      rawReason: 'length',
    })
  })

  test('give the text of arguments before what was made of it', () => {
    const text = { type: 'call-snapshot', key: 'call-1', text: '{"a":' }
    for (const raw of [
      { tool_call_chunks: [{ id: 'c1', name: 'f', args: '{"a":' }] },
      { additional_kwargs: { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":' } }] } },
      { tool_calls: [], invalid_tool_calls: [{ id: 'c1', name: 'f', args: '{"a":' }] },
    ])
      expect(eventsOf(langgraph, [on('messages/complete', [ai({ ...call, ...raw })])])).toEqual([
        started,
        announced,
        text,
        ended,
      ])
  })

  test('so far are snapshots: of text and raw arguments, and never of values', () => {
    const partial = (members: object) => on('messages/partial', [ai(members)])
    const raw = (args: string) => ({
      additional_kwargs: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: args } }] },
    })
    expect(
      eventsOf(langgraph, [
        partial({ content: 'On', ...raw('{"a') }),
        partial({ content: 'On it', ...raw('{"a":1}') }),
      ]),
    ).toEqual([
      started,
      { type: 'text-fragment', text: 'On', message: 'message-1' },
      announced,
      { type: 'call-snapshot', key: 'call-1', text: '{"a' },
      { type: 'text-fragment', text: ' it', message: 'message-1' },
      { type: 'call-snapshot', key: 'call-1', text: '{"a":1}' },
    ])
    expect(
      eventsOf(langgraph, [
        partial({ tool_calls: [{ id: 'c1', name: 'f', args: { a: 0 } }] }),
        on('messages/complete', [ai(call)]),
      ]),
    ).toEqual([started, announced, value, ended])
  })

  test('are those of the chunks, even under another id', () => {
    expect(
      eventsOf(langgraph, [first, chunk(piece('{}')), on('values', { messages: [ai({ id: 'msg_1', ...call })] })]),
    ).toEqual([started, announced, fragment('{}'), ended])
  })

  test('may use an answered id again: each result is of the call before it', () => {
    const state = (...more: unknown[]) =>
      on('values', { messages: [ai(call), tool(), ai({ id: 'run-2', ...call }), ...more] })
    const events = eventsOf(langgraph, [state(), state(tool({ content: 's' }))])
    expect(events.filter(({ type }) => type === 'call-announced')).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'call-returned')).toEqual([
      returned,
      returned,
      { ...returned, key: 'call-2', value: 's' },
    ])
  })

  test('that never had ids are told once', () => {
    const bare = ai({
      tool_calls: [
        { name: 'f', args: {} },
        { name: 'f', args: {} },
      ],
    })
    const events = eventsOf(langgraph, [on('values', { messages: [bare] }), on('values', { messages: [bare] })])
    expect(events.filter(({ type }) => type === 'call-announced')).toHaveLength(2)
  })
})

describe('results', () => {
  test('of calls that nobody announced are evidence all the same', () => {
    expect(eventsOf(langgraph, [on('messages', [tool(), {}])])).toEqual([
      { type: 'call-returned', callId: 'c1', ok: true, value: 'r' },
    ])
  })

  test('that the kit itself sent back say that nothing ran', () => {
    const content = `${NOT_RUN_MARK} the input was cut.`
    expect(eventsOf(langgraph, [first, on('messages', [tool({ content, status: 'error' }), {}])]).at(-1)).toEqual({
      type: 'outcome-reported',
      report: { callId: 'c1', name: null, ran: 'no' },
    })
  })
})

describe('tools', () => {
  type ToolEvent =
    | ToolsStreamEvent['data']['event']
    | 'on_tool_partial'
    | `tool-${'started' | 'output-delta' | 'finished' | 'error'}`
  const PHASES = {
    on_tool_start: { type: 'call-dispatched', key: 'call-1' },
    on_tool_event: { type: 'call-progress', key: 'call-1' },
    on_tool_partial: { type: 'call-progress', key: 'call-1' },
    on_tool_end: returned,
    on_tool_error: { ...returned, ok: false },
    'tool-started': { type: 'call-dispatched', key: 'call-1' },
    'tool-output-delta': { type: 'call-progress', key: 'call-1' },
    'tool-finished': returned,
    'tool-error': { ...returned, ok: false },
  } satisfies Record<ToolEvent, object>
  const about = (event: string, members: object = {}) =>
    on('tools', { event, name: 'f', output: 'r', error: 'r', ...members })

  test.each(Object.entries(PHASES))('%s', (event, expected) => {
    for (const id of [{ toolCallId: 'c1' }, { tool_call_id: 'c1' }])
      expect(eventsOf(langgraph, [first, about(event, id)]).slice(2)).toEqual([expected])
    expect(eventsOf(langgraph, [first, about(event)]).slice(2)).toEqual([])
  })

  test('may end in a message that says they failed', () => {
    const output = { type: 'tool', status: 'error', content: 'boom', tool_call_id: 'c1' }
    expect(eventsOf(langgraph, [first, about('tool-finished', { tool_call_id: 'c1', output })]).at(-1)).toEqual({
      ...returned,
      ok: false,
      value: 'boom',
    })
  })

  test.each([
    { message: "(Interrupt(value='ok?', id='1'),)", error: undefined },
    { error: { name: 'GraphInterrupt', message: '[]' } },
    { error: { error: 'GraphInterrupt', message: '[]' } },
    { error: 'ParentCommand: …' },
  ])('that ask the person leave by an error that is none: %j', (members) => {
    expect(eventsOf(langgraph, [first, about('tool-error', { tool_call_id: 'c1', ...members })])).toEqual([
      started,
      announced,
    ])
  })

  test('that refuse their input have not begun, in words that a tool could throw as well', () => {
    const answer = (content: string, status: string): StreamEvent | undefined =>
      eventsOf(langgraph, [first, on('messages', [{ type: 'tool', tool_call_id: 'c1', content, status }, {}])]).at(-1)
    const words = 'Error: Received tool input did not match expected schema\n Please fix your mistakes.'
    expect(answer(words, 'error')).toEqual({
      type: 'outcome-reported',
      report: { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' },
    })
    expect(answer(words, 'success')).toMatchObject({ type: 'call-returned', ok: true })
    expect(answer('Error: disk full', 'error')).toMatchObject({ type: 'call-returned', ok: false })
  })

  test('that start a subgraph have begun', () => {
    const begun = [started, announced, { type: 'call-dispatched', key: 'call-1' }]
    const data = { event: 'started', namespace: ['tools:1'], tool_call_id: 'c1' }
    expect(eventsOf(langgraph, [first, on('lifecycle|tools:1', data)])).toEqual(begun)
    const cause = { type: 'toolCall', tool_call_id: 'c1' }
    const params = { namespace: ['tools:1'], data: { event: 'started', cause } }
    expect(eventsOf(langgraph, [first, { type: 'event', method: 'lifecycle', params }])).toEqual(begun)
  })
})

describe('interrupts', () => {
  const two = chunk({
    tool_call_chunks: [
      { id: 'c1', name: 'f', args: '{}', index: 0 },
      { id: 'c2', name: 'f', args: '{}', index: 1 },
    ],
  })
  const asked = (key: string, approvalId?: string) => ({
    type: 'approval-requested',
    key,
    ...(approvalId ? { approvalId } : {}),
  })
  const only = (events: readonly unknown[]) =>
    eventsOf(langgraph, events).filter(({ type }) => type.startsWith('approval'))
  const asking = (value: unknown, id: unknown = 'i1') => on('values', { __interrupt__: [{ id, value }] })

  test('of the middleware name the calls of the last message, in their order', () => {
    const actions = [{ name: 'f', args: {} }, { name: 'f', args: {} }, { name: 'f', args: {} }, { name: 'other' }]
    expect(only([two, asking({ action_requests: actions })])).toEqual([asked('call-1', 'i1'), asked('call-2', 'i1')])
    expect(only([two, asking({ actionRequests: [{ name: 'f' }] })])).toEqual([asked('call-1', 'i1')])
  })

  test('that are told again are the same; a second one asks about the next call', () => {
    const one = { action_requests: [{ name: 'f' }] }
    expect(only([two, asking(one), asking(one), asking(one, 'i2')])).toEqual([
      asked('call-1', 'i1'),
      asked('call-2', 'i2'),
    ])
  })

  test('ask about no call that was answered, and about none of an earlier message', () => {
    const later = chunk({ id: 'run-2', tool_call_chunks: [{ id: 'c3', name: 'f', args: '{}', index: 0 }] })
    const action = { action_requests: [{ name: 'f' }] }
    expect(only([two, on('messages', [tool(), {}]), asking(action)])).toEqual([asked('call-2', 'i1')])
    expect(only([two, later, asking(action)])).toEqual([asked('call-3', 'i1')])
  })

  test('may name a call by its id; those that name none ask about none', () => {
    expect(only([two, on('updates', { __interrupt__: [{ id: 'i1', value: { tool_call_id: 'c2' } }] })])).toEqual([
      asked('call-2', 'i1'),
    ])
    for (const value of ['Sure?', null, { question: 'Sure?' }, { type: 'tool', toolCall: { id: 'c1', name: 'f' } }])
      expect(only([two, asking(value)])).toEqual([])
  })

  test('of the newer protocol are asked and answered in band', () => {
    const input = (method: string, data: unknown) => ({ type: 'event', method, params: { namespace: [], data } })
    const payload = { action_requests: [{ name: 'f' }] }
    expect(
      only([
        two,
        input('input.requested', { interrupt_id: 'i1', payload }),
        input('input.answered', { interrupt_ids: ['i1', 'i2'] }),
      ]),
    ).toEqual([
      asked('call-1', 'i1'),
      { type: 'approval-answered', key: 'call-1', approvalId: 'i1', granted: true, by: 'person' },
    ])
  })
})

describe('the end of a run', () => {
  type Status = NonNullable<EndStreamEvent['data']>['status']
  const lost = { type: 'lost', how: 'provider-error', speaker: 'relay' }
  const ENDINGS = {
    success: [ended, complete],
    interrupted: [{ type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: false } }],
    rollback: [{ type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: false } }],
    error: [{ type: 'stream-ended', ending: { ...lost, detail: 'error' } }],
    timeout: [{ type: 'stream-ended', ending: { ...lost, detail: 'timeout' } }],
  } satisfies Record<Status, object[]>

  test.each(Object.entries(ENDINGS))('%s, with a message that did not end', (status, expected) => {
    expect(eventsOf(langgraph, [first, end(status), end('success'), first])).toEqual([started, announced, ...expected])
  })

  test('without a status is a good one; an unknown one is nobody’s word', () => {
    expect(eventsOf(langgraph, [first, end()])).toEqual([started, announced, ended, complete])
    expect(eventsOf(langgraph, [first, end('a-new-word')])).toEqual([
      started,
      announced,
      { type: 'stream-ended', ending: { type: 'complete', speaker: 'relay' } },
    ])
  })

  test('interrupted between messages waits for a person', () => {
    expect(eventsOf(langgraph, [first, stop('stop'), end('interrupted')]).at(-1)).toEqual(complete)
    const asking = on('values', { __interrupt__: [{ id: 'i', value: {} }] })
    expect(eventsOf(langgraph, [first, asking, end('interrupted')]).at(-1)).toEqual(complete)
    // Asked by an earlier run, and told again by this one.
    expect(eventsOf(langgraph, [asking], [asking, first, end('interrupted')]).slice(-1)).toEqual(ENDINGS.interrupted)
  })

  test('by an error is the relay’s word; that of a subgraph is none', () => {
    const error = { error: 'GraphRecursionError', message: 'secret' }
    expect(eventsOf(langgraph, [first, on('error', error)]).at(-1)).toEqual({
      type: 'stream-ended',
      ending: { ...lost, detail: 'GraphRecursionError' },
    })
    expect(eventsOf(langgraph, [first, on('error|sub', error)])).toEqual([started, announced])
  })

  test.each([
    ['completed', [ended, complete]],
    ['failed', [{ type: 'stream-ended', ending: { ...lost, detail: 'failed' } }]],
    ['interrupted', ENDINGS.interrupted],
    ['running', []],
  ])('is told by the lifecycle of the graph itself: %s', (event, expected) => {
    const lifecycle = (namespace: unknown) => ({
      type: 'event',
      method: 'lifecycle',
      params: { namespace, data: { event } },
    })
    expect(eventsOf(langgraph, [first, lifecycle([])]).slice(2)).toEqual(expected)
    expect(eventsOf(langgraph, [first, lifecycle(['sub:1'])]).slice(2)).toEqual([])
    expect(eventsOf(langgraph, [first, on('lifecycle|sub:1', { event, namespace: ['sub:1'] })]).slice(2)).toEqual([])
    expect(eventsOf(langgraph, [first, on('lifecycle', { event, namespace: ['sub:1'] })]).slice(2)).toEqual([])
  })

  test('does not end what another run left open', () => {
    const run = (run_id: string) => on('metadata', { run_id })
    expect(eventsOf(langgraph, [run('a'), first], [run('b'), end()])).toEqual([started, announced, complete])
    expect(eventsOf(langgraph, [run('a'), first], [run('a'), end()])).toEqual([started, announced, ended, complete])
  })
})

describe('content blocks', () => {
  const block = (data: object, namespace: string[] = [], members: object = {}) => ({
    type: 'event',
    method: 'messages',
    params: { namespace, node: 'agent', data },
    ...members,
  })
  const begin = block({ event: 'message-start', role: 'ai', id: 'run-1' })
  const open = (content: object, index = 0) => block({ event: 'content-block-start', index, content })
  const delta = (change: object, index = 0) => block({ event: 'content-block-delta', index, delta: change })
  const close = (content: object, index = 0) => block({ event: 'content-block-finish', index, content })
  const finish = (members: object = {}) => block({ event: 'message-finish', ...members })
  const call = { type: 'tool_call_chunk', id: 'c1', name: 'f', args: '' }
  const closed = { type: 'call-finished', key: 'call-1' }
  const blocks = { ...ended, finishesOpenCalls: false }

  test('stream a call, which ends with its block', () => {
    expect(
      eventsOf(langgraph, [
        begin,
        open({ type: 'text', text: 'On ' }),
        delta({ type: 'text-delta', text: 'it.' }),
        delta({ type: 'a-delta-of-tomorrow', text: 'x', args: 'x' }),
        delta({ type: 'reasoning-delta', reasoning: 'x' }),
        close({ type: 'text', text: 'On it.' }),
        open(call, 1),
        delta({ type: 'tool-call-delta', args: '{"a":' }, 1),
        delta({ type: 'tool-call-delta', args: '1}' }, 1),
        close({ type: 'tool_call', id: 'c1', name: 'f', args: { a: 1 } }, 1),
        finish(),
      ]),
    ).toEqual([
      started,
      { type: 'text-fragment', text: 'On ', message: 'message-1' },
      { type: 'text-fragment', text: 'it.', message: 'message-1' },
      announced,
      fragment('{"a":'),
      fragment('1}'),
      { type: 'call-snapshot', key: 'call-1', value: { a: 1 } },
      closed,
      blocks,
    ])
  })

  test('replace the text so far by a block-delta', () => {
    const fields = { type: 'tool_call_chunk', args: '{"a":1' }
    expect(eventsOf(langgraph, [begin, open(call), delta({ type: 'block-delta', fields })]).slice(2)).toEqual([
      { type: 'call-snapshot', key: 'call-1', text: '{"a":1' },
    ])
  })

  test('keep the text of a call that did not parse: whether its tool was run is not said', () => {
    const invalid = { type: 'invalid_tool_call', id: 'c1', name: 'f', args: '{"a', error: 'bad' }
    expect(eventsOf(langgraph, [begin, open(call), close(invalid)]).slice(2)).toEqual([
      { type: 'call-snapshot', key: 'call-1', text: '{"a' },
      closed,
    ])
  })

  test('may be the provider’s', () => {
    const server = { type: 'server_tool_call_chunk', id: 'c1', name: 'f', args: '' }
    expect(
      eventsOf(langgraph, [
        begin,
        open(server),
        close({ type: 'server_tool_call', id: 'c1', name: 'f', args: {} }),
        close({ type: 'server_tool_result', tool_call_id: 'c1', status: 'error', output: 'boom' }, 1),
      ]),
    ).toEqual([
      started,
      { ...announced, executor: 'provider' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      closed,
      { ...returned, ok: false, value: 'boom' },
    ])
  })

  test.each([
    [{}, null, undefined],
    [{ reason: 'stop' }, null, undefined],
    [{ reason: 'tool_use' }, 'natural', 'tool_use'],
    [{ reason: 'length' }, 'length', 'length'],
    [{ reason: 'content_filter' }, 'filter', 'content_filter'],
    [{ reason: 'stop', responseMetadata: { finish_reason: 'length' } }, 'length', 'length'],
    [{ reason: 'stop', metadata: { finish_reason: 'stop' } }, 'natural', 'stop'],
  ])('end with their message: %j', (members, reason, rawReason) => {
    expect(eventsOf(langgraph, [begin, finish(members)])).toEqual([
      started,
      { ...blocks, reason, ...(rawReason === undefined ? {} : { rawReason }) },
    ])
  })

  test('end in an error of the model', () => {
    expect(eventsOf(langgraph, [begin, block({ event: 'error', message: 'secret', code: 'overloaded' })])).toEqual([
      started,
      { ...blocks, reason: 'error', rawReason: 'overloaded' },
    ])
  })

  test('of other roles, and of no message, say nothing', () => {
    const other = block({ event: 'message-start', role: 'human', id: 'h' })
    expect(eventsOf(langgraph, [other, open({ type: 'text', text: 'x' }), finish(), open(call, 1)])).toEqual([])
  })

  test('of subgraphs are apart', () => {
    const sub = (data: object) => block(data, ['sub:1'])
    expect(
      eventsOf(langgraph, [
        begin,
        sub({ event: 'message-start', id: 'run-2' }),
        open(call),
        sub({ event: 'content-block-start', index: 0, content: { ...call, id: 'c2' } }),
        sub({ event: 'content-block-delta', index: 0, delta: { type: 'tool-call-delta', args: '{' } }),
        sub({ event: 'message-finish' }),
      ]),
    ).toEqual([
      started,
      { type: 'message-started', messageId: 'run-2', message: 'message-2' },
      announced,
      { ...announced, key: 'call-2', callId: 'c2', message: 'message-2' },
      fragment('{', 'call-2'),
      { ...blocks, message: 'message-2' },
    ])
  })

  test('that come twice, by two streams of events, count once', () => {
    const twice = block({ event: 'content-block-start', index: 0, content: { type: 'text', text: 'x' } }, [], {
      event_id: 'e1',
    })
    expect(eventsOf(langgraph, [begin, twice, twice])).toEqual([
      started,
      { type: 'text-fragment', text: 'x', message: 'message-1' },
    ])
  })

  test('begin anew where their message is told again', () => {
    expect(
      eventsOf(langgraph, [begin, open(call), delta({ type: 'tool-call-delta', args: '{"a' })], [begin, open(call)]),
    ).toEqual([started, announced, fragment('{"a'), announced])
  })

  test('come in server-sent events, or in the SDK’s frames', () => {
    expect(eventsOf(langgraph, [on('message', begin), on('', open(call))])).toEqual([started, announced])
  })
})

describe('every channel', () => {
  const CHANNELS = [
    ...([
      'values',
      'updates',
      'messages',
      'tools',
      'lifecycle',
      'custom',
      'debug',
      'events',
      'tasks',
      'checkpoints',
    ] satisfies StreamMode[]),
    'messages/partial',
    'messages/complete',
    'messages/metadata',
    'metadata',
    'feedback',
    'error',
    'end',
    'input.requested',
    'input.answered',
  ]
  const junk = [null, undefined, 1, 'x', [], {}, [null], [[]], { messages: 1 }, { messages: [null, 1, 'x'] }]

  test.each(CHANNELS)('%s is of the format, whatever it carries', (channel) => {
    for (const name of [channel, `${channel}|sub:1`]) {
      for (const data of junk) {
        const reader = langgraph.reader()
        reader.open()
        expect(reader.read(on(name, data), () => {})).toBe(true)
      }
    }
  })

  test.each([
    null,
    undefined,
    1,
    'x',
    [],
    {},
    on('x', {}),
    on('constructor', {}),
    { event: null, data: {} },
    { type: 'event' },
  ])('%j is none', (event) => {
    const reader = langgraph.reader()
    reader.open()
    expect(reader.read(event, () => {})).toBe(false)
  })
})

describe('frames', () => {
  const payload = readFileSync(new URL('../corpus/langgraph/length-after-chunks.sse', import.meta.url))

  test('read like what the official client yields', async () => {
    const fetch = async () => new Response(payload, { headers: { 'content-type': 'text/event-stream' } })
    const client = new Client({ apiUrl: 'http://localhost', apiKey: null, callerOptions: { fetch } })
    const events: unknown[] = []
    for await (const event of client.runs.stream(null, 'agent', { streamMode: 'messages-tuple' })) events.push(event)
    expect(eventsOf(langgraph, events)).toEqual(eventsOfBytes(langgraph, [payload]))
    expect(eventsOf(langgraph, events).at(-1)).toEqual(complete)
  })

  test('of reports are handed on as they are', () => {
    const frames: unknown[] = []
    const framer = langgraph.framer({ frame: (data, name) => frames.push([data, name]) })
    framer.feed(`event: ${REPORT_EVENT}\ndata: {"call_id":"c1","ran":"no"}\n\nevent: end\ndata: null\n\n`)
    expect(frames).toEqual([
      [{ call_id: 'c1', ran: 'no' }, REPORT_EVENT],
      [{ event: 'end', data: null }, 'end'],
    ])
  })
})
