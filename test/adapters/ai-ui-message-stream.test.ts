import type { UIMessageChunk } from 'ai'
import { describe, expect, test } from 'vitest'
import { aiUiMessageStream } from '../../src/adapters/ai-ui-message-stream.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { eventsOf } from './events-of.ts'

type ChunkType = Exclude<UIMessageChunk['type'], `data-${string}`>
type FinishReason = NonNullable<Extract<UIMessageChunk, { type: 'finish' }>['finishReason']>

const start = { type: 'start', messageId: 'm1' }
const startStep = { type: 'start-step' }
const finishStep = { type: 'finish-step' }
const finish = (finishReason?: unknown) => ({ type: 'finish', finishReason })
const inputStart = (toolCallId: unknown = 'c1', more: object = {}) => ({
  type: 'tool-input-start',
  toolCallId,
  toolName: 'add_task',
  ...more,
})
const delta = (inputTextDelta: unknown, toolCallId: unknown = 'c1') => ({
  type: 'tool-input-delta',
  toolCallId,
  inputTextDelta,
})
const available = (input: unknown, toolCallId: unknown = 'c1', more: object = {}) => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'add_task',
  input,
  ...more,
})
const output = (value: unknown, toolCallId: unknown = 'c1', more: object = {}) => ({
  type: 'tool-output-available',
  toolCallId,
  output: value,
  ...more,
})
const outputError = (errorText: unknown, toolCallId: unknown = 'c1') => ({
  type: 'tool-output-error',
  toolCallId,
  errorText,
})
const text = (words: unknown) => ({ type: 'text-delta', id: 't1', delta: words })
const ask = (approvalId: unknown, toolCallId: unknown = 'c1', more: object = {}) => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
  ...more,
})
const respond = (approvalId: unknown, approved: unknown) => ({ type: 'tool-approval-response', approvalId, approved })
const denied = (toolCallId: unknown = 'c1') => ({ type: 'tool-output-denied', toolCallId })

