import { describe, expect, test } from 'vitest'
import type { Ending, StreamEvent } from '../../src/core/events.ts'
import type { Report } from '../../src/core/report.ts'
import { openLedger } from './ledger-under-test.ts'

const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
const EXECUTOR_DONE: Ending = { type: 'complete', speaker: 'executor' }

describe('evidence that comes before its call', () => {
  test('a result is held until its call is announced', () => {
    const { push, standings, dropped } = openLedger()
    push({ type: 'call-returned', callId: 'c1', ok: true })
    expect(standings()).toEqual({})
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
    expect(standings()).toEqual({ a: 'yes, ok' })
    expect(dropped).toEqual([])
  })

  test('a report is held until its call is announced', () => {
    const { push, standings } = openLedger()
    push({ type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'no', cause: 'held-back' } })
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
    expect(standings()).toEqual({ a: 'no, held-back' })
  })

  test('it is applied as soon as a call without an id gets one', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'call-returned', callId: 'c1', ok: false },
      { type: 'call-announced', key: 'a', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{}' },
    )
    expect(standings()).toEqual({ a: 'preparing' })
    push({ type: 'call-identified', key: 'a', callId: 'c1' })
    expect(standings()).toEqual({ a: 'yes, not-ok' })
  })

  test('a report that names its message waits for a call of that message', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'outcome-reported', report: { callId: 'c1', name: null, messageId: 'm2', ran: 'yes', ok: true } },
      { type: 'message-started', messageId: 'm1' },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'message-started', messageId: 'm2' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'create_ticket' },
    )
    expect(standings()).toEqual({ a: 'preparing', b: 'yes, ok' })
  })

  test("a wire's report says nothing of a call of ours, not even when it came first", () => {
    const { push, standings, dropped } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'yes', ok: true } },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
    )
    expect(standings()).toEqual({ a: 'preparing' })
    expect(dropped).toEqual(['no-evidence-about-local'])
  })

  test("the host's report on a call of ours counts, also when it came first", () => {
    const { ledger, turn, push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    ledger.report(turn, { callId: 'c1', name: null, ran: 'yes', ok: true }, 'host')
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
    expect(standings()).toEqual({ a: 'yes, ok' })
  })
})

describe('evidence that no call matches by the end of the stream', () => {
  test('a report becomes a settled block of its own', () => {
    const { push, turn, standings, dropped } = openLedger()
    push(
      { type: 'text-fragment', text: 'Done.' },
      {
        type: 'outcome-reported',
        report: { callId: 'c9', name: 'export_report', messageId: 'm9', ran: 'yes', ok: false },
      },
      { type: 'stream-ended', ending: EXECUTOR_DONE },
    )
    expect(Object.values(standings())).toEqual(['yes, not-ok'])
    const item = turn.items.at(-1)
    expect(item).toMatchObject({ type: 'call', call: { id: 'c9', name: 'export_report', message: { id: 'm9' } } })
    expect(dropped).toEqual([])
  })

  test('a report without an id gets a minted one, and never any other call', () => {
    const { push, turn, standings } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'outcome-reported', report: { callId: null, name: 'export_report', ran: 'no', cause: 'declined' } },
      { type: 'stream-ended', ending: LOST },
    )
    expect(Object.values(standings())).toEqual(['unknown, connection-lost', 'no, declined'])
    expect([...turn.calls.values()].map(({ id }) => id)).toEqual(['c1', 'kit-call-1'])
  })

  test('a report on a tool of ours that was never announced stands, since only its executor can know of it', () => {
    const { push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'outcome-reported', report: { callId: 'c9', name: 'create_ticket', ran: 'unknown', cause: 'timed-out' } },
      { type: 'stream-ended', ending: LOST },
    )
    expect(Object.values(standings())).toEqual(['unknown, timed-out'])
  })

  test('a result is dropped and counted', () => {
    const { push, turn, dropped } = openLedger()
    push({ type: 'call-returned', callId: 'c9', ok: true }, { type: 'stream-ended', ending: EXECUTOR_DONE })
    expect(turn.calls.size).toBe(0)
    expect(dropped).toEqual(['result-without-call'])
  })

  test('it waits for the last open stream of its turn', () => {
    const { ledger, turn, standings } = openLedger()
    ledger.openStream(turn, 1)
    ledger.apply(turn, 0, {
      type: 'outcome-reported',
      report: { callId: 'c1', name: 'export_report', ran: 'yes', ok: true },
    })
    ledger.apply(turn, 0, { type: 'stream-ended', ending: EXECUTOR_DONE })
    expect(standings()).toEqual({})
    ledger.apply(turn, 1, { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' })
    expect(standings()).toEqual({ a: 'yes, ok' })
  })

  test('a report that comes when no stream is open is placed at once', () => {
    const { ledger, turn, push, standings } = openLedger()
    push({ type: 'stream-ended', ending: LOST })
    ledger.report(turn, { callId: 'c1', name: 'export_report', ran: 'no' }, 'host')
    expect(Object.values(standings())).toEqual(['no, unrecognised'])
  })
})

