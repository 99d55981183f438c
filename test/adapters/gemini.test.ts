import { readFileSync } from 'node:fs'
import type { FinishReason, FunctionCall, Interactions, Outcome, Part } from '@google/genai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gemini } from '../../src/adapters/gemini.ts'
import { STREAM_EVENT_TYPES, type StopReason } from '../../src/core/events.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { eventsOf, eventsOfBytes } from './events-of.ts'

// Responses as the official client types their parts.
const response = (parts: readonly Part[], finishReason?: unknown, responseId: unknown = 'r1') => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, finishReason }],
  responseId,
})
const call = (functionCall: FunctionCall, ...others: readonly FunctionCall[]) =>
  response([functionCall, ...others].map((one) => ({ functionCall: one })))
const end = (finishReason: unknown, responseId: unknown = 'r1') => response([{ text: '' }], finishReason, responseId)
const leaves = (...partialArgs: NonNullable<FunctionCall['partialArgs']>) => partialArgs

const started = { type: 'message-started', messageId: 'r1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'fc-1', name: 'add_task' }
const finished = { type: 'call-finished', key: 'call-1' }
const ended = { type: 'message-ended', reason: 'natural', rawReason: 'STOP', finishesOpenCalls: false }

test('has the name and the speaker of a raw provider wire', () => {
  expect(gemini.format).toBe('gemini')
  expect(gemini.speaker).toBe('model')
})

test('text, then a call, whole and finished by its own part, then the end', () => {
  expect(
    eventsOf(gemini, [
      response([{ text: 'I’ll ' }, { text: 'think', thought: true }, { text: 'do it' }]),
      response([{ functionCall: { id: 'fc-1', name: 'add_task', args: { title: 'A' } }, thoughtSignature: 'x' }]),
      end('STOP'),
    ]),
  ).toEqual([
    started,
    { type: 'text-fragment', text: 'I’ll ' },
    { type: 'text-fragment', text: 'do it' },
    announced,
    { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
    finished,
    ended,
  ])
})

describe('whole calls', () => {
  test('without ids each is one of its own, in one event or in several', () => {
    const both: [FunctionCall, FunctionCall] = [
      { name: 'get_weather', args: { city: 'Paris' } },
      { name: 'get_weather', args: { city: 'Paris' } },
    ]
    const events = [
      started,
      { type: 'call-announced', key: 'call-1', name: 'get_weather' },
      { type: 'call-snapshot', key: 'call-1', value: { city: 'Paris' } },
      finished,
      { type: 'call-announced', key: 'call-2', name: 'get_weather' },
      { type: 'call-snapshot', key: 'call-2', value: { city: 'Paris' } },
      { type: 'call-finished', key: 'call-2' },
    ]
    expect(eventsOf(gemini, [call(...both)])).toEqual(events)
    expect(
      eventsOf(
        gemini,
        both.map((one) => call(one)),
      ),
    ).toEqual(events)
  })

  test('without arguments say nothing about them', () => {
    expect(eventsOf(gemini, [call({ id: 'fc-1', name: 'add_task' })])).toEqual([started, announced, finished])
    expect(eventsOf(gemini, [call({ id: 'fc-1', name: 'add_task', args: {} })])).toEqual([started, announced, finished])
  })

  test('with arguments of a wrong type do not pass for ones without', () => {
    const odd = (args: unknown) => eventsOf(gemini, [call({ name: 'a', args } as FunctionCall)])
    expect(odd([])).toContainEqual({ type: 'call-snapshot', key: 'call-1', value: [] })
    expect(odd(7)).toContainEqual({ type: 'call-snapshot', key: 'call-1', value: 7 })
    expect(odd('{"a":1}')).toContainEqual({ type: 'call-fragment', key: 'call-1', text: '{"a":1}' })
  })

  test('sent again under their id are the same, with what they say now', () => {
    const sent = (title: string) => call({ id: 'fc-1', name: 'add_task', args: { title } })
    expect(eventsOf(gemini, [sent('A'), sent('B')])).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      finished,
      { type: 'call-snapshot', key: 'call-1', value: { title: 'B' } },
      finished,
    ])
  })

  test('sent again with other arguments are not run: one of the two is not what was meant', async () => {
    const sent = (title: string) => call({ id: 'fc-1', name: 'add_task', args: { title } })
    const pieces = [sent('A'), sent('B'), end('STOP')].map((event) => `data: ${JSON.stringify(event)}\n\n`)
    const { calls } = await replay({ adapter: gemini, tools: { add_task: { executor: 'local' } }, pieces })
    expect(calls).toMatchObject([{ outcome: 'unparseable', detail: 'snapshot-differs', mayDispatch: false }])
  })

  test('without a name are announced; an empty part is none', () => {
    expect(eventsOf(gemini, [call({}), call({ args: { a: 1 } })])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1' },
      { type: 'call-snapshot', key: 'call-1', value: { a: 1 } },
      finished,
    ])
  })
})

