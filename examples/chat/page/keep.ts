import type { Snapshot } from '../../../src/index.ts'
import type { Exchange } from './chat.ts'
import { defaultSettings, type Settings } from './choices.ts'

/** What outlives a reload of the page. */
export interface Kept {
  readonly exchanges: readonly Exchange[]
  readonly settings: Settings
  readonly snapshots: Readonly<Record<string, Snapshot>>
}

const KEY = 'honest-tool-calls example'

export function readKept(): Kept {
  const text = sessionStorage.getItem(KEY)
  return text === null ? { exchanges: [], settings: defaultSettings, snapshots: {} } : JSON.parse(text)
}

// A page that is being left aborts its requests, which some browsers report in time to be taken for a lost connection.
let leaving = false
addEventListener('pagehide', () => {
  leaving = true
})
addEventListener('pageshow', () => {
  leaving = false
})

/** Reloads the page. Until that comes about it keeps nothing more, and should begin nothing more. */
export function reload(): void {
  leaving = true
  location.reload()
}

export function isLeaving(): boolean {
  return leaving
}

export function keep(kept: Kept): void {
  if (!leaving) sessionStorage.setItem(KEY, JSON.stringify(kept))
}
