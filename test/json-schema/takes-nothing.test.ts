import { expect, test } from 'vitest'
import { fromJsonSchema, type JsonSchema } from '../../src/json-schema/index.ts'

const closed: readonly JsonSchema[] = [
  { type: 'object', properties: {}, required: [], additionalProperties: false },
  { type: 'object', additionalProperties: false },
  { properties: {}, additionalProperties: false },
  { type: ['object', 'null'], additionalProperties: false },
  { type: 'object', maxProperties: 0 },
  { type: 'object', propertyNames: false },
  { type: 'object', properties: { gone: false }, patternProperties: { '^x-': false }, additionalProperties: false },
  { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', additionalProperties: false },
  // What stands beside can only refuse more.
  { additionalProperties: false, anyOf: [{ type: 'object' }, { required: ['a'] }] },
]

const open: readonly JsonSchema[] = [
  true,
  {},
  { type: 'object' },
  { type: 'object', properties: {} },
  { type: 'object', properties: { note: { type: 'string' } }, additionalProperties: false },
  { type: 'object', properties: { note: {} }, additionalProperties: false },
  { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false },
  { type: 'object', properties: {}, additionalProperties: {} },
  { type: 'object', maxProperties: 1 },
  { $ref: '#/$defs/none', $defs: { none: { type: 'object', additionalProperties: false } } },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    // Beside a reference nothing counts in this draft.
    $ref: '#/definitions/any',
    additionalProperties: false,
    definitions: { any: {} },
  },
  { allOf: [{ type: 'object', additionalProperties: false }] },
]

const refusesTheEmptyObject: readonly JsonSchema[] = [
  false,
  { type: 'string', additionalProperties: false },
  { additionalProperties: false, required: ['note'] },
  { additionalProperties: false, minProperties: 1 },
  { additionalProperties: false, not: {} },
]

test.for(closed)('takes nothing but the empty object: %j', (schema) => {
  expect(fromJsonSchema(schema).noArguments).toBe(true)
})

test.for(open)('may take something: %j', (schema) => {
  expect(fromJsonSchema(schema).noArguments).toBe(false)
})

test.for(refusesTheEmptyObject)('does not even take the empty object: %j', (schema) => {
  expect(fromJsonSchema(schema).noArguments).toBe(false)
})