describe('calls in leaves', () => {
  const first = call({ id: 'fc-1', name: 'add_task', willContinue: true })
  const title = (stringValue: string, willContinue?: true) =>
    leaves({ jsonPath: '$.title', stringValue, ...(willContinue && { willContinue }) })

  test('go on until an empty part', () => {
    expect(
      eventsOf(gemini, [
        first,
        call({ partialArgs: title('Buy ', true), willContinue: true }),
        call({ partialArgs: title('milk'), willContinue: true }),
        call({
          partialArgs: leaves(
            { jsonPath: '$.tags[0].name', stringValue: 'x' },
            { jsonPath: "$['is done']", boolValue: false },
            { jsonPath: '$.due', nullValue: 'NULL_VALUE' },
          ),
          willContinue: true,
        }),
        call({}),
        end('STOP'),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'Buy ', continues: true },
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'milk', continues: false },
      { type: 'call-leaf', key: 'call-1', path: ['tags', 0, 'name'], value: 'x', continues: false },
      { type: 'call-leaf', key: 'call-1', path: ['is done'], value: false, continues: false },
      { type: 'call-leaf', key: 'call-1', path: ['due'], value: null, continues: false },
      finished,
      ended,
    ])
  })

  test('or until a part that still carries some; an empty part after it closes nothing', () => {
    expect(eventsOf(gemini, [first, call({ partialArgs: title('A') }), call({}), end('STOP')])).toEqual([
      started,
      announced,
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'A', continues: false },
      finished,
      ended,
    ])
  })

  test('may begin beside the name, and repeat the id', () => {
    expect(
      eventsOf(gemini, [
        call({ id: 'fc-1', name: 'add_task', args: {}, partialArgs: title('A', true), willContinue: true }),
        call({ id: 'fc-1', partialArgs: title('B'), willContinue: true }),
        call({ id: 'fc-1', args: {} }),
      ]),
    ).toEqual([
      started,
      announced,
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'A', continues: true },
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'B', continues: false },
      finished,
    ])
  })

  test('one after the other', () => {
    const second = call({ name: 'search', willContinue: true })
    expect(eventsOf(gemini, [first, call({}), second, call({ partialArgs: title('A') })])).toEqual([
      started,
      announced,
      finished,
      { type: 'call-announced', key: 'call-2', name: 'search' },
      { type: 'call-leaf', key: 'call-2', path: ['title'], value: 'A', continues: false },
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('what is no leaf, or has no value, says nothing; a leaf without a place is one', () => {
    const odd = [null, 'x', {}, { jsonPath: '$.a' }, { jsonPath: '$..a', numberValue: 1 }]
    expect(eventsOf(gemini, [first, call({ partialArgs: odd as FunctionCall['partialArgs'] & {} })])).toEqual([
      started,
      announced,
      { type: 'call-leaf', key: 'call-1', path: [-1], value: 1, continues: false },
      finished,
    ])
  })

  test('that still go on at the end are not run', async () => {
    const events = [first, call({ partialArgs: title('A'), willContinue: true }), end('STOP')]
    const pieces = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    const { calls } = await replay({ adapter: gemini, tools: { add_task: { executor: 'local' } }, pieces })
    expect(calls).toMatchObject([
      { label: 'add_task — not run (the response ended early)', detail: 'incomplete-at-finish', mayDispatch: false },
    ])
  })

  test('leaves that come too late are told of the call that was closed; without any call they are one', () => {
    const late = call({ partialArgs: title('A') })
    expect(eventsOf(gemini, [first, call({}), late])).toEqual([
      started,
      announced,
      finished,
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'A', continues: false },
      finished,
    ])
    expect(eventsOf(gemini, [late])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1' },
      { type: 'call-leaf', key: 'call-1', path: ['title'], value: 'A', continues: false },
      finished,
    ])
  })
})

