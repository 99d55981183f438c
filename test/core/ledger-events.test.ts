import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { balanceOf, unaccounted } from '../../src/core/balance.ts'
import type { LedgerPhase } from '../../src/core/call.ts'
import { STREAM_EVENT_TYPES, type StreamEvent } from '../../src/core/events.ts'
import type { Drop } from '../../src/core/ledger.ts'
import { viewOf } from '../../src/core/view.ts'
import { openLedger } from './ledger-under-test.ts'

/** One event of every kind, about the call `a` where it is about a call. */
const EVERY_EVENT = {
  'message-started': { type: 'message-started' },
  'text-fragment': { type: 'text-fragment', text: 'So' },
  'call-announced': { type: 'call-announced', key: 'a', callId: 'other', name: 'other' },
  'call-identified': { type: 'call-identified', key: 'a', callId: 'other', name: 'other' },
  'call-fragment': { type: 'call-fragment', key: 'a', text: '{"title":"late"}' },
  'call-snapshot': { type: 'call-snapshot', key: 'a', value: { title: 'late' } },
  'call-leaf': { type: 'call-leaf', key: 'a', path: ['title'], value: 'late', continues: false },
  'call-finished': { type: 'call-finished', key: 'a' },
  'approval-requested': { type: 'approval-requested', key: 'a', approvalId: 'ap1' },
  'approval-answered': { type: 'approval-answered', key: 'a', granted: false, by: 'person' },
  'call-dispatched': { type: 'call-dispatched', key: 'a' },
  'call-progress': { type: 'call-progress', key: 'a', value: 50 },
  'call-returned': { type: 'call-returned', key: 'a', ok: true },
  'outcome-reported': { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'yes', ok: true } },
  'call-withdrawn': { type: 'call-withdrawn', key: 'a' },
  'message-ended': { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
  'stream-ended': { type: 'stream-ended', ending: { type: 'complete', speaker: 'executor' } },
} as const satisfies { readonly [Type in StreamEvent['type']]: Extract<StreamEvent, { type: Type }> }

describe('events about a settled call change nothing but its evidence, and are counted by their reason', () => {
  const rows = {
    'message-started': { local: null, server: null },
    'text-fragment': { local: null, server: null },
    'call-announced': { local: 'not-open', server: 'not-open' },
    'call-identified': { local: 'not-open', server: 'not-open' },
    'call-fragment': { local: 'not-open', server: 'not-open' },
    'call-snapshot': { local: 'not-open', server: 'not-open' },
    'call-leaf': { local: 'not-open', server: 'not-open' },
    'call-finished': { local: 'not-open', server: 'not-open' },
    'approval-requested': { local: 'not-open', server: 'not-open' },
    'approval-answered': { local: 'no-such-approval', server: 'no-such-approval' },
    'call-dispatched': { local: 'no-evidence-about-local', server: 'evidence' },
    'call-progress': { local: 'no-evidence-about-local', server: 'not-open' },
    'call-returned': { local: 'evidence', server: 'evidence' },
    'outcome-reported': { local: 'no-evidence-about-local', server: 'evidence' },
    'call-withdrawn': { local: 'not-open', server: 'not-open' },
    'message-ended': { local: null, server: null },
    'stream-ended': { local: null, server: null },
  } as const satisfies Record<StreamEvent['type'], Record<'local' | 'server', Drop | 'evidence' | null>>

  for (const type of STREAM_EVENT_TYPES) {
    for (const executor of ['local', 'server'] as const) {
      const reason = rows[type][executor]
      if (reason === 'evidence') continue

      test(`${type} about a settled ${executor} call`, () => {
        const { ledger, push, call, turn, dropped } = openLedger({ create_ticket: { executor } })
        push(
          { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
          { type: 'call-fragment', key: 'a', text: '{"title":' },
          { type: 'approval-requested', key: 'a' },
          { type: 'call-withdrawn', key: 'a' },
        )
        const { state, executor: before } = call('a')
        const shown = viewOf(call('a'), 'turn', ledger.registry)
        push(EVERY_EVENT[type])
        expect(call('a').state).toBe(state)
        expect(call('a').executor).toBe(before)
        expect(call('a').buffer.text).toBe('')
        expect(viewOf(call('a'), 'turn', ledger.registry)).toEqual(shown)
        expect([...turn.calls.keys()]).toEqual(['a'])
        expect(dropped).toEqual(reason === null ? [] : [reason])
      })
    }
  }
})

describe('events about a call that was never announced change nothing, and are counted', () => {
  const rows = {
    'call-identified': 'unknown-key',
    'call-fragment': 'unknown-key',
    'call-snapshot': 'unknown-key',
    'call-leaf': 'unknown-key',
    'call-finished': 'unknown-key',
    'approval-requested': 'unknown-key',
    'approval-answered': 'no-such-approval',
    'call-dispatched': 'unknown-key',
    'call-progress': 'unknown-key',
    'call-returned': 'unknown-key',
    'call-withdrawn': 'unknown-key',
  } as const satisfies Partial<Record<StreamEvent['type'], Drop>>

  for (const [type, reason] of Object.entries(rows)) {
    test(`${type} about no call`, () => {
      const { push, turn, dropped } = openLedger()
      push(EVERY_EVENT[type as keyof typeof rows])
      expect(turn.calls.size).toBe(0)
      expect(turn.items).toEqual([])
      expect(dropped).toEqual([reason])
    })
  }
})

for (const type of STREAM_EVENT_TYPES) {
  test(`${type} after the stream's end is dropped and counted`, () => {
    const { push, standings, dropped } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'stream-ended', ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' } },
      EVERY_EVENT[type],
    )
    expect(standings()).toEqual({ a: 'unknown, connection-lost' })
    expect(dropped).toEqual(['after-stream-end'])
  })
}

