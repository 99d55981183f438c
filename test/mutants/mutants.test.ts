import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { editsOf, mutants, mutate } from './mutants.mjs'

// Whether a test notices each of them takes minutes to find out: `npm run mutants`.
test.for(mutants)('this mistake can still be made: $name', (mutant) => {
  for (const edit of editsOf(mutant)) {
    const code = readFileSync(edit.file, 'utf8')
    expect(mutate(code, edit)).not.toBe(code)
  }
})

test('no two mistakes go by the same name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})
