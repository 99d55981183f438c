import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from './json.ts'

/** What kind of schema issue it was: for records, never for a screen. */
export type IssueDetail = 'wrong-type' | 'missing-required' | 'extra-properties' | 'enum' | 'other'

// Standard Schema has no issue codes; these are the words its common implementations and JSON Schema use beside it.
const KNOWN_WORDS: Readonly<Record<string, IssueDetail>> = {
  type: 'wrong-type',
  invalid_type: 'wrong-type',
  required: 'missing-required',
  additionalProperties: 'extra-properties',
  unrecognized_keys: 'extra-properties',
  enum: 'enum',
  const: 'enum',
  invalid_value: 'enum',
  invalid_enum_value: 'enum',
  invalid_literal: 'enum',
  picklist: 'enum',
}

/** Classifies the first issue of a validator. */
export function issueDetail(issues: readonly StandardSchemaV1.Issue[], args: Json): IssueDetail {
  const issue = issues[0]
  if (issue === undefined) return 'other'
  if (issue.path !== undefined && issue.path.length > 0 && !isPresent(args, issue.path)) return 'missing-required'
  const named = issue as { readonly keyword?: unknown; readonly code?: unknown; readonly type?: unknown }
  for (const word of [named.keyword, named.code, named.type]) {
    if (typeof word === 'string' && Object.hasOwn(KNOWN_WORDS, word)) return KNOWN_WORDS[word] ?? 'other'
  }
  return 'other'
}

function isPresent(args: Json, path: NonNullable<StandardSchemaV1.Issue['path']>): boolean {
  let value: unknown = args
  for (const segment of path) {
    const key = typeof segment === 'object' ? segment.key : segment
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return true
}
