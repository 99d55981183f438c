import { describe, expect, test } from 'vitest'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { args, end, failed, finished, half, preamble, sse, start, whole } from './ag-ui-wire.ts'
import { hostAt } from './copilotkit-host.ts'

interface Says {
  readonly labels: readonly string[]
  readonly notice: string
  /** What the host ran. Default: nothing. */
  readonly ran?: readonly string[]
}

interface Fault {
  readonly body: string
  /** What happens once the host has what there is. Default `end`. */
  readonly after?: 'end' | 'drop' | 'stall' | 'stop'
  /** The tool runs in the page and is held back. */
  readonly gated: Says
  /** The same without our gate: what the host does by itself. */
  readonly host: Says
  /** The tool runs on the server. */
  readonly server: Says
}

const one = (words: string): Says => ({
  labels: [`create_ticket — ${words}`],
  notice: words.startsWith('may') ? 'May have run: create_ticket.' : words === 'done' ? '' : 'Not run: create_ticket.',
})
const ran = (call: string, notice = ''): Says => ({ ...one('done'), notice, ran: [call] })
/** The host could not read it either, and says so by running nothing. */
const unread = (stopped: string): Says => ({
  labels: ['create_ticket — not run (the request was unreadable)'],
  notice: `Not run: create_ticket. The reply stopped here (${stopped}).`,
})

const open = [...preamble, start(), args(half)]

const faults: Record<string, Fault> = {
  'a drop': {
    body: sse(...open),
    after: 'drop',
    gated: one('not run (connection lost)'),
    host: one('may have run (connection lost)'),
    server: one('may have run (connection lost)'),
  },
  'a clean end in the middle of the arguments': {
    body: sse(...open),
    gated: one('not run (the response ended early)'),
    host: unread('it ended early'),
    server: one('may have run (the response ended early)'),
  },
  'an end right after the announcement': {
    body: sse(...preamble, start()),
    gated: one('not run (the response ended early)'),
    host: ran('create_ticket({})', 'The reply stopped here (it ended early).'),
    server: one('may have run (the response ended early)'),
  },
  'a stall': {
    body: sse(...open),
    after: 'stall',
    gated: one('not run (connection lost)'),
    host: one('may have run (connection lost)'),
    server: one('may have run (connection lost)'),
  },
  'the user’s stop': {
    body: sse(...open),
    after: 'stop',
    gated: { labels: ['create_ticket — cancelled'], notice: 'Not run: create_ticket.' },
    host: { labels: ['create_ticket — cancelled'], notice: 'Not run: create_ticket.' },
    server: one('may have run (cancelled)'),
  },
  'malformed JSON, as after a token ceiling': {
    body: sse(...open, end(), finished()),
    gated: one('not run (the request was unreadable)'),
    host: one('not run (the request was unreadable)'),
    server: one('may have run (no result received)'),
  },
  'a token ceiling with an empty buffer': {
    body: sse(...preamble, start(), end(), finished()),
    gated: one('not run (the response ended early)'),
    host: ran('create_ticket({})'),
    server: one('may have run (no result received)'),
  },
  'a content filter': {
    body: sse(...open, failed('content_filter')),
    gated: one('not run (the service reported an error)'),
    host: unread('the service reported an error'),
    server: one('may have run (the service reported an error)'),
  },
  'an error after a whole call': {
    body: sse(...preamble, start(), args(whole), end(), failed('overloaded')),
    gated: one('not run (the service reported an error)'),
    host: ran(`create_ticket(${whole})`, 'The reply stopped here (the service reported an error).'),
    server: one('may have run (the service reported an error)'),
  },
  'a call that is announced and never finished': {
    body: sse(...open, finished()),
    gated: one('not run (the response ended early)'),
    host: one('may have run (the response ended early)'),
    server: one('not run (the response ended early)'),
  },
  'two calls, of which one is damaged': {
    body: sse(
      ...preamble,
      start(),
      args(whole),
      end(),
      start('c2', 'send_mail'),
      args(half, 'c2'),
      end('c2'),
      finished(),
    ),
    gated: {
      labels: [
        'create_ticket — not run (another call had a problem)',
        'send_mail — not run (the request was unreadable)',
      ],
      notice: 'Not run: create_ticket, send_mail.',
    },
    host: {
      labels: ['create_ticket — done', 'send_mail — not run (the request was unreadable)'],
      notice: 'Not run: send_mail.',
      ran: [`create_ticket(${whole})`],
    },
    server: {
      labels: ['create_ticket — may have run (no result received)', 'send_mail — may have run (no result received)'],
      notice: 'May have run: create_ticket, send_mail.',
    },
  },
  'an end right after the preamble': {
    body: sse(...preamble),
    gated: { labels: [], notice: 'The reply stopped here (it ended early).' },
    host: { labels: [], notice: 'The reply stopped here (it ended early).' },
    server: { labels: [], notice: 'The reply stopped here (it ended early).' },
  },
  'nothing wrong': {
    body: sse(...preamble, start(), args('{"title":'), args('"Checkout"}'), end(), finished()),
    gated: ran(`create_ticket(${whole})`),
    host: ran(`create_ticket(${whole})`),
    server: one('may have run (no result received)'),
  },
  'nothing wrong, in the shorthand': {
    body: sse(
      ...preamble,
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'create_ticket', parentMessageId: 'm1' },
      { type: 'TOOL_CALL_CHUNK', delta: whole },
      finished(),
    ),
    gated: ran(`create_ticket(${whole})`),
    host: ran(`create_ticket(${whole})`),
    server: one('may have run (no result received)'),
  },
  'a clean end in the middle of the shorthand': {
    body: sse(...preamble, {
      type: 'TOOL_CALL_CHUNK',
      toolCallId: 'c1',
      toolCallName: 'create_ticket',
      parentMessageId: 'm1',
    }),
    gated: one('not run (the response ended early)'),
    host: ran('create_ticket({})', 'The reply stopped here (it ended early).'),
    server: one('may have run (the response ended early)'),
  },
}

const rows = Object.entries(faults).flatMap(([name, fault]) =>
  (['gated', 'host', 'server'] as const).map((how) => [name, how, fault] as const),
)

describe('what is said, and what the host runs', () => {
  test.each(rows)('%s, %s', async (_, how, fault) => {
    const { body, after = 'end' } = fault
    const executor = how === 'server' ? 'server' : 'host'
    const { core, agent, store, clock, requests, ask, seen, said, ...host } = await hostAt(
      [{ body, after: after === 'end' ? 'end' : 'wait' }],
      {
        tools: { create_ticket: { executor }, send_mail: { executor } },
        gate: how === 'gated',
        here: how === 'server' ? [] : ['create_ticket', 'send_mail'],
      },
    )
    const asked = ask()
    if (after !== 'end') {
      await seen('TOOL_CALL_ARGS')
      expect(said()).toEqual({ labels: ['Preparing create_ticket…'], notice: '' })
    }
    if (after === 'drop') requests[0]?.response.destroy()
    if (after === 'stop') core.stopAgent({ agent })
    if (after === 'stall') {
      clock.advance(DEFAULT_DEADLINES.idle - 1)
      expect(said().labels).toEqual(['Preparing create_ticket…'])
      clock.advance(1)
    }
    await asked
    await requests[0]?.closed
    const { ran: calls = [], ...words } = fault[how]
    expect(host.ran).toEqual(calls)
    expect(said()).toEqual(words)
    expect(agent.isRunning).toBe(false)
    expect(store.counts().contradictedLabels).toBe(0)
    expect(JSON.stringify(host.results())).not.toContain('descr')
  })
})