const started = { type: 'message-started', messageId: 'm1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'c1', name: 'add_task' }
const finished = { type: 'call-finished', key: 'call-1' }
const natural = { type: 'message-ended', reason: 'natural', rawReason: 'tool-calls', finishesOpenCalls: false }
const unstated = { type: 'message-ended', reason: null, finishesOpenCalls: false }

test('has the name of the format, and the speaker is who runs the tools', () => {
  expect(aiUiMessageStream.format).toBe('ai-ui-message-stream')
  expect(aiUiMessageStream.speaker).toBe('executor')
})

test('one call is announced, streamed, handed over, answered and ended', () => {
  expect(
    eventsOf(aiUiMessageStream, [
      start,
      startStep,
      inputStart(),
      delta(''),
      delta('{"title":'),
      delta('"A"}'),
      available({ title: 'A' }),
      output({ ok: true }),
      finishStep,
      finish('tool-calls'),
      '[DONE]',
    ]),
  ).toEqual([
    started,
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{"title":' },
    { type: 'call-fragment', key: 'call-1', text: '"A"}' },
    { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
    finished,
    { type: 'call-returned', key: 'call-1', callId: 'c1', value: { ok: true }, ok: true },
    natural,
  ])
})

describe('chunks', () => {
  // Every type of the SDK's own union, alone in a stream: a new type is a type error here and in the adapter.
  const alone = {
    start: [start, [started]],
    'start-step': [startStep, [{ type: 'message-started' }]],
    'finish-step': [finishStep, []],
    'reset-step': [{ type: 'reset-step' }, []],
    finish: [
      finish('stop'),
      [
        { type: 'message-started' },
        { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: false },
      ],
    ],
    error: [
      { type: 'error', errorText: 'overloaded' },
      [
        { type: 'message-started' },
        { type: 'message-ended', reason: 'error', rawReason: 'error', finishesOpenCalls: false },
      ],
    ],
    abort: [
      { type: 'abort', reason: 'user stop' },
      [{ type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: true } }],
    ],
    'text-start': [{ type: 'text-start', id: 't1' }, []],
    'text-delta': [text('Hi'), [{ type: 'message-started' }, { type: 'text-fragment', text: 'Hi' }]],
    'text-end': [{ type: 'text-end', id: 't1' }, []],
    'tool-input-start': [inputStart(), [{ type: 'message-started' }, announced]],
    'tool-input-delta': [delta('{}'), []],
    'tool-input-available': [
      available({}),
      [{ type: 'message-started' }, announced, { type: 'call-snapshot', key: 'call-1', value: {} }, finished],
    ],
    'tool-input-error': [
      { ...available('{'), type: 'tool-input-error', errorText: 'no' },
      [
        { type: 'message-started' },
        announced,
        { type: 'call-snapshot', key: 'call-1', value: '{' },
        { ...finished, status: 'rejected' },
      ],
    ],
    'tool-approval-request': [ask('ap1'), []],
    'tool-approval-response': [respond('ap1', true), []],
    'tool-output-available': [output(1), [{ type: 'call-returned', callId: 'c1', value: 1, ok: true }]],
    'tool-output-error': [
      outputError('no'),
      [{ type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' } }],
    ],
    'tool-output-denied': [denied(), [{ type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no' } }]],
    'reasoning-start': [{ type: 'reasoning-start', id: 'r1' }, []],
    'reasoning-delta': [{ type: 'reasoning-delta', id: 'r1', delta: 'Hm' }, []],
    'reasoning-end': [{ type: 'reasoning-end', id: 'r1' }, []],
    'reasoning-file': [{ type: 'reasoning-file', url: 'data:,', mediaType: 'text/plain' }, []],
    'source-url': [{ type: 'source-url', sourceId: 's1', url: 'https://example.test' }, []],
    'source-document': [{ type: 'source-document', sourceId: 's1', mediaType: 'text/plain', title: 'A' }, []],
    file: [{ type: 'file', url: 'data:,', mediaType: 'text/plain' }, []],
    custom: [{ type: 'custom', kind: 'a.b' }, []],
    'message-metadata': [{ type: 'message-metadata', messageMetadata: {} }, []],
    'steering-message': [{ type: 'steering-message', id: 'u2', parts: [{ type: 'text', text: 'Also this' }] }, []],
  } satisfies Record<ChunkType, readonly [chunk: object, events: readonly object[]]>

  test.each(Object.entries(alone))('%s', (_, [chunk, events]) => {
    const reader = aiUiMessageStream.reader()
    const seen: object[] = []
    reader.open()
    expect(reader.read(chunk, (event) => seen.push(event))).toBe(true)
    expect(seen).toEqual(events)
  })

  test.each([
    [{ type: 'data-weather', data: { c: 4 } }, true],
    ['[DONE]', true],
    [{ type: 'tool-input-teleported', toolCallId: 'c1' }, false],
    [{ type: 'constructor' }, false],
    [{ type: { toString: null } }, false],
    [{}, false],
    ['{"type":', false],
    [null, false],
    [[start], false],
  ])('%j says nothing of a call; of the format: %s', (chunk, known) => {
    const reader = aiUiMessageStream.reader()
    reader.open()
    const emit = () => expect.unreachable()
    expect(reader.read(chunk, emit)).toBe(known)
  })
})

describe('stop reasons', () => {
  const reasons = {
    stop: 'natural',
    'tool-calls': 'natural',
    length: 'length',
    'content-filter': 'filter',
    error: 'error',
    interrupted: 'error',
    other: 'unknown',
  } satisfies Record<FinishReason, string>

  test.each([
    ...Object.entries(reasons),
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends the last step as %s', (rawReason, reason) => {
    expect(eventsOf(aiUiMessageStream, [start, startStep, finishStep, finish(rawReason)])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test.each([undefined, null, ''])('a finish without a reason (%j) has none to give', (finishReason) => {
    expect(eventsOf(aiUiMessageStream, [start, startStep, finish(finishReason)])).toEqual([started, unstated])
  })

  test('the end marker of a stream that never said finish ends its step without a reason', () => {
    expect(eventsOf(aiUiMessageStream, [start, startStep, '[DONE]'])).toEqual([started, unstated])
  })

  test('finish-step ends nothing by itself', () => {
    expect(eventsOf(aiUiMessageStream, [start, startStep, finishStep])).toEqual([started])
  })

  test('the first finish is the end, and after the end marker comes nothing', () => {
    expect(
      eventsOf(aiUiMessageStream, [start, finish('length'), finish('stop'), '[DONE]', startStep, text('Hi')]),
    ).toEqual([started, { type: 'message-ended', reason: 'length', rawReason: 'length', finishesOpenCalls: false }])
  })

  test('the reason speaks for the last step; the one before was ended by the next, without a reason', () => {
    expect(
      eventsOf(aiUiMessageStream, [start, startStep, finishStep, startStep, finishStep, finish('length')]),
    ).toEqual([
      started,
      unstated,
      started,
      { type: 'message-ended', reason: 'length', rawReason: 'length', finishesOpenCalls: false },
    ])
  })
})

describe('steps and their calls', () => {
  test('an id that is used again in a new step is a new call', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        inputStart(),
        available({ title: 'A' }),
        finishStep,
        startStep,
        inputStart(),
        delta('{}'),
        output('second'),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      finished,
      unstated,
      started,
      { ...announced, key: 'call-2' },
      { type: 'call-fragment', key: 'call-2', text: '{}' },
      { type: 'call-returned', key: 'call-2', callId: 'c1', value: 'second', ok: true },
    ])
  })

  test('a start for an open call of the step begins it anew, one for a finished call changes nothing', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        inputStart(),
        delta('{"ti'),
        inputStart(),
        delta('{}'),
        available({}),
        inputStart(),
        delta('{"more":1}'),
        available({ more: 1 }),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"ti' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      finished,
    ])
  })

  test('calls without an id are told apart by their completion', () => {
    const bare = { type: 'call-announced', key: 'call-1', name: 'add_task' }
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        inputStart(''),
        delta('{}', ''),
        available({}, ''),
        available(1, null),
      ]),
    ).toEqual([
      started,
      bare,
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      finished,
      { ...bare, key: 'call-2' },
      { type: 'call-snapshot', key: 'call-2', value: 1 },
      { ...finished, key: 'call-2' },
    ])
  })

  test('a result of an earlier step finds its call', () => {
    expect(
      eventsOf(aiUiMessageStream, [start, startStep, available({}), finishStep, startStep, output(1)]).at(-1),
    ).toEqual({ type: 'call-returned', key: 'call-1', callId: 'c1', value: 1, ok: true })
  })

  test('a stream without steps is one message', () => {
    expect(eventsOf(aiUiMessageStream, [inputStart(), available({}), output(1), '[DONE]'])).toEqual([
      { type: 'message-started' },
      announced,
      { type: 'call-snapshot', key: 'call-1', value: {} },
      finished,
      { type: 'call-returned', key: 'call-1', callId: 'c1', value: 1, ok: true },
      unstated,
    ])
  })

  test('after finish a call without a step belongs to the step that ended', () => {
    expect(eventsOf(aiUiMessageStream, [start, finish('stop'), inputStart(), finish('stop')])).toEqual([
      started,
      { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: false },
      announced,
    ])
  })

  test('reset-step withdraws the calls of the step, whose ids are free again', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        inputStart('c0'),
        finishStep,
        startStep,
        inputStart(),
        inputStart('c2'),
        { type: 'reset-step' },
        inputStart(),
      ]),
    ).toEqual([
      started,
      { ...announced, callId: 'c0' },
      unstated,
      started,
      { ...announced, key: 'call-2' },
      { ...announced, key: 'call-3', callId: 'c2' },
      { type: 'call-withdrawn', key: 'call-2' },
      { type: 'call-withdrawn', key: 'call-3' },
      { ...announced, key: 'call-4' },
    ])
  })
})

