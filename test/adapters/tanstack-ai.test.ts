import type { ApprovalRequestedEvent, StreamChunk, ToolInputAvailableEvent } from '@tanstack/ai'
import { describe, expect, test } from 'vitest'
import { tanstackAi } from '../../src/adapters/tanstack-ai.ts'
import type { StreamEvent } from '../../src/core/events.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { eventsOf } from './events-of.ts'

const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r1' }
const start = (members: object = {}) => ({ type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'f', ...members })
const args = (delta: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta })
const end = (members: object = {}) => ({ type: 'TOOL_CALL_END', toolCallId: 'c1', ...members })
const result = (members: object) => ({ type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c1', ...members })
const finished = (members: object = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r1', ...members })
const tanstack = (members: object) => ({ metadata: { tanstack: members } })
const custom = (name: string, value: unknown) => ({ type: 'CUSTOM', name, value })

const own = { type: 'message-started', message: 'message-1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'f', message: 'message-1' }
const closed = { type: 'call-finished', key: 'call-1' }
const ended = { type: 'message-ended', reason: null, finishesOpenCalls: false, message: 'message-1' }

test('has its name, and the executor’s word for a run that finished', () => {
  expect(tanstackAi.format).toBe('tanstack-ai')
  expect(tanstackAi.speaker).toBe('executor')
})

describe('stop reasons', () => {
  test.each([
    ['stop', 'natural'],
    ['tool_calls', 'natural'],
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s ends a run’s messages as %s', (finishReason, reason) => {
    const said = [own, { ...ended, reason, rawReason: finishReason }]
    expect(eventsOf(tanstackAi, [run, finished({ finishReason })])).toEqual(said)
    expect(eventsOf(tanstackAi, [run, finished(tanstack({ finishReason }))])).toEqual(said)
  })

  test.each([null, undefined, ''])('%j is none', (finishReason) => {
    expect(eventsOf(tanstackAi, [run, finished({ finishReason })])).toEqual([own, ended])
  })

  test('a pause stays one, whatever the model said', () => {
    const outcome = { type: 'interrupt', interrupts: [{ id: 'i', reason: 'input' }] }
    expect(eventsOf(tanstackAi, [run, finished({ finishReason: 'tool_calls', outcome })])).toEqual([
      own,
      { ...ended, reason: 'paused', rawReason: 'interrupt' },
    ])
  })

  test('a second end of the run, which a connection writes at [DONE], ends nothing', () => {
    const invented = { type: 'RUN_FINISHED', ...tanstack({ finishReason: 'stop' }) }
    for (const more of [invented, '[DONE]', finished({ finishReason: 'stop' })])
      expect(eventsOf(tanstackAi, [run, finished({ finishReason: 'length' }), more])).toEqual([
        own,
        { ...ended, reason: 'length', rawReason: 'length' },
      ])
  })

  test('an end that only a connection wrote states no natural reason', () => {
    const invented = { type: 'RUN_FINISHED', timestamp: 1, ...tanstack({ finishReason: 'stop' }) }
    expect(eventsOf(tanstackAi, [run, invented])).toEqual([own, { ...ended, rawReason: 'stop' }])
    expect(eventsOf(tanstackAi, [run, '[DONE]'])).toEqual([own, ended])
  })

  test('an abort that the server reports is its word', () => {
    expect(eventsOf(tanstackAi, [run, { type: 'RUN_ERROR', message: 'm', code: 'aborted' }])).toEqual([
      own,
      { type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: true } },
    ])
    expect(eventsOf(tanstackAi, [run, { type: 'RUN_ERROR', message: 'm', code: '500' }])).toEqual([
      own,
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'relay', detail: '500' } },
    ])
  })
})

describe('an error in the place of a result', () => {
  const told = (content: string): StreamEvent | undefined =>
    eventsOf(tanstackAi, [
      run,
      start(),
      args('{}'),
      end(),
      result({ content, ...tanstack({ state: 'output-error' }) }),
    ]).at(-1)

  test('is what the tool threw', () => {
    expect(told('{"error":"disk full"}')).toMatchObject({ type: 'call-returned', callId: 'c1', ok: false })
  })

  test.each([
    'Input validation failed for tool f: title: Required',
    'Failed to parse tool arguments as JSON: {\\"title',
  ])('says nothing of a run where the server says so of calls that it did not begin: %s', (words) => {
    const report = { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' }
    expect(told(`{"error":"${words}"}`)).toEqual({ type: 'outcome-reported', report })
  })

  test('is a refusal where it has the words of one', () => {
    expect(told('{"approved":false,"message":"User denied this action"}')).toMatchObject({
      type: 'approval-answered',
      granted: false,
    })
  })
})

describe('calls', () => {
  const value = { a: 1 }

  test.each([end({ input: value }), end(tanstack({ input: value }))])('have a whole input at their end: %j', (over) => {
    expect(eventsOf(tanstackAi, [run, start({ toolName: 'f' }), args('{"a":1}'), over])).toEqual([
      own,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a":1}' },
      { type: 'call-snapshot', key: 'call-1', value },
      closed,
    ])
  })

  test('have the input that stands there, also an empty one', () => {
    expect(eventsOf(tanstackAi, [run, start(), end({ input: {} })])).toEqual([
      own,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: {} },
      closed,
    ])
    expect(eventsOf(tanstackAi, [run, start(), end()])).toEqual([own, announced, closed])
  })

  test('are the provider’s where the metadata says so', () => {
    const provider = { ...announced, executor: 'provider' }
    expect(eventsOf(tanstackAi, [run, start({ metadata: { providerExecuted: true } })])).toEqual([own, provider])
    expect(eventsOf(tanstackAi, [run, start({ metadata: { providerExecuted: false } })])).toEqual([own, announced])
  })

  test.each([
    [result({ content: 'r' }), true],
    [result({ content: 'r', state: 'output-available' }), true],
    [result({ content: 'r', state: 'output-error' }), false],
    [result({ content: 'r', ...tanstack({ state: 'output-error' }) }), false],
    [end({ result: 'r' }), true],
    [end({ result: 'r', state: 'output-error' }), false],
  ])('return: %j', (event, ok) => {
    expect(eventsOf(tanstackAi, [run, start(), end(), event])).toEqual([
      own,
      announced,
      closed,
      { type: 'call-returned', key: 'call-1', callId: 'c1', ok, value: 'r' },
    ])
  })

  const words = `${NOT_RUN_MARK} another call had a problem.`

  test.each([words, JSON.stringify({ error: words })])('that the kit itself answered were not run: %s', (content) => {
    for (const state of ['output-error', 'output-available'])
      expect(eventsOf(tanstackAi, [run, start(), end(), result({ content, state })]).at(-1)).toEqual({
        type: 'outcome-reported',
        report: { callId: 'c1', name: null, ran: 'no' },
      })
  })

  const unclear = {
    type: 'outcome-reported',
    report: { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' },
  }
  const state = 'output-error'

  test.each([
    'Unknown tool: f',
    'Failed to parse tool arguments as JSON: {"a',
    'Input validation failed for tool f: Validation failed: "a" is no number',
    'Tool execution cancelled',
  ])('that the executor refuses need not have run: %s', (error) => {
    const content = JSON.stringify({ error })
    expect(eventsOf(tanstackAi, [run, start(), end(), result({ content, state })]).at(-1)).toEqual(unclear)
    const thrown = JSON.stringify({ error: `disk full. ${error}` })
    expect(eventsOf(tanstackAi, [run, start(), end(), result({ content: thrown, state })]).at(-1)).toMatchObject({
      type: 'call-returned',
      ok: false,
    })
  })

  test('that fail before they ended need not have run, nor what stands as an error in the history', () => {
    const content = '{"error":"disk full"}'
    expect(eventsOf(tanstackAi, [run, start(), args('{"a'), result({ content, state })]).at(-1)).toEqual(unclear)
    const history = (kept: string) => ({
      type: 'MESSAGES_SNAPSHOT',
      messages: [{ role: 'tool', id: 't', toolCallId: 'c1', content: kept }],
    })
    expect(eventsOf(tanstackAi, [run, start(), end(), history(content)]).at(-1)).toEqual(unclear)
    expect(eventsOf(tanstackAi, [run, start(), end(), history('{"error":"none","id":7}')]).at(-1)).toMatchObject({
      type: 'call-returned',
      ok: true,
    })
  })

  test('that a person refused say so in the place of a result', () => {
    const content = '{"error":"User declined tool execution"}'
    expect(eventsOf(tanstackAi, [run, start(), end(), result({ content, state })]).at(-1)).toEqual({
      type: 'approval-answered',
      key: 'call-1',
      granted: false,
      by: 'person',
    })
  })
})

describe('approvals', () => {
  const asked = (members: object) =>
    finished({ outcome: { type: 'interrupt', interrupts: [members] }, finishReason: 'tool_calls' })
  const naturally = { ...ended, reason: 'natural', rawReason: 'tool_calls' }

  test('an interrupt asks about its call; a tool of the client is asked for', () => {
    const approval = { id: 'approval_c1', toolCallId: 'c1', metadata: { kind: 'approval' } }
    expect(eventsOf(tanstackAi, [run, start(), end(), asked(approval)])).toEqual([
      own,
      announced,
      closed,
      { type: 'approval-requested', key: 'call-1', approvalId: 'approval_c1' },
      naturally,
    ])
    const client = { id: 'client_tool_c1', toolCallId: 'c1', metadata: { kind: 'client_tool', input: {} } }
    expect(eventsOf(tanstackAi, [run, start(), end(), asked(client)])).toEqual([own, announced, closed, naturally])
  })

  const input = { a: 1 }
  const approval = custom('approval-requested', {
    toolCallId: 'c1',
    toolName: 'f',
    input,
    approval: { id: 'a1', needsApproval: true },
  } satisfies ApprovalRequestedEvent['value'])
  const request = { type: 'approval-requested', key: 'call-1', approvalId: 'a1' }
  const whole = { type: 'call-snapshot', key: 'call-1', value: input }

  test('a custom event asks about its call, which it may announce', () => {
    expect(eventsOf(tanstackAi, [run, approval])).toEqual([own, announced, whole, closed, request])
    expect(eventsOf(tanstackAi, [run, start(), approval])).toEqual([own, announced, whole, closed, request])
  })

  test('a custom event asks the client for its tool', () => {
    const available = custom('tool-input-available', {
      toolCallId: 'c1',
      toolName: 'f',
      input,
    } satisfies ToolInputAvailableEvent['value'])
    expect(eventsOf(tanstackAi, [run, available])).toEqual([own, announced, whole, closed])
    expect(eventsOf(tanstackAi, [run, start(), args('{"a":1}'), available])).toEqual([
      own,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a":1}' },
      whole,
      closed,
    ])
  })

  test.each([true, false])('are answered on the wire: %s', (granted) => {
    expect(eventsOf(tanstackAi, [custom('approval.resolved', { approvalId: 'a1', granted })])).toEqual([
      { type: 'approval-answered', approvalId: 'a1', granted, by: 'person' },
    ])
  })

  test.each([
    ['{"approved":true,"pendingExecution":true,"message":"User approved this action"}', true],
    ['{"approved":false,"message":"User denied this action"}', false],
  ])('are answered in the history: %s', (content, granted) => {
    const messages = [
      { role: 'assistant', id: 'm1', toolCalls: [] },
      { role: 'tool', id: 't', toolCallId: 'c1', content },
    ]
    expect(eventsOf(tanstackAi, [run, start(), end(), { type: 'MESSAGES_SNAPSHOT', messages }]).at(-1)).toEqual({
      type: 'approval-answered',
      key: 'call-1',
      granted,
      by: 'person',
    })
  })

  test.each(['ui-resource', 'structured-output.start', 'process.stdout'])('%s is none', (name) => {
    expect(eventsOf(tanstackAi, [run, custom(name, { toolCallId: 'c1' })])).toEqual([own])
    expect(eventsOf(tanstackAi, [run, custom(name, null)])).toEqual([own])
  })
})

test('a resumed run tells its calls again before their results', () => {
  const first = [run, start(), args('{}'), end(), finished({ finishReason: 'tool_calls' })]
  const again = [start(), args('{}'), end(), result({ content: 'r' })]
  expect(eventsOf(tanstackAi, first, [{ ...run, runId: 'r2' }, ...again]).slice(5)).toEqual([
    { type: 'message-started', message: 'message-2' },
    { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true, value: 'r' },
  ])
})

/** What every chunk comes to, in a run that has an open call; a new one breaks the type check. */
const CHUNKS = {
  TEXT_MESSAGE_START: [],
  TEXT_MESSAGE_CONTENT: ['message-started', 'text-fragment'],
  TEXT_MESSAGE_END: [],
  TOOL_CALL_START: ['call-announced'],
  TOOL_CALL_ARGS: ['call-fragment'],
  TOOL_CALL_END: ['call-finished'],
  TOOL_CALL_RESULT: ['call-returned'],
  STATE_SNAPSHOT: [],
  STATE_DELTA: [],
  MESSAGES_SNAPSHOT: [],
  CUSTOM: [],
  RUN_STARTED: [],
  RUN_FINISHED: ['message-ended'],
  RUN_ERROR: ['stream-ended'],
  STEP_STARTED: [],
  STEP_FINISHED: [],
  REASONING_START: [],
  REASONING_MESSAGE_START: [],
  REASONING_MESSAGE_CONTENT: [],
  REASONING_MESSAGE_END: [],
  REASONING_END: [],
  REASONING_ENCRYPTED_VALUE: [],
} satisfies Record<`${StreamChunk['type']}`, StreamEvent['type'][]>

test.each(Object.entries(CHUNKS))('%s is of the format and comes to %j', (type, expected) => {
  const reader = tanstackAi.reader()
  reader.open()
  for (const event of [run, start()]) reader.read(event, () => {})
  const told: string[] = []
  const delta = type === 'TEXT_MESSAGE_START' ? undefined : 'x'
  const event = { type, runId: 'r1', messageId: 'm1', toolCallId: 'c1', delta, content: 'x', message: 'x' }
  expect(reader.read(event, (made) => told.push(made.type))).toBe(true)
  expect(told).toEqual(expected)
})

test.each([null, undefined, 1, 'x', [], {}, { type: 'x' }])('%j is none', (event) => {
  const reader = tanstackAi.reader()
  reader.open()
  expect(reader.read(event, () => {})).toBe(false)
})
