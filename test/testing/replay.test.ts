import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import { REPLAY_ENDINGS, replay } from '../../src/testing/index.ts'

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

// Anthropic: a call whose arguments came in full, in a message that has not ended.
const start = frame({ type: 'message_start', message: { id: 'm' } })
const call = [
  frame({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'a', name: 'create_ticket', input: {} },
  }),
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"title":' } }),
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"Ä"}' } }),
  frame({ type: 'content_block_stop', index: 0 }),
]
const end = [frame({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }), frame({ type: 'message_stop' })]

const tools = { create_ticket: { executor: 'local' } } as const

test('a call that may run waits at the gate, with its arguments', async () => {
  const { calls, notice, frames, player } = await replay({
    adapter: anthropic,
    tools,
    pieces: [start, ...call, ...end],
  })
  expect(calls).toEqual([
    {
      id: 'a',
      name: 'create_ticket',
      outcome: 'dispatchable',
      cause: null,
      detail: null,
      ran: null,
      label: 'create_ticket — waiting to run',
      mayDispatch: true,
      args: { title: 'Ä' },
      rawLength: 13,
      rawSha256: createHash('sha256').update('{"title":"Ä"}').digest('hex'),
    },
  ])
  expect(notice).toEqual([])
  expect(frames).toBe(7)
  expect(player.store.balance().waiting.gate).toBe(1)
})

test.for([
  ['done', 'create_ticket — not run (the response ended early)', 'ended-early', 'abandoned'],
  ['eof', 'create_ticket — not run (the response ended early)', 'ended-early', 'abandoned'],
  ['error', 'create_ticket — not run (connection lost)', 'connection-lost', 'abandoned'],
  ['stall', 'create_ticket — not run (connection lost)', 'connection-lost', 'abandoned'],
  ['user-cancel', 'create_ticket — cancelled', 'cancelled', 'cancelled'],
  ['reload', 'create_ticket — not run (the page was closed)', 'reloaded', 'abandoned'],
] as const)('broken off by %s: %s', async ([ending, label, cause, outcome]) => {
  const { calls } = await replay({ adapter: anthropic, tools, pieces: [start, ...call], ending })
  expect(calls).toMatchObject([{ label, cause, outcome, ran: 'no', mayDispatch: false }])
  expect(calls[0]).not.toHaveProperty('args')
})

test.for(REPLAY_ENDINGS)('%s adds nothing where the capture has ended by itself', async (ending) => {
  const whole = await replay({ adapter: anthropic, tools, pieces: [start, ...call, ...end], ending })
  expect(whole.calls).toMatchObject([{ label: 'create_ticket — waiting to run', mayDispatch: true }])
  const error = frame({ type: 'error', error: { type: 'overloaded_error' } })
  const failed = await replay({ adapter: anthropic, tools, pieces: [start, ...call, error], ending })
  expect(failed.calls).toMatchObject([{ cause: 'provider-error', detail: 'overloaded_error' }])
})

test('silence ends nothing while a person is asked, and the replay ends all the same', async () => {
  const asking = [
    frame({ type: 'response.created', response: { id: 'r' } }),
    frame({
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'mcp_approval_request', id: 'p', name: 'send_payment', arguments: '{}', server_label: 'bank' },
    }),
  ]
  const { calls, notice, player } = await replay({ adapter: openaiResponses, pieces: asking, ending: 'stall' })
  expect(calls).toMatchObject([
    { label: 'send_payment — waiting for your approval', outcome: 'dispatchable', ran: null, mayDispatch: false },
  ])
  expect(notice).toEqual([])
  expect(player.stream.ending).toBeNull()
})

test('the text of a call is what came before its end', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const late = frame({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '!' } })
  const { calls } = await replay({ adapter: anthropic, tools, pieces: [start, ...call, late, ...end, late] })
  expect(calls).toMatchObject([{ rawLength: 13, args: { title: 'Ä' } }])
  const again = await replay({ adapter: anthropic, tools, pieces: [start, ...call.slice(0, 3), ...call, ...end] })
  expect(again.calls).toMatchObject([{ rawLength: 13, args: { title: 'Ä' } }])
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('arguments that came as a value have no text', async () => {
  const part = { id: 'a', index: 0, function: { name: 'create_ticket', arguments: { title: 'A' } } }
  const pieces = [frame({ choices: [{ index: 0, delta: { tool_calls: [part] }, finish_reason: 'tool_calls' }] })]
  const ours = await replay({ adapter: openaiChat, tools, pieces })
  expect(ours.calls).toMatchObject([{ args: { title: 'A' }, mayDispatch: true }])
  expect(ours.calls[0]).not.toHaveProperty('rawLength')
  expect(ours.calls[0]).not.toHaveProperty('rawSha256')
})

test('arguments of a call that others run are told where they came whole', async () => {
  const whole = await replay({ adapter: anthropic, pieces: [start, ...call], ending: 'error' })
  expect(whole.calls).toMatchObject([
    {
      label: 'create_ticket — may have run (connection lost)',
      outcome: 'unknown',
      args: { title: 'Ä' },
      rawLength: 13,
    },
  ])
  const half = await replay({ adapter: anthropic, pieces: [start, ...call.slice(0, 2)], ending: 'error' })
  expect(half.calls[0]).not.toHaveProperty('args')
  expect(half.calls).toMatchObject([{ outcome: 'unknown', rawLength: 9 }])
})

test('a nameless call, a minted id and the notice are told as the user reads them', async () => {
  const nameless = frame({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '{' } }] } }],
  })
  const { calls, notice } = await replay({ adapter: openaiChat, defaultExecutor: 'local', pieces: [nameless] })
  expect(calls).toMatchObject([
    { id: 'kit-call-1', name: null, label: 'A tool call — not run (the response ended early)' },
  ])
  expect(notice).toEqual(['Not run: a tool call.'])
})

test('what a cancelled stream came to offers nothing for dispatch that was cancelled with it', async () => {
  const next = frame({ type: 'message_start', message: { id: 'n' } })
  const pieces = [start, ...call, ...end, next]
  const { calls, player } = await replay({ adapter: anthropic, tools, pieces, ending: 'user-cancel' })
  expect(calls).toMatchObject([{ label: 'create_ticket — cancelled', detail: 'user', mayDispatch: false }])
  const { dispatchable, outcomes } = await player.stream.ended
  expect(dispatchable).toEqual([])
  expect(outcomes).toMatchObject([{ type: 'failed', cause: 'cancelled' }])
})

test('nothing at all is a stream that ended early', async () => {
  for (const ending of REPLAY_ENDINGS) {
    const { calls, frames } = await replay({ adapter: anthropic, pieces: [], ending })
    expect(calls).toEqual([])
    expect(frames).toBe(0)
  }
})
