import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Snapshot } from 'honest-tool-calls'
import type { Journal, JournalEntry } from 'honest-tool-calls/dispatch/index.ts'
import type { Exchange } from './chat.ts'

/** What outlives a reload of the page. */
export interface Kept {
  /** The name under which the server knows this tab. */
  readonly session: string
  readonly exchanges: readonly Exchange[]
  /** The conversation as the model is sent it. */
  readonly history: readonly MessageParam[]
  readonly snapshot: Snapshot | null
}

const KEY = 'honest-tool-calls gate'
const JOURNAL = `${KEY} journal`

export function readKept(): Kept {
  const text = sessionStorage.getItem(KEY)
  return text === null ? { session: crypto.randomUUID(), exchanges: [], history: [], snapshot: null } : JSON.parse(text)
}

// A page that is being left aborts its requests, which some browsers report in time to be taken for a lost connection.
let leaving = false
addEventListener('pagehide', () => {
  leaving = true
})
addEventListener('pageshow', () => {
  leaving = false
})

export function keep(kept: Kept): void {
  if (!leaving) sessionStorage.setItem(KEY, JSON.stringify(kept))
}

/** By what key a call was given to its tool: without it nobody could ask about it after a reload. */
export const journal: Journal = {
  append(entry) {
    if (!leaving) sessionStorage.setItem(JOURNAL, JSON.stringify([...entries(), entry]))
  },
  read: entries,
}

function entries(): readonly JournalEntry[] {
  return JSON.parse(sessionStorage.getItem(JOURNAL) ?? '[]')
}
