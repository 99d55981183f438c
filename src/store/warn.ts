import type { Drop } from '../core/ledger.ts'

/** Warns of each kind of dropped input once, in development; whatever a stream sends must not throw. */
export function createWarner(): (reason: Drop) => void {
  const warned = new Set<Drop>()
  return (reason) => {
    if (warned.has(reason) || isProduction()) return
    warned.add(reason)
    console.warn(
      `honest-tool-calls: dropped what came (${reason}). Counted in counts(); docs/usage.md says what it means.`,
    )
  }
}

function isProduction(): boolean {
  try {
    // Written out, as bundlers replace these words and nothing else: a page has no process to ask.
    return process.env.NODE_ENV === 'production'
  } catch {
    return true
  }
}
