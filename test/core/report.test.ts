import { describe, expect, test } from 'vitest'
import { REPORT_EVENT, readReports } from '../../src/core/report.ts'

test('reports come as the server-sent event tool-call-outcome', () => {
  expect(REPORT_EVENT).toBe('tool-call-outcome')
})

describe('a report is read', () => {
  test('with all its members', () => {
    const report = {
      turnId: 't1',
      messageId: 'm1',
      callId: 'c1',
      name: 'create_ticket',
      outcome: 'truncated',
      ran: 'no',
      cause: 'truncated',
    }
    expect(readReports(report)).toEqual([report])
  })

  test('in snake_case', () => {
    expect(
      readReports({ turn_id: 't1', message_id: 'm1', call_id: 'c1', name: 'create_ticket', ran: 'yes', ok: false }),
    ).toEqual([{ turnId: 't1', messageId: 'm1', callId: 'c1', name: 'create_ticket', ran: 'yes', ok: false }])
  })

  test('with no more than an id or a name and whether it ran', () => {
    expect(readReports({ callId: 'c1', ran: 'unknown' })).toEqual([{ callId: 'c1', name: null, ran: 'unknown' }])
    expect(readReports({ name: 'create_ticket', ran: 'no' })).toEqual([
      { callId: null, name: 'create_ticket', ran: 'no' },
    ])
  })

  test('from an array, in order', () => {
    expect(
      readReports([
        { callId: 'c1', ran: 'yes', ok: true },
        { call_id: 'c2', ran: 'no', cause: 'held-back' },
      ]),
    ).toEqual([
      { callId: 'c1', name: null, ran: 'yes', ok: true },
      { callId: 'c2', name: null, ran: 'no', cause: 'held-back' },
    ])
  })

  test('without what it should not carry', () => {
    expect(
      readReports({ callId: 'c1', ran: 'no', raw: '{"pin":"0000"', args: { pin: '0000' }, issues: ['…'], error: '…' }),
    ).toEqual([{ callId: 'c1', name: null, ran: 'no' }])
  })

  test('with a cause of its own language', () => {
    expect(readReports({ callId: 'c1', ran: 'no', cause: 'quota_exceeded' })).toEqual([
      { callId: 'c1', name: null, ran: 'no', cause: 'quota_exceeded' },
    ])
  })
})

describe('what is no report is left out', () => {
  const garbage: readonly unknown[] = [
    null,
    undefined,
    5,
    'c1',
    true,
    [],
    {},
    { callId: 'c1' },
    { ran: 'no' },
    { callId: 'c1', ran: 'maybe' },
    { callId: 'c1', ran: true },
    { callId: 'c1', ran: 'toString' },
    { callId: '', ran: 'no' },
    { callId: 5, ran: 'no' },
    { callId: null, name: null, ran: 'no' },
    { callId: { toString: 'c1' }, ran: 'no' },
    [[{ callId: 'c1', ran: 'no' }]],
  ]
  for (const value of garbage) {
    test(`${JSON.stringify(value)}`, () => {
      expect(readReports(value)).toEqual([])
    })
  }

  test('and the reports beside it are kept', () => {
    expect(readReports([null, { callId: 'c1', ran: 'no' }, 'x', { ran: 'no' }])).toEqual([
      { callId: 'c1', name: null, ran: 'no' },
    ])
  })

  test('a member of another type counts as left out', () => {
    expect(
      readReports({
        callId: 'c1',
        name: 5,
        turnId: [],
        messageId: {},
        outcome: 'fine',
        ran: 'yes',
        cause: 5,
        ok: 'yes',
      }),
    ).toEqual([{ callId: 'c1', name: null, ran: 'yes' }])
  })

  test('reading does not look at the prototype', () => {
    expect(readReports(JSON.parse('{"__proto__":{"callId":"c1","ran":"no"}}'))).toEqual([])
  })
})
