import type { Call } from '../core/call.ts'
import type { Turn } from '../core/turn.ts'

/** How a host names a call: by its id, and by more where ids repeat. */
export interface CallRef {
  readonly callId: string
  /** The key of its view, which is unique in its turn; for ids that repeat. */
  readonly key?: string | undefined
  readonly turnId?: string | undefined
  readonly messageId?: string | undefined
  /** Chat or thread, as given to `openStream`. */
  readonly scope?: string | undefined
}

export interface Found {
  readonly turn: Turn
  readonly call: Call
}

/** All calls that a reference may mean, oldest first. */
export function findCalls(turns: Iterable<Turn>, ref: CallRef): readonly Found[] {
  const found: Found[] = []
  for (const turn of turns) {
    if (ref.turnId !== undefined && turn.id !== ref.turnId) continue
    if (ref.scope !== undefined && turn.scope !== ref.scope) continue
    for (const call of turn.byId.get(ref.callId) ?? []) {
      const meant = call.block === (ref.key ?? call.block) && call.message.id === (ref.messageId ?? call.message.id)
      if (meant) found.push({ turn, call })
    }
  }
  // A correction may come with the id of what it corrects: the one that has the block now is meant.
  return found.filter(
    ({ turn, call }) =>
      !found.some((other) => other.turn === turn && other.call.block === call.block && other.call.order > call.order),
  )
}

/** The one call that a reference means. Throws where it means none or several: acting on a guess could run the wrong tool. */
export function findCall(turns: Iterable<Turn>, ref: CallRef, action: string): Found {
  const found = findCalls(turns, ref)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const what = only === undefined ? 'no call' : `${found.length} calls`
  const help = only === undefined ? 'Was its turn forgotten?' : 'Add turnId, messageId or key: ids of calls may repeat.'
  throw new Error(`honest-tool-calls: ${action} found ${what} with the id ${JSON.stringify(ref.callId)}. ${help}`)
}
