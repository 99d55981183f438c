// Makes the mistakes of test/mutants one by one and wants a test to fail for each.
// npm run mutants [-- --tests test/properties] [part of a mutant's name …]
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { editsOf, mutants, mutate } from '../test/mutants/mutants.mjs'

const { values, positionals } = parseArgs({
  options: { tests: { type: 'string', multiple: true } },
  allowPositionals: true,
})
// The quick ones first: most mistakes do not get past them.
const stages =
  values.tests === undefined
    ? [
        ['test/core/', 'test/store/', 'test/dispatch/'],
        ['test/silence', 'test/deadlines', 'test/testing/corpus.test'],
        ['test/properties/'],
      ]
    : [values.tests]
const chosen = mutants.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)))

/** Rewrites the sources as they are loaded; the files stay as they are. */
function making(mutant) {
  const edits = editsOf(mutant)
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const mine = edits.filter(({ file }) => resolve(file) === id.split('?')[0])
      return mine.length === 0 ? null : mine.reduce(mutate, code)
    },
  }
}

/** The names of the tests that failed. */
async function failures(mutant, files) {
  const vitest = await startVitest(
    'test',
    files,
    { config: false, root: process.cwd(), include: ['test/**/*.test.ts'], watch: false, bail: 1, reporters: [{}] },
    { plugins: mutant === null ? [] : [making(mutant)] },
  )
  const failed = vitest.state.getTestModules().flatMap((module) => [
    // A file that cannot even be loaded has noticed something, too.
    ...module.errors().map(() => relative('.', module.moduleId)),
    ...[...module.children.allTests('failed')].map((test) => `${relative('.', module.moduleId)}: ${test.fullName}`),
  ])
  const ran = vitest.state.getTestModules().some((module) => !module.children.allTests().next().done)
  const crashed = vitest.state.getUnhandledErrors().length > 0 && failed.length === 0
  await vitest.close()
  // What did not run has noticed nothing, and cannot have missed anything either.
  if (!ran || crashed) throw new Error(`The tests of ${files.join(', ')} did not run to their end.`)
  process.exitCode = 0
  return failed
}

const broken = await failures(null, stages.flat())
if (broken.length > 0) {
  console.error(`Without any mistake this fails: ${broken[0]}`)
  process.exit(1)
}
let survivors = 0
for (const mutant of chosen) {
  let failed = []
  for (const files of stages) if (failed.length === 0) failed = await failures(mutant, files)
  if (failed.length === 0) survivors++
  console.log(failed.length > 0 ? `noticed   ${mutant.name}\n          ${failed[0]}` : `SURVIVED  ${mutant.name}`)
}
console.log(`${chosen.length - survivors} of ${chosen.length} mistakes were noticed`)
process.exitCode = survivors === 0 ? 0 : 1
