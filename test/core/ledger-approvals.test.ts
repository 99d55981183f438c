import { describe, expect, test } from 'vitest'
import type { Ending, StreamEvent } from '../../src/core/events.ts'
import type { Tools } from '../../src/core/tools.ts'
import { openLedger } from './ledger-under-test.ts'

const TOOLS: Tools = {
  create_ticket: { executor: 'local' },
  export_report: { executor: 'server' },
  open_editor: { executor: 'host' },
}
const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
const COMPLETE: Ending = { type: 'complete', speaker: 'executor' }
const ENDED: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
const ASKED: StreamEvent = { type: 'approval-requested', key: 'a', approvalId: 'ap1' }

/** A call of ours, with its whole arguments, not yet finished. */
const OURS: readonly StreamEvent[] = [
  { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
  { type: 'call-fragment', key: 'a', text: '{"title":"Invoice run"}' },
]
const FINISHED: StreamEvent = { type: 'call-finished', key: 'a' }

describe('a person is asked about a call of ours', () => {
  test('while it is preparing: once it is finished', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...OURS, ASKED)
    expect(standings()).toEqual({ a: 'preparing' })
    push(FINISHED)
    expect(standings()).toEqual({ a: 'asking' })
  })

  test('while it is preparing, on a wire that finishes calls with their message: once it has passed', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...OURS, ASKED, { type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
    expect(standings()).toEqual({ a: 'asking' })
  })

  test('when it is finished', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED)
    expect(standings()).toEqual({ a: 'asking' })
    push(ENDED)
    expect(standings()).toEqual({ a: 'asking' })
  })

  test('when it is ready: nobody may take it meanwhile', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ENDED, ASKED)
    expect(standings()).toEqual({ a: 'asking' })
    expect(ledger.act(turn, call('a'), { type: 'dispatched', source: 'host' })).toBe(false)
  })

  test('when it runs: there is nothing to ask any more, and no refusal makes it undone', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ENDED)
    ledger.act(turn, call('a'), { type: 'dispatched', source: 'host' })
    push(ASKED, { type: 'approval-answered', approvalId: 'ap1', granted: false, by: 'person' })
    expect(standings()).toEqual({ a: 'running' })
    expect(ledger.answer(turn, call('a'), false, 'person', 'host')).toBe(false)
  })

  test('about a call that does not pass: nobody needs to answer', () => {
    const { push, standings } = openLedger(TOOLS)
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":' },
      FINISHED,
      ASKED,
      ENDED,
    )
    expect(standings()).toEqual({ a: 'no, unparseable' })
  })

  test('about a call whose message was cut: nobody needs to answer', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, { type: 'message-ended', reason: 'length', finishesOpenCalls: false })
    expect(standings()).toEqual({ a: 'no, truncated' })
  })
})

describe('the answer about a call of ours', () => {
  test("granted here before its message's end: it goes the way of every other call", () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED)
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(true)
    expect(standings()).toEqual({ a: 'finished' })
    push(ENDED)
    expect(standings()).toEqual({ a: 'ready' })
  })

  test("granted here, then its message is cut: what was granted was never this call's to have", () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED)
    ledger.answer(turn, call('a'), true, 'person', 'host')
    push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
    expect(standings()).toEqual({ a: 'no, truncated' })
  })

  test('granted here while it is still preparing: what is not whole cannot be granted, and is asked once it is', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, ASKED)
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(false)
    push(FINISHED, ENDED)
    expect(standings()).toEqual({ a: 'asking' })
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(true)
    expect(standings()).toEqual({ a: 'ready' })
  })

  test('granted here after it has passed: it is ready at once', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, ENDED)
    ledger.answer(turn, call('a'), true, 'person', 'host')
    expect(standings()).toEqual({ a: 'ready' })
  })

  test('granted here before its checks are done: it waits for them', async () => {
    let pass: (reason: undefined) => void = () => {}
    const check = () =>
      new Promise<undefined>((resolve) => {
        pass = resolve
      })
    const { ledger, turn, push, call, standings } = openLedger({ create_ticket: { executor: 'local', check } })
    push(...OURS, FINISHED, ASKED, ENDED)
    ledger.answer(turn, call('a'), true, 'person', 'host')
    expect(standings()).toEqual({ a: 'validating' })
    pass(undefined)
    await expect.poll(standings).toEqual({ a: 'ready' })
  })

  test('granted by the wire: the question stays open to the person whose process would run it', () => {
    const { ledger, turn, push, call, standings, dropped } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, ENDED)
    push({ type: 'approval-answered', approvalId: 'ap1', granted: true, by: 'person' })
    expect(standings()).toEqual({ a: 'asking' })
    expect(dropped).toEqual(['no-such-approval'])
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(true)
    expect(standings()).toEqual({ a: 'ready' })
  })

  const refusals = [
    { by: 'person', stands: 'no, declined' },
    { by: 'policy', stands: 'no, declined-by-policy' },
    { by: 'expiry', stands: 'no, approval-expired' },
  ] as const
  for (const { by, stands } of refusals) {
    test(`refused by the wire, by ${by}: that counts`, () => {
      const { push, standings } = openLedger(TOOLS)
      push(...OURS, FINISHED, ASKED, { type: 'approval-answered', approvalId: 'ap1', granted: false, by })
      expect(standings()).toEqual({ a: stands })
    })

    test(`refused here, by ${by}`, () => {
      const { ledger, turn, push, call, standings } = openLedger(TOOLS)
      push(...OURS, FINISHED, ASKED)
      ledger.answer(turn, call('a'), false, by, 'host')
      expect(standings()).toEqual({ a: stands })
    })
  }

  test('a second answer does nothing', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, ENDED)
    expect(ledger.answer(turn, call('a'), false, 'person', 'host')).toBe(true)
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(false)
    expect(standings()).toEqual({ a: 'no, declined' })
  })

  test('an answer that nobody asked for does nothing', () => {
    const { ledger, turn, push, call, standings, dropped } = openLedger(TOOLS)
    push(...OURS, FINISHED)
    expect(ledger.answer(turn, call('a'), false, 'person', 'host')).toBe(false)
    push({ type: 'approval-answered', approvalId: 'ap9', granted: false, by: 'person' })
    expect(standings()).toEqual({ a: 'finished' })
    expect(dropped).toEqual(['no-such-approval'])
  })

  test('an answer after its call has settled does nothing', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, { type: 'stream-ended', ending: LOST })
    expect(standings()).toEqual({ a: 'no, connection-lost' })
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(false)
    expect(call('a').approval).toBe('pending')
  })
})

