import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import { eventsOf } from './events-of.ts'

const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } }
const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } }
const added = (item: unknown, output_index: unknown = 0) => ({ type: 'response.output_item.added', output_index, item })
const done = (item: unknown, output_index: unknown = 0) => ({ type: 'response.output_item.done', output_index, item })
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_a',
  name: 'add_task',
  arguments: '',
  status: 'in_progress',
}
const whole = { ...call, arguments: '{"a":1}', status: 'completed' }
const delta = (text: unknown, item_id: unknown = 'fc_1', output_index: unknown = 0) => ({
  type: 'response.function_call_arguments.delta',
  item_id,
  output_index,
  delta: text,
})
const argumentsDone = (text: unknown, item_id: unknown = 'fc_1', output_index: unknown = 0) => ({
  type: 'response.function_call_arguments.done',
  item_id,
  output_index,
  arguments: text,
})

const started = { type: 'message-started', messageId: 'resp_1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'call_a', name: 'add_task' }
const fragment = (text: string, key = 'call-1') => ({ type: 'call-fragment', key, text })
const snapshot = (text: string, key = 'call-1') => ({ type: 'call-snapshot', key, text })
const finished = { type: 'call-finished', key: 'call-1', status: 'complete' }
const natural = { type: 'message-ended', reason: 'natural', rawReason: 'completed', finishesOpenCalls: false }
const lost = (detail?: string) => ({
  type: 'stream-ended',
  ending: { type: 'lost', how: 'provider-error', speaker: 'model', ...(detail === undefined ? {} : { detail }) },
})

test('has the name and the speaker of a raw provider wire', () => {
  expect(openaiResponses.format).toBe('openai-responses')
  expect(openaiResponses.speaker).toBe('model')
})

test('one call is announced, streamed, snapshotted, finished and ended', () => {
  expect(
    eventsOf(openaiResponses, [
      created,
      { type: 'response.in_progress', response: { id: 'resp_1', status: 'in_progress' } },
      added(call),
      delta('{"a"'),
      delta(':1}'),
      argumentsDone('{"a":1}'),
      done(whole),
      { ...completed, response: { ...completed.response, output: [whole] } },
    ]),
  ).toEqual([
    started,
    announced,
    fragment('{"a"'),
    fragment(':1}'),
    snapshot('{"a":1}'),
    snapshot('{"a":1}'),
    finished,
    natural,
  ])
})

describe('input', () => {
  test('may come without deltas', () => {
    expect(eventsOf(openaiResponses, [created, added(call), argumentsDone('{"a":1}'), done(whole), completed])).toEqual(
      [started, announced, snapshot('{"a":1}'), snapshot('{"a":1}'), finished, natural],
    )
  })

  test('of an empty text after deltas is not given, and changes nothing', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call),
        delta('{"a":1}'),
        argumentsDone(''),
        done({ ...call, status: 'completed' }),
      ]),
    ).toEqual([started, announced, fragment('{"a":1}'), finished])
  })

  test('that is an object is a whole value', () => {
    expect(eventsOf(openaiResponses, [created, added(call), done({ ...whole, arguments: { a: 1 } })])).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { a: 1 } },
      finished,
    ])
  })

  test('of a cut item is finished as incomplete', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call),
        delta('{"a'),
        done({ ...call, arguments: '{"a', status: 'incomplete' }),
      ]),
    ).toEqual([
      started,
      announced,
      fragment('{"a'),
      snapshot('{"a'),
      { type: 'call-finished', key: 'call-1', status: 'incomplete' },
    ])
  })

  test('of an item that is done with another status, or none, is finished without one', () => {
    // Calls from provider-run code are done while "in_progress".
    expect(eventsOf(openaiResponses, [created, added(call), done({ ...call, arguments: '{}' })])).toEqual([
      started,
      announced,
      snapshot('{}'),
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('after the item is done changes nothing', () => {
    expect(
      eventsOf(openaiResponses, [created, added(call), done(whole), delta('x'), argumentsDone('y'), done(whole)]),
    ).toEqual([started, announced, snapshot('{"a":1}'), finished])
  })

  test('whose own done event came is finished by the end of the response, where the item’s never comes', () => {
    expect(
      eventsOf(openaiResponses, [created, added(call), delta('{"a":1}'), argumentsDone('{"a":1}'), completed]),
    ).toEqual([
      started,
      announced,
      fragment('{"a":1}'),
      snapshot('{"a":1}'),
      { type: 'call-finished', key: 'call-1' },
      natural,
    ])
  })

  test('that is still open at the end stays open', () => {
    expect(eventsOf(openaiResponses, [created, added(call), delta('{"a":1}'), completed])).toEqual([
      started,
      announced,
      fragment('{"a":1}'),
      natural,
    ])
  })

  test('of a custom tool is free text', () => {
    const item = { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_c', name: 'run_sql', input: '' }
    const event = { item_id: 'ct_1', output_index: 0 }
    expect(
      eventsOf(openaiResponses, [
        created,
        added(item),
        { type: 'response.custom_tool_call_input.delta', ...event, delta: 'SELECT {' },
        { type: 'response.custom_tool_call_input.done', ...event, input: 'SELECT {1' },
        done({ ...item, input: 'SELECT {1', status: 'completed' }),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'call_c', name: 'run_sql', encoding: 'text' },
      fragment('SELECT {'),
      snapshot('SELECT {1'),
      snapshot('SELECT {1'),
      finished,
    ])
  })
})

describe('identity', () => {
  const second = { ...call, id: 'fc_2', call_id: 'call_b' }

  test('deltas go by item id', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call, 0),
        added(second, 1),
        delta('{', 'fc_1', 0),
        delta('[', 'fc_2', 1),
      ]),
    ).toEqual([
      started,
      announced,
      { ...announced, key: 'call-2', callId: 'call_b' },
      fragment('{'),
      fragment('[', 'call-2'),
    ])
  })

  test('an item id that changes from event to event, or is missing, gives way to the output index', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ ...call, id: 'x1' }, 3),
        delta('{"a"', 'x2', 3),
        delta(':1}', undefined, 3),
        argumentsDone('{"a":1}', 'x3', 3),
        done({ ...whole, id: 'x4' }, 3),
        { ...completed, response: { id: 'y', status: 'completed', output: [{ ...whole, id: 'x5' }] } },
      ]),
    ).toEqual([
      started,
      announced,
      fragment('{"a"'),
      fragment(':1}'),
      snapshot('{"a":1}'),
      snapshot('{"a":1}'),
      finished,
      natural,
    ])
  })

  test('items that all have output index 0 are told apart by their ids', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call, 0),
        added(second, 0),
        delta('{', 'fc_1', 0),
        delta('[', 'fc_2', 0),
        done(whole, 0),
        done({ ...second, arguments: '[]' }, 0),
      ]),
    ).toEqual([
      started,
      announced,
      { ...announced, key: 'call-2', callId: 'call_b' },
      fragment('{'),
      fragment('[', 'call-2'),
      snapshot('{"a":1}'),
      finished,
      snapshot('[]', 'call-2'),
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('without any item id the output index is enough', () => {
    const { id: _, ...nameless } = call
    expect(
      eventsOf(openaiResponses, [
        created,
        added(nameless, 0),
        delta('{}', undefined, 0),
        done({ ...whole, id: undefined }, 0),
      ]),
    ).toEqual([started, announced, fragment('{}'), snapshot('{"a":1}'), finished])
  })

  test('a call first seen by its fragments is announced and identified later', () => {
    expect(eventsOf(openaiResponses, [created, delta('{"a":1}'), argumentsDone('{"a":1}'), done(whole)])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1' },
      fragment('{"a":1}'),
      snapshot('{"a":1}'),
      { type: 'call-identified', key: 'call-1', callId: 'call_a', name: 'add_task' },
      snapshot('{"a":1}'),
      finished,
    ])
  })

  test('the done event of the arguments may be the first to tell the name', () => {
    expect(eventsOf(openaiResponses, [created, { ...argumentsDone('{}'), name: 'add_task' }])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      snapshot('{}'),
    ])
  })

  test('a call without call_id has no id, as its item’s id is none that a result could answer', () => {
    expect(eventsOf(openaiResponses, [created, added({ ...call, call_id: '' })])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
    ])
  })

  test('a call from provider-run code, in a namespace, is the client’s', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ ...call, namespace: 'n', caller: { type: 'program', caller_id: 'p' } }),
      ]),
    ).toEqual([started, announced])
  })
})

