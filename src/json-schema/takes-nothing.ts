import type { Schema, SchemaDraft } from '@cfworker/json-schema'

/**
 * Whether a schema refuses every object that has a member. A doubt counts as no: then an empty buffer is not taken
 * for `{}` without a stated natural stop.
 */
export function isClosed(schema: Schema | boolean, draft: SchemaDraft): boolean {
  if (typeof schema === 'boolean') return false
  // Up to draft 7 nothing beside a `$ref` counts. Later it does, but what the reference says is not looked at here.
  if (schema.$ref !== undefined && (draft === '4' || draft === '7')) return false
  if (schema.maxProperties === 0 || (schema.propertyNames as unknown) === false) return true
  const { additionalProperties, properties = {}, patternProperties = {} } = schema
  return additionalProperties === false && isRefused(properties) && isRefused(patternProperties)
}

function isRefused(members: Readonly<Record<string, unknown>>): boolean {
  return Object.values(members).every((member) => member === false)
}
