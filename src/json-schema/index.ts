import { dereference, type Schema, validate } from '@cfworker/json-schema'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ToolDeclaration } from '../core/tools.ts'
import { checkReferences, checkSchema } from './check-schema.ts'
import { draftOf } from './drafts.ts'
import { issuesOf } from './issues.ts'
import { isClosed } from './takes-nothing.ts'

/** A JSON Schema as a value: an object, as written or as a library types it, or a boolean. Data only; it is copied. */
export type JsonSchema = object | boolean

/**
 * A Standard Schema validator made from a JSON Schema; compiles nothing, so that a strict CSP holds.
 * Draft 2020-12, or draft 4, 6, 7 or 2019-09 where `$schema` says so; `format` is checked. The validated value is the
 * value given: JSON Schema changes nothing. Issues carry the failed `keyword` beside `message` and `path`.
 * @throws if the schema is malformed, or refers to something that is not in it
 * @example jsonSchema({ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] })
 */
export function jsonSchema(schema: JsonSchema): StandardSchemaV1<unknown, unknown> {
  return compile(schema).validator
}

/**
 * The `schema` and `noArguments` of a tool declaration, from the tool's parameters.
 * @throws as `jsonSchema` does
 * @example createToolCallStore({ tools: { create_ticket: { executor: 'local', ...fromJsonSchema(parameters) } } })
 */
export function fromJsonSchema(parameters: JsonSchema): Required<Pick<ToolDeclaration, 'schema' | 'noArguments'>> {
  const { validator, takesNothing } = compile(parameters)
  return { schema: validator, noArguments: takesNothing }
}

interface Compiled {
  readonly validator: StandardSchemaV1<unknown, unknown>
  /** Whether the schema admits the empty object and no other object. */
  readonly takesNothing: boolean
}

function compile(given: JsonSchema): Compiled {
  const text = asText(given)
  checkSchema(given)
  // The library writes what it resolved into the schema: into a copy, as schemas may be frozen, or share parts.
  const schema = JSON.parse(text) as Schema | boolean
  const draft = draftOf(schema)
  const lookup = dereference(schema)
  checkReferences(lookup)
  // All issues rather than the first one only: a correction should not need a round trip for each.
  const check = (value: unknown) => validate(value, schema, draft, lookup, false)
  return {
    validator: {
      '~standard': {
        version: 1,
        vendor: 'honest-tool-calls/json-schema',
        validate(value) {
          try {
            const { valid, errors } = check(value)
            return valid ? { value } : { issues: issuesOf(errors, value) }
          } catch {
            // Values nested some hundred levels deep in a schema that refers to itself, or keys with half a character.
            return { issues: [{ message: 'The value could not be checked.' }] }
          }
        },
      },
    },
    takesNothing: isClosed(schema, draft) && check({}).valid,
  }
}

function asText(given: JsonSchema): string {
  try {
    return JSON.stringify(given)
  } catch (cause) {
    throw new Error(
      'honest-tool-calls: the JSON Schema is not JSON: it holds itself, or a value that JSON has no words for. Use "$ref" for what repeats.',
      { cause },
    )
  }
}
