import { describe, expect, test } from 'vitest'
import { type LedgerPhase, RANK } from '../../src/core/call.ts'
import type { StreamEvent } from '../../src/core/events.ts'
import type { Tools } from '../../src/core/tools.ts'
import { type CallView, viewOf } from '../../src/core/view.ts'
import { openLedger } from './ledger-under-test.ts'

const TOOLS: Tools = { create_ticket: { executor: 'local', title: 'Create a ticket' } }
const ANNOUNCED: StreamEvent = { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' }

describe('what a block sees of each phase of the ledger', () => {
  const rows = {
    preparing: { phase: 'preparing' },
    finished: { phase: 'preparing' },
    validating: { phase: 'preparing' },
    correcting: { phase: 'preparing' },
    ready: { phase: 'waiting', on: 'gate' },
    asking: { phase: 'waiting', on: 'person' },
    sent: { phase: 'waiting', on: 'result' },
    resuming: { phase: 'waiting', on: 'resume' },
    running: { phase: 'running' },
    settled: { phase: 'settled', settled: { ran: 'no', cause: 'declined' } },
  } as const satisfies Record<LedgerPhase, Partial<CallView>>

  const states = {
    preparing: { phase: 'preparing' },
    finished: { phase: 'finished' },
    validating: { phase: 'validating' },
    correcting: { phase: 'correcting' },
    ready: { phase: 'ready', args: { title: 'secret' } },
    asking: { phase: 'asking' },
    sent: { phase: 'sent' },
    resuming: {
      phase: 'resuming',
      before: { phase: 'preparing' },
      ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    },
    running: { phase: 'running' },
    settled: { phase: 'settled', settled: { ran: 'no', cause: 'declined' }, rank: RANK.inference },
  } as const

  for (const [phase, shows] of Object.entries(rows)) {
    test(`${phase} is shown as ${shows.phase}${'on' in shows ? `, on ${shows.on}` : ''}`, () => {
      const { push, call, ledger } = openLedger(TOOLS)
      push(ANNOUNCED)
      const view = viewOf({ ...call('a'), state: states[phase as LedgerPhase] }, 'turn', ledger.registry)
      expect(view).toMatchObject(shows)
      expect(view).toMatchObject({
        key: 'a',
        id: 'c1',
        name: 'create_ticket',
        title: 'Create a ticket',
        known: true,
        executor: 'local',
        turnId: 'turn',
      })
    })
  }
})

test('a view holds no buffer, no arguments, no parse error and no schema issue', () => {
  const { push, call, ledger } = openLedger({ create_ticket: { executor: 'local', sensitive: ['secret'] } })
  push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"secret":"hunter2"}' })
  expect(JSON.stringify(viewOf(call('a'), 'turn', ledger.registry))).not.toContain('hunter2')
  push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  expect(call('a').state.phase).toBe('ready')
  expect(JSON.stringify(viewOf(call('a'), 'turn', ledger.registry))).not.toContain('hunter2')
})

test('a settled call has no preview and no trace of its text', () => {
  const { push, call, ledger } = openLedger(TOOLS)
  push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"title":"Stock' })
  push({ type: 'stream-ended', ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' } })
  expect(viewOf(call('a'), 'turn', ledger.registry)).toEqual({
    key: 'a',
    id: 'c1',
    name: 'create_ticket',
    title: 'Create a ticket',
    known: true,
    executor: 'local',
    turnId: 'turn',
    phase: 'settled',
    settled: { ran: 'no', cause: 'connection-lost', detail: 'dropped' },
    confirmed: false,
  })
})

test('a name that nobody declared is neutralised and marked as unknown', () => {
  const { push, call, ledger } = openLedger(TOOLS)
  push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket — done' })
  expect(viewOf(call('a'), 'turn', ledger.registry)).toMatchObject({
    name: 'create_ticket\\u{20}\\u{2014}\\u{20}done',
    known: false,
  })
})

test('a call without a name has an empty one', () => {
  const { push, call, ledger } = openLedger(TOOLS)
  push({ type: 'call-announced', key: 'a' })
  expect(viewOf(call('a'), 'turn', ledger.registry)).toMatchObject({ id: 'kit-call-1', name: '', known: false })
})

test('the message is named where the wire named it', () => {
  const { push, call, ledger } = openLedger(TOOLS)
  push({ type: 'message-started', messageId: 'm1' }, ANNOUNCED)
  expect(viewOf(call('a'), 'turn', ledger.registry)).toMatchObject({ messageId: 'm1' })
})

test('a settled call is confirmed where its executor itself said so', () => {
  const confirmed = (event: StreamEvent): boolean => {
    const { push, call, ledger } = openLedger()
    push(ANNOUNCED, event)
    const view = viewOf(call('a'), 'turn', ledger.registry)
    return view.phase === 'settled' && view.confirmed
  }
  expect(confirmed({ type: 'call-returned', key: 'a', ok: true })).toBe(true)
  expect(confirmed({ type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no' } })).toBe(true)
  expect(confirmed({ type: 'call-withdrawn', key: 'a' })).toBe(false)
})

describe('the preview of a long call', () => {
  test('is read from its first 4,096 characters, beside the size received', () => {
    const { push, call, ledger } = openLedger()
    push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"title":"x","body":"' })
    for (let count = 0; count < 100; count++) push({ type: 'call-fragment', key: 'a', text: 'y'.repeat(100) })
    push({ type: 'call-fragment', key: 'a', text: '","after":"z"}' })
    const view = viewOf(call('a'), 'turn', ledger.registry)
    if (view.phase !== 'preparing') throw new Error('not preparing')
    expect(view.received).toBe(21 + 10_000 + 14)
    expect(view.preview).toEqual([
      { path: 'title', text: 'x', settled: true },
      { path: 'body', text: 'y'.repeat(4096 - 21), settled: false },
    ])
  })

  test('does not show half a character where the head was sealed', () => {
    const { push, call, ledger } = openLedger()
    const start = '{"body":"'
    push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: start })
    push({ type: 'call-fragment', key: 'a', text: `${'y'.repeat(4095 - start.length)}🎫🎫` })
    const view = viewOf(call('a'), 'turn', ledger.registry)
    if (view.phase !== 'preparing') throw new Error('not preparing')
    expect(view.preview).toEqual([{ path: 'body', text: 'y'.repeat(4095 - start.length), settled: false }])
  })

  test('is made when it is read, once for what has come', () => {
    const { push, call, ledger } = openLedger()
    push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"title":"x' })
    const one = viewOf(call('a'), 'turn', ledger.registry)
    const other = viewOf(call('a'), 'turn', ledger.registry)
    if (one.phase !== 'preparing' || other.phase !== 'preparing') throw new Error('not preparing')
    expect(one.preview).toBe(other.preview)
  })

  test('begins anew with a replay', () => {
    const { push, call, ledger } = openLedger()
    push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"title":"old","priority":"low"' })
    const before = viewOf(call('a'), 'turn', ledger.registry)
    expect(before).toMatchObject({ preview: [{ text: 'old' }, { text: 'low' }] })
    push(ANNOUNCED, { type: 'call-fragment', key: 'a', text: '{"title":"new' })
    expect(viewOf(call('a'), 'turn', ledger.registry)).toMatchObject({
      preview: [{ path: 'title', text: 'new', settled: false }],
      received: 13,
    })
  })
})
