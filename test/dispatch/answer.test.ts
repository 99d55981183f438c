import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isMarkedNotRun } from '../../src/core/marks.ts'
import type { Outcome, Settled } from '../../src/core/outcomes.ts'
import { notRunAnswer, ranAnswer } from '../../src/dispatch/answer.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import type { SummarisedCall } from '../../src/store/summary.ts'

function call(more: Partial<SummarisedCall> = {}): SummarisedCall {
  return {
    key: 'a',
    callId: 'c1',
    hasWireId: true,
    name: 'create_ticket',
    executor: 'local',
    outcome: null,
    correcting: false,
    attempt: 1,
    settled: null,
    raw: '{}',
    ...more,
  }
}

function unfit(issues: Extract<Outcome, { type: 'schema-error' }>['issues']): SummarisedCall {
  return call({
    outcome: { type: 'schema-error', callId: 'c1', name: 'create_ticket', args: {}, issues, detail: 'enum', raw: '{}' },
  })
}

const ran = (settled: Settled, value?: unknown) =>
  ranAnswer(call(), { call: { callId: 'c1', turnId: 't', name: 'create_ticket', args: {} }, settled, value })

describe('what the model is told of a call that was not run', () => {
  test('names what was wrong and the allowed values, whatever validator found it', () => {
    const zod = z.object({ priority: z.enum(['low', 'urgent']) }).safeParse({ priority: 'P1' })
    const json = jsonSchema({ type: 'object', properties: { priority: { enum: ['low', 'urgent'] } } })['~standard']
    const found = json.validate({ priority: 'P1' })
    for (const issues of [zod.error?.issues, 'issues' in found ? found.issues : undefined]) {
      const { text, isError } = notRunAnswer(unfit(issues ?? []))
      expect(isError).toBe(true)
      expect(isMarkedNotRun(text)).toBe(true)
      expect(text).toContain('- priority: ')
      for (const word of ['"low"', '"urgent"']) expect(text).toContain(word)
    }
  })

  test('is bounded, however much a validator complains', () => {
    const issues = Array.from({ length: 500 }, () => ({ message: 'x'.repeat(5_000), path: ['a', 0, { key: 'b' }] }))
    const { text } = notRunAnswer(unfit(issues))
    expect(text.length).toBeLessThan(25_000)
    expect(text).toContain('- a.0.b: xxx')
  })

  test.for([
    [call({ reason: 'The room is taken.' }), 'rejected. The room is taken.'],
    [call({ settled: { ran: 'no', cause: 'unknown-tool' } }), 'there is no such tool.'],
    [call({ settled: { ran: 'no', cause: 'declined' } }), 'the user declined.'],
    [call({ settled: { ran: 'no', cause: 'declined-by-policy' } }), 'a policy does not allow it.'],
    [call({ settled: { ran: 'no', cause: 'approval-expired' } }), 'nobody approved it in time.'],
    [call({ settled: { ran: 'no', cause: 'not-started' } }), 'it was never started.'],
    [call({ settled: { ran: 'no', cause: 'held-back' } }), 'another call of this message had a problem.'],
    [call({ correcting: true }), 'another call of this message had a problem.'],
  ] as const)('says why: %#', ([one, words]) => {
    const { text } = notRunAnswer(one)
    expect(text).toContain(words)
    expect(isMarkedNotRun(text)).toBe(true)
  })
})

describe('what the model is told of a call that was given to its tool', () => {
  test.for([
    ['a text', 'T-1', 'T-1'],
    ['an object', { id: 1 }, '{"id":1}'],
    ['nothing', undefined, 'Done.'],
    ['an empty text, which some providers refuse', ' ', 'Done.'],
    ['what cannot be written down', 10n, 'Done.'],
  ] as const)('%s', ([, value, text]) => {
    expect(ran({ ran: 'yes', cause: 'ok' }, value)).toMatchObject({ isError: false, text })
  })

  test('its failure, in its own words', () => {
    const failed = ran({ ran: 'yes', cause: 'not-ok' }, new Error('No such project.'))
    expect(failed).toMatchObject({ isError: true, text: 'The tool ran and failed: No such project.' })
  })

  test('that nobody knows: no "not run", and a warning', () => {
    const { text, isError } = ran({ ran: 'unknown', cause: 'timed-out' })
    expect(isError).toBe(true)
    expect(isMarkedNotRun(text)).toBe(false)
    expect(text).toContain('Do not call it again')
  })

  test('that it did not begin after all', () => {
    expect(isMarkedNotRun(ran({ ran: 'no', cause: 'not-started' }).text)).toBe(true)
  })
})
