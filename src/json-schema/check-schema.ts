import type { Schema } from '@cfworker/json-schema'
import { isRecord } from '../core/json.ts'

/**
 * Refuses a schema that could not be applied. A mistake in a schema must show where the tool is declared: found later,
 * it would refuse every call of that tool, or let through what was meant to be refused.
 * @throws with the place of the mistake
 */
export function checkSchema(schema: unknown, place = '#'): void {
  if (typeof schema === 'boolean') return
  if (!isRecord(schema)) throw malformed(place, 'a schema must be an object or a boolean')
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue
    const shape = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword] : undefined
    if (shape !== undefined && !shape.fits(value)) throw malformed(place, `"${keyword}" must be ${shape.what}`)
    checkMembers(keyword, value, `${place}/${pointer(keyword)}`)
  }
}

/**
 * Refuses references that lead nowhere or only to themselves.
 * @param lookup the schema and all its parts, by their addresses
 */
export function checkReferences(lookup: Readonly<Record<string, Schema | boolean>>): void {
  for (const [place, part] of Object.entries(lookup)) {
    const seen = new Set<Schema>()
    for (let at: Schema | boolean | undefined = part; typeof at === 'object' && at.$ref !== undefined; ) {
      if (seen.has(at)) throw malformed(hash(place), `"$ref" ${JSON.stringify(at.$ref)} leads to itself`)
      seen.add(at)
      const target: Schema | boolean | undefined = lookup[at.__absolute_ref__ ?? at.$ref]
      if (target === undefined) {
        throw malformed(hash(place), `"$ref" ${JSON.stringify(at.$ref)} is not in it, and nothing is fetched`)
      }
      at = target
    }
  }
}

interface Shape {
  readonly what: string
  fits(value: unknown): boolean
}

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const text: Shape = { what: 'a string', fits: isText }
const texts: Shape = { what: 'an array of strings', fits: isTextList }
const number: Shape = { what: 'a number', fits: (value) => typeof value === 'number' }
const count: Shape = {
  what: 'a whole number from 0',
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
}
const map: Shape = { what: 'an object', fits: isRecord }
const list: Shape = { what: 'an array with something in it', fits: (value) => Array.isArray(value) && value.length > 0 }
// Booleans in draft 4.
const bound: Shape = { what: 'a number', fits: (value) => typeof value === 'number' || typeof value === 'boolean' }

const SHAPES: Readonly<Record<string, Shape>> = {
  $ref: text,
  $id: text,
  $schema: text,
  $anchor: text,
  $recursiveRef: { what: '"#"', fits: (value) => value === '#' },
  // The library skips it, so that what it should refuse would pass.
  $dynamicRef: { what: 'left out: it is not supported. Use "$ref"', fits: () => false },
  type: {
    what: 'a type of JSON, or an array of them',
    fits: (value) => (Array.isArray(value) ? value : [value]).every((type) => TYPES.includes(type)),
  },
  enum: { what: 'an array', fits: Array.isArray },
  required: texts,
  dependentRequired: {
    what: 'an object of arrays of strings',
    fits: (value) => isRecord(value) && Object.values(value).every(isTextList),
  },
  properties: map,
  patternProperties: { what: 'an object whose keys are patterns', fits: isPatternMap },
  $defs: map,
  definitions: map,
  dependentSchemas: map,
  dependencies: map,
  allOf: list,
  anyOf: list,
  oneOf: list,
  prefixItems: { what: 'an array', fits: Array.isArray },
  pattern: { what: 'a regular expression', fits: isPattern },
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: { what: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 },
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: { what: 'a boolean', fits: (value) => typeof value === 'boolean' },
}

const HOLDS_ONE = [
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'additionalItems',
  'unevaluatedItems',
  'contains',
]
const HOLDS_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const HOLDS_MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']

/** Goes on with the schemas that a keyword holds. */
function checkMembers(keyword: string, value: unknown, place: string): void {
  if (HOLDS_LIST.includes(keyword) || (keyword === 'items' && Array.isArray(value))) {
    for (const [index, member] of Object.entries(value as readonly unknown[])) checkSchema(member, `${place}/${index}`)
  } else if (HOLDS_MAP.includes(keyword)) {
    for (const [key, member] of Object.entries(value as object)) {
      if (keyword !== 'dependencies' || !isTextList(member)) checkSchema(member, `${place}/${pointer(key)}`)
    }
  } else if (keyword === 'items' || HOLDS_ONE.includes(keyword)) checkSchema(value, place)
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    return false
  }
}

function isPatternMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).every(isPattern)
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function hash(address: string): string {
  return address.includes('#') ? address.slice(address.indexOf('#')) : '#'
}

function malformed(place: string, why: string): Error {
  return new Error(
    `honest-tool-calls: the JSON Schema is malformed at ${place}: ${why}. No call could be checked against it; mend the tool's parameters.`,
  )
}
