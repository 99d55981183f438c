import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

/** Writes what a run came to into the file that TOTALS_FILE names, for scripts/closing-line.mjs to add up. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    const file = process.env.TOTALS_FILE
    if (file === undefined) return
    const totals = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      totals.failed += module.errors().length
      for (const suite of module.children.allSuites()) totals.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // A test still pending at the end never ran to its end: that is no success.
        totals[state === 'pending' ? 'failed' : state] += 1
      }
    }
    if (reason !== 'passed' && totals.failed === 0) totals.failed = 1
    writeFileSync(file, JSON.stringify(totals))
  }
}