describe('a settled "not run" is withdrawn by what weighs more, and that is counted', () => {
  const cut: StreamEvent[] = [
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
    { type: 'call-fragment', key: 'a', text: '{"month":' },
    { type: 'stream-ended', ending: EXECUTOR_DONE },
  ]

  const rows: readonly {
    what: string
    report?: Report
    event?: StreamEvent
    stands: string
    counted: readonly string[]
  }[] = [
    {
      what: 'a result',
      event: { type: 'call-returned', callId: 'c1', ok: true },
      stands: 'yes, late',
      counted: ['a'],
    },
    {
      what: 'a result that says it failed',
      event: { type: 'call-returned', callId: 'c1', ok: false },
      stands: 'yes, late-not-ok',
      counted: ['a'],
    },
    {
      what: 'a report that it ran',
      report: { callId: 'c1', name: null, ran: 'yes', ok: true },
      stands: 'yes, late',
      counted: ['a'],
    },
    {
      what: 'a report that it ran, and not how',
      report: { callId: 'c1', name: null, ran: 'yes' },
      stands: 'yes, unreadable',
      counted: ['a'],
    },
    {
      what: 'a report that does not know',
      report: { callId: 'c1', name: null, ran: 'unknown', cause: 'timed-out' },
      stands: 'unknown, timed-out',
      counted: ['a'],
    },
    {
      what: 'a report that agrees: the words stay as they were read',
      report: { callId: 'c1', name: null, ran: 'no', cause: 'held-back' },
      stands: 'no, ended-early',
      counted: [],
    },
    {
      what: 'a dispatch by its executor',
      event: { type: 'call-dispatched', key: 'a' },
      stands: 'unknown, no-result',
      counted: ['a'],
    },
  ]

  for (const { what, report, event, stands, counted } of rows) {
    test(what, () => {
      const { ledger, turn, push, standings, contradicted } = openLedger()
      push(...cut)
      expect(standings()).toEqual({ a: 'no, ended-early' })
      ledger.openStream(turn, 0)
      if (report !== undefined) ledger.report(turn, report, 'host')
      if (event !== undefined) push(event)
      expect(standings()).toEqual({ a: stands })
      expect(contradicted).toEqual(counted)
    })
  }

  test('a late result of a call of ours, which nobody here dispatched', () => {
    const { ledger, turn, push, standings, contradicted } = openLedger({ create_ticket: { executor: 'local' } })
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
    push({ type: 'stream-ended', ending: LOST })
    expect(standings()).toEqual({ a: 'no, connection-lost' })
    ledger.openStream(turn, 0)
    push({ type: 'call-returned', callId: 'c1', ok: true })
    expect(standings()).toEqual({ a: 'yes, late' })
    expect(contradicted).toEqual(['a'])
  })
})

