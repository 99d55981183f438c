import type { Call } from './call.ts'
import type { Turn } from './turn.ts'

/** The call whose correction this one is: the first of its name that waits for one, of an earlier message. */
export function correctedBy(turn: Turn, call: Call): Call | undefined {
  if (call.executor !== 'local' || call.name === null || call.block !== call.key) return undefined
  for (const other of turn.correcting) {
    // What was there before cannot correct it, though it may be named, or begun anew, only now.
    if (other.name === call.name && other.message !== call.message && other.order < call.order) return other
  }
  return undefined
}

/** The correction is shown where the call stood that it corrects, under the same key: the user sees one block. */
export function takeBlock(turn: Turn, call: Call, corrected: Call): void {
  call.block = corrected.block
  call.attempt = corrected.attempt + 1
  corrected.replaced = true
  const own = turn.items.findIndex((item) => item.type === 'call' && item.call === call)
  turn.items.splice(own, 1)
  const place = turn.items.findIndex((item) => item.type === 'call' && item.call === corrected)
  turn.items[place] = { type: 'call', call }
  turn.changed = true
}