describe('finish reasons', () => {
  const reasons = {
    STOP: 'natural',
    MAX_TOKENS: 'length',
    SAFETY: 'filter',
    RECITATION: 'filter',
    LANGUAGE: 'filter',
    BLOCKLIST: 'filter',
    PROHIBITED_CONTENT: 'filter',
    SPII: 'filter',
    IMAGE_SAFETY: 'filter',
    IMAGE_PROHIBITED_CONTENT: 'filter',
    IMAGE_RECITATION: 'filter',
    IMAGE_OTHER: 'filter',
    MALFORMED_FUNCTION_CALL: 'malformed',
    MALFORMED_RESPONSE: 'malformed',
    UNEXPECTED_TOOL_CALL: 'malformed',
    TOO_MANY_TOOL_CALLS: 'malformed',
    CONTINUATION: 'paused',
    FINISH_REASON_UNSPECIFIED: 'unknown',
    NO_IMAGE: 'unknown',
    OTHER: 'unknown',
  } satisfies Record<`${FinishReason}`, StopReason>

  test.each([
    ...Object.entries(reasons),
    ['A_WORD_OF_TOMORROW', 'unknown'],
    ['NO_SAFETY_AT_ALL', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends a message as %s', (rawReason, reason) => {
    expect(eventsOf(gemini, [end(rawReason), end('STOP')])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test('a malformed call is not sent: the message ends without it', () => {
    const malformed = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'call:add_task{' }] }
    expect(eventsOf(gemini, [malformed])).toEqual([
      { type: 'message-started' },
      { type: 'message-ended', reason: 'malformed', rawReason: 'MALFORMED_FUNCTION_CALL', finishesOpenCalls: false },
    ])
  })

  test('a blocked prompt is filtered, whatever word it is blocked with', () => {
    const blocked = (blockReason: string) => ({ promptFeedback: { blockReason }, responseId: 'r1' })
    for (const word of ['SAFETY', 'OTHER', 'JAILBREAK', 'A_WORD_OF_TOMORROW']) {
      expect(eventsOf(gemini, [blocked(word)])).toEqual([
        started,
        { type: 'message-ended', reason: 'filter', rawReason: word, finishesOpenCalls: false },
      ])
    }
    expect(eventsOf(gemini, [response([{ text: 'hi' }]), blocked('SAFETY')])).toEqual([
      started,
      { type: 'text-fragment', text: 'hi' },
      { type: 'message-ended', reason: 'filter', rawReason: 'SAFETY', finishesOpenCalls: false },
    ])
  })
})

describe('several responses', () => {
  const sent = call({ id: 'fc-1', name: 'add_task' })

  test('in one stream, as of a loop that runs tools, are messages of their own', () => {
    const next = { ...sent, responseId: 'r2' }
    expect(eventsOf(gemini, [sent, end('STOP'), next, end('STOP', 'r2')])).toEqual([
      started,
      announced,
      finished,
      ended,
      { ...started, messageId: 'r2' },
      { ...announced, key: 'call-2' },
      { type: 'call-finished', key: 'call-2' },
      ended,
    ])
  })

  test('what comes after the end of one belongs to it', () => {
    expect(eventsOf(gemini, [end('STOP'), sent])).toEqual([started, ended, announced, finished])
  })

  test('keys go on through the streams of a turn', () => {
    expect(eventsOf(gemini, [sent], [sent])).toEqual([
      started,
      announced,
      finished,
      started,
      { ...announced, key: 'call-2' },
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('of several candidates the reply is the first', () => {
    const [first] = response([{ text: 'yes' }]).candidates
    const second = { ...first, content: { parts: [{ text: 'no' }] }, index: 1, finishReason: 'STOP' }
    expect(eventsOf(gemini, [{ candidates: [second, first], responseId: 'r1' }, { candidates: [second] }])).toEqual([
      started,
      { type: 'text-fragment', text: 'yes' },
    ])
  })
})

describe('what the provider runs', () => {
  const code = { type: 'call-announced', key: 'call-1', name: 'code_execution', executor: 'provider' }

  test('code and its result, with an id or without', () => {
    const executableCode = { code: 'print(1)', language: 'PYTHON' } as NonNullable<Part['executableCode']>
    const ran = (outcome: unknown, id?: string) =>
      response([
        {
          codeExecutionResult: { outcome, output: '1', ...(id && { id }) } as NonNullable<Part['codeExecutionResult']>,
        },
      ])
    const told = { type: 'call-snapshot', key: 'call-1', value: executableCode }
    expect(eventsOf(gemini, [response([{ executableCode }]), ran('OUTCOME_OK')])).toEqual([
      started,
      code,
      told,
      finished,
      { type: 'call-returned', key: 'call-1', ok: true },
    ])
    expect(
      eventsOf(gemini, [response([{ executableCode: { ...executableCode, id: 'c1' } }]), ran('OUTCOME_OK', 'c1')]),
    ).toEqual([
      started,
      { ...code, callId: 'c1' },
      { ...told, value: { ...executableCode, id: 'c1' } },
      finished,
      { type: 'call-returned', key: 'call-1', callId: 'c1', ok: true },
    ])
  })

  const outcomes = {
    OUTCOME_OK: true,
    OUTCOME_FAILED: false,
    OUTCOME_DEADLINE_EXCEEDED: false,
    OUTCOME_UNSPECIFIED: undefined,
  } satisfies Record<`${Outcome}`, boolean | undefined>

  test.each([
    ...Object.entries(outcomes),
    ['OUTCOME_BROKEN', undefined],
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
  ])('the outcome %o', (outcome, ok) => {
    const result = { candidates: [{ content: { parts: [{ codeExecutionResult: { id: 'c1', outcome } }] } }] }
    const returned = ok === undefined ? [] : [{ type: 'call-returned', callId: 'c1', ok }]
    expect(eventsOf(gemini, [result])).toEqual([{ type: 'message-started' }, ...returned])
  })

  test('a tool and its response', () => {
    const toolType = 'GOOGLE_SEARCH_WEB' as NonNullable<Part['toolCall']>['toolType'] & string
    expect(
      eventsOf(gemini, [
        response([{ toolCall: { id: 't1', toolType, args: { queries: ['x'] } } }]),
        response([{ toolResponse: { id: 't1', toolType, response: { found: 1 } } }]),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 't1', name: 'GOOGLE_SEARCH_WEB', executor: 'provider' },
      { type: 'call-snapshot', key: 'call-1', value: { queries: ['x'] } },
      finished,
      { type: 'call-returned', key: 'call-1', callId: 't1', ok: true },
    ])
  })
})

describe('errors', () => {
  const lost = (detail?: string) => ({
    type: 'stream-ended',
    ending: { type: 'lost', how: 'provider-error', speaker: 'model', ...(detail && { detail }) },
  })

  test('an error object ends the stream by its status, and nothing after it counts', () => {
    const error = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } }
    expect(eventsOf(gemini, [response([]), error, end('STOP'), error])).toEqual([started, lost('UNAVAILABLE')])
  })

  test('so does one of an interaction', () => {
    const error = { event_type: 'error', error: { code: 'gateway_timeout', message: 'secret' } }
    expect(eventsOf(gemini, [error, { event_type: 'interaction.created' }])).toEqual([lost('gateway_timeout')])
    expect(eventsOf(gemini, [{ event_type: 'error' }])).toEqual([lost()])
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(gemini, [{ error: {} }], [response([])])).toEqual([lost(), started])
  })
})

describe('interactions', () => {
  type Step = Interactions.Step
  const created = (id: string) => ({
    event_type: 'interaction.created',
    interaction: { id, status: 'in_progress', object: 'interaction' },
  })
  const update = (status: unknown) => ({ event_type: 'interaction.status_update', interaction_id: 'v1_1', status })
  const completed = (status?: unknown) => ({ event_type: 'interaction.completed', interaction: { id: 'v1_1', status } })
  const stepStart = (index: number, step: Step | { readonly type: string }) => ({
    event_type: 'step.start',
    index,
    step,
  })
  const delta = (index: number, value: Interactions.StepDelta['delta']) => ({
    event_type: 'step.delta',
    index,
    delta: value,
  })
  const stop = (index: number) => ({ event_type: 'step.stop', index })
  const args = (index: number, text: string) => delta(index, { type: 'arguments_delta', arguments: text })

  const begun = { type: 'message-started', messageId: 'v1_1' }
  const functionCall = (index: number, id = 'fc-1') =>
    stepStart(index, { type: 'function_call', id, name: 'add_task', arguments: {} })

  test('text, then a call, announced, streamed, finished and ended', () => {
    expect(
      eventsOf(gemini, [
        created('v1_1'),
        update('in_progress'),
        stepStart(0, { type: 'thought' }),
        delta(0, { type: 'thought_summary', content: { type: 'text', text: 'hm' } }),
        stop(0),
        stepStart(1, { type: 'model_output' }),
        delta(1, { type: 'text', text: 'I’ll do it' }),
        stop(1),
        functionCall(2),
        args(2, '{"title":'),
        args(2, ''),
        args(2, '"A"}'),
        stop(2),
        update('requires_action'),
        completed('requires_action'),
      ]),
    ).toEqual([
      begun,
      { type: 'text-fragment', text: 'I’ll do it' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"title":' },
      { type: 'call-fragment', key: 'call-1', text: '"A"}' },
      finished,
      { type: 'message-ended', reason: 'natural', rawReason: 'requires_action', finishesOpenCalls: false },
    ])
  })

  test('arguments that stand whole in the start are whole', () => {
    const whole = stepStart(0, { type: 'function_call', id: 'fc-1', name: 'add_task', arguments: { title: 'A' } })
    expect(eventsOf(gemini, [created('v1_1'), whole, stop(0)])).toEqual([
      begun,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      finished,
    ])
  })

  test('steps at once go by their index', () => {
    expect(
      eventsOf(gemini, [
        created('v1_1'),
        functionCall(0),
        functionCall(1, 'fc-2'),
        args(1, '{"b'),
        args(0, '{"a'),
        stop(1),
        stop(0),
      ]),
    ).toEqual([
      begun,
      announced,
      { type: 'call-announced', key: 'call-2', callId: 'fc-2', name: 'add_task' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-finished', key: 'call-2' },
      finished,
    ])
  })

  test('fragments and stops of no call say nothing', () => {
    expect(eventsOf(gemini, [created('v1_1'), args(0, '{}'), stop(0), stepStart(0, { type: 'model_output' })])).toEqual(
      [begun],
    )
  })

  test('what comes without an interaction’s start starts a message; what comes after its end does not', () => {
    expect(eventsOf(gemini, [functionCall(0), stop(0), completed('completed'), functionCall(0)]).slice(0, 5)).toEqual([
      { type: 'message-started' },
      announced,
      finished,
      { type: 'message-ended', reason: 'natural', rawReason: 'completed', finishesOpenCalls: false },
      { ...announced, key: 'call-2' },
    ])
  })

  type Known<Word> = Word extends string ? (string extends Word ? never : Word) : never
  const statuses = {
    completed: 'natural',
    requires_action: 'natural',
    incomplete: 'length',
    budget_exceeded: 'length',
    requires_continuation: 'paused',
    failed: 'error',
    cancelled: 'cancelled',
    in_progress: 'unknown',
    queued: 'unknown',
  } satisfies Record<Known<Interactions.Interaction['status']>, StopReason>

  test.each([...Object.entries(statuses), ['a_word_of_tomorrow', 'unknown'], ['constructor', 'unknown']])(
    'completed as %s ends a message as %s',
    (rawReason, reason) => {
      expect(eventsOf(gemini, [created('v1_1'), completed(rawReason), completed('completed')])).toEqual([
        begun,
        { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
      ])
    },
  )

  test('completed without a status is no good end', () => {
    expect(eventsOf(gemini, [created('v1_1'), completed()])).toEqual([
      begun,
      { type: 'message-ended', reason: 'unknown', finishesOpenCalls: false },
    ])
  })

  test('an update ends a message only with a final status', () => {
    expect(
      eventsOf(gemini, [created('v1_1'), update('queued'), update('in_progress'), update('of_tomorrow'), update(null)]),
    ).toEqual([begun])
    expect(eventsOf(gemini, [created('v1_1'), update('incomplete'), completed('completed')])).toEqual([
      begun,
      { type: 'message-ended', reason: 'length', rawReason: 'incomplete', finishesOpenCalls: false },
    ])
  })

  test('the SDK goes on with a continuation in the same stream: a message of its own', () => {
    expect(
      eventsOf(gemini, [created('v1_1'), completed('requires_continuation'), created('v1_2'), functionCall(0)]),
    ).toEqual([
      begun,
      { type: 'message-ended', reason: 'paused', rawReason: 'requires_continuation', finishesOpenCalls: false },
      { ...begun, messageId: 'v1_2' },
      announced,
    ])
  })

  test('one that is still open can be resumed in another stream, in the middle of a call', () => {
    expect(
      eventsOf(
        gemini,
        [created('v1_1'), functionCall(0), args(0, '{"a')],
        [args(0, '":1}'), stop(0), completed('requires_action')],
      ),
    ).toEqual([
      begun,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-fragment', key: 'call-1', text: '":1}' },
      finished,
      { type: 'message-ended', reason: 'natural', rawReason: 'requires_action', finishesOpenCalls: false },
    ])
  })

  describe('what the provider runs', () => {
    const names = {
      code_execution_call: 'code_execution',
      file_search_call: 'file_search',
      google_maps_call: 'google_maps',
      google_search_call: 'google_search',
      mcp_server_tool_call: 'read_page',
      processing_call: 'processing',
      retrieval_call: 'retrieval',
      url_context_call: 'url_context',
    } satisfies Record<Exclude<Extract<Step['type'], `${string}_call`>, 'function_call'>, string>

    test.each(Object.entries(names))('%s is a call of %s', (type, name) => {
      const step = { type, id: 'p1', ...(type === 'mcp_server_tool_call' && { name, server_name: 's' }) }
      expect(eventsOf(gemini, [created('v1_1'), stepStart(0, step), stop(0)])).toEqual([
        begun,
        { type: 'call-announced', key: 'call-1', callId: 'p1', name, executor: 'provider' },
        finished,
      ])
    })

    test('its arguments come in a delta of its own', () => {
      const search = delta(0, { type: 'google_search_call', arguments: { queries: ['x'] } })
      expect(eventsOf(gemini, [created('v1_1'), stepStart(0, { type: 'google_search_call' }), search])).toContainEqual({
        type: 'call-snapshot',
        key: 'call-1',
        value: { queries: ['x'] },
      })
    })

    const resultTypes = {
      code_execution_result: 0,
      file_search_result: 0,
      function_result: 0,
      google_maps_result: 0,
      google_search_result: 0,
      mcp_server_tool_result: 0,
      processing_result: 0,
      retrieval_result: 0,
      url_context_result: 0,
    } satisfies Record<Extract<Step['type'], `${string}_result`>, 0>

    test.each(Object.keys(resultTypes))('%s is a result once it stops, and a failure as soon as it says so', (type) => {
      const result = (rest: object = {}) =>
        stepStart(1, { type, call_id: 'p1', result: [], ...rest } as { type: string })
      const value = (rest: object) => ({ event_type: 'step.delta', index: 1, delta: { type, result: 'x', ...rest } })
      expect(eventsOf(gemini, [created('v1_1'), result(), value({ is_error: false })])).toEqual([begun])
      expect(eventsOf(gemini, [created('v1_1'), result(), value({}), stop(1), stop(1)])).toEqual([
        begun,
        { type: 'call-returned', callId: 'p1', ok: true },
      ])
      const failed = [begun, { type: 'call-returned', callId: 'p1', ok: false }]
      expect(eventsOf(gemini, [created('v1_1'), result({ is_error: true }), value({}), stop(1)])).toEqual(failed)
      expect(eventsOf(gemini, [created('v1_1'), result(), value({ is_error: true }), stop(1)])).toEqual(failed)
    })

    test('a result under way when its interaction breaks off is none of the next one', () => {
      const result = stepStart(1, { type: 'code_execution_result', call_id: 'p1' } as { type: string })
      const next = [created('v1_2'), stepStart(1, { type: 'model_output' }), stop(1)]
      expect(eventsOf(gemini, [created('v1_1'), result], next)).toEqual([begun, { ...begun, messageId: 'v1_2' }])
    })
  })
})

test('tells events of the format from others', () => {
  const reader = gemini.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [
    response([]),
    { candidates: [] },
    { usageMetadata: {}, responseId: 'r1' },
    { promptFeedback: {} },
    { event_type: 'interaction.created' },
    { event_type: 'event_of_tomorrow' },
  ]) {
    expect(belongs(event)).toBe(true)
  }
  for (const event of ['[DONE]', null, 1, [], {}, { type: 'ping' }, { choices: [] }, { error: null }]) {
    expect(belongs(event)).toBe(false)
  }
})

describe('the corpus', () => {
  const path = '../corpus/gemini/partial-args-last-chunk-unmarked'
  const bytes = readFileSync(new URL(`${path}.sse`, import.meta.url))
  const file = readFileSync(new URL(`${path}.expect.json`, import.meta.url), 'utf8')
  const [tool] = (JSON.parse(file) as { readonly tools: readonly { readonly parameters: object }[] }).tools
  const tools = { set_tags: { executor: 'local', ...fromJsonSchema(tool?.parameters ?? {}) } } as const
  const whole = eventsOfBytes(gemini, [bytes])

  test('leaves whose last part is not marked: the call may run, with all of them', async () => {
    const { calls } = await replay({ adapter: gemini, tools, pieces: [bytes] })
    expect(calls).toMatchObject([
      {
        id: 'fc-1',
        name: 'set_tags',
        outcome: 'dispatchable',
        mayDispatch: true,
        args: { label: 'overdue', ids: [4, 12] },
      },
    ])
  })

  test('the same byte by byte, and cut in two at any place', () => {
    expect(eventsOfBytes(gemini, cut(bytes, bytes.keys()))).toEqual(whole)
    for (const place of bytes.keys()) expect(eventsOfBytes(gemini, cut(bytes, [place]))).toEqual(whole)
  })

  test('the same with the line ends that Google sends', () => {
    const crlf = Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'))
    expect(eventsOfBytes(gemini, cut(crlf, crlf.keys()))).toEqual(whole)
  })
})

describe('whatever comes', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
  const id = or(fc.constantFrom('a', 'b'))
  const leaf = some({
    jsonPath: or(fc.constantFrom('$.a', '$.b[0]', '$..c')),
    stringValue: id,
    willContinue: or(fc.boolean()),
  })
  const functionCall = some({
    id,
    name: id,
    args: some({ a: id }),
    partialArgs: or(fc.array(leaf, { maxLength: 2 })),
    willContinue: or(fc.boolean()),
  })
  const part = some({
    text: id,
    functionCall,
    executableCode: some({ id, code: id }),
    codeExecutionResult: some({ id, outcome: or(fc.constantFrom('OUTCOME_OK', 'OUTCOME_FAILED')) }),
    toolCall: some({ id, toolType: id, args: some({ a: id }) }),
    toolResponse: some({ id, toolType: id, response: some({ a: id }) }),
  })
  const candidate = some({
    index: or(fc.constantFrom(0, 0, 1)),
    content: some({ parts: or(fc.array(part, { maxLength: 3 })) }),
    finishReason: or(fc.constantFrom(undefined, undefined, 'STOP')),
  })
  const step = some({
    type: or(fc.constantFrom('function_call', 'function_call', 'google_search_call', 'google_search_result', 'text')),
    id,
    call_id: id,
    name: id,
    arguments: or(fc.oneof(id, some({ a: id }))),
    is_error: or(fc.boolean()),
    text: id,
  })
  const names = 'step.start step.start step.delta step.stop interaction.created interaction.completed'.split(' ')
  const shaped = fc.oneof(
    some({
      candidates: or(fc.array(candidate, { maxLength: 2 })),
      responseId: id,
      promptFeedback: some({ blockReason: id }),
    }),
    some({
      event_type: or(fc.constantFrom(...names, 'interaction.status_update')),
      index: or(fc.constantFrom(0, 1)),
      step,
      delta: step,
      interaction: some({ id, status: or(fc.constantFrom('completed', 'in_progress')) }),
      status: or(fc.constantFrom('completed', 'in_progress')),
    }),
  )
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })
  const error = fc.record({ error: some({ status: id, code: junk }) })
  const frames = fc.array(
    fc.oneof({ arbitrary: shaped, weight: 15 }, { arbitrary: anything, weight: 2 }, { arbitrary: error, weight: 1 }),
    { maxLength: 25 },
  )

  test('it never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(frames, frames, (first, second) => {
        const events = eventsOf(gemini, first, second)
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
