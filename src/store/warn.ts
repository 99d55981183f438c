import type { Drop } from '../core/ledger.ts'

const WORDS = {
  'unknown-key': 'an event named a call that was never announced',
  'after-stream-end': 'an event came after its stream had ended',
  'after-message-end': 'a message ended twice',
  'not-open': 'arguments came for a call that takes no more',
  'no-evidence-about-local': 'a stream spoke for a tool that runs here',
  'no-such-approval': 'an approval was answered that nobody waits for',
  'result-without-call': 'a result belongs to no announced call',
  'ambiguous-id': 'an id stands for several open calls',
  'not-an-event': 'an event of an unknown type came',
  'unknown-frame': 'a frame is none of the format',
} as const satisfies Record<Drop, string>

/** Warns of each kind of dropped input once, in development; whatever a stream sends must not throw. */
export function createWarner(): (reason: Drop) => void {
  const warned = new Set<Drop>()
  return (reason) => {
    if (warned.has(reason) || isProduction()) return
    warned.add(reason)
    console.warn(
      `honest-tool-calls: ${WORDS[reason]} (${reason}). It was dropped and counted; see counts() of the store.`,
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