describe('the end of a response', () => {
  const end = (type: string, response: object) => ({
    type: `response.${type}`,
    response: { id: 'resp_1', ...response },
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
    ['max_messages', 'unknown'],
    ['steered', 'unknown'],
    ['a_word_of_tomorrow', 'unknown'],
    ['completed', 'unknown'],
  ])('incomplete for %s means %s', (rawReason, reason) => {
    expect(
      eventsOf(openaiResponses, [
        created,
        end('incomplete', { status: 'incomplete', incomplete_details: { reason: rawReason } }),
      ]),
    ).toEqual([started, { type: 'message-ended', reason, rawReason, finishesOpenCalls: false }])
  })

  test('incomplete without a reason is unknown', () => {
    expect(eventsOf(openaiResponses, [created, end('incomplete', { incomplete_details: null })])).toEqual([
      started,
      { type: 'message-ended', reason: 'unknown', rawReason: 'incomplete', finishesOpenCalls: false },
    ])
  })

  test('cancelled, as an event or as a status, is cancelled', () => {
    const cancelled = { type: 'message-ended', reason: 'cancelled', rawReason: 'cancelled', finishesOpenCalls: false }
    expect(eventsOf(openaiResponses, [created, end('cancelled', {})])).toEqual([started, cancelled])
    expect(eventsOf(openaiResponses, [created, end('completed', { status: 'cancelled' })])).toEqual([
      started,
      cancelled,
    ])
  })

  test('a status that is worse than the event’s name is believed, a better one is not', () => {
    expect(eventsOf(openaiResponses, [created, end('completed', { status: 'incomplete' })])).toEqual([
      started,
      { type: 'message-ended', reason: 'unknown', rawReason: 'incomplete', finishesOpenCalls: false },
    ])
    expect(eventsOf(openaiResponses, [created, end('incomplete', { status: 'completed' })])).toEqual([
      started,
      { type: 'message-ended', reason: 'unknown', rawReason: 'incomplete', finishesOpenCalls: false },
    ])
    expect(eventsOf(openaiResponses, [created, end('completed', { status: 'in_progress' })])).toEqual([
      started,
      natural,
    ])
  })

  test('failed ends the message and the stream, by the error’s code', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call),
        delta('{'),
        end('failed', { status: 'failed', error: { code: 'server_error', message: 'secret' } }),
        completed,
      ]),
    ).toEqual([
      started,
      announced,
      fragment('{'),
      { type: 'message-ended', reason: 'error', rawReason: 'failed', finishesOpenCalls: false },
      lost('server_error'),
    ])
  })

  test('calls that only the final response has are announced, given their input and finished', () => {
    expect(
      eventsOf(openaiResponses, [end('completed', { status: 'completed', output: [{ type: 'message' }, whole] })]),
    ).toEqual([started, announced, snapshot('{"a":1}'), finished, natural])
  })

  test('a call known but not done gets its input from the final response', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(call, 1),
        end('completed', { output: [{ type: 'reasoning' }, whole] }),
      ]),
    ).toEqual([started, announced, snapshot('{"a":1}'), finished, natural])
  })

  test('an unseen call is not taken for another one at its position', () => {
    const other = { ...whole, id: 'fc_9', call_id: 'call_z' }
    expect(
      eventsOf(openaiResponses, [created, added(call, 0), done(whole, 0), end('completed', { output: [other] })]),
    ).toEqual([
      started,
      announced,
      snapshot('{"a":1}'),
      finished,
      { ...announced, key: 'call-2', callId: 'call_z' },
      snapshot('{"a":1}', 'call-2'),
      { ...finished, key: 'call-2' },
      natural,
    ])
  })

  test('without any end nothing is said', () => {
    expect(eventsOf(openaiResponses, [created, { type: 'response.queued', response: { id: 'resp_1' } }])).toEqual([
      started,
    ])
  })

  test('the first end counts, and a call after it is announced in the ended message', () => {
    expect(eventsOf(openaiResponses, [created, completed, end('incomplete', {}), added(call)])).toEqual([
      started,
      natural,
      announced,
    ])
  })
})

