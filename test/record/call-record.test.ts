import { expect, test } from 'vitest'
import { type CallRecord, recordId, recordOf, revisionOf } from '../../src/record/call-record.ts'
import { settledCall } from './settled-call.ts'

const of = (changes: Parameters<typeof settledCall>[0]): CallRecord => recordOf(settledCall(changes), undefined)

test('a record says what became of the call, and of its text only what it measured', () => {
  const gaps = { count: 3, p50: 80, p99: 90, max: 95 }
  const call = settledCall({
    scope: 'chat-1',
    messageId: 'msg_1',
    end: { reason: 'length', rawReason: 'max_tokens', finishesOpenCalls: false },
    gaps,
  })
  expect(recordOf(call, 'req_1')).toEqual({
    id: 'turn-1/0',
    turnId: 'turn-1',
    scope: 'chat-1',
    messageId: 'msg_1',
    callId: 'call_1',
    tool: 'create_ticket',
    known: true,
    executor: 'local',
    revision: 0,
    outcome: 'abandoned',
    ran: 'no',
    cause: 'connection-lost',
    detail: 'dropped',
    attempt: 1,
    bytes: 15,
    fragments: 3,
    errorPosition: 15,
    digest: 'e152e6bbdac3fde7fdf1ab336b1bdef108c97c70ce5d79cce73d55574e86d962',
    requestId: 'req_1',
    stopReason: { normalised: 'length', raw: 'max_tokens' },
    gaps,
    duration: 2500,
    settledAt: '1970-01-01T00:00:03.500Z',
    expiresAt: '1970-01-08T00:00:03.500Z',
  })
})

test('bytes are those of UTF-8, the position is in UTF-16 units', () => {
  expect(of({ raw: '{"a":"\u00e9\ud83d\ude00"} x' })).toMatchObject({ bytes: 16, errorPosition: 12 })
})

test('a position is told only of text that should be JSON and is not', () => {
  expect(of({ raw: '{"a":1}' }).errorPosition).toBe(null)
  expect(of({ raw: '' }).errorPosition).toBe(null)
  expect(of({ raw: ' \n' }).errorPosition).toBe(null)
  expect(of({ raw: 'SELECT 1', encoding: 'text' }).errorPosition).toBe(null)
  expect(of({ raw: 'SELECT 1' }).errorPosition).toBe(0)
})

test('the digest is that of the text as it came', async () => {
  for (const raw of ['', 'abc', '{"a":"\u00e9\ud83d\ude00"}', 'x'.repeat(100_000)]) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(raw))
    expect(of({ raw }).digest).toBe(Buffer.from(digest).toString('hex'))
  }
})

test('an unknown name is cut and made plain, a declared one is the host’s own', () => {
  expect(of({ name: 'create ticket \u2014 done', known: false }).tool).toBe(
    'create\\u{20}ticket\\u{20}\\u{2014}\\u{20}done',
  )
  expect(of({ name: 'x'.repeat(500), known: false }).tool).toBe(`${'x'.repeat(63)}\u2026`)
  expect(of({ name: 'r\u00e9sum\u00e9' }).tool).toBe('r\u00e9sum\u00e9')
  expect(of({ name: null, known: false }).tool).toBe(null)
})

test('what the wire said is cut and has no control characters', () => {
  const record = of({
    callId: `\u001b[31m${'c'.repeat(500)}`,
    messageId: 'm\u202e1',
    end: { reason: 'unknown', rawReason: `\u0000${'r'.repeat(500)}`, finishesOpenCalls: false },
  })
  expect(record.callId).toBe('c'.repeat(195))
  expect(record.messageId).toBe('m1')
  expect(record.stopReason).toEqual({ normalised: 'unknown', raw: 'r'.repeat(199) })
})

test('a detail is a word; a sentence might quote the arguments', () => {
  const detail = (text: string) => of({ settled: { ran: 'no', cause: 'unrecognised', detail: text } }).detail
  expect(detail('http-529')).toBe('http-529')
  expect(detail('overloaded_error')).toBe('overloaded_error')
  expect(detail('No customer called Smith')).toBe(null)
  expect(detail('x'.repeat(65))).toBe(null)
})

test('nothing of the arguments, of an issue or of a refused value is in a record', () => {
  const secret = 'Hunter2Hunter2'
  const record = of({
    raw: `{"password":"${secret}"}`,
    settled: { ran: 'no', cause: 'invalid-arguments', detail: 'wrong-type' },
    outcome: {
      type: 'schema-error',
      callId: 'call_1',
      name: 'create_ticket',
      args: { password: secret },
      issues: [{ message: `${secret} is too short`, path: [secret] }],
      detail: 'wrong-type',
      raw: `{"password":"${secret}"}`,
    },
  })
  expect(record.detail).toBe('wrong-type')
  expect(JSON.stringify(record)).not.toContain(secret)
})

test('no two calls have one id', () => {
  const ids = [
    ['a/b', 'c'],
    ['a', 'b/c'],
    ['a%2Fb', 'c'],
    ['a%', '2Fb/c'],
  ].map(([turnId = '', key = '']) => recordId({ turnId, key }))
  expect(ids).toEqual(['a%2Fb/c', 'a/b/c', 'a%252Fb/c', 'a%25/2Fb/c'])
})

test('a revision is the same record with what is known now', () => {
  const record = of({ settled: { ran: 'unknown', cause: 'connection-lost', detail: 'dropped' } })
  const revised = revisionOf(record, { ran: 'yes', cause: 'ok' })
  expect(revised).toEqual({ ...record, revision: 1, outcome: 'completed', ran: 'yes', cause: 'ok', detail: null })
  expect(revisionOf(record, { ran: 'unknown', cause: 'connection-lost', detail: 'dropped' })).toBe(null)
})
