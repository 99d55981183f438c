import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { type Loopback, startLoopback } from '../wire/loopback.ts'
import { chatAt, type Said } from './tanstack-chat.ts'
import { args, end, finished, half, preamble, sse, start } from './tanstack-wire.ts'

let server: Loopback

beforeAll(async () => {
  server = await startLoopback()
})
afterAll(async () => {
  await server.close()
})

const open = [...preamble, start(), args(half)]
const whole = { title: 'Checkout' }
const wholeText = JSON.stringify(whole)
const one = (words: string): Said => ({
  labels: [`create_ticket — ${words}`],
  notice: words.startsWith('may') ? 'May have run: create_ticket.' : 'Not run: create_ticket.',
})

interface Fault {
  readonly body: string
  /** What happens once the client has seen what there is. Default `end`. */
  readonly after?: 'end' | 'drop' | 'stall' | 'stop'
  readonly local: Said
  readonly server: Said
}

const faults: Record<string, Fault> = {
  'a drop': {
    body: sse(...open),
    after: 'drop',
    local: one('not run (connection lost)'),
    server: one('may have run (connection lost)'),
  },
  'a clean end in the middle of the arguments': {
    body: sse(...open),
    local: one('not run (the response ended early)'),
    server: one('may have run (the response ended early)'),
  },
  'a stall': {
    body: sse(...open),
    after: 'stall',
    local: one('not run (connection lost)'),
    server: one('may have run (connection lost)'),
  },
  'the user’s stop': {
    body: sse(...open),
    after: 'stop',
    local: { labels: ['create_ticket — cancelled'], notice: 'Not run: create_ticket.' },
    server: one('may have run (cancelled)'),
  },
  'a token ceiling over a well-formed stop': {
    body: sse(...preamble, start(), args(wholeText), end(whole), finished('length'), '[DONE]'),
    local: one('not run (the request was cut short)'),
    server: {
      labels: ['create_ticket — may have run (no result received)'],
      notice: 'May have run: create_ticket. The reply stopped here (the length limit was reached).',
    },
  },
  'a token ceiling in the middle of the arguments': {
    body: sse(...open, finished('length'), '[DONE]'),
    local: one('not run (the request was cut short)'),
    server: one('not run (the request was cut short)'),
  },
  'a content filter': {
    body: sse(...open, finished('content_filter'), '[DONE]'),
    local: one('not run (stopped by a content filter)'),
    server: one('not run (stopped by a content filter)'),
  },
  'malformed JSON': {
    body: sse(...open, end(), finished('tool_calls')),
    local: one('not run (the request was unreadable)'),
    server: one('may have run (no result received)'),
  },
  'a frame that is no JSON': {
    body: sse(...open, '{"type":'),
    local: one('not run (the response ended early)'),
    server: one('may have run (the response ended early)'),
  },
  'an error of the provider': {
    body: sse(...open, { type: 'RUN_ERROR', message: 'MARKER', code: 'overloaded' }),
    local: one('not run (the service reported an error)'),
    server: one('may have run (the service reported an error)'),
  },
  'a call that is announced and never finished': {
    body: sse(...open, finished('tool_calls'), '[DONE]'),
    local: one('not run (the response ended early)'),
    server: one('not run (the response ended early)'),
  },
  'a `[DONE]` in place of an end': {
    body: sse(...open, '[DONE]'),
    local: one('not run (the response ended early)'),
    server: one('not run (the response ended early)'),
  },
  'two calls, of which one is damaged': {
    body: sse(
      ...preamble,
      start(),
      start('c2', 'send_mail'),
      args(wholeText),
      args(half, 'c2'),
      end(whole),
      end(undefined, 'c2'),
      finished('tool_calls'),
    ),
    local: {
      labels: [
        'create_ticket — not run (another call had a problem)',
        'send_mail — not run (the request was unreadable)',
      ],
      notice: 'Not run: create_ticket, send_mail.',
    },
    server: {
      labels: ['create_ticket — may have run (no result received)', 'send_mail — may have run (no result received)'],
      notice: 'May have run: create_ticket, send_mail.',
    },
  },
  'a call without arguments': {
    body: sse(...preamble, start(), end({}), finished('tool_calls'), '[DONE]'),
    local: { labels: ['create_ticket — waiting to run'], notice: '' },
    server: one('may have run (no result received)'),
  },
  'a call without arguments, at whose end is only a `[DONE]`': {
    body: sse(...preamble, start(), end(), '[DONE]'),
    local: one('not run (the response ended early)'),
    server: one('may have run (no result received)'),
  },
  'an end right after the preamble': {
    body: sse(...preamble),
    local: { labels: [], notice: 'The reply stopped here (it ended early). No tool was run.' },
    server: { labels: [], notice: 'The reply stopped here (it ended early).' },
  },
}

const rows = Object.entries(faults).flatMap(([name, fault]) =>
  (['local', 'server'] as const).map((executor) => [name, executor, fault] as const),
)

describe('what the chat client is brought', () => {
  test.each(rows)('%s, %s', async (_, executor, fault) => {
    const { body, after = 'end' } = fault
    const exchange = server.expect({ body, after: after === 'end' ? 'end' : 'wait' })
    const { client, clock, store, seen, said } = chatAt(exchange.url, {
      tools: { create_ticket: { executor }, send_mail: { executor } },
      defaultExecutor: executor,
    })
    const sent = client.sendMessage('Create a ticket.')
    if (after !== 'end') {
      await seen('TOOL_CALL_ARGS')
      expect(said()).toEqual({ labels: ['Preparing create_ticket…'], notice: '' })
    }
    if (after === 'drop') exchange.drop()
    if (after === 'stop') client.stop()
    if (after === 'stall') {
      clock.advance(DEFAULT_DEADLINES.idle - 1)
      expect(said().labels).toEqual(['Preparing create_ticket…'])
      clock.advance(1)
    }
    await sent
    await exchange.closed
    expect(said()).toEqual(fault[executor])
    expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
    if (after === 'stall') expect(client.getStatus()).toBe('error')
  })
})