describe('several responses', () => {
  test('are several messages, whose ids and indexes start anew', () => {
    expect(
      eventsOf(openaiResponses, [created, added(call), done(whole), completed], [created, added(call), completed]),
    ).toEqual([
      started,
      announced,
      snapshot('{"a":1}'),
      finished,
      natural,
      started,
      { ...announced, key: 'call-2' },
      natural,
    ])
  })

  test('may follow each other in one stream', () => {
    const next = { type: 'response.created', response: { id: 'resp_2' } }
    expect(eventsOf(openaiResponses, [created, completed, next, added(call)])).toEqual([
      started,
      natural,
      { type: 'message-started', messageId: 'resp_2' },
      announced,
    ])
  })

  test('an open response goes on in the next stream, from where it was left', () => {
    expect(
      eventsOf(openaiResponses, [created, added(call), delta('{"a"')], [delta(':1}'), done(whole), completed]),
    ).toEqual([started, announced, fragment('{"a"'), fragment(':1}'), snapshot('{"a":1}'), finished, natural])
  })

  test('an open response read again from its start announces its open calls anew', () => {
    expect(
      eventsOf(openaiResponses, [created, added(call), delta('{"a"')], [created, added(call), delta('{"a":1}')]),
    ).toEqual([started, announced, fragment('{"a"'), announced, fragment('{"a":1}')])
  })

  test('a response without an id never goes on in another', () => {
    const nameless = { type: 'response.created' }
    expect(eventsOf(openaiResponses, [nameless], [nameless])).toEqual([
      { type: 'message-started' },
      { type: 'message-started' },
    ])
  })

  test('where a proxy leaves response.created out, what comes first starts the message', () => {
    expect(
      eventsOf(openaiResponses, [{ type: 'response.in_progress', response: { id: 'resp_1' } }, added(call)]),
    ).toEqual([started, announced])
    expect(eventsOf(openaiResponses, [added(call)])).toEqual([{ type: 'message-started' }, announced])
  })

  test('proxies that change the response’s id from event to event start only one message', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        { type: 'response.in_progress', response: { id: 'resp_9' } },
        { ...completed, response: { id: 'resp_8' } },
      ]),
    ).toEqual([started, natural])
  })
})