describe('who runs it, and what its input is', () => {
  test.each([
    [true, { executor: 'provider' }],
    [false, {}],
    ['true', {}],
  ])('providerExecuted: %j', (providerExecuted, executor) => {
    expect(eventsOf(aiUiMessageStream, [start, inputStart('c1', { providerExecuted })])).toEqual([
      started,
      { ...announced, ...executor },
    ])
    expect(eventsOf(aiUiMessageStream, [start, available({}, 'c1', { providerExecuted })])).toContainEqual({
      ...announced,
      ...executor,
    })
  })

  test('free text', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        inputStart('c1', { inputEncoding: 'text' }),
        delta('SELECT'),
        available('SELECT 1'),
      ]),
    ).toEqual([
      started,
      { ...announced, encoding: 'text' },
      { type: 'call-fragment', key: 'call-1', text: 'SELECT' },
      { type: 'call-snapshot', key: 'call-1', value: 'SELECT 1' },
      finished,
    ])
  })

  test('an input that is not given is no snapshot; null is one', () => {
    expect(eventsOf(aiUiMessageStream, [start, available(undefined)])).toEqual([started, announced, finished])
    expect(eventsOf(aiUiMessageStream, [start, available(null)])).toContainEqual({
      type: 'call-snapshot',
      key: 'call-1',
      value: null,
    })
  })
})

