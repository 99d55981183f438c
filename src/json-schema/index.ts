import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ToolDeclaration } from '../core/tools.ts'

/** A JSON Schema, draft 2020-12 unless it says otherwise. */
export type JsonSchema = Schema | boolean

/**
 * A Standard Schema validator made from a JSON Schema; compiles nothing, so that a strict CSP holds.
 * The validated value is the value given: JSON Schema changes nothing.
 */
export function jsonSchema(schema: JsonSchema): StandardSchemaV1<unknown, unknown> {
  const validator = new Validator(schema as Schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'honest-tool-calls/json-schema',
      validate(value) {
        const { valid, errors } = validator.validate(value)
        return valid ? { value } : { issues: leaves(errors).map(issueOf) }
      },
    },
  }
}

/** The `schema` and `noArguments` of a tool declaration, from its parameters. */
export function fromJsonSchema(parameters: JsonSchema): Required<Pick<ToolDeclaration, 'schema' | 'noArguments'>> {
  return { schema: jsonSchema(parameters), noArguments: takesNothing(parameters) }
}

/** Whether a schema admits the empty object and no other. */
function takesNothing(schema: JsonSchema): boolean {
  if (typeof schema !== 'object') return false
  const { additionalProperties, properties = {}, required = [], patternProperties = {}, type } = schema
  return (
    type === 'object' &&
    additionalProperties === false &&
    Object.keys(properties).length === 0 &&
    Object.keys(patternProperties).length === 0 &&
    required.length === 0
  )
}

// An error on `properties` only repeats that something under it failed.
function leaves(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const finest = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== 'false')
  return finest.length > 0 ? finest : errors
}

function issueOf({
  error,
  instanceLocation,
  keyword,
}: OutputUnit): StandardSchemaV1.Issue & { readonly keyword: string } {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
  return { message: error, keyword, ...(path.length === 0 ? {} : { path }) }
}
