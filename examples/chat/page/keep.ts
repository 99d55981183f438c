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

// A page that is being left should begin nothing more.
let leaving = false
addEventListener('pagehide', () => {
  leaving = true
})
addEventListener('pageshow', () => {
  leaving = false
})

/** Reloads the page. As far as anything here is concerned it is gone at once. */
export function reload(): void {
  dispatchEvent(new Event('pagehide'))
  location.reload()
}

export function isLeaving(): boolean {
  return leaving
}

/** Keeps some of it anew, and the rest as it was. */
export function keep(changed: Partial<Kept>): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...readKept(), ...changed }))
}

export function keepSnapshot(key: string, snapshot: Snapshot): void {
  keep({ snapshots: { ...readKept().snapshots, [key]: snapshot } })
}
