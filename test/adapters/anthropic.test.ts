import { describe, expect, test } from 'vitest'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { eventsOf } from './events-of.ts'

const start = { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], stop_reason: null } }
const toolUse = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 'toolu_1', name: 'add_task', input: {} },
}
const stop = { type: 'content_block_stop', index: 0 }
const json = (partial_json: unknown, index: unknown = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
})
const ended = (stop_reason: unknown) => ({ type: 'message_delta', delta: { stop_reason, stop_sequence: null } })

const started = { type: 'message-started', messageId: 'msg_1' }
const announced = { type: 'call-announced', key: 'call-1', callId: 'toolu_1', name: 'add_task' }

test('has the name and the speaker of a raw provider wire', () => {
  expect(anthropic.format).toBe('anthropic')
  expect(anthropic.speaker).toBe('model')
})

test('one call is announced, streamed, finished and ended', () => {
  expect(
    eventsOf(anthropic, [
      start,
      toolUse,
      json(''),
      json('{"title":'),
      json('"A"}'),
      stop,
      ended('tool_use'),
      { type: 'message_stop' },
    ]),
  ).toEqual([
    started,
    announced,
    { type: 'call-fragment', key: 'call-1', text: '{"title":' },
    { type: 'call-fragment', key: 'call-1', text: '"A"}' },
    { type: 'call-finished', key: 'call-1' },
    { type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false },
  ])
})