describe('other calls that the client runs', () => {
  test.each([
    ['computer_call', 'computer', { action: { type: 'click', x: 1, y: 2 } }, { type: 'click', x: 1, y: 2 }],
    ['computer_call', 'computer', { actions: [{ type: 'wait' }] }, { actions: [{ type: 'wait' }] }],
    [
      'local_shell_call',
      'local_shell',
      { action: { type: 'exec', command: ['ls'] } },
      { type: 'exec', command: ['ls'] },
    ],
    ['shell_call', 'shell', { action: { commands: ['ls'] }, environment: { type: 'local' } }, { commands: ['ls'] }],
    ['shell_call', 'shell', { action: { commands: ['ls'] }, environment: null }, { commands: ['ls'] }],
    [
      'apply_patch_call',
      'apply_patch',
      { operation: { type: 'delete_file', path: 'a' } },
      { type: 'delete_file', path: 'a' },
    ],
    ['tool_search_call', 'tool_search', { arguments: { goal: 'x' }, execution: 'client' }, { goal: 'x' }],
  ])('%s is a call of the tool "%s"', (type, name, members, value) => {
    const item = { type, id: 'i_1', call_id: 'call_a', ...members }
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ ...item, status: 'in_progress' }),
        done({ ...item, status: 'completed' }),
      ]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'call_a', name },
      { type: 'call-snapshot', key: 'call-1', value },
      finished,
    ])
  })
})

