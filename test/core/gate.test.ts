import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'
import type { FinalizableCall } from '../../src/core/finalize.ts'
import { examine, isSound, settledBy, type Verdict } from '../../src/core/gate.ts'
import type { MessageEnd } from '../../src/core/message-end.ts'

const NATURAL: MessageEnd = { reason: 'natural', finishesOpenCalls: true }

function callOver(text: string): FinalizableCall {
  const buffer = new ArgumentBuffer()
  buffer.append(text)
  return { id: 'c1', name: 'send_payment', encoding: 'json', buffer, finished: 'complete' }
}

describe('three checks, each only where the one before was passed', () => {
  test('syntax', () => {
    const check = vi.fn()
    expect(examine(callOver('{"amount":'), NATURAL, { executor: 'local', check })).toEqual({
      passed: false,
      outcome: expect.objectContaining({ type: 'failed', reason: 'unparseable' }),
      settled: { ran: 'no', cause: 'unparseable', detail: 'not-json' },
    })
    expect(check).not.toHaveBeenCalled()
  })

  test('structure', () => {
    const check = vi.fn()
    const schema = z.object({ amount: z.number() })
    expect(examine(callOver('{"amount":"5"}'), NATURAL, { executor: 'local', schema, check })).toEqual({
      passed: false,
      outcome: expect.objectContaining({ type: 'schema-error', args: { amount: '5' } }),
      settled: { ran: 'no', cause: 'invalid-arguments', detail: 'wrong-type' },
    })
    expect(check).not.toHaveBeenCalled()
  })

  test('the business rule, over what the schema made of the arguments', () => {
    const check = vi.fn(() => 'the account is closed')
    const schema = z.object({ amount: z.number().transform((amount) => amount * 100) })
    expect(examine(callOver('{"amount":5}'), NATURAL, { executor: 'local', schema, check })).toEqual({
      passed: false,
      outcome: { type: 'dispatchable', callId: 'c1', name: 'send_payment', args: { amount: 500 } },
      settled: { ran: 'no', cause: 'rejected-by-rule' },
      reason: 'the account is closed',
    })
    expect(check).toHaveBeenCalledExactlyOnceWith({ amount: 500 })
  })

  test('all passed', () => {
    expect(examine(callOver('{"amount":5}'), NATURAL, { executor: 'local', check: () => undefined })).toEqual({
      passed: true,
      outcome: { type: 'dispatchable', callId: 'c1', name: 'send_payment', args: { amount: 5 } },
    })
  })
})

describe('checks that take their time', () => {
  test('an asynchronous schema, then an asynchronous rule', async () => {
    const schema = z.object({ amount: z.number().refine(async () => true) })
    const verdict = examine(callOver('{"amount":5}'), NATURAL, {
      executor: 'local',
      schema,
      check: async () => 'the account is closed',
    })
    expect(verdict).toBeInstanceOf(Promise)
    expect(await verdict).toMatchObject({ passed: false, reason: 'the account is closed' })
  })

  test('a promise of another realm counts as one', async () => {
    const check = (): Promise<string> => runInNewContext("Promise.resolve('closed')")
    expect(check()).not.toBeInstanceOf(Promise)
    expect(await examine(callOver('{}'), NATURAL, { executor: 'local', check })).toMatchObject({ reason: 'closed' })
  })
})

describe('a rule that cannot be asked has not been passed', () => {
  const refused = {
    passed: false,
    settled: { ran: 'no', cause: 'rejected-by-rule' },
    reason: 'The rule could not be checked.',
  }

  test('it throws', () => {
    const check = () => {
      throw new Error('the database is away')
    }
    expect(examine(callOver('{}'), NATURAL, { executor: 'local', check })).toMatchObject(refused)
  })

  test('it rejects', async () => {
    const check = () => Promise.reject(new Error('the database is away'))
    expect(await examine(callOver('{}'), NATURAL, { executor: 'local', check })).toMatchObject(refused)
  })
})

test('a batch is sound if all of it passed; an empty one is', () => {
  const passed: Verdict = {
    passed: true,
    outcome: { type: 'dispatchable', callId: 'c1', name: 'send_payment', args: {} },
  }
  const failed = examine(callOver('{'), NATURAL) as Verdict
  expect(isSound([])).toBe(true)
  expect(isSound([passed, passed])).toBe(true)
  expect(isSound([passed, failed])).toBe(false)
})

test('what did not pass settles by what finalising made of it', () => {
  expect(
    settledBy({
      type: 'failed',
      callId: 'c1',
      name: 'send_payment',
      reason: 'truncated',
      cause: 'filtered',
      raw: '',
    }),
  ).toEqual({ ran: 'no', cause: 'filtered' })
})
