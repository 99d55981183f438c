import { createStore, type StoreApi } from 'zustand/vanilla'

/** Whose doing an entry is. */
type LogSource = 'page' | 'wire' | 'kit' | 'tool'

export interface LogEntry {
  readonly id: number
  /** Milliseconds since the message was sent. */
  readonly at: number
  readonly source: LogSource
  readonly text: string
  readonly repeats: number
  readonly characters: number
}

export interface Log {
  readonly entries: StoreApi<readonly LogEntry[]>
  /** The time starts anew. */
  start(text: string): void
  add(source: LogSource, text: string): void
  /** Entries of the same text in a row become one that counts. */
  count(source: LogSource, text: string, characters: number): void
}

const MOST = 200

export function createLog(): Log {
  const entries = createStore<readonly LogEntry[]>(() => [])
  let started = performance.now()
  let next = 0
  const append = (source: LogSource, text: string, characters: number): void => {
    const entry = { id: next++, at: performance.now() - started, source, text, repeats: 1, characters }
    entries.setState([...entries.getState(), entry].slice(-MOST), true)
  }
  return {
    entries,
    start(text) {
      started = performance.now()
      append('page', text, 0)
    },
    add: (source, text) => append(source, text, 0),
    count(source, text, characters) {
      const all = entries.getState()
      const last = all.at(-1)
      if (last?.source !== source || last.text !== text) return append(source, text, characters)
      const more = { ...last, repeats: last.repeats + 1, characters: last.characters + characters }
      entries.setState([...all.slice(0, -1), more], true)
    },
  }
}