describe('results', () => {
  test('a preliminary result is progress; one for a call that nobody announced is nothing', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        available({}),
        output({ pct: 10 }, 'c1', { preliminary: true }),
        output({ pct: 10 }, 'c9', { preliminary: true }),
        output({ pct: 100 }, 'c1', { preliminary: false }),
      ]).slice(4),
    ).toEqual([
      { type: 'call-progress', key: 'call-1', value: { pct: 10 } },
      { type: 'call-returned', key: 'call-1', callId: 'c1', value: { pct: 100 }, ok: true },
    ])
  })

  test('a result of null is a result', () => {
    expect(eventsOf(aiUiMessageStream, [start, available({}), output(null)]).at(-1)).toEqual({
      type: 'call-returned',
      key: 'call-1',
      callId: 'c1',
      value: null,
      ok: true,
    })
  })

  test('an error of a tool of this step: it ran and failed', () => {
    expect(eventsOf(aiUiMessageStream, [start, startStep, available({}), outputError('no')]).at(-1)).toEqual({
      type: 'call-returned',
      key: 'call-1',
      callId: 'c1',
      value: 'no',
      ok: false,
    })
  })

  test('an error before the first step, of a call that was approved, does not say whether the tool ran', () => {
    // ai 7: "Report invalid approved tool calls to the model without executing them."
    const asked = [start, startStep, available({}), ask('ap1'), finishStep, finish('tool-calls'), '[DONE]']
    expect(eventsOf(aiUiMessageStream, asked, [start, outputError('Invalid input')]).at(-1)).toEqual({
      type: 'outcome-reported',
      report: { callId: 'c1', name: null, ran: 'unknown', cause: 'tool-error' },
    })
  })

  test('an error that this kit wrote itself says that nothing ran', () => {
    expect(
      eventsOf(aiUiMessageStream, [start, startStep, available({}), outputError(`${NOT_RUN_MARK} held back`)]).at(-1),
    ).toEqual({ type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no' } })
  })
})