describe('calls that the provider runs', () => {
  const of = (name: string, callId = 'i_1') => ({
    type: 'call-announced',
    key: 'call-1',
    callId,
    name,
    executor: 'provider',
  })
  const progress = (word: string) => ({ type: `response.${word}`, item_id: 'i_1', output_index: 0 })
  const dispatched = { type: 'call-dispatched', key: 'call-1' }
  const returned = (ok: boolean, value?: unknown) => ({
    type: 'call-returned',
    key: 'call-1',
    ok,
    ...(value === undefined ? {} : { value }),
  })

  test.each([
    ['web_search_call', ['in_progress', 'searching', 'completed'], 'web_search', {}, undefined],
    ['file_search_call', ['in_progress', 'searching', 'completed'], 'file_search', { results: [{}] }, [{}]],
    [
      'image_generation_call',
      ['in_progress', 'generating', 'partial_image', 'completed'],
      'image_generation',
      { result: 'iVBO' },
      'iVBO',
    ],
    ['mcp_list_tools', ['in_progress', 'completed'], 'mcp_list_tools', { tools: [] }, []],
  ])('%s begins with its first progress and returns with its item', (type, words, name, members, value) => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ type, id: 'i_1', status: 'in_progress' }),
        ...words.map((word) => progress(`${type}.${word}`)),
        done({ type, id: 'i_1', status: 'completed', ...members }),
        { ...completed, response: { output: [{ type, id: 'i_1', status: 'completed', ...members }] } },
      ]),
    ).toEqual([started, of(name), dispatched, finished, returned(true, value), natural])
  })

  test.each([
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'image_generation_call',
    'mcp_list_tools',
  ])('%s that failed returned so, and one that is incomplete has no result', (type) => {
    const name = type.replace('_call', '')
    const announcement = type === 'code_interpreter_call' ? { ...of(name), encoding: 'text' } : of(name)
    expect(eventsOf(openaiResponses, [created, done({ type, id: 'i_1', status: 'failed' })])).toEqual([
      started,
      announcement,
      { type: 'call-finished', key: 'call-1' },
      returned(false),
    ])
    expect(eventsOf(openaiResponses, [created, done({ type, id: 'i_1', status: 'incomplete' })])).toEqual([
      started,
      announcement,
      { type: 'call-finished', key: 'call-1', status: 'incomplete' },
    ])
  })

  test('code is written before it runs, so only "interpreting" shows that it does', () => {
    const item = { type: 'code_interpreter_call', id: 'i_1', code: '', outputs: null, status: 'in_progress' }
    expect(
      eventsOf(openaiResponses, [
        created,
        added(item),
        progress('code_interpreter_call.in_progress'),
        { ...progress('code_interpreter_call_code.delta'), delta: 'print(' },
        { ...progress('code_interpreter_call_code.done'), code: 'print(1)' },
        progress('code_interpreter_call.interpreting'),
        progress('code_interpreter_call.completed'),
        done({ ...item, code: 'print(1)', outputs: [{ type: 'logs', logs: '1' }], status: 'completed' }),
      ]),
    ).toEqual([
      started,
      { ...of('code_interpreter'), encoding: 'text' },
      fragment('print('),
      snapshot('print(1)'),
      dispatched,
      snapshot('print(1)'),
      finished,
      returned(true, [{ type: 'logs', logs: '1' }]),
    ])
  })

  test('an MCP call streams its arguments under its own name', () => {
    const item = {
      type: 'mcp_call',
      id: 'i_1',
      name: 'lookup',
      server_label: 's',
      arguments: '',
      status: 'in_progress',
    }
    expect(
      eventsOf(openaiResponses, [
        created,
        added(item),
        progress('mcp_call.in_progress'),
        { ...progress('mcp_call_arguments.delta'), delta: '{"n":1}' },
        { ...progress('mcp_call_arguments.done'), arguments: '{"n":1}' },
        progress('mcp_call.completed'),
        done({ ...item, arguments: '{"n":1}', output: 'found', error: null, status: 'completed' }),
      ]),
    ).toEqual([
      started,
      of('lookup'),
      fragment('{"n":1}'),
      snapshot('{"n":1}'),
      dispatched,
      snapshot('{"n":1}'),
      finished,
      returned(true, 'found'),
    ])
  })

  test.each([
    [{ status: 'completed', output: 'found', error: null }, returned(true, 'found')],
    [{ output: 'found' }, returned(true, 'found')],
    [{ status: 'failed', error: null }, returned(false)],
    [
      { status: 'completed', output: null, error: { type: 'mcp_tool_execution_error' } },
      returned(false, { type: 'mcp_tool_execution_error' }),
    ],
    [{ error: 'no such tool' }, returned(false, 'no such tool')],
    [{ status: 'incomplete', output: 'half' }, undefined],
    [{ status: 'calling' }, undefined],
    [{}, undefined],
  ])('an MCP call that is done with %j', (members, result) => {
    const events = eventsOf(openaiResponses, [
      created,
      done({ type: 'mcp_call', id: 'i_1', name: 'lookup', arguments: '{}', ...members }),
    ])
    expect(events.slice(0, 3)).toEqual([started, of('lookup'), snapshot('{}')])
    expect(events.slice(4)).toEqual(result === undefined ? [] : [result])
  })

  test('a picture that is there has been made, even if it still says "generating"', () => {
    const item = { type: 'image_generation_call', id: 'i_1', status: 'generating', result: 'iVBO' }
    expect(eventsOf(openaiResponses, [created, done(item)])).toEqual([
      started,
      of('image_generation'),
      { type: 'call-finished', key: 'call-1' },
      returned(true, 'iVBO'),
    ])
  })

  test('a shell in a container returns with its output item, not with its own', () => {
    const item = {
      type: 'shell_call',
      id: 'sh_1',
      call_id: 'call_s',
      environment: { type: 'container_reference', container_id: 'c' },
    }
    const output = { type: 'shell_call_output', id: 'sho_1', call_id: 'call_s', output: [] }
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ ...item, action: { commands: [] }, status: 'in_progress' }),
        { type: 'response.shell_call_command.delta', output_index: 0, command_index: 0, delta: 'ls' },
        done({ ...item, action: { commands: ['ls'] }, status: 'completed' }),
        added({ ...output, status: 'completed' }, 1),
        { type: 'response.shell_call_output_content.delta', item_id: 'sho_1', output_index: 1, delta: { stdout: 'a' } },
        done({ ...output, output: [{ stdout: 'a' }], status: 'completed' }, 1),
        { ...completed, response: { output: [item, { ...output, status: 'completed' }] } },
      ]),
    ).toEqual([
      started,
      of('shell', 'call_s'),
      { type: 'call-snapshot', key: 'call-1', value: { commands: ['ls'] } },
      finished,
      returned(true, [{ stdout: 'a' }]),
      natural,
    ])
  })

  test('hosted tool search returns with its output item, though neither has a call id', () => {
    const item = {
      type: 'tool_search_call',
      id: 'ts_1',
      call_id: null,
      execution: 'server',
      arguments: { paths: ['a'] },
    }
    const output = {
      type: 'tool_search_output',
      id: 'to_1',
      call_id: null,
      execution: 'server',
      tools: [{ name: 'a' }],
    }
    expect(
      eventsOf(openaiResponses, [
        created,
        added({ ...item, arguments: {}, status: 'in_progress' }),
        done({ ...item, status: 'completed' }),
        added(output, 1),
        done({ ...output, status: 'completed' }, 1),
      ]),
    ).toEqual([
      started,
      of('tool_search', 'ts_1'),
      { type: 'call-snapshot', key: 'call-1', value: { paths: ['a'] } },
      finished,
      returned(true, [{ name: 'a' }]),
    ])
  })

  test('a program returns with its output item, unless that is incomplete', () => {
    const item = { type: 'program', id: 'p_1', call_id: 'call_p', code: 'f()', fingerprint: 'x' }
    const output = (status: string) => ({ type: 'program_output', id: 'po_1', call_id: 'call_p', result: '1', status })
    const before = [started, of('program', 'call_p'), { type: 'call-finished', key: 'call-1' }]
    expect(eventsOf(openaiResponses, [created, done(item), done(output('incomplete'), 1)])).toEqual(before)
    expect(eventsOf(openaiResponses, [created, done(item), done(output('completed'), 1)])).toEqual([
      ...before,
      returned(true, '1'),
    ])
  })

  test('an output item for a call that the client runs is no result from the wire', () => {
    const output = { type: 'function_call_output', id: 'o_1', call_id: 'call_a', output: 'x', status: 'completed' }
    expect(
      eventsOf(openaiResponses, [created, added(call), done(output, 1), done({ ...output, call_id: 'none' }, 2)]),
    ).toEqual([started, announced])
  })

  test('progress of an item never added announces it', () => {
    expect(eventsOf(openaiResponses, [created, progress('web_search_call.searching')])).toEqual([
      started,
      of('web_search'),
      dispatched,
    ])
  })
})

