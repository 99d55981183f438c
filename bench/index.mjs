// npm run bench: what it costs to ingest the arguments of one call, as ratios to the least that anybody can do with them.
// A measurement and no test: it always exits with 0, and says of each goal whether it was met.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (!existsSync(new URL('../dist/core.js', import.meta.url))) {
  console.error('There is no dist to measure. Run `npm run build` first.')
  process.exit(0)
}
const { fragmentsOf, order, ticket } = await import('./documents.mjs')
const { announce, floor, ingestAll, ingestAndShowAll, newStore, storeWithSettledCalls } = await import('./ingest.mjs')
const { measure, medianOf } = await import('./measure.mjs')

const rows = []
const goal = (what, value, limit, unit = 'x') => {
  rows.push({ what, measured: `${value.toFixed(2)}${unit}`, goal: `≤ ${limit}${unit}`, verdict: value <= limit ? 'ok' : 'over' })
}
const note = (what, text) => rows.push({ what, measured: text, goal: '', verdict: '' })

const sizes = { '10 KB': 10_000, '100 KB': 100_000, '1 MB': 1_000_000 }
const perFragment = {}

for (const [name, size] of Object.entries(sizes)) {
  const fragments = fragmentsOf(ticket(size))
  const rounds = size > 500_000 ? 15 : 31
  const iterations = size < 50_000 ? 10 : 3
  const { least, kit } = await measure(
    { least: () => void floor(fragments), kit: () => ingestAll(fragments) },
    { rounds, iterations },
  )
  perFragment[name] = kit / fragments.length
  note(`${name}: floor / ingest`, `${least.toFixed(2)} / ${kit.toFixed(2)} ms`)
  if (name === '100 KB') goal('ingest alone, 100 KB', kit / least, 3)
  if (name === '1 MB') goal('ingest alone, 1 MB', kit / least, 2)
}
goal(
  'growth of the cost of one fragment, 10 KB to 1 MB, exponent',
  Math.max(0, Math.log(perFragment['1 MB'] / perFragment['10 KB']) / Math.log(100)),
  0.2,
  '',
)

for (const [name, document, limit] of [
  ['one long string', ticket(100_000), 10],
  ['an array of objects', order(100_000), 40],
]) {
  const fragments = fragmentsOf(document)
  const { least, kit } = await measure({ least: () => void floor(fragments), kit: () => void ingestAndShowAll(fragments) })
  note(`100 KB, ${name}: floor / with preview`, `${least.toFixed(2)} / ${kit.toFixed(2)} ms`)
  goal(`with a preview per 3 fragments, ${name}`, kit / least, limit)
}

{
  const fragments = fragmentsOf(ticket(40_000))
  const empty = { store: newStore() }
  const oneTurn = storeWithSettledCalls(10_000, true)
  const manyTurns = storeWithSettledCalls(10_000, false)
  // Only the fragments are timed: a call is announced and ended once.
  const timed = ({ store, turnId }, way) => () => {
    const call = announce(store, turnId)
    const start = performance.now()
    call[way](fragments)
    const overriddenDuration = performance.now() - start
    call.end()
    return { overriddenDuration }
  }
  for (const [words, way] of [
    ['a fragment', 'ingest'],
    ['a fragment, with previews', 'ingestAndShow'],
  ]) {
    const result = await measure({
      empty: timed(empty, way),
      oneTurn: timed(oneTurn, way),
      manyTurns: timed(manyTurns, way),
    })
    goal(`${words}, beside 10,000 settled calls of its turn`, result.oneTurn / result.empty, 2)
    goal(`${words}, beside 10,000 turns of a settled call`, result.manyTurns / result.empty, 2)
  }
}

{
  const script = fileURLToPath(new URL('memory.mjs', import.meta.url))
  const peakOf = (what) => Number(execFileSync(process.execPath, ['--expose-gc', script, what], { encoding: 'utf8' }))
  const peaks = { least: [], kit: [] }
  for (let round = 0; round < 7; round++) {
    peaks.least.push(peakOf('floor'))
    peaks.kit.push(peakOf('kit'))
  }
  const least = medianOf(peaks.least)
  const kit = medianOf(peaks.kit)
  note('1 MB: peak heap of floor / ingest', `${(least / 1e6).toFixed(1)} / ${(kit / 1e6).toFixed(1)} MB`)
  goal('peak heap, 1 MB', kit / least, 1.5)
}

const widths = ['what', 'measured', 'goal'].map((column) => Math.max(...rows.map((row) => row[column].length)) + 2)
for (const row of rows) {
  console.log(`${row.what.padEnd(widths[0])}${row.measured.padEnd(widths[1])}${row.goal.padEnd(widths[2])}${row.verdict}`.trimEnd())
}