describe('approvals', () => {
  const asked = { type: 'approval-requested', key: 'call-1', approvalId: 'ap1' }
  const before = [start, startStep, available({})]

  test.each([
    [true, true],
    [false, false],
  ])('a person answers %s, by the id of the approval alone', (approved, granted) => {
    expect(eventsOf(aiUiMessageStream, [...before, ask('ap1'), respond('ap1', approved)]).slice(4)).toEqual([
      asked,
      { type: 'approval-answered', key: 'call-1', approvalId: 'ap1', granted, by: 'person' },
    ])
  })

  test('what a rule answers is no answer of a person', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        ...before,
        ask('ap1', 'c1', { isAutomatic: true }),
        respond('ap1', false),
        denied(),
      ]).slice(4),
    ).toEqual([asked, { type: 'approval-answered', key: 'call-1', approvalId: 'ap1', granted: false, by: 'policy' }])
  })

  test('a denial without any request is one', () => {
    expect(eventsOf(aiUiMessageStream, [...before, denied()]).slice(4)).toEqual([
      { type: 'approval-requested', key: 'call-1' },
      { type: 'approval-answered', key: 'call-1', granted: false, by: 'person' },
      { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no', cause: 'declined-by-policy' } },
    ])
  })

  test('a denial after a grant is the last word', () => {
    expect(eventsOf(aiUiMessageStream, [...before, ask('ap1'), respond('ap1', true), denied()]).slice(6)).toEqual([
      { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no', cause: 'declined-by-policy' } },
    ])
  })

  test('a second request for a call, an answer to none and one that is no answer say nothing', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        ...before,
        ask('ap1'),
        ask('ap1'),
        respond('ap9', true),
        respond('ap1', 'yes'),
      ]).slice(4),
    ).toEqual([asked])
  })

  test('an answer may come in a later stream of the turn', () => {
    expect(
      eventsOf(
        aiUiMessageStream,
        [...before, ask('ap1'), finishStep, finish('tool-calls')],
        [start, respond('ap1', true), output(1)],
      ).slice(-2),
    ).toEqual([
      { type: 'approval-answered', key: 'call-1', approvalId: 'ap1', granted: true, by: 'person' },
      { type: 'call-returned', key: 'call-1', callId: 'c1', value: 1, ok: true },
    ])
  })
})

describe('endings', () => {
  const brokenBy = (chunk: object) =>
    eventsOf(aiUiMessageStream, [start, startStep, inputStart(), chunk, available({}), finish('stop'), '[DONE]'])

  test('after an abort nothing of the stream counts any more', () => {
    const types = brokenBy({ type: 'abort' }).map(({ type }) => type)
    expect(types).toEqual(['message-started', 'call-announced', 'stream-ended'])
  })

  test('after an error what the server does with an open call still counts, and no later reason does', () => {
    const events = brokenBy({ type: 'error', errorText: 'overloaded' })
    expect(events.map((event) => ('reason' in event ? event.reason : event.type))).toEqual([
      'message-started',
      'call-announced',
      'error',
      'call-snapshot',
      'call-finished',
    ])
  })

  test('the text of an error goes nowhere', () => {
    expect(JSON.stringify(eventsOf(aiUiMessageStream, [{ type: 'error', errorText: 'secret' }]))).not.toContain(
      'secret',
    )
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(aiUiMessageStream, [start, { type: 'abort' }], [start, startStep]).slice(2)).toEqual([started])
  })
})