describe('approvals', () => {
  const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'pay', server_label: 's', arguments: '{"n":1}' }
  const asked = [
    { type: 'call-announced', key: 'call-1', callId: 'mcpr_1', name: 'pay', executor: 'provider' },
    snapshot('{"n":1}'),
    { type: 'call-finished', key: 'call-1' },
    { type: 'approval-requested', key: 'call-1', approvalId: 'mcpr_1' },
  ]
  const item = {
    type: 'mcp_call',
    id: 'mcp_1',
    approval_request_id: 'mcpr_1',
    name: 'pay',
    arguments: '',
    status: 'in_progress',
  }
  const event = { item_id: 'mcp_1', output_index: 1 }
  const next = { type: 'response.created', response: { id: 'resp_2' } }

  test('a request asks a person', () => {
    expect(
      eventsOf(openaiResponses, [
        created,
        added(request),
        done(request),
        { ...completed, response: { output: [request] } },
      ]),
    ).toEqual([started, ...asked, natural])
  })

  test('the granted call goes on under the same key in the next response', () => {
    expect(
      eventsOf(
        openaiResponses,
        [created, done(request), completed],
        [
          next,
          added(item, 1),
          { type: 'response.mcp_call.in_progress', ...event },
          { type: 'response.mcp_call_arguments.delta', ...event, delta: '{"n":1}' },
          { type: 'response.mcp_call_arguments.done', ...event, arguments: '{"n":1}' },
          { type: 'response.mcp_call.completed', ...event },
          done({ ...item, arguments: '{"n":1}', output: 'paid', status: 'completed' }, 1),
        ],
      ),
    ).toEqual([
      started,
      ...asked,
      natural,
      { type: 'message-started', messageId: 'resp_2' },
      { type: 'approval-answered', key: 'call-1', approvalId: 'mcpr_1', granted: true, by: 'person' },
      { type: 'call-dispatched', key: 'call-1' },
      { type: 'call-returned', key: 'call-1', ok: true, value: 'paid' },
    ])
  })

  test('a call for a request that is not known is a call of its own', () => {
    expect(eventsOf(openaiResponses, [created, added(item)])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'mcp_1', name: 'pay', executor: 'provider' },
    ])
  })

  test('a call without a request does not go on with one that waits', () => {
    const other = { ...item, approval_request_id: null }
    expect(
      eventsOf(openaiResponses, [created, done({ ...request, id: undefined }), completed], [next, added(other)]),
    ).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'pay', executor: 'provider' },
      ...asked.slice(1, 3),
      { type: 'approval-requested', key: 'call-1' },
      natural,
      { type: 'message-started', messageId: 'resp_2' },
      { type: 'call-announced', key: 'call-2', callId: 'mcp_1', name: 'pay', executor: 'provider' },
    ])
  })
})

