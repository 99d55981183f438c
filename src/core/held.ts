import type { Call } from './call.ts'
import type { CallInput } from './transition.ts'
import { callsNamed, type Turn } from './turn.ts'

/** Evidence that came before the call it is about. */
export interface Held {
  readonly callId: string | null
  readonly messageId: string | undefined
  readonly input: Extract<CallInput, { type: 'returned' | 'reported' }>
}

/** Takes out what was held for this call. What was held because it could mean several calls does not mean one more of that id. */
export function takeHeld(turn: Turn, call: Call): readonly Held[] {
  const taken = turn.held.filter(({ callId, messageId }) => {
    const named = callId === call.id ? callsNamed(turn, callId, messageId) : []
    return named.length === 1 && named[0] === call
  })
  for (const held of taken) turn.held.splice(turn.held.indexOf(held), 1)
  return taken
}
