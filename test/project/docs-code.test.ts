import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesUnder } from './source-files.ts'

// What only stands in for an application.
const STAND_INS = 'examples/dispatch/services.ts'

test('the code of docs/dispatch.md is that of examples/dispatch, which is type-checked', () => {
  const page = readFileSync('docs/dispatch.md', 'utf8')
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code)
  const files = filesUnder('examples/dispatch').filter((path) => path !== STAND_INS)
  expect(blocks.length).toBeGreaterThan(0)
  expect([...blocks].sort()).toEqual(files.map((path) => asPublished(readFileSync(path, 'utf8'))).sort())
})

/** Here the package is its sources, which have endings; whoever installs it writes the name of an entry. */
function asPublished(code: string): string {
  return code.replace(/'(honest-tool-calls\/[\w/-]+?)(?:\/index)?\.ts'/g, "'$1'")
}
