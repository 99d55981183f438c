import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

// The kit must run under the policy `script-src 'self'; style-src 'self'`, and no text of a model may become markup.
const forbiddenUses = ['eval', 'Function']
const forbiddenNames = [
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'style',
  'insertRule',
  'adoptedStyleSheets',
]

test('no source file builds markup, code or style sheets from text', () => {
  const wrong = sourceFiles().flatMap(({ path, uses, names }) => [
    ...forbiddenUses.filter((use) => uses.has(use)).map((use) => `${path} uses ${use}`),
    ...forbiddenNames.filter((name) => names.has(name)).map((name) => `${path} names ${name}`),
  ])
  expect(wrong).toEqual([])
})
