import type { OutputUnit } from '@cfworker/json-schema'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** An issue with the keyword that failed, by which it is classified. */
type JsonSchemaIssue = StandardSchemaV1.Issue & { readonly keyword: string }

/** The issues of a value, each where it really fails; at least one. */
export function issuesOf(errors: readonly OutputUnit[], value: unknown): readonly JsonSchemaIssue[] {
  return errors.flatMap((error, place) => {
    const next = errors[place + 1]
    // "False boolean schema" says nothing: what applied that schema does.
    if (next?.keyword === 'false') return refusal(error, next, value)
    if (error.keyword === 'false' && place > 0) return []
    return next !== undefined && isSummaryOf(error, next) ? [] : issueOf(error, value)
  })
}

/** These apply a schema to members: where that schema is `false`, the member may not be there. */
const MEMBER_KEYWORDS = ['additionalProperties', 'unevaluatedProperties', 'properties', 'patternProperties']

function refusal(error: OutputUnit, refused: OutputUnit, value: unknown): JsonSchemaIssue {
  if (!MEMBER_KEYWORDS.includes(error.keyword)) return issueOf(error, value)
  const { instanceLocation } = refused
  return issueOf({ ...error, instanceLocation, keyword: 'additionalProperties' }, value)
}

/** Whether an error only says that the next one came: "Property does not match schema", and then why. */
function isSummaryOf(error: OutputUnit, next: OutputUnit): boolean {
  // What follows an `if` are the errors of its `then` or `else`.
  return error.keyword === 'if' || next.keywordLocation.startsWith(`${error.keywordLocation}/`)
}

function issueOf({ error, instanceLocation, keyword }: OutputUnit, value: unknown): JsonSchemaIssue {
  const path = pathOf(instanceLocation, value)
  return { message: error, keyword, ...(path.length === 0 ? {} : { path }) }
}

/** From a JSON pointer in a URI fragment to keys; indexes of arrays as numbers. */
function pathOf(pointer: string, value: unknown): readonly (string | number)[] {
  let at = value
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(at) ? Number(key) : key
      at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined
      return step
    })
}
