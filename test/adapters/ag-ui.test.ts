import type { EventType } from '@ag-ui/core'
import { describe, expect, test } from 'vitest'
import { agUi } from '../../src/adapters/ag-ui.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { eventsOf } from './events-of.ts'

const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r1' }
const finished = (outcome?: unknown, runId: unknown = 'r1') => ({ type: 'RUN_FINISHED', threadId: 't', runId, outcome })
const start = (toolCallId: unknown = 'c1', toolCallName: unknown = 'add_task', parentMessageId?: unknown) => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName,
  parentMessageId,
})
const args = (delta: unknown, toolCallId: unknown = 'c1') => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
const end = (toolCallId: unknown = 'c1') => ({ type: 'TOOL_CALL_END', toolCallId })
const chunk = (members: object) => ({ type: 'TOOL_CALL_CHUNK', ...members })
const result = (content: unknown, toolCallId: unknown = 'c1') => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `tm_${toolCallId}`,
  toolCallId,
  content,
})

// Every run has a message of its own, which the calls without a parent are in.
const own = { type: 'message-started', message: 'message-1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'add_task', message: 'message-1' }
const ended = { type: 'message-ended', reason: null, finishesOpenCalls: false, message: 'message-1' }

test('has its name, and the executor’s word for a run that finished', () => {
  expect(agUi.format).toBe('ag-ui')
  expect(agUi.speaker).toBe('executor')
})

test('one call is announced, streamed, finished and returned', () => {
  expect(
    eventsOf(agUi, [run, start(), args(''), args('{"title":'), args('"A"}'), end(), result('{"id":1}'), finished()]),
  ).toEqual([
    own,
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{"title":' },
    { type: 'call-fragment', key: 'call-1', text: '"A"}' },
    { type: 'call-finished', key: 'call-1' },
    { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true, value: '{"id":1}' },
    ended,
  ])
})

describe('the end of a run', () => {
  test.each([
    [undefined, null, undefined],
    [null, null, undefined],
    [{ type: 'success' }, null, 'success'],
    [{ type: 'success', pendingToolCallIds: ['c1'] }, null, 'success'],
    [{ type: 'interrupt', interrupts: [{ id: 'i1', reason: 'input' }] }, 'paused', 'interrupt'],
    [{ type: 'interrupt' }, 'paused', 'interrupt'],
    [{ type: 'a-word-of-tomorrow' }, 'unknown', 'a-word-of-tomorrow'],
    [{ type: 'constructor' }, 'unknown', 'constructor'],
  ])('%j ends its messages as %s', (outcome, reason, rawReason) => {
    expect(eventsOf(agUi, [run, finished(outcome)])).toEqual([
      own,
      { ...ended, reason, ...(rawReason === undefined ? {} : { rawReason }) },
    ])
  })

  test('a cancelled one ends the stream: whoever ran it knows', () => {
    expect(eventsOf(agUi, [run, start(), finished({ type: 'cancelled' }), args('x')])).toEqual([
      own,
      announced,
      { ...ended, reason: 'cancelled', rawReason: 'cancelled' },
      { type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: true } },
    ])
  })

  test('an error is the relay’s word, and nothing after it counts', () => {
    expect(eventsOf(agUi, [run, { type: 'RUN_ERROR', message: 'secret', code: 'quota' }, finished()])).toEqual([
      own,
      {
        type: 'stream-ended',
        ending: { type: 'lost', how: 'provider-error', speaker: 'relay', detail: 'quota' },
      },
    ])
    expect(eventsOf(agUi, [{ type: 'RUN_ERROR', message: 'secret' }])).toEqual([
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'relay' } },
    ])
  })

  test('an abort that the client of the protocol wrote acknowledges nothing', () => {
    expect(eventsOf(agUi, [run, { type: 'RUN_ERROR', message: 'aborted', code: 'abort' }])).toEqual([
      own,
      { type: 'stream-ended', ending: { type: 'cancelled', by: 'user', acknowledged: false } },
    ])
  })

  test('a second one ends nothing', () => {
    expect(eventsOf(agUi, [run, finished(), finished()])).toEqual([own, ended])
  })

  test('a subagent’s end is none', () => {
    expect(
      eventsOf(agUi, [
        run,
        { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
        { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
        { type: 'SUBAGENT_ERROR', subagentRunId: 's', message: 'm' },
        finished(),
      ]),
    ).toEqual([own, ended])
  })

  test('without RUN_STARTED, as after a resume, there is a message to be ended all the same', () => {
    expect(eventsOf(agUi, [finished()])).toEqual([own, ended])
  })

  test('what comes after it is in another message, which has not ended', () => {
    expect(eventsOf(agUi, [run, finished(), start()])).toEqual([
      own,
      ended,
      { type: 'message-started', message: 'message-2' },
      { ...announced, message: 'message-2' },
    ])
  })

  test('two runs at once end each by itself', () => {
    const other = { ...run, runId: 'r2' }
    expect(
      eventsOf(agUi, [
        run,
        start('c1', 'a', 'm1'),
        other,
        start('c2', 'b', 'm2'),
        finished(),
        finished(undefined, 'r2'),
      ]),
    ).toEqual([
      own,
      { type: 'message-started', messageId: 'm1', message: 'message-2' },
      { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'a', message: 'message-2' },
      { type: 'message-started', message: 'message-3' },
      { type: 'message-started', messageId: 'm2', message: 'message-4' },
      { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'b', message: 'message-4' },
      ended,
      { ...ended, message: 'message-2' },
      { ...ended, message: 'message-3' },
      { ...ended, message: 'message-4' },
    ])
  })
})

describe('messages', () => {
  test('calls are in the message that holds them', () => {
    expect(
      eventsOf(agUi, [run, start('c1', 'a', 'm1'), start('c2', 'b', 'm1'), start('c3', 'c', 'm2'), finished()]),
    ).toEqual([
      own,
      { type: 'message-started', messageId: 'm1', message: 'message-2' },
      { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'a', message: 'message-2' },
      { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'b', message: 'message-2' },
      { type: 'message-started', messageId: 'm2', message: 'message-3' },
      { type: 'call-announced', key: 'call-3', callId: 'c3', name: 'c', message: 'message-3' },
      ended,
      { ...ended, message: 'message-2' },
      { ...ended, message: 'message-3' },
    ])
  })

  const words = (members: object, type = 'CONTENT') => ({ type: `TEXT_MESSAGE_${type}`, ...members })
  const inMessage = { type: 'message-started', messageId: 'm1', message: 'message-2' }
  const fragment = (text: string) => ({ type: 'text-fragment', text, message: 'message-2' })

  test('text is the assistant’s, whole or in chunks', () => {
    expect(
      eventsOf(agUi, [
        run,
        words({ messageId: 'm1', role: 'assistant' }, 'START'),
        words({ messageId: 'm1', delta: 'On ' }),
        words({ messageId: 'm1' }, 'END'),
        words({ messageId: 'm1', delta: 'it' }, 'CHUNK'),
        words({ delta: '.' }, 'CHUNK'),
      ]),
    ).toEqual([own, inMessage, fragment('On '), fragment('it'), fragment('.')])
  })

  test.each(['user', 'system', 'developer'])('text of the %s is none of the reply', (role) => {
    expect(
      eventsOf(agUi, [
        run,
        words({ messageId: 'u1', role }, 'START'),
        words({ messageId: 'u1', delta: 'Do it' }),
        words({ messageId: 'u2', role, delta: 'Do it' }, 'CHUNK'),
        words({ delta: ' now' }, 'CHUNK'),
      ]),
    ).toEqual([own])
  })

  test('text that is told again is told once', () => {
    const from = words({ messageId: 'm1' }, 'START')
    expect(
      eventsOf(
        agUi,
        [run, from, words({ messageId: 'm1', delta: 'On i' })],
        [run, from, words({ messageId: 'm1', delta: 'On' }), words({ messageId: 'm1', delta: ' it' })],
      ).filter(({ type }) => type === 'text-fragment'),
    ).toEqual([fragment('On i'), fragment('t')])
  })
})

describe('identity', () => {
  test('calls may overlap: they go by id', () => {
    expect(
      eventsOf(agUi, [run, start('a', 'x'), start('b', 'y'), args('{"b', 'b'), args('{"a', 'a'), end('b'), end('a')]),
    ).toEqual([
      own,
      { type: 'call-announced', key: 'call-1', callId: 'a', name: 'x', message: 'message-1' },
      { type: 'call-announced', key: 'call-2', callId: 'b', name: 'y', message: 'message-1' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-finished', key: 'call-2' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('a start for an open call begins its buffer anew; what has ended is told again in vain', () => {
    expect(
      eventsOf(agUi, [run, start(), args('{"a'), start(), args('{"a":1}'), end(), start(), args('{"a":1}'), end()]),
    ).toEqual([
      own,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a":1}' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('an id that is used again in another message is another call; without a parent, or in the same, it is not', () => {
    const inMessage = (parent: string, message: string, key: string) => [
      { type: 'message-started', messageId: parent, message },
      { type: 'call-announced', key, callId: 'f:0', name: 'f', message },
      { type: 'call-finished', key },
    ]
    const call = (parent?: string) => [start('f:0', 'f', parent), end('f:0')]
    expect(eventsOf(agUi, [run, ...call('m1'), ...call('m1'), ...call(), ...call('m2'), result('x', 'f:0')])).toEqual([
      own,
      ...inMessage('m1', 'message-2', 'call-1'),
      ...inMessage('m2', 'message-3', 'call-2'),
      { type: 'call-returned', key: 'call-2', callId: 'f:0', ok: true, value: 'x' },
    ])
  })

  test('starts without an id are calls of their own', () => {
    const bare = { type: 'TOOL_CALL_START', toolCallName: 'f' }
    const over = { type: 'TOOL_CALL_END' }
    expect(eventsOf(agUi, [run, bare, over, bare])).toEqual([
      own,
      { type: 'call-announced', key: 'call-1', name: 'f', message: 'message-1' },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2', name: 'f', message: 'message-1' },
    ])
  })

  test('arguments and ends of a call that never started say nothing; a result is evidence', () => {
    expect(eventsOf(agUi, [run, args('{}', 'x'), end('x'), result('r', 'x'), result('r', null)])).toEqual([
      own,
      { type: 'call-returned', callId: 'x', ok: true, value: 'r' },
    ])
  })
})

describe('chunks', () => {
  const first = chunk({ toolCallId: 'c1', toolCallName: 'add_task', delta: '{"a' })
  const opened = [own, announced, { type: 'call-fragment', key: 'call-1', text: '{"a' }]
  const closed = { type: 'call-finished', key: 'call-1' }

  test('go on without an id, and end with the run', () => {
    expect(eventsOf(agUi, [run, first, chunk({ delta: '":1}' }), chunk({}), finished()])).toEqual([
      ...opened,
      { type: 'call-fragment', key: 'call-1', text: '":1}' },
      closed,
      ended,
    ])
  })

  test('end with the next call', () => {
    expect(eventsOf(agUi, [run, first, chunk({ toolCallId: 'c2', toolCallName: 'f' })])).toEqual([
      ...opened,
      closed,
      { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'f', message: 'message-1' },
    ])
  })

  test.each([
    'TEXT_MESSAGE_CHUNK',
    'TEXT_MESSAGE_END',
    'TOOL_CALL_START',
    'TOOL_CALL_RESULT',
    'STATE_DELTA',
    'MESSAGES_SNAPSHOT',
    'CUSTOM',
    'STEP_FINISHED',
    'REASONING_START',
    'REASONING_MESSAGE_CHUNK',
  ])('end with %s', (type) => {
    expect(eventsOf(agUi, [run, first, { type }]).slice(3)).toContainEqual(closed)
  })

  test.each(['RAW', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'SUBAGENT_STARTED', 'REASONING_ENCRYPTED_VALUE'])(
    'go on after %s',
    (type) => {
      expect(eventsOf(agUi, [run, first, { type }, chunk({ delta: '"' })])).toEqual([
        ...opened,
        { type: 'call-fragment', key: 'call-1', text: '"' },
      ])
    },
  )

  test('are not finished by a run that was cancelled or failed', () => {
    for (const ending of [finished({ type: 'cancelled' }), { type: 'RUN_ERROR', message: 'm' }])
      expect(eventsOf(agUi, [run, first, ending])).not.toContainEqual(closed)
  })

  test('without a call to go on with say nothing', () => {
    expect(eventsOf(agUi, [run, chunk({ delta: '{' })])).toEqual([own])
  })
})

describe('interrupts', () => {
  const call = [own, announced, { type: 'call-finished', key: 'call-1' }]
  const asking = finished({ type: 'interrupt', interrupts: [{ id: 'i1', reason: 'tool', toolCallId: 'c1' }] })
  const asked = [
    { type: 'approval-requested', key: 'call-1', approvalId: 'i1' },
    { ...ended, rawReason: 'interrupt' },
  ]

  test('ask about the call they name; the model was done with its message', () => {
    expect(eventsOf(agUi, [run, start(), end(), asking])).toEqual([...call, ...asked])
  })

  test('about a call that nobody announced are a pause', () => {
    expect(eventsOf(agUi, [run, asking])).toEqual([own, { ...ended, reason: 'paused', rawReason: 'interrupt' }])
  })

  test.each([
    [{ status: 'resolved' }, true],
    [{ status: 'resolved', payload: { approved: true } }, true],
    [{ status: 'resolved', payload: { approved: false } }, false],
    [{ status: 'resolved', payload: false }, false],
    [{ status: 'cancelled' }, false],
  ])('are answered as the next run echoes it: %j', (entry, granted) => {
    const next = { ...run, runId: 'r2', input: { resume: [{ interruptId: 'i1', ...entry }, { interruptId: 'i2' }] } }
    const answered = { type: 'approval-answered', key: 'call-1', approvalId: 'i1', granted, by: 'person' }
    expect(eventsOf(agUi, [run, start(), end(), asking], [next, result('Denied.')])).toEqual([
      ...call,
      ...asked,
      { type: 'message-started', message: 'message-2' },
      answered,
      // This wire has no word for the answer to a refusal: it comes as a result.
      ...(granted ? [{ type: 'call-returned', key: 'call-1', callId: 'c1', ok: true, value: 'Denied.' }] : []),
    ])
  })
})

describe('snapshots', () => {
  const user = { id: 'u1', role: 'user', content: 'Do it' }
  const assistant = (id: string, ...ids: string[]) => ({
    id,
    role: 'assistant',
    content: 'On it.',
    toolCalls: ids.map((callId) => ({ id: callId, type: 'function', function: { name: 'f', arguments: '{"a":1}' } })),
  })
  const tool = (toolCallId: string, error?: string) => ({
    id: `t_${toolCallId}`,
    role: 'tool',
    toolCallId,
    content: 'r',
    error,
  })
  const snapshot = (...messages: unknown[]) => ({ type: 'MESSAGES_SNAPSHOT', messages })

  test('tell of calls and results behind the person’s last message, and of no others', () => {
    expect(
      eventsOf(agUi, [
        run,
        snapshot(
          user,
          assistant('m0', 'old'),
          tool('old'),
          user,
          assistant('m1', 'c1', 'c2'),
          tool('c1'),
          tool('c2', 'boom'),
        ),
        finished(),
      ]),
    ).toEqual([
      own,
      { type: 'message-started', messageId: 'm1', message: 'message-2' },
      { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'f', message: 'message-2' },
      { type: 'call-snapshot', key: 'call-1', text: '{"a":1}' },
      { type: 'call-announced', key: 'call-2', callId: 'c2', name: 'f', message: 'message-2' },
      { type: 'call-snapshot', key: 'call-2', text: '{"a":1}' },
      { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true, value: 'r' },
      { type: 'call-returned', key: 'call-2', callId: 'c2', ok: false, value: 'boom' },
      // Nothing else will end them.
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-finished', key: 'call-2' },
      ended,
      { ...ended, message: 'message-2' },
    ])
  })

  test('go on with an open call, and leave a finished one alone', () => {
    const whole = {
      id: 'm1',
      role: 'assistant',
      toolCalls: [{ id: 'c1', function: { name: 'add_task', arguments: '{}' } }],
    }
    expect(eventsOf(agUi, [run, start(), args('{'), snapshot(whole), end(), snapshot(whole)])).toEqual([
      own,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{' },
      { type: 'call-snapshot', key: 'call-1', text: '{}' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('of a call whose fragments then go on leave its end to the wire', () => {
    const half = { id: 'm1', role: 'assistant', toolCalls: [{ id: 'c1', function: { name: 'f', arguments: '{"a' } }] }
    expect(eventsOf(agUi, [run, snapshot(half), args('":1}'), finished()]).map(({ type }) => type)).toEqual([
      'message-started',
      'message-started',
      'call-announced',
      'call-snapshot',
      'call-fragment',
      'message-ended',
      'message-ended',
    ])
  })

  test('do not finish their calls where the run did not finish', () => {
    const events = eventsOf(agUi, [run, snapshot(user, assistant('m1', 'c1')), finished({ type: 'a-new-word' })])
    expect(events.map(({ type }) => type)).not.toContain('call-finished')
  })

  test('give no result to a later call of the same id', () => {
    const reused = [start('f:0', 'f', 'm1'), end('f:0'), start('f:0', 'f', 'm2')]
    const events = eventsOf(agUi, [
      run,
      ...reused,
      snapshot(user, assistant('m1', 'f:0'), tool('f:0'), assistant('m2')),
    ])
    expect(events.map(({ type }) => type)).not.toContain('call-returned')
  })
})

test('an error that the kit itself sent back is its own word that nothing ran', () => {
  const value = `${NOT_RUN_MARK} the input was cut.`
  const report = { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no' } }
  expect(eventsOf(agUi, [run, start(), end(), result(value)]).at(-1)).toEqual(report)
  const messages = [{ id: 't', role: 'tool', toolCallId: 'c1', content: '', error: value }]
  expect(eventsOf(agUi, [run, start(), end(), { type: 'MESSAGES_SNAPSHOT', messages }]).at(-1)).toEqual(report)
})

describe('several streams', () => {
  test('a run that broke off goes on: its messages end with it, and its calls are told again', () => {
    expect(
      eventsOf(
        agUi,
        [run, start('c1', 'add_task', 'm1'), args('{"a')],
        [run, start('c1', 'add_task', 'm1'), args('{}'), finished()],
      ),
    ).toEqual([
      own,
      { type: 'message-started', messageId: 'm1', message: 'message-2' },
      { ...announced, message: 'message-2' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'message-started', message: 'message-3' },
      { ...announced, message: 'message-2' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      ended,
      { ...ended, message: 'message-2' },
      { ...ended, message: 'message-3' },
    ])
  })

  test('what another run left open does not end with this one', () => {
    expect(eventsOf(agUi, [run, start()], [{ ...run, runId: 'r2' }, finished(undefined, 'r2')])).toEqual([
      own,
      announced,
      { type: 'message-started', message: 'message-2' },
      { ...ended, message: 'message-2' },
    ])
  })

  test('a result of an earlier stream’s call is known by its id', () => {
    expect(eventsOf(agUi, [run, start(), end(), finished()], [{ ...run, runId: 'r2' }, result('r')]).at(-1)).toEqual({
      type: 'call-returned',
      key: 'call-1',
      callId: 'c1',
      ok: true,
      value: 'r',
    })
  })
})

/** What every event of the protocol comes to, in a run that has an open call; a new event breaks the type check. */
const EVENTS = {
  TEXT_MESSAGE_START: [],
  TEXT_MESSAGE_CONTENT: ['message-started', 'text-fragment'],
  TEXT_MESSAGE_END: [],
  TEXT_MESSAGE_CHUNK: ['message-started', 'text-fragment'],
  TOOL_CALL_START: ['call-announced'],
  TOOL_CALL_ARGS: ['call-fragment'],
  TOOL_CALL_END: ['call-finished'],
  TOOL_CALL_CHUNK: ['call-announced', 'call-fragment'],
  TOOL_CALL_RESULT: ['call-returned'],
  STATE_SNAPSHOT: [],
  STATE_DELTA: [],
  MESSAGES_SNAPSHOT: [],
  ACTIVITY_SNAPSHOT: [],
  ACTIVITY_DELTA: [],
  RAW: [],
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
  REASONING_MESSAGE_CHUNK: [],
  REASONING_END: [],
  REASONING_ENCRYPTED_VALUE: [],
  SUBAGENT_STARTED: [],
  SUBAGENT_FINISHED: [],
  SUBAGENT_ERROR: [],
} satisfies Record<`${EventType}`, string[]>

describe('every event', () => {
  const events = Object.entries(EVENTS)
  test.each(events)('%s is of the format and comes to %j', (type, expected) => {
    const reader = agUi.reader()
    reader.open()
    for (const event of [run, start()]) reader.read(event, () => {})
    const told: string[] = []
    const delta = type === 'TEXT_MESSAGE_START' ? undefined : 'x'
    const event = { type, runId: 'r1', messageId: 'm1', toolCallId: 'c1', delta, content: 'x', message: 'x' }
    expect(reader.read(event, (made) => told.push(made.type))).toBe(true)
    expect(told).toEqual(expected)
  })

  test.each([null, undefined, 1, 'x', '[DONE]', [], {}, { type: 'x' }, { type: 'response.created' }, { type: null }])(
    '%j is none',
    (event) => {
      const reader = agUi.reader()
      reader.open()
      expect(reader.read(event, () => {})).toBe(false)
    },
  )
})
