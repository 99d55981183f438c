import { describe, expect, test } from 'vitest'
import { relay } from '../../src/adapters/relay.ts'
import { adapterContract } from '../../src/testing/adapter-contract.ts'
import { eventsOf } from '../../src/testing/wire-frames.ts'

const LOG = { type: 'log-opened', log: 'l' }
const BEGUN = { seq: 1, type: 'message-started', message: 1, messageId: 'msg-1' }
const ANNOUNCED = { seq: 2, type: 'call-announced', call: 1, message: 1, callId: 'c1', name: 'create_ticket' }
const COMPLETE = { type: 'turn-ended', ending: { type: 'complete', speaker: 'executor' } }

const sse = (...frames: readonly object[]) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')
const report = (says: object) => `event: tool-call-outcome\ndata: ${JSON.stringify({ callId: 'c1', ...says })}\n\n`

describe('the contract of every adapter', () => {
  const tools = { create_ticket: { executor: 'server' } } as const
  const prepared = [
    LOG,
    BEGUN,
    ANNOUNCED,
    { seq: 3, type: 'call-fragment', call: 1, text: '{"title":"Schöner Drucker' },
    { type: 'alive' },
    { seq: 4, type: 'call-fragment', call: 1, text: ' kaputt 🖨"}' },
  ]
  const ended = { seq: 5, type: 'message-ended', message: 1, reason: 'natural', rawReason: 'tool_use' }
  const captures = [
    {
      name: 'a ticket',
      bytes:
        sse(
          ...prepared,
          ended,
          { seq: 6, type: 'call-finished', call: 1 },
          { seq: 7, type: 'call-dispatched', call: 1 },
        ) +
        report({ name: 'create_ticket', ran: 'yes', ok: true }) +
        sse(
          { seq: 9, type: 'message-started', message: 2 },
          { seq: 10, type: 'text-fragment', message: 2, text: 'Fertig.' },
          COMPLETE,
        ),
      tools,
      expect: ['create_ticket — done'],
    },
    {
      name: 'a value, a leaf, a person and a provider',
      bytes: sse(
        LOG,
        BEGUN,
        ANNOUNCED,
        { seq: 3, type: 'call-snapshot', call: 1, value: { title: 'x' } },
        { seq: 4, type: 'approval-requested', call: 1 },
        { seq: 5, type: 'call-finished', call: 1 },
        { seq: 6, type: 'approval-answered', call: 1, granted: true },
        { seq: 7, type: 'call-announced', call: 2, message: 1, callId: 'c2', executor: 'provider', encoding: 'text' },
        { seq: 8, type: 'call-identified', call: 2, name: 'web_search' },
        { seq: 9, type: 'call-leaf', call: 2, path: ['query', 0], value: 'x', continues: false },
        { seq: 10, type: 'message-ended', message: 1, reason: null },
        COMPLETE,
      ),
      tools,
      expect: [
        'create_ticket — may have run (no result received)',
        'web_search — may have run (the response ended early)',
      ],
    },
    {
      name: 'a turn that was cancelled',
      bytes: sse(...prepared, { type: 'turn-ended', ending: { type: 'cancelled', by: 'user', acknowledged: true } }),
      tools,
      expect: ['create_ticket — may have run (cancelled)'],
    },
    {
      name: 'a connection that broke',
      bytes: sse(...prepared),
      tools,
      ending: 'error',
      expect: ['create_ticket — may have run (connection lost)'],
    },
  ] as const
  for (const { name, run } of adapterContract(relay, captures)) test(name, { timeout: 60_000 }, run)
})

describe('after a reconnection', () => {
  test('what was read before changes nothing, and the end counts again', () => {
    const text = { seq: 3, type: 'text-fragment', message: 1, text: 'x' }
    const [first = [], second = [], third = []] = eventsOf(
      relay,
      [LOG, BEGUN, ANNOUNCED],
      [LOG, BEGUN, ANNOUNCED, text, COMPLETE],
      [LOG, BEGUN, ANNOUNCED, text, COMPLETE],
    )
    expect(first.map(({ type }) => type)).toEqual(['message-started', 'call-announced'])
    expect(second.map(({ type }) => type)).toEqual(['text-fragment', 'stream-ended'])
    expect(third.map(({ type }) => type)).toEqual(['stream-ended'])
    // In the message that it belongs to, though that was begun by a stream that is gone.
    expect(second[0]).toMatchObject({ message: (first[0] as { message?: string }).message })
  })

  test('the log of another turn is read from its start, and its calls are other calls', () => {
    const [first = [], second = []] = eventsOf(
      relay,
      [LOG, BEGUN, ANNOUNCED],
      [{ type: 'log-opened', log: 'another' }, BEGUN, ANNOUNCED],
    )
    expect(second.map(({ type }) => type)).toEqual(['message-started', 'call-announced'])
    for (const place of [0, 1]) {
      const [before, after] = [first[place], second[place]] as { key?: string; message?: string }[]
      expect([before?.key, before?.message]).not.toEqual([after?.key, after?.message])
    }
  })
})

test('what it cannot read of an ending proves nothing', () => {
  const endings = [undefined, null, 'complete', {}, { type: 'lost', how: 'somehow' }, { type: 'constructor' }]
  for (const ending of endings) {
    expect(eventsOf(relay, [{ type: 'turn-ended', ending }])).toEqual([
      [{ type: 'stream-ended', ending: { type: 'lost', how: 'ended-early', speaker: 'nobody' } }],
    ])
  }
})

test('a call that was never announced is passed over', () => {
  expect(eventsOf(relay, [LOG, { seq: 1, type: 'call-fragment', call: 1, text: 'x' }])).toEqual([[]])
})