describe('stop reasons', () => {
  test.each([
    ['end_turn', 'natural'],
    ['tool_use', 'natural'],
    ['stop_sequence', 'natural'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filter'],
    ['pause_turn', 'paused'],
    ['compaction', 'paused'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s ends a message as %s', (rawReason, reason) => {
    expect(eventsOf(anthropic, [start, ended(rawReason)])).toEqual([
      started,
      { type: 'message-ended', reason, rawReason, finishesOpenCalls: false },
    ])
  })

  test('a message_delta without a reason ends nothing, and message_stop then has none to give', () => {
    expect(eventsOf(anthropic, [start, ended(null), { type: 'message_stop' }])).toEqual([
      started,
      { type: 'message-ended', reason: null, finishesOpenCalls: false },
    ])
  })

  test('the first reason is the end, whatever comes after it', () => {
    expect(eventsOf(anthropic, [start, ended('max_tokens'), ended('tool_use'), { type: 'message_stop' }])).toEqual([
      started,
      { type: 'message-ended', reason: 'length', rawReason: 'max_tokens', finishesOpenCalls: false },
    ])
  })

  test('a reason for no message at all ends nothing', () => {
    expect(eventsOf(anthropic, [ended('tool_use'), { type: 'message_stop' }])).toEqual([])
  })
})

describe('input', () => {
  test('the empty placeholder on the start of a block is never arguments', () => {
    expect(eventsOf(anthropic, [start, toolUse, stop])).toEqual([
      started,
      announced,
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('a gateway’s whole input on the start of a block is not lost, and gives way to any fragment', () => {
    const whole = { ...toolUse, content_block: { ...toolUse.content_block, input: { title: 'A' } } }
    expect(eventsOf(anthropic, [start, whole, json(''), stop])).toEqual([
      started,
      announced,
      { type: 'call-snapshot', key: 'call-1', value: { title: 'A' } },
      { type: 'call-finished', key: 'call-1' },
    ])
    expect(eventsOf(anthropic, [start, whole, json('{"title":'), stop])).toEqual([
      started,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{"title":' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('fragments of interleaved blocks go by index', () => {
    const second = {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_2', name: 'search', input: {} },
    }
    expect(
      eventsOf(anthropic, [start, toolUse, second, json('{"a', 0), json('{"b', 1), { ...stop, index: 1 }, stop]),
    ).toEqual([
      started,
      announced,
      { type: 'call-announced', key: 'call-2', callId: 'toolu_2', name: 'search' },
      { type: 'call-fragment', key: 'call-1', text: '{"a' },
      { type: 'call-fragment', key: 'call-2', text: '{"b' },
      { type: 'call-finished', key: 'call-2' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('a fragment for a block that is no call, or for none, says nothing', () => {
    const textBlock = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
    expect(eventsOf(anthropic, [start, textBlock, json('{}'), json('{}', 7), { ...stop, index: 7 }])).toEqual([started])
  })

  test('a text block takes the index over from a call', () => {
    const textBlock = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
    expect(eventsOf(anthropic, [start, toolUse, stop, textBlock, json('{}'), stop])).toEqual([
      started,
      announced,
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test('a block sent again is the same call; one with another id at its index is a new call', () => {
    const other = { ...toolUse, content_block: { ...toolUse.content_block, id: 'toolu_2' } }
    expect(eventsOf(anthropic, [start, toolUse, json('{'), toolUse, json('{}'), stop, other])).toEqual([
      started,
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{' },
      announced,
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2', callId: 'toolu_2', name: 'add_task' },
    ])
  })

  test('a gateway that leaves ids and indexes out gets a call per block', () => {
    const bare = { type: 'content_block_start', content_block: { type: 'tool_use', id: '', name: 'add_task' } }
    const fragment = { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{}' } }
    const end = { type: 'content_block_stop' }
    expect(eventsOf(anthropic, [start, bare, fragment, end, bare, end])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', name: 'add_task' },
      { type: 'call-fragment', key: 'call-1', text: '{}' },
      { type: 'call-finished', key: 'call-1' },
      { type: 'call-announced', key: 'call-2', name: 'add_task' },
      { type: 'call-finished', key: 'call-2' },
    ])
  })

  test('a call issued by code that the provider runs is the client’s', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    const block = { ...toolUse, content_block: { ...toolUse.content_block, caller } }
    expect(eventsOf(anthropic, [start, block])).toEqual([started, announced])
  })
})

describe('several messages', () => {
  test('the same index and even the same message id make a new call under a new key', () => {
    expect(
      eventsOf(anthropic, [start, toolUse, stop, ended('tool_use'), start, toolUse, stop, ended('max_tokens')]),
    ).toEqual([
      started,
      announced,
      { type: 'call-finished', key: 'call-1' },
      { type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false },
      started,
      { ...announced, key: 'call-2' },
      { type: 'call-finished', key: 'call-2' },
      { type: 'message-ended', reason: 'length', rawReason: 'max_tokens', finishesOpenCalls: false },
    ])
  })

  test('keys go on through the streams of a turn', () => {
    expect(eventsOf(anthropic, [start, toolUse], [start, toolUse])).toEqual([
      started,
      announced,
      started,
      { ...announced, key: 'call-2' },
    ])
  })

  test('where a gateway leaves message_start out, the first block starts the message', () => {
    expect(eventsOf(anthropic, [toolUse, stop, ended('tool_use')])).toEqual([
      { type: 'message-started' },
      announced,
      { type: 'call-finished', key: 'call-1' },
      { type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false },
    ])
  })

  test('a block after the end of its message starts no new one', () => {
    expect(eventsOf(anthropic, [start, ended('end_turn'), toolUse])).toEqual([
      started,
      { type: 'message-ended', reason: 'natural', rawReason: 'end_turn', finishesOpenCalls: false },
      announced,
    ])
  })
})

describe('text', () => {
  const delta = (value: unknown) => ({ type: 'content_block_delta', index: 0, delta: value })

  test('text deltas are text', () => {
    const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'I' } }
    expect(eventsOf(anthropic, [start, block, delta({ type: 'text_delta', text: '’ll do it' })])).toEqual([
      started,
      { type: 'text-fragment', text: 'I' },
      { type: 'text-fragment', text: '’ll do it' },
    ])
  })

  test('thinking, signatures, citations and compaction are not', () => {
    const block = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', text: 'no' },
    }
    expect(
      eventsOf(anthropic, [
        start,
        block,
        delta({ type: 'thinking_delta', thinking: 'hm' }),
        delta({ type: 'signature_delta', signature: 'x' }),
        delta({ type: 'citations_delta', citation: {} }),
        delta({ type: 'compaction_delta', content: 'c' }),
      ]),
    ).toEqual([started])
  })

  test('text without any start of a message starts one', () => {
    expect(eventsOf(anthropic, [delta({ type: 'text_delta', text: 'hi' })])).toEqual([
      { type: 'message-started' },
      { type: 'text-fragment', text: 'hi' },
    ])
  })
})

describe('what the provider runs', () => {
  test.each(['server_tool_use', 'mcp_tool_use'])('%s is a call of the provider', (type) => {
    const block = {
      type: 'content_block_start',
      index: 0,
      content_block: { type, id: 'srv_1', name: 'web_search', input: {}, server_name: 's' },
    }
    expect(eventsOf(anthropic, [start, block, json('{"query":"x"}'), stop])).toEqual([
      started,
      { type: 'call-announced', key: 'call-1', callId: 'srv_1', name: 'web_search', executor: 'provider' },
      { type: 'call-fragment', key: 'call-1', text: '{"query":"x"}' },
      { type: 'call-finished', key: 'call-1' },
    ])
  })

  test.each([
    'web_search_tool_result',
    'web_fetch_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
    'tool_search_tool_result',
    'advisor_tool_result',
    'tool_of_tomorrow_tool_result',
  ])('%s is a result, or a failure where its content is an error', (type) => {
    const result = (content: unknown) => ({
      type: 'content_block_start',
      index: 1,
      content_block: { type, tool_use_id: 'srv_1', content },
    })
    const error = { type: `${type}_error`, error_code: 'unavailable' }
    expect(eventsOf(anthropic, [start, result([]), result({ type: 'some_result' }), result(error)])).toEqual([
      started,
      { type: 'call-returned', callId: 'srv_1', ok: true, value: [] },
      { type: 'call-returned', callId: 'srv_1', ok: true, value: { type: 'some_result' } },
      { type: 'call-returned', callId: 'srv_1', ok: false, value: error },
    ])
  })

  test('an MCP result says itself whether it is an error', () => {
    const result = (is_error: unknown) => ({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'mcp_tool_result', tool_use_id: 'mcp_1', is_error, content: [] },
    })
    expect(eventsOf(anthropic, [start, result(true), result(false)])).toEqual([
      started,
      { type: 'call-returned', callId: 'mcp_1', ok: false, value: [] },
      { type: 'call-returned', callId: 'mcp_1', ok: true, value: [] },
    ])
  })

  test('a result of a paused message may come in the next stream, before anything else of it', () => {
    const result = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
    }
    expect(eventsOf(anthropic, [start, ended('pause_turn')], [start, result])).toEqual([
      started,
      { type: 'message-ended', reason: 'paused', rawReason: 'pause_turn', finishesOpenCalls: false },
      started,
      { type: 'call-returned', callId: 'srv_1', ok: true, value: [] },
    ])
  })

  test('a result that names no call, and a plain tool_result, say nothing', () => {
    const block = (content_block: unknown) => ({ type: 'content_block_start', index: 1, content_block })
    expect(
      eventsOf(anthropic, [
        start,
        block({ type: 'web_search_tool_result', content: [] }),
        block({ type: 'tool_result', tool_use_id: 'x', content: [] }),
      ]),
    ).toEqual([started])
  })
})

describe('errors', () => {
  test('an error event ends the stream by its type, and nothing after it counts', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' }
    expect(eventsOf(anthropic, [start, toolUse, error, ended('tool_use'), { type: 'message_stop' }, error])).toEqual([
      started,
      announced,
      {
        type: 'stream-ended',
        ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded_error' },
      },
    ])
  })

  test('the next stream of the turn is read again', () => {
    expect(eventsOf(anthropic, [start, { type: 'error' }], [start])).toEqual([
      started,
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model' } },
      started,
    ])
  })

  test('a gateway’s error without a type is an error', () => {
    expect(eventsOf(anthropic, [{ error: { type: 'api_error', message: 'secret' } }])).toEqual([
      { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'api_error' } },
    ])
  })
})

test('tells events of the format from others', () => {
  const reader = anthropic.reader()
  const belongs = (event: unknown) => reader.read(event, () => {})
  for (const event of [
    { type: 'ping' },
    start,
    { type: 'content_block_start' },
    { type: 'content_block_start', index: 0, content_block: { type: 'block_of_tomorrow' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'delta_of_tomorrow' } },
    stop,
    ended('x'),
    { type: 'message_stop' },
    { type: 'error' },
  ]) {
    expect(belongs(event)).toBe(true)
  }
  for (const event of ['[DONE]', null, 1, [], {}, { type: 'response.created' }, { type: 7 }, { choices: [] }]) {
    expect(belongs(event)).toBe(false)
  }
})