test('text and refusals are text; their done events do not repeat it', () => {
  expect(
    eventsOf(openaiResponses, [
      created,
      { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'I’ll do it.' },
      { type: 'response.output_text.done', item_id: 'm', output_index: 0, text: 'I’ll do it.' },
      { type: 'response.refusal.delta', item_id: 'm', output_index: 0, delta: 'No.' },
      { type: 'response.refusal.done', item_id: 'm', output_index: 0, refusal: 'No.' },
      { type: 'response.reasoning_text.delta', item_id: 'r', output_index: 1, delta: 'hm' },
    ]),
  ).toEqual([started, { type: 'text-fragment', text: 'I’ll do it.' }, { type: 'text-fragment', text: 'No.' }])
})

describe('errors', () => {
  test.each([
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'secret', param: null }, 'rate_limit_exceeded'],
    [{ type: 'error', error: { type: 'server_error', code: null, message: 'secret' } }, 'server_error'],
    [{ type: 'error', error: { type: 'x', code: 'context_length_exceeded' } }, 'context_length_exceeded'],
    [{ error: { type: 'bad_gateway', message: 'secret' } }, 'bad_gateway'],
    [{ type: 'error', message: 'secret' }, 'error'],
  ])('%j ends the stream, and nothing after it counts', (event, detail) => {
    expect(eventsOf(openaiResponses, [created, event, completed, event])).toEqual([started, lost(detail)])
  })

  test('a response created after the error is noise, so the next stream starts its own message', () => {
    // Found by the properties: the reader took the message for started, though nobody had been told.
    expect(eventsOf(openaiResponses, [{ type: 'error' }, created], [delta('{')])).toEqual([
      lost('error'),
      { type: 'message-started' },
      { type: 'call-announced', key: 'call-1' },
      fragment('{'),
    ])
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(openaiResponses, [created, { type: 'error', code: 'x' }], [completed])).toEqual([
      started,
      lost('x'),
      natural,
    ])
  })
})

