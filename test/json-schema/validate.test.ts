import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import { type JsonSchema, jsonSchema } from '../../src/json-schema/index.ts'

function check(schema: JsonSchema, value: unknown): StandardSchemaV1.Result<unknown> {
  return jsonSchema(schema)['~standard'].validate(value) as StandardSchemaV1.Result<unknown>
}

/** `keyword at path` of every issue. */
function issues(schema: JsonSchema, value: unknown): string[] {
  return (check(schema, value).issues ?? []).map((issue) => {
    const { keyword } = issue as StandardSchemaV1.Issue & { keyword: string }
    return issue.path === undefined ? keyword : `${keyword} at ${JSON.stringify(issue.path)}`
  })
}

const ticket = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    priority: { enum: ['low', 'urgent'] },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
  required: ['title'],
  additionalProperties: false,
}

test('a value that fits comes back as it was given', () => {
  const value = { title: 'A', priority: 'low', tags: [{ name: 'x' }] }
  const result = check(ticket, value)
  expect(result.issues).toBeUndefined()
  expect((result as StandardSchemaV1.SuccessResult<unknown>).value).toBe(value)
})

test('every issue is told at once, each where it is', () => {
  expect(issues(ticket, { priority: 'high', tags: [{ name: 1 }, {}], extra: 1 })).toEqual([
    'required',
    'enum at ["priority"]',
    'type at ["tags",0,"name"]',
    'required at ["tags",1]',
    'additionalProperties at ["extra"]',
  ])
})

test('a path is unescaped, and only the indexes of arrays are numbers', () => {
  const schema = { properties: { 'a/b~c %#é': { additionalProperties: { items: { type: 'string' } } } } }
  expect(issues(schema, { 'a/b~c %#é': { 0: ['x', 1] } })).toEqual(['type at ["a/b~c %#é","0",1]'])
})

test('keys that every object inherits are members like any other', () => {
  const schema = { properties: { toString: { type: 'string' } }, required: ['constructor'] }
  expect(issues(schema, JSON.parse('{"a":1}'))).toEqual(['required'])
  expect(issues({ additionalProperties: false }, JSON.parse('{"__proto__":{"admin":true}}'))).toEqual([
    'additionalProperties at ["__proto__"]',
  ])
})

test('what only sums up the issues under it is left out', () => {
  const schema = {
    $defs: { name: { type: 'string' } },
    properties: {
      byReference: { $ref: '#/$defs/name' },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      both: { allOf: [{ type: 'string' }, { minLength: 2 }] },
      one: { oneOf: [{ type: 'string' }, { minLength: 2 }] },
      sized: JSON.parse('{ "if": { "type": "string" }, "then": { "minLength": 2 } }'),
    },
    patternProperties: { '^x-': { type: 'string' } },
    propertyNames: { maxLength: 12 },
    additionalProperties: { type: 'boolean' },
  }
  expect(issues(schema, { byReference: 1 })).toEqual(['type at ["byReference"]'])
  expect(issues(schema, { either: 1 })).toEqual(['type at ["either"]', 'type at ["either"]'])
  expect(issues(schema, { both: 'a' })).toEqual(['minLength at ["both"]'])
  expect(issues(schema, { one: 'ab' })).toEqual(['oneOf at ["one"]'])
  expect(issues(schema, { sized: 'a' })).toEqual(['minLength at ["sized"]'])
  expect(issues(schema, { 'x-a': 1 })).toEqual(['type at ["x-a"]'])
  expect(issues(schema, { more: 1 })).toEqual(['type at ["more"]'])
  expect(issues(schema, { 'much-too-long': true })).toEqual(['maxLength at ["much-too-long"]'])
})

test('boolean schemas refuse, or admit, whatever comes', () => {
  expect(issues(true, { a: 1 })).toEqual([])
  expect(issues(false, { a: 1 })).toEqual(['false'])
  expect(issues({ properties: { a: false } }, { a: 1 })).toEqual(['additionalProperties at ["a"]'])
  expect(issues({ properties: { a: { items: false } } }, { a: [1] })).toEqual(['items at ["a"]'])
  expect(issues({ unevaluatedProperties: false }, { a: 1 })).toEqual(['additionalProperties at ["a"]'])
  expect(issues(JSON.parse('{ "if": true, "then": false }'), {})).toEqual(['if'])
  expect(issues({ anyOf: [false, { required: ['a'] }] }, {})).toEqual(['anyOf', 'required'])
})

test('a schema may refer to itself, and to its parts by name', () => {
  const tree = {
    $anchor: 'tree',
    properties: {
      children: { type: 'array', items: { $ref: '#' } },
      next: { $ref: '#tree' },
      leaf: { $ref: '#/$defs/a~1b' },
    },
    $defs: { 'a/b': { type: 'string' } },
    additionalProperties: false,
  }
  expect(issues(tree, { children: [{ children: [] }], next: {}, leaf: 'x' })).toEqual([])
  expect(issues(tree, { children: [{ children: [{ leaf: 1 }] }] })).toEqual([
    'type at ["children",0,"children",0,"leaf"]',
  ])
})

test('what cannot be checked is refused, not thrown', () => {
  const tree = { properties: { child: { $ref: '#' } }, additionalProperties: false }
  const deep = (levels: number): unknown => (levels === 0 ? {} : { child: deep(levels - 1) })
  expect(check(tree, deep(100)).issues).toBeUndefined()
  // The checks of the library nest as deep as the value.
  expect(check(tree, deep(5000)).issues).toEqual([{ message: 'The value could not be checked.' }])
  expect(check(tree, JSON.parse('{"\\ud800":1}')).issues).toEqual([{ message: 'The value could not be checked.' }])
})

test('the draft is the one that the schema names, else 2020-12', () => {
  const beside = (draft: string) => ({
    $schema: draft,
    properties: { a: { $ref: '#/definitions/any', type: 'string' } },
    definitions: { any: {} },
  })
  // Up to draft 7, what stands beside a reference does not count.
  expect(issues(beside('http://json-schema.org/draft-07/schema#'), { a: 1 })).toEqual([])
  expect(issues(beside('http://json-schema.org/draft-06/schema#'), { a: 1 })).toEqual([])
  expect(issues(beside('https://json-schema.org/draft/2019-09/schema'), { a: 1 })).toEqual(['type at ["a"]'])
  expect(issues(beside('https://json-schema.org/draft/2020-12/schema'), { a: 1 })).toEqual(['type at ["a"]'])
  expect(issues(beside('https://example.com/our-own-dialect'), { a: 1 })).toEqual(['type at ["a"]'])
  const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 5, exclusiveMinimum: true }
  expect(issues(draft4, 5)).toEqual(['minimum'])
  expect(issues({ prefixItems: [{ type: 'string' }], items: false }, ['a', 1])).toEqual(['items'])
})

test('a schema is copied: frozen ones work, and a later change to the original changes nothing', () => {
  const shared = Object.freeze({ $ref: '#/$defs/name' })
  const first = { $id: 'https://example.com/first', properties: { a: shared }, $defs: { name: { type: 'string' } } }
  const second = { $id: 'https://example.com/second', properties: { a: shared }, $defs: { name: { type: 'number' } } }
  expect(issues(first, { a: 1 })).toEqual(['type at ["a"]'])
  expect(issues(second, { a: 1 })).toEqual([])

  const growing = { properties: { a: { type: 'string' } } }
  const validator = jsonSchema(growing)
  growing.properties.a.type = 'number'
  expect(validator['~standard'].validate({ a: 'x' })).toEqual({ value: { a: 'x' } })
})
