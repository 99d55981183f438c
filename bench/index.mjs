// npm run bench: what it costs to ingest the arguments of one call, in ratios to the least that anybody can do with them.
// A measurement and no test: it always exits with 0, and says of each goal whether it was met.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Allow, parse } from 'partial-json'
import { fragmentsOf, order, ticket } from './documents.mjs'
import { measure, medianOf, now } from './measure.mjs'

if (!existsSync(new URL('../dist/core.js', import.meta.url))) {
  console.error('There is no dist to measure. Run `npm run build` first.')
  process.exit(0)
}
const { announce, floor, newStore, storeWithSettledCalls, wholeCall } = await import('./ingest.mjs')

const rows = []
function note(what, value, least) {
  rows.push([what, value, least, '', ''])
}
function goal(what, value, limit) {
  rows.push([what, value.toFixed(2), '', `≤ ${limit}`, value <= limit ? 'ok' : 'over'])
}
const milliseconds = (time) => `${time.toFixed(2)} ms`

async function ingesting() {
  for (const [name, size, limit] of [
    ['100 KB', 100_000, 3],
    ['1 MB', 1_000_000, 2],
  ]) {
    const fragments = fragmentsOf(ticket(size))
    const times = await measure({
      floor: () => void floor(fragments),
      reads: () => wholeCall('ingest', fragments),
      oneByOne: () => wholeCall('ingestOneByOne', fragments),
    })
    note(`${name} ingested / floor`, milliseconds(times.reads), milliseconds(times.floor))
    goal('  times the floor', times.reads / times.floor, limit)
    goal('  with a look at the clock for each fragment, times the floor', times.oneByOne / times.floor, limit)
  }
}

async function growing() {
  const small = fragmentsOf(ticket(10_000))
  const large = fragmentsOf(ticket(1_000_000))
  const store = newStore()
  const times = await measure({
    small: fragmentsOnly({ store }, 'ingest', small),
    large: fragmentsOnly({ store }, 'ingest', large),
  })
  const perFragment = { small: times.small / small.length, large: times.large / large.length }
  const exponent = Math.log(perFragment.large / perFragment.small) / Math.log(large.length / small.length)
  note('One fragment, of 10 KB / of 1 MB', ...Object.values(perFragment).map((time) => `${(time * 1e6).toFixed(0)} ns`))
  goal('  exponent of its growth', exponent, 0.2)
}

async function showing() {
  for (const [name, text, limit] of [
    ['one long string', ticket(100_000), 10],
    ['an array of objects', order(100_000), 40],
  ]) {
    const fragments = fragmentsOf(text)
    const times = await measure({
      floor: () => void floor(fragments),
      shown: () => wholeCall('ingestAndShow', fragments),
      parsed: () => parsePrefixes(text),
    })
    note(
      `100 KB, ${name}, a preview for every 3 fragments / floor`,
      milliseconds(times.shown),
      milliseconds(times.floor),
    )
    note('  of which the tolerant parser', milliseconds(times.parsed), '')
    goal('  times the floor', times.shown / times.floor, limit)
  }
}

/** What the tolerant parser alone does for these previews: it reads every third fragment's prefix of the first 4,096 characters. */
function parsePrefixes(text) {
  for (let length = 12; length <= 4096; length += 12) parse(text.slice(0, length), Allow.STR | Allow.OBJ | Allow.ARR)
}

async function besideSettledCalls() {
  const fragments = fragmentsOf(ticket(40_000))
  const stores = {
    empty: { store: newStore() },
    oneTurn: storeWithSettledCalls(10_000, { inOneTurn: true }),
    manyTurns: storeWithSettledCalls(10_000, { inOneTurn: false }),
  }
  for (const [what, way] of [
    ['One fragment', 'ingest'],
    ['One fragment with its share of a preview', 'ingestAndShow'],
  ]) {
    const tasks = Object.entries(stores).map(([name, where]) => [name, fragmentsOnly(where, way, fragments)])
    const times = await measure(Object.fromEntries(tasks))
    goal(`${what}, beside 10,000 settled calls of its turn, times without`, times.oneTurn / times.empty, 2)
    goal(`${what}, beside 10,000 turns with a settled call, times without`, times.manyTurns / times.empty, 2)
  }
}

/** Times the fragments, and not what a call costs once. */
function fragmentsOnly({ store, turnId }, way, fragments) {
  return () => {
    const call = announce(store, turnId)
    const start = now()
    call[way](fragments)
    const overriddenDuration = now() - start
    call.end()
    return { overriddenDuration }
  }
}

function remembering() {
  const script = fileURLToPath(new URL('memory.mjs', import.meta.url))
  // A small young space: what is held decides, and not when the garbage of a few megabytes happens to be collected.
  const options = ['--expose-gc', '--max-semi-space-size=1', script]
  const peakOf = (what) => Number(execFileSync(process.execPath, [...options, what], { encoding: 'utf8' }))
  const peaks = { floor: [], kit: [] }
  for (let round = 0; round < 7; round++) for (const what of Object.keys(peaks)) peaks[what].push(peakOf(what))
  const [floor, kit] = [medianOf(peaks.floor), medianOf(peaks.kit)]
  note('1 MB, peak of the heap / floor', `${(kit / 1e6).toFixed(1)} MB`, `${(floor / 1e6).toFixed(1)} MB`)
  goal('  times the floor', kit / floor, 1.5)
}

for (const part of [ingesting, growing, showing, besideSettledCalls, remembering]) {
  try {
    await part()
  } catch (error) {
    console.error(`${part.name} could not be measured: ${error}`)
  }
}

const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)))
for (const row of rows)
  console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at] ?? 4))).join('  '))