test('tells events of the format from others', () => {
  const every = {
    'response.audio.delta': true,
    'response.audio.done': true,
    'response.audio.transcript.delta': true,
    'response.audio.transcript.done': true,
    'response.code_interpreter_call_code.delta': true,
    'response.code_interpreter_call_code.done': true,
    'response.code_interpreter_call.completed': true,
    'response.code_interpreter_call.in_progress': true,
    'response.code_interpreter_call.interpreting': true,
    'response.compaction.compacting': true,
    'response.completed': true,
    'response.content_part.added': true,
    'response.content_part.done': true,
    'response.created': true,
    'response.custom_tool_call_input.delta': true,
    'response.custom_tool_call_input.done': true,
    'response.failed': true,
    'response.file_search_call.completed': true,
    'response.file_search_call.in_progress': true,
    'response.file_search_call.searching': true,
    'response.function_call_arguments.delta': true,
    'response.function_call_arguments.done': true,
    'response.image_generation_call.completed': true,
    'response.image_generation_call.generating': true,
    'response.image_generation_call.in_progress': true,
    'response.image_generation_call.partial_image': true,
    'response.in_progress': true,
    'response.incomplete': true,
    'response.mcp_call_arguments.delta': true,
    'response.mcp_call_arguments.done': true,
    'response.mcp_call.completed': true,
    'response.mcp_call.failed': true,
    'response.mcp_call.in_progress': true,
    'response.mcp_list_tools.completed': true,
    'response.mcp_list_tools.failed': true,
    'response.mcp_list_tools.in_progress': true,
    'response.output_item.added': true,
    'response.output_item.done': true,
    'response.output_text.annotation.added': true,
    'response.output_text.delta': true,
    'response.output_text.done': true,
    'response.queued': true,
    'response.reasoning_summary_part.added': true,
    'response.reasoning_summary_part.done': true,
    'response.reasoning_summary_text.delta': true,
    'response.reasoning_summary_text.done': true,
    'response.reasoning_text.delta': true,
    'response.reasoning_text.done': true,
    'response.refusal.delta': true,
    'response.refusal.done': true,
    'response.shell_call_command.added': true,
    'response.shell_call_command.delta': true,
    'response.shell_call_command.done': true,
    'response.shell_call_output_content.delta': true,
    'response.shell_call_output_content.done': true,
    'response.web_search_call.completed': true,
    'response.web_search_call.in_progress': true,
    'response.web_search_call.searching': true,
    error: true,
  } satisfies Record<ResponseStreamEvent['type'], true>
  const belongs = (event: unknown) => openaiResponses.reader().read(event, () => {})
  for (const type of [...Object.keys(every), 'response.event_of_tomorrow', 'keepalive'])
    expect(belongs({ type })).toBe(true)
  for (const event of [
    '[DONE]',
    null,
    1,
    [],
    {},
    { type: 'message_start' },
    { type: 'thread.run.created' },
    { choices: [] },
  ]) {
    expect(belongs(event)).toBe(false)
  }
})
