import type { SchemaDraft } from '@cfworker/json-schema'

// Draft 6 differs from 7 only in keywords that 7 added.
const DRAFTS: Readonly<Record<string, SchemaDraft>> = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  'draft/2019-09': '2019-09',
  'draft/2020-12': '2020-12',
}

/** The draft a schema is written in, by its `$schema`; 2020-12 where it names none or one of its own. */
export function draftOf(schema: unknown): SchemaDraft {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? String(schema.$schema) : ''
  const [, draft] = /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/.exec(named) ?? []
  if (draft === undefined) return '2020-12'
  const known = Object.hasOwn(DRAFTS, draft) ? DRAFTS[draft] : undefined
  if (known !== undefined) return known
  throw new Error(
    `honest-tool-calls: the JSON Schema is of the draft ${named}, whose rules are not known here. Use draft 4 or later.`,
  )
}
