import { expect, test } from 'vitest'
import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'
import { finalize } from '../../src/core/finalize.ts'
import type { Outcome } from '../../src/core/outcomes.ts'
import { fromJsonSchema, type JsonSchema } from '../../src/json-schema/index.ts'

function outcomeOf(
  parameters: JsonSchema,
  text: string,
  reason: 'natural' | null = 'natural',
): Outcome | Promise<Outcome> {
  const buffer = new ArgumentBuffer()
  buffer.append(text)
  const call = { id: 'a', name: 'create_ticket', encoding: 'json', buffer, finished: 'complete' } as const
  return finalize(call, { reason, finishesOpenCalls: false }, { executor: 'local', ...fromJsonSchema(parameters) })
}

const parameters = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 5 },
    priority: { enum: ['low', 'urgent'] },
    where: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    kind: { const: 'bug' },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    more: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['title'],
  additionalProperties: false,
}

test.for([
  ['{"title":1}', 'wrong-type'],
  ['{"title":"a","where":[]}', 'wrong-type'],
  ['{"title":"a","maybe":1}', 'wrong-type'],
  ['{"title":"a","more":{"x":1}}', 'wrong-type'],
  ['[]', 'wrong-type'],
  ['"{}"', 'wrong-type'],
  ['{}', 'missing-required'],
  ['{"title":"a","where":{}}', 'missing-required'],
  ['{"title":"a","extra":1}', 'extra-properties'],
  ['{"title":"a","where":{"city":"b","zip":1}}', 'extra-properties'],
  ['{"title":"a","priority":"high"}', 'enum'],
  ['{"title":"a","kind":"wish"}', 'enum'],
  ['{"title":"abcdef"}', 'other'],
] as const)('%s is a schema error: %s', ([text, detail]) => {
  expect(outcomeOf(parameters, text)).toMatchObject({ type: 'schema-error', detail, raw: text })
})

test('arguments that fit are dispatchable', () => {
  expect(outcomeOf(parameters, '{"title":"a","where":{"city":"b"},"maybe":null}')).toEqual({
    type: 'dispatchable',
    callId: 'a',
    name: 'create_ticket',
    args: { title: 'a', where: { city: 'b' }, maybe: null },
  })
})

test('an empty buffer stands for {} without a stated reason only where the schema takes nothing', () => {
  const nothing = { type: 'object', properties: {}, additionalProperties: false }
  expect(outcomeOf(nothing, '', null)).toMatchObject({ type: 'dispatchable', args: {} })
  expect(outcomeOf({ type: 'object' }, '', null)).toMatchObject({ type: 'failed', reason: 'abandoned' })
  expect(outcomeOf({ type: 'object' }, '', 'natural')).toMatchObject({ type: 'dispatchable', args: {} })
})