describe('the answer about a call that others run', () => {
  for (const name of ['export_report', 'open_editor']) {
    test(`granted by the wire, ${name} is sent`, () => {
      const { push, standings } = openLedger(TOOLS)
      push({ type: 'call-announced', key: 'a', callId: 'c1', name }, FINISHED)
      expect(standings()).toEqual({ a: 'sent' })
      push(ASKED)
      expect(standings()).toEqual({ a: 'asking' })
      push({ type: 'approval-answered', key: 'a', granted: true, by: 'person' })
      expect(standings()).toEqual({ a: 'sent' })
    })

    test(`refused by the wire, ${name} is not run`, () => {
      const { push, standings } = openLedger(TOOLS)
      push({ type: 'call-announced', key: 'a', callId: 'c1', name }, FINISHED, ASKED)
      push({ type: 'approval-answered', key: 'a', granted: false, by: 'policy' })
      expect(standings()).toEqual({ a: 'no, declined-by-policy' })
    })
  }

  test('a result answers the question too', () => {
    const { push, standings } = openLedger(TOOLS)
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' }, FINISHED, ASKED)
    push({ type: 'call-returned', key: 'a', ok: true })
    expect(standings()).toEqual({ a: 'yes, ok' })
  })

  test('a dispatch does too, and a refusal after it comes too late', () => {
    const { push, standings } = openLedger(TOOLS)
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' }, FINISHED, ASKED)
    push({ type: 'call-dispatched', key: 'a' })
    push({ type: 'approval-answered', key: 'a', granted: false, by: 'person' })
    expect(standings()).toEqual({ a: 'running' })
  })

  test('granted, then lost: it may have run', () => {
    const { push, standings } = openLedger(TOOLS)
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'call-finished', key: 'a', status: 'incomplete' },
      ASKED,
      { type: 'approval-answered', key: 'a', granted: true, by: 'person' },
      { type: 'stream-ended', ending: COMPLETE },
    )
    expect(standings()).toEqual({ a: 'unknown, ended-early' })
  })
})

describe('the end of the stream while a person is asked', () => {
  const rows: readonly {
    name: string
    ended: boolean
    ending: Ending
    stands: string
  }[] = [
    { name: 'export_report', ended: false, ending: LOST, stands: 'asking' },
    { name: 'export_report', ended: true, ending: LOST, stands: 'asking' },
    { name: 'export_report', ended: true, ending: COMPLETE, stands: 'asking' },
    { name: 'create_ticket', ended: true, ending: LOST, stands: 'asking' },
    { name: 'create_ticket', ended: true, ending: COMPLETE, stands: 'asking' },
    { name: 'create_ticket', ended: false, ending: LOST, stands: 'no, connection-lost' },
    { name: 'create_ticket', ended: false, ending: COMPLETE, stands: 'no, ended-early' },
    { name: 'open_editor', ended: true, ending: COMPLETE, stands: 'asking' },
    { name: 'open_editor', ended: true, ending: LOST, stands: 'unknown, connection-lost' },
    { name: 'open_editor', ended: false, ending: LOST, stands: 'unknown, connection-lost' },
  ]

  for (const { name, ended, ending, stands } of rows) {
    test(`${name}, whose message ${ended ? 'ended naturally' : 'never ended'}, on ${ending.type}: ${stands}`, () => {
      const { push, standings } = openLedger(TOOLS)
      push(
        { type: 'call-announced', key: 'a', callId: 'c1', name },
        { type: 'call-fragment', key: 'a', text: '{}' },
        FINISHED,
        ASKED,
        ...(ended ? [ENDED] : []),
        { type: 'stream-ended', ending },
      )
      expect(standings()).toEqual({ a: stands })
    })
  }

  test('granted after it, a call of ours is ready', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, ENDED, { type: 'stream-ended', ending: LOST })
    expect(ledger.answer(turn, call('a'), true, 'person', 'host')).toBe(true)
    expect(standings()).toEqual({ a: 'ready' })
  })

  test('cancelling the turn settles it', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(...OURS, FINISHED, ASKED, ENDED, { type: 'stream-ended', ending: COMPLETE })
    expect(ledger.act(turn, call('a'), { type: 'cancelled', by: 'user' })).toBe(true)
    expect(standings()).toEqual({ a: 'no, cancelled' })
  })
})
