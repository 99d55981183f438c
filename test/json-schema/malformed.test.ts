import { expect, test } from 'vitest'
import { fromJsonSchema, type JsonSchema, jsonSchema } from '../../src/json-schema/index.ts'

/** Why a schema is refused, without the sentences around it. */
function refusal(schema: unknown): string {
  try {
    jsonSchema(schema as JsonSchema)
  } catch (error) {
    return (error as Error).message
      .replace('honest-tool-calls: the JSON Schema is ', '')
      .replace(/\. No call could.*/, '')
  }
  return 'taken'
}

test('a malformed schema is refused where the tool is declared, with the place and the way out', () => {
  expect(() => jsonSchema({ properties: { a: { type: 'text' } } })).toThrow(
    new Error(
      'honest-tool-calls: the JSON Schema is malformed at #/properties/a: "type" must be a type of JSON, or an array of them. No call could be checked against it; mend the tool\'s parameters.',
    ),
  )
  expect(() => fromJsonSchema({ required: 'title' })).toThrow('must be an array of strings')
})

test('what is no schema is refused', () => {
  expect(refusal(undefined)).toBe('malformed at #: a schema must be an object or a boolean')
  expect(refusal(null)).toBe('malformed at #: a schema must be an object or a boolean')
  expect(refusal([])).toBe('malformed at #: a schema must be an object or a boolean')
  expect(refusal('object')).toBe('malformed at #: a schema must be an object or a boolean')
  expect(refusal({ properties: { a: null } })).toBe(
    'malformed at #/properties/a: a schema must be an object or a boolean',
  )
  expect(refusal({ additionalProperties: 'no' })).toBe(
    'malformed at #/additionalProperties: a schema must be an object or a boolean',
  )
  expect(refusal({ items: [{ type: 'string' }, 1] })).toBe(
    'malformed at #/items/1: a schema must be an object or a boolean',
  )
})

test('keywords of the wrong shape are refused', () => {
  expect(refusal({ type: String })).toContain('"type" must be')
  expect(refusal({ type: ['string', 'any'] })).toContain('"type" must be')
  expect(refusal({ properties: [] })).toBe('malformed at #: "properties" must be an object')
  expect(refusal({ properties: null })).toBe('malformed at #: "properties" must be an object')
  expect(refusal({ properties: { a: { required: true } } })).toContain('at #/properties/a: "required" must be')
  expect(refusal({ enum: 'low' })).toBe('malformed at #: "enum" must be an array')
  expect(refusal({ anyOf: [] })).toContain('"anyOf" must be')
  expect(refusal({ not: { anyOf: [{ pattern: '(' }] } })).toContain('at #/not/anyOf/0: "pattern" must be')
  expect(refusal({ patternProperties: { '[': true } })).toContain('"patternProperties" must be')
  expect(refusal({ multipleOf: 0 })).toContain('"multipleOf" must be')
  expect(refusal({ maxItems: -1 })).toContain('"maxItems" must be')
  expect(refusal({ $defs: { 'a/b~': { minimum: '1' } } })).toContain('at #/$defs/a~1b~0: "minimum" must be')
  expect(refusal({ dependencies: { a: ['b'], c: { type: 1 } } })).toContain('at #/dependencies/c: "type" must be')
})

test('references must lead somewhere', () => {
  expect(refusal({ properties: { a: { $ref: '#/$defs/gone' } } })).toBe(
    'malformed at #/properties/a: "$ref" "#/$defs/gone" is not in it, and nothing is fetched',
  )
  expect(refusal({ $ref: 'https://json-schema.org/draft/2020-12/schema' })).toContain('nothing is fetched')
  expect(refusal({ $ref: '#' })).toBe('malformed at #: "$ref" "#" leads to itself')
  expect(refusal({ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })).toContain('leads to itself')
  expect(refusal({ $dynamicRef: '#node' })).toContain('not supported. Use "$ref"')
})

test('a schema that is not JSON is refused', () => {
  const circular: { properties: Record<string, unknown> } = { properties: {} }
  circular.properties.self = circular
  expect(() => jsonSchema(circular)).toThrow('honest-tool-calls: the JSON Schema is not JSON: it holds itself')
  expect(() => jsonSchema({ maximum: 1n })).toThrow('is not JSON')
})

test('a draft whose rules are not known is refused', () => {
  expect(() => jsonSchema({ $schema: 'http://json-schema.org/draft-03/schema#' })).toThrow('Use draft 4 or later.')
})

test('keywords of others, and members that are undefined, do not disturb', () => {
  expect(
    refusal({ type: 'object', required: undefined, nullable: true, 'x-order': ['a'], examples: [{ $ref: 1 }] }),
  ).toBe('taken')
  expect(refusal({ properties: { type: { type: 'string' }, required: { type: 'boolean' } } })).toBe('taken')
})
