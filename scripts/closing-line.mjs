// Adds up totals files, `node scripts/closing-line.mjs A.json B.json …`, and ends with `N passed, N failed`.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const line = ({ passed, failed }) => `${passed} passed, ${failed} failed`

const sum = { passed: 0, failed: 0 }
for (const file of process.argv.slice(2)) {
  const totals = JSON.parse(readFileSync(file, 'utf8'))
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
  console.log(`${basename(file, '.json')}: ${line(totals)}${skipped}`)
  sum.passed += totals.passed
  sum.failed += totals.failed
}
console.log(line(sum))
// A run that ran no test has shown nothing.
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0