test('an event that this version does not know is dropped and counted', () => {
  const { push, dropped } = openLedger()
  push({ type: 'call-dreamt', key: 'a' } as unknown as StreamEvent)
  expect(dropped).toEqual(['not-an-event'])
})

describe('no event throws, whatever phase its call is in, and every call stays accounted for', () => {
  const announced: StreamEvent[] = [
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
    { type: 'call-fragment', key: 'a', text: '{"title":"Invoice run"}' },
  ]
  const finished: StreamEvent = { type: 'call-finished', key: 'a' }
  const ended: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
  const nothingFits = z.never()
  const never = () => new Promise<undefined>(() => {})
  const ways = {
    preparing: { executor: 'local', events: announced },
    finished: { executor: 'local', events: [...announced, finished] },
    validating: { executor: 'local', events: [...announced, finished, ended] },
    correcting: { executor: 'local', events: [...announced, finished, ended] },
    ready: { executor: 'local', events: [...announced, finished, ended] },
    asking: { executor: 'local', events: [...announced, finished, EVERY_EVENT['approval-requested']] },
    sent: { executor: 'server', events: [...announced, finished] },
    resuming: { executor: 'server', events: announced },
    running: { executor: 'server', events: [...announced, finished, EVERY_EVENT['call-dispatched']] },
    settled: { executor: 'server', events: [...announced, EVERY_EVENT['call-withdrawn']] },
  } as const satisfies Record<LedgerPhase, { executor: 'local' | 'server'; events: readonly StreamEvent[] }>

  for (const [phase, { executor, events }] of Object.entries(ways)) {
    test(`a ${executor} call that is ${phase}`, () => {
      for (const type of STREAM_EVENT_TYPES) {
        const { ledger, push, call, turn } = openLedger({
          create_ticket: {
            executor,
            ...(phase === 'validating' ? { check: never } : {}),
            ...(phase === 'correcting' ? { schema: nothingFits } : {}),
          },
        })
        if (phase === 'correcting') ledger.openStream(turn, 0, true)
        push(...events)
        if (phase === 'resuming') {
          const ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' } as const
          ledger.openStream(turn, 1)
          ledger.apply(turn, 0, { type: 'stream-ended', ending }, true)
        }
        expect(call('a').state.phase).toBe(phase)
        ledger.apply(turn, phase === 'resuming' ? 1 : 0, EVERY_EVENT[type])
        expect(unaccounted(balanceOf(turn.calls.values()))).toBe(0)
      }
    })
  }
})

describe('a start for a known call is a replay', () => {
  test('of a call that is still open: its buffer begins anew', () => {
    const { push, call, turn } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Invo' },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Invoice run"}' },
    )
    expect(call('a').buffer.text).toBe('{"title":"Invoice run"}')
    expect(call('a').buffer.head).toBe('{"title":"Invoice run"}')
    expect(call('a').buffer.fragments).toBe(1)
    expect(turn.items).toHaveLength(1)
  })

  test('of a call whose snapshots contradicted each other: what comes now is believed', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-snapshot', key: 'a', value: { title: 'one' } },
      { type: 'call-snapshot', key: 'a', value: { title: 'another' } },
      { type: 'call-announced', key: 'a' },
      { type: 'call-snapshot', key: 'a', value: { title: 'third' } },
    )
    expect(call('a').buffer.conflicting).toBe(false)
    expect(call('a').buffer.value).toEqual({ title: 'third' })
  })

  test('of a call that is finished: its buffer stays', () => {
    const { push, call, dropped, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Invoice run"}' },
      { type: 'call-finished', key: 'a' },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Other"}' },
    )
    expect(call('a').buffer.text).toBe('{"title":"Invoice run"}')
    expect(standings()).toEqual({ a: 'finished' })
    expect(dropped).toEqual(['not-open', 'not-open'])
  })
})

test('a second end of a message is dropped: the first reason stands', () => {
  const { push, dropped, standings } = openLedger({ create_ticket: { executor: 'local' } })
  push(
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
    { type: 'call-fragment', key: 'a', text: '{}' },
    { type: 'message-ended', reason: 'length', finishesOpenCalls: true },
    { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
  )
  expect(standings()).toEqual({ a: 'no, truncated' })
  expect(dropped).toEqual(['after-message-end'])
})

test('fragments after a call has finished are dropped', () => {
  const { push, call, dropped } = openLedger()
  push(
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
    { type: 'call-fragment', key: 'a', text: '{}' },
    { type: 'call-finished', key: 'a' },
    { type: 'call-fragment', key: 'a', text: '{"title":"x"}' },
    { type: 'call-snapshot', key: 'a', text: '{}{}' },
    { type: 'call-leaf', key: 'a', path: ['title'], value: 'x', continues: false },
  )
  expect(call('a').buffer.text).toBe('{}')
  expect(call('a').buffer.value).toBeUndefined()
  expect(dropped).toEqual(['not-open', 'not-open', 'not-open'])
})

test('text is kept in reading order, joined where nothing came between', () => {
  const { push, turn } = openLedger()
  push(
    { type: 'message-started', messageId: 'm1' },
    { type: 'text-fragment', text: "I'll create that " },
    { type: 'text-fragment', text: 'ticket for you now.' },
    { type: 'text-fragment', text: '' },
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
    { type: 'text-fragment', text: 'And another.' },
  )
  expect(turn.items.map((item) => (item.type === 'text' ? item.text : item.call.key))).toEqual([
    "I'll create that ticket for you now.",
    'a',
    'And another.',
  ])
})