describe('evidence in turn: at equal weight the first known fact stands, and lower never overrides higher', () => {
  const ok: StreamEvent = { type: 'call-returned', callId: 'c1', ok: true }
  const notOk: StreamEvent = { type: 'call-returned', callId: 'c1', ok: false }
  const begun: StreamEvent = { type: 'call-dispatched', key: 'a' }
  const ran: StreamEvent = { type: 'outcome-reported', report: { callId: 'c1', name: null, ran: 'yes' } }
  const notRun: StreamEvent = {
    type: 'outcome-reported',
    report: { callId: 'c1', name: null, ran: 'no', cause: 'held-back' },
  }
  const declined: StreamEvent = {
    type: 'outcome-reported',
    report: { callId: 'c1', name: null, ran: 'no', cause: 'declined' },
  }
  const dunno: StreamEvent = {
    type: 'outcome-reported',
    report: { callId: 'c1', name: null, ran: 'unknown', cause: 'timed-out' },
  }

  const rows = [
    { said: 'ok, then not ok', events: [ok, notOk], stands: 'yes, ok' },
    { said: 'not ok, then ok', events: [notOk, ok], stands: 'yes, not-ok' },
    { said: 'ok, then a report that it did not run', events: [ok, notRun], stands: 'yes, ok' },
    { said: 'ok, then a dispatch', events: [ok, begun], stands: 'yes, ok' },
    { said: 'it ran, then how it went', events: [ran, notOk], stands: 'yes, not-ok' },
    { said: 'how it went, then that it ran', events: [ok, ran], stands: 'yes, ok' },
    { said: 'not run, then another reason for not run', events: [notRun, declined], stands: 'no, held-back' },
    { said: 'not known, then not run', events: [dunno, notRun], stands: 'no, held-back' },
    { said: 'not run, then not known', events: [notRun, dunno], stands: 'no, held-back' },
    { said: 'not known, then ok: simply done', events: [dunno, ok], stands: 'yes, ok' },
    { said: 'a report of not run, then a dispatch', events: [notRun, begun], stands: 'no, held-back' },
    { said: 'a dispatch, then a report of not run', events: [begun, notRun], stands: 'no, held-back' },
    { said: 'a report of not run, then a result', events: [notRun, ok], stands: 'yes, late' },
    { said: 'a dispatch, then ok', events: [begun, ok], stands: 'yes, ok' },
  ] satisfies readonly { said: string; events: readonly StreamEvent[]; stands: string }[]

  for (const { said, events, stands } of rows) {
    test(said, () => {
      const { push, standings } = openLedger()
      push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' }, ...events)
      expect(standings()).toEqual({ a: stands })
    })
  }

  test('"may have run", then a dispatch: still not known, and a report of not run beats both', () => {
    const { ledger, turn, push, standings, contradicted } = openLedger()
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' })
    push({ type: 'stream-ended', ending: LOST })
    ledger.openStream(turn, 0)
    push(begun)
    expect(standings()).toEqual({ a: 'unknown, connection-lost' })
    push(notRun)
    expect(standings()).toEqual({ a: 'no, held-back' })
    expect(contradicted).toEqual([])
  })
})

describe("what a wire says of a call of ours is no evidence, the host's word is", () => {
  const rows = [
    { source: 'wire', report: { ran: 'yes', ok: true }, stands: 'ready' },
    { source: 'wire', report: { ran: 'no', cause: 'held-back' }, stands: 'ready' },
    { source: 'host', report: { ran: 'yes', ok: true }, stands: 'yes, ok' },
    { source: 'host', report: { ran: 'no', cause: 'declined' }, stands: 'no, declined' },
    { source: 'host', report: { ran: 'unknown' }, stands: 'unknown, unrecognised' },
  ] as const satisfies readonly { source: 'wire' | 'host'; report: Partial<Report>; stands: string }[]

  for (const { source, report, stands } of rows) {
    test(`a report by the ${source} that it ran: ${report.ran}`, () => {
      const { ledger, turn, push, standings } = openLedger({ create_ticket: { executor: 'local' } })
      push(
        { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
        { type: 'call-fragment', key: 'a', text: '{}' },
        { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
      )
      ledger.report(turn, { callId: 'c1', name: null, ...report }, source)
      expect(standings()).toEqual({ a: stands })
    })
  }
})

for (const executor of ['local', 'host', 'server'] as const) {
  test(`an error that answers the rejected input of a ${executor} call is no execution`, () => {
    const { push, standings, contradicted } = openLedger({ create_ticket: { executor } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-finished', key: 'a', status: 'rejected' },
      { type: 'call-returned', callId: 'c1', ok: false },
    )
    expect(standings()).toEqual({ a: 'no, invalid-arguments' })
    expect(contradicted).toEqual([])
  })
}
