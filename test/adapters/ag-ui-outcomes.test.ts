import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { agUi } from '../../src/adapters/ag-ui.ts'
import { langgraph } from '../../src/adapters/langgraph.ts'
import { tanstackAi } from '../../src/adapters/tanstack-ai.ts'
import { labelOf } from '../../src/core/labels.ts'
import type { Executor } from '../../src/core/tools.ts'
import { createPlayer, type ReplayEnding, replay } from '../../src/testing/index.ts'

function encoded(frame: unknown): string {
  const { event, data = frame } = frame as { readonly event?: string; readonly data?: unknown }
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** What the blocks of a turn say at the end, without the tool's name. Every tool has the same executor. */
async function labels(
  adapter: Adapter,
  executor: Exclude<Executor, 'provider'>,
  frames: readonly unknown[],
  ending: ReplayEnding = 'eof',
) {
  const pieces = frames.map(encoded)
  const tools = { f: { executor }, g: { executor } }
  const { calls, player } = await replay({ adapter, tools, pieces, ending })
  expect(player.store.counts().contradictedLabels).toBe(0)
  return calls.map(({ label }) => label.replace(/^. — /, ''))
}

const LOST = 'may have run (connection lost)'
const EARLY = 'not run (the response ended early)'

describe('ag-ui', () => {
  const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
  const start = (id = 'c1', name = 'f') => ({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name })
  const args = (delta: string, toolCallId = 'c1') => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
  const end = (toolCallId = 'c1') => ({ type: 'TOOL_CALL_END', toolCallId })
  const result = { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c1', content: 'r' }
  const finished = (outcome?: object) => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome })
  const failed = (code: string) => ({ type: 'RUN_ERROR', message: 'm', code })
  const open = [run, start(), args('{"a')]
  const whole = [run, start(), args('{}'), end()]
  const chunk = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'f', delta: '{}' }
  const asking = finished({ type: 'interrupt', interrupts: [{ id: 'i', reason: 'r', toolCallId: 'c1' }] })
  const pausing = finished({ type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] })

  test.each<readonly [string, Exclude<Executor, 'provider'>, readonly unknown[], ReplayEnding, string]>([
    ['open, the run finished', 'local', [...open, finished()], 'eof', EARLY],
    ['open, the run finished', 'server', [...open, finished()], 'eof', EARLY],
    ['open, the run finished', 'host', [...open, finished()], 'eof', 'may have run (the response ended early)'],
    ['open but whole, the run finished', 'local', [run, start(), args('{}'), finished()], 'eof', EARLY],
    [
      'open but whole, the run finished',
      'server',
      [run, start(), args('{}'), finished()],
      'eof',
      'may have run (the response ended early)',
    ],
    ['a value, the run finished', 'server', [...whole, result, finished()], 'eof', 'done'],
    [
      'an error in the place of a value, the run finished',
      'server',
      [...whole, { ...result, content: 'Error: title is required.' }, finished()],
      'eof',
      'may have run (an error was reported)',
    ],
    [
      'an error in the place of a value, told by a snapshot',
      'server',
      [
        ...whole,
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [{ id: 'm', role: 'tool', toolCallId: 'c1', content: 'Error: title is required.' }],
        },
        finished(),
      ],
      'eof',
      'may have run (an error was reported)',
    ],
    ['open, the run was cancelled', 'local', [...open, finished({ type: 'cancelled' })], 'eof', 'cancelled'],
    ['open, the run was cancelled', 'server', [...open, finished({ type: 'cancelled' })], 'eof', 'cancelled'],
    ['ended, the run was cancelled', 'local', [...whole, finished({ type: 'cancelled' })], 'eof', 'cancelled'],
    [
      'ended, the run was cancelled',
      'server',
      [...whole, finished({ type: 'cancelled' })],
      'eof',
      'may have run (cancelled)',
    ],
    ['open, an error', 'local', [...open, failed('x')], 'eof', 'not run (the service reported an error)'],
    ['open, an error', 'server', [...open, failed('x')], 'eof', 'may have run (the service reported an error)'],
    ['ended, an error', 'server', [...whole, failed('x')], 'eof', 'may have run (the service reported an error)'],
    ['open, the client’s abort', 'local', [...open, failed('abort')], 'eof', 'cancelled'],
    ['open, the client’s abort', 'server', [...open, failed('abort')], 'eof', 'may have run (cancelled)'],
    ['open, nothing more', 'local', open, 'eof', EARLY],
    ['open, nothing more', 'server', open, 'eof', 'may have run (the response ended early)'],
    ['open, the connection broke', 'server', open, 'error', LOST],
    ['ended, the connection broke', 'local', whole, 'error', 'not run (connection lost)'],
    ['ended, the connection broke', 'server', whole, 'error', LOST],
    ['ended, the run finished', 'local', [...whole, finished()], 'eof', 'waiting to run'],
    ['ended, the run finished', 'server', [...whole, finished()], 'eof', 'may have run (no result received)'],
    ['ended, the run finished', 'host', [...whole, finished()], 'eof', 'sent, waiting for the result'],
    ['ended, with a word of tomorrow', 'local', [...whole, finished({ type: 'x' })], 'eof', 'not run'],
    ['ended, with a word of tomorrow', 'server', [...whole, finished({ type: 'x' })], 'eof', 'may have run'],
    ['ended, asked about', 'local', [...whole, asking], 'eof', 'waiting for your approval'],
    ['ended, asked about', 'server', [...whole, asking], 'eof', 'waiting for your approval'],
    ['ended, in a pause', 'local', [...whole, pausing], 'eof', 'not run'],
    ['ended, in a pause', 'server', [...whole, pausing], 'eof', 'may have run (no result received)'],
    ['in chunks, the run finished', 'local', [run, chunk, finished()], 'eof', 'waiting to run'],
    ['in chunks, nothing more', 'local', [run, chunk], 'eof', EARLY],
    ['returned', 'server', [...whole, result, finished()], 'eof', 'done'],
    ['returned, then the connection broke', 'server', [...whole, result], 'error', 'done'],
    ['after the end of its run', 'local', [run, finished(), start(), args('{}'), end()], 'eof', EARLY],
    [
      'after the end of its run',
      'server',
      [run, finished(), start(), args('{"a')],
      'eof',
      'may have run (the response ended early)',
    ],
  ])('%s: %s', async (_, executor, frames, ending, label) => {
    expect(await labels(agUi, executor, frames, ending)).toEqual([label])
  })

  test('one damaged call holds the others of its message back', async () => {
    const frames = [...whole, start('c2', 'g'), args('{"a', 'c2'), end('c2'), finished()]
    expect(await labels(agUi, 'local', frames)).toEqual([
      'not run (another call had a problem)',
      'not run (the request was unreadable)',
    ])
  })

  test('a refusal that the next run echoes is not undone by the answer to it', async () => {
    const { calls, player } = await replay({
      adapter: agUi,
      tools: { f: { executor: 'server' } },
      pieces: [
        ...whole,
        asking,
        { ...run, runId: 'r2', input: { resume: [{ interruptId: 'i', status: 'cancelled' }] } },
        result,
        finished(),
      ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`),
    })
    expect(calls.map(({ label }) => label)).toEqual(['f — not run (you declined)'])
    expect(player.store.counts().contradictedLabels).toBe(0)
  })
})

describe('tanstack-ai', () => {
  const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
  const start = { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'f' }
  const args = (delta: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta })
  const end = (input?: object) => ({ type: 'TOOL_CALL_END', toolCallId: 'c1', input })
  const finished = (finishReason?: string, members: object = {}) => ({
    type: 'RUN_FINISHED',
    threadId: 't',
    runId: 'r',
    finishReason,
    ...members,
  })
  const whole = [run, start, args('{}'), end({})]
  const clientTool = {
    outcome: { type: 'interrupt', interrupts: [{ id: 'i', toolCallId: 'c1', metadata: { kind: 'client_tool' } }] },
  }

  test.each<readonly [string, Exclude<Executor, 'provider'>, readonly unknown[], string]>([
    ['natural', 'local', [...whole, finished('tool_calls')], 'waiting to run'],
    ['natural, a tool of the client', 'local', [...whole, finished('tool_calls', clientTool)], 'waiting to run'],
    ['cut by length', 'local', [...whole, finished('length')], 'not run (the request was cut short)'],
    ['cut by length', 'server', [...whole, finished('length')], 'may have run (no result received)'],
    [
      'cut by length while open',
      'server',
      [run, start, args('{"a'), finished('length')],
      'not run (the request was cut short)',
    ],
    [
      'cut by length, ended all the same',
      'server',
      [run, start, args('{"a'), end({}), finished('length')],
      'may have run (no result received)',
    ],
    ['cut by a filter', 'local', [...whole, finished('content_filter')], 'not run (stopped by a content filter)'],
    [
      'a parsed input over broken text',
      'local',
      [run, start, args('{"a'), end({}), finished('stop')],
      'not run (the request was unreadable)',
    ],
    ['no arguments, by a stated reason', 'local', [run, start, end(), finished('stop')], 'waiting to run'],
    ['no arguments, by a given input', 'local', [run, start, end({}), finished()], 'waiting to run'],
    ['no arguments, without a word', 'local', [run, start, end(), finished()], EARLY],
    [
      'no arguments, by an end that a client wrote',
      'local',
      [run, start, end(), { type: 'RUN_FINISHED', finishReason: 'stop' }],
      EARLY,
    ],
    [
      'aborted by the server',
      'server',
      [run, start, args('{"a'), { type: 'RUN_ERROR', message: 'm', code: 'aborted' }],
      'cancelled',
    ],
  ])('%s: %s', async (_, executor, frames, label) => {
    expect(await labels(tanstackAi, executor, frames)).toEqual([label])
  })
})

describe('langgraph', () => {
  const on = (event: string, data: unknown) => ({ event, data })
  const chunk = (members: object) =>
    on('messages', [{ type: 'AIMessageChunk', id: 'run-1', content: '', tool_call_chunks: [], ...members }, {}])
  const piece = (args: string) => chunk({ tool_call_chunks: [{ id: 'c1', name: 'f', args, index: 0 }] })
  const stop = (finish_reason: string) => chunk({ response_metadata: { finish_reason } })
  const end = (status?: string) => on('end', status === undefined ? null : { status })
  const tool = (status: string) => on('messages', [{ type: 'tool', tool_call_id: 'c1', content: 'r', status }, {}])
  const state = (args: object, reason?: string) =>
    on('values', {
      messages: [
        {
          type: 'ai',
          id: 'run-1',
          tool_calls: [{ id: 'c1', name: 'f', args }],
          response_metadata: { finish_reason: reason },
        },
      ],
    })
  const asking = on('values', { __interrupt__: [{ id: 'i', value: { action_requests: [{ name: 'f' }] } }] })
  const block = (data: object) => on('messages', { type: 'event', method: 'messages', params: { namespace: [], data } })
  const blocks = (args: string, content: object, reason = 'stop') => [
    block({ event: 'message-start', id: 'run-1' }),
    block({
      event: 'content-block-start',
      index: 0,
      content: { type: 'tool_call_chunk', id: 'c1', name: 'f', args: '' },
    }),
    block({ event: 'content-block-delta', index: 0, delta: { type: 'tool-call-delta', args } }),
    block({ event: 'content-block-finish', index: 0, content: { id: 'c1', name: 'f', ...content } }),
    block({ event: 'message-finish', reason }),
  ]

  test.each<readonly [string, Exclude<Executor, 'provider'>, readonly unknown[], ReplayEnding, string]>([
    ['natural', 'local', [piece('{}'), stop('tool_calls')], 'eof', 'waiting to run'],
    [
      'natural, the run ended',
      'server',
      [piece('{}'), stop('tool_calls'), end()],
      'eof',
      'may have run (no result received)',
    ],
    ['natural, then returned', 'server', [piece('{}'), stop('tool_calls'), tool('success'), end()], 'eof', 'done'],
    [
      'natural, then failed',
      'server',
      [piece('{}'), stop('tool_calls'), tool('error'), end()],
      'eof',
      'ran and failed',
    ],
    ['returned before its message ended', 'server', [piece('{}'), tool('success')], 'error', 'done'],
    ['no reason, but the end of the run', 'local', [piece('{}'), end('success')], 'eof', 'waiting to run'],
    ['no reason, but its state', 'local', [piece('{}'), state({})], 'eof', 'waiting to run'],
    ['no reason, no end', 'local', [piece('{}')], 'eof', EARLY],
    ['no reason, no end', 'server', [piece('{}')], 'eof', 'may have run (the response ended early)'],
    [
      'repaired in the state',
      'local',
      [piece('{"a'), state({ a: '' }, 'stop')],
      'eof',
      'not run (the request was unreadable)',
    ],
    [
      'cut, and repaired in the state',
      'local',
      [state({ a: '' }, 'length')],
      'eof',
      'not run (the request was cut short)',
    ],
    ['cut, the run ended', 'local', [piece('{}'), stop('length'), end()], 'eof', 'not run (the request was cut short)'],
    [
      'cut, the run ended',
      'server',
      [piece('{"a'), stop('length'), end()],
      'eof',
      'not run (the request was cut short)',
    ],
    [
      'cut, and the body just ended',
      'server',
      [piece('{"a'), stop('length')],
      'eof',
      'may have run (the response was cut short)',
    ],
    [
      'an error',
      'server',
      [piece('{"a'), on('error', { error: 'E' })],
      'eof',
      'may have run (the service reported an error)',
    ],
    [
      'an error',
      'local',
      [piece('{"a'), on('error', { error: 'E' })],
      'eof',
      'not run (the service reported an error)',
    ],
    ['stopped', 'server', [piece('{"a'), end('interrupted')], 'eof', 'may have run (cancelled)'],
    ['stopped', 'local', [piece('{"a'), end('interrupted')], 'eof', 'cancelled'],
    [
      'asked about',
      'local',
      [piece('{}'), stop('stop'), asking, end('interrupted')],
      'eof',
      'waiting for your approval',
    ],
    [
      'asked about',
      'server',
      [piece('{}'), stop('stop'), asking, end('interrupted')],
      'eof',
      'waiting for your approval',
    ],
    [
      'begun',
      'server',
      [piece('{"a'), on('tools', { event: 'on_tool_start', toolCallId: 'c1' }), stop('length'), end()],
      'eof',
      'may have run (the response was cut short)',
    ],
    ['in blocks', 'local', blocks('{}', { type: 'tool_call', args: {} }), 'eof', 'waiting to run'],
    ['in blocks, none', 'local', blocks('', { type: 'tool_call', args: {} }), 'eof', 'waiting to run'],
    [
      'in blocks, cut',
      'local',
      blocks('{}', { type: 'tool_call', args: {} }, 'length'),
      'eof',
      'not run (the request was cut short)',
    ],
    [
      'in blocks, invalid',
      'local',
      blocks('{"a', { type: 'invalid_tool_call', args: '{"a' }),
      'eof',
      'not run (the request was unreadable)',
    ],
    [
      'in blocks, invalid',
      'server',
      [...blocks('{"a', { type: 'invalid_tool_call', args: '{"a' }), end()],
      'eof',
      'may have run (no result received)',
    ],
  ])('%s: %s', async (_, executor, frames, ending, label) => {
    expect(await labels(langgraph, executor, frames, ending)).toEqual([label])
  })
})

// Needs the ledger: an error that answers a refusal is no execution, as one that answers a rejected input is none.
test.each([
  [
    'tanstack-ai',
    tanstackAi,
    [
      { type: 'RUN_STARTED', runId: 'r' },
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'f' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1', input: {} },
      { type: 'RUN_FINISHED', runId: 'r', outcome: { type: 'interrupt', interrupts: [{ id: 'i', toolCallId: 'c1' }] } },
    ],
    {
      type: 'TOOL_CALL_RESULT',
      toolCallId: 'c1',
      content: '{"error":"User declined tool execution"}',
      state: 'output-error',
    },
  ],
  [
    'langgraph',
    langgraph,
    [
      { event: 'messages', data: [{ type: 'ai', id: 'm', tool_calls: [{ id: 'c1', name: 'f', args: {} }] }, {}] },
      { event: 'values', data: { __interrupt__: [{ id: 'i', value: { action_requests: [{ name: 'f' }] } }] } },
    ],
    {
      event: 'messages',
      data: [{ type: 'tool', tool_call_id: 'c1', content: 'User rejected the tool call.', status: 'error' }, {}],
    },
  ],
] as const)(
  '%s: what a person declined here did not run, though an error comes back for it',
  (_, adapter, frames, answer) => {
    const player = createPlayer({ adapter, tools: { f: { executor: 'server' } } })
    for (const frame of frames) player.feed(encoded(frame))
    player.store.answerApproval({ callId: 'c1', turnId: player.turnId }, { granted: false })
    player.feed(encoded(answer))
    player.store.flush()
    const view = player.store.call({ callId: 'c1', turnId: player.turnId })?.getState()
    expect(view && labelOf(view)).toBe('f — not run (you declined)')
    expect(player.store.counts().contradictedLabels).toBe(0)
  },
)
