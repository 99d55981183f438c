import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type IssueDetail, issueDetail } from '../../src/core/issue-detail.ts'
import type { Json } from '../../src/core/json.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'

const cases: readonly { args: Json; detail: IssueDetail }[] = [
  { args: { title: 'x', priority: 'P1' }, detail: 'enum' },
  { args: { title: 5, priority: 'low' }, detail: 'wrong-type' },
  { args: { priority: 'low' }, detail: 'missing-required' },
  { args: { title: 'x', priority: 'low', colour: 'red' }, detail: 'extra-properties' },
  { args: { title: '', priority: 'low' }, detail: 'other' },
]

describe('the first issue is classified alike for every validator', () => {
  const zod = z.strictObject({ title: z.string().min(1), priority: z.enum(['low', 'normal', 'urgent']) })
  const json = jsonSchema({
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1 },
      priority: { enum: ['low', 'normal', 'urgent'] },
    },
    required: ['title', 'priority'],
    additionalProperties: false,
  })

  for (const { args, detail } of cases) {
    test(`Zod, ${JSON.stringify(args)}: ${detail}`, () => {
      const result = zod['~standard'].validate(args)
      if (result instanceof Promise || result.issues === undefined) throw new Error('no issues')
      expect(issueDetail(result.issues, args)).toBe(detail)
    })

    test(`JSON Schema, ${JSON.stringify(args)}: ${detail}`, () => {
      const result = json['~standard'].validate(args)
      if (result instanceof Promise || result.issues === undefined) throw new Error('no issues')
      expect(issueDetail(result.issues, args)).toBe(detail)
    })
  }
})

test('a path of segments is followed like one of keys', () => {
  const path = [{ key: 'lines' }, { key: 0 }, { key: 'account' }]
  expect(issueDetail([{ message: '', path }], { lines: [{}] })).toBe('missing-required')
  expect(issueDetail([{ message: '', path }], { lines: [{ account: '' }] })).toBe('other')
})

test('what stands on the prototype is not there', () => {
  expect(issueDetail([{ message: '', path: ['constructor'] }], {})).toBe('missing-required')
})

test('words that nobody knows, and no issues at all, are other', () => {
  expect(issueDetail([], {})).toBe('other')
  expect(issueDetail([{ message: 'no' }], {})).toBe('other')
  expect(issueDetail([{ message: 'no', code: 'toString' } as never], {})).toBe('other')
})