describe('a response that goes on in another stream', () => {
  const broken = [start, startStep, text('I will '), inputStart(), delta('{"ti')]

  test('told again from its start, it begins its open call anew, tells no text twice and no step twice', () => {
    expect(
      eventsOf(aiUiMessageStream, broken, [
        start,
        startStep,
        text('I '),
        text('will do'),
        inputStart(),
        delta('{"ti'),
        delta('tle":1}'),
        available({ title: 1 }),
        finishStep,
        finish('tool-calls'),
      ]).slice(4),
    ).toEqual([
      { type: 'text-fragment', text: 'do' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"ti' },
      { type: 'call-fragment', key: 'call-1', text: 'tle":1}' },
      { type: 'call-snapshot', key: 'call-1', value: { title: 1 } },
      finished,
      natural,
    ])
  })

  test('told again over several steps, each finds its own', () => {
    const first = [start, startStep, text('A'), inputStart(), available({}), output(1), finishStep]
    const second = [startStep, text('B'), inputStart()]
    expect(
      eventsOf(
        aiUiMessageStream,
        [...first, ...second],
        [...first, ...second, available({ b: 1 }), finishStep, finish('tool-calls')],
      ).slice(10),
    ).toEqual([
      // The result of the first, once more.
      { type: 'call-returned', key: 'call-1', callId: 'c1', value: 1, ok: true },
      { ...announced, key: 'call-2' },
      { type: 'call-snapshot', key: 'call-2', value: { b: 1 } },
      { ...finished, key: 'call-2' },
      natural,
    ])
  })

  test('taken up where it broke off, it simply goes on', () => {
    expect(
      eventsOf(aiUiMessageStream, broken, [
        delta('tle":1}'),
        available({ title: 1 }),
        finishStep,
        finish('tool-calls'),
      ]).slice(4),
    ).toEqual([
      { type: 'call-fragment', key: 'call-1', text: 'tle":1}' },
      { type: 'call-snapshot', key: 'call-1', value: { title: 1 } },
      finished,
      natural,
    ])
  })

  test('an empty stream ends nothing that an earlier one left open', () => {
    expect(eventsOf(aiUiMessageStream, broken, ['[DONE]'])).toEqual(eventsOf(aiUiMessageStream, broken))
  })

  test('one that was finished goes on with a step of its own, under the same id', () => {
    const first = [start, startStep, available({}), finishStep, finish('tool-calls'), '[DONE]']
    expect(eventsOf(aiUiMessageStream, first, [start, startStep, inputStart()]).slice(5)).toEqual([
      started,
      { ...announced, key: 'call-2' },
    ])
  })

  test('another response is another message', () => {
    expect(
      eventsOf(aiUiMessageStream, broken, [{ type: 'start', messageId: 'm2' }, startStep, inputStart()]).slice(4),
    ).toEqual([
      { type: 'message-started', messageId: 'm2' },
      { ...announced, key: 'call-2' },
    ])
  })
})

describe('streams that a server merged into one', () => {
  test('one after the other, they are steps of one response', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        inputStart(),
        finishStep,
        start,
        startStep,
        inputStart(),
        finishStep,
        finish('tool-calls'),
      ]),
    ).toEqual([started, announced, unstated, started, { ...announced, key: 'call-2' }, natural])
  })

  test('beside each other, they are one step, which nothing ends before the finish', () => {
    expect(
      eventsOf(aiUiMessageStream, [
        start,
        startStep,
        { type: 'start', messageId: 'm2' },
        startStep,
        inputStart('c1'),
        inputStart('c2'),
        finishStep,
        available({}, 'c1'),
        finish('tool-calls'),
      ]),
    ).toEqual([
      started,
      announced,
      { ...announced, key: 'call-2', callId: 'c2' },
      { type: 'call-snapshot', key: 'call-1', value: {} },
      finished,
      natural,
    ])
  })

  test('what a server wrote before the start belongs to the same step', () => {
    expect(
      eventsOf(aiUiMessageStream, [text('One moment. '), start, startStep, text('I will'), finish('stop')]),
    ).toEqual([
      { type: 'message-started' },
      { type: 'text-fragment', text: 'One moment. ' },
      { type: 'text-fragment', text: 'I will' },
      { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: false },
    ])
  })

  test('a start that says another id before any step is a message of its own, and the empty one is over', () => {
    expect(eventsOf(aiUiMessageStream, [start, { type: 'start', messageId: 'm2' }, startStep, finish('stop')])).toEqual(
      [
        started,
        unstated,
        { type: 'message-started', messageId: 'm2' },
        { type: 'message-ended', reason: 'natural', rawReason: 'stop', finishesOpenCalls: false },
      ],
    )
  })
})
