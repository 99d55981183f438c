import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Report, readReports } from '../../src/core/report.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import schema from '../../src/schemas/report.schema.json' with { type: 'json' }
import { runs } from '../properties/runs.ts'

const validator = jsonSchema(schema)['~standard']

function accepts(value: unknown): boolean {
  const result = validator.validate(value)
  if (result instanceof Promise) throw new Error('The validator is synchronous.')
  return result.issues === undefined
}

const full: Required<Report> = {
  turnId: 't1',
  messageId: 'm1',
  callId: 'c1',
  name: 'create_ticket',
  outcome: 'truncated',
  ran: 'no',
  cause: 'truncated',
  ok: false,
}

test('reports as they are sent are reports', () => {
  for (const value of [
    full,
    { turn_id: 't1', message_id: 'm1', call_id: 'c1', name: 'create_ticket', ran: 'yes', ok: false },
    { callId: 'c1', ran: 'unknown' },
    { callId: null, name: 'create_ticket', ran: 'no' },
    { call_id: 'c1', name: null, ran: 'no', cause: 'quota_exceeded', ok: null, turn_id: null, outcome: null },
    [],
    [full, { call_id: 'c2', ran: 'no', cause: 'held-back' }],
  ])
    expect([value, accepts(value)]).toEqual([value, true])
})

test('what would be dropped when it is read is no report', () => {
  for (const value of [
    null,
    'text',
    1,
    {},
    { callId: 'c1' },
    { callId: 'c1', ran: true },
    { callId: 'c1', ran: 'maybe' },
    { ran: 'no' },
    { callId: null, name: null, ran: 'no' },
    { callId: '', ran: 'no' },
    { callId: 1, ran: 'no' },
  ]) {
    expect([value, readReports(value)]).toEqual([value, []])
    expect([value, accepts(value)]).toEqual([value, false])
    expect([value, accepts([full, value])]).toEqual([value, false])
  }
})

test('the argument text, an error or anything else that is never read is no part of one', () => {
  for (const extra of [
    { raw: '{"pin":"0000"' },
    { args: {} },
    { arguments: '{}' },
    { error: '…' },
    { outcome: 'fine' },
  ])
    expect([extra, accepts({ ...full, ...extra })]).toEqual([extra, false])
})

test('whatever it accepts is read, member by member', () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constant(null), fc.constant('x'))
  const member = {
    callId: text,
    call_id: text,
    name: text,
    ran: fc.constantFrom('no', 'unknown', 'yes', 'maybe'),
    ok: fc.constantFrom(true, false, null),
    outcome: fc.constantFrom('dispatchable', 'schema-error', 'fine', null),
    cause: text,
    turn_id: text,
    messageId: text,
  }
  let accepted = 0
  fc.assert(
    fc.property(fc.record(member, { requiredKeys: [] }), (value) => {
      if (!accepts(value)) return
      accepted++
      const [report] = readReports(value)
      const { callId, call_id, turn_id, ...rest } = value
      const sent = { ...rest, callId: callId ?? call_id, turnId: turn_id }
      for (const [key, said] of Object.entries(sent)) expect(report?.[key as keyof Report] ?? null).toBe(said ?? null)
    }),
    runs(2000),
  )
  expect(accepted).toBeGreaterThan(200)
})
