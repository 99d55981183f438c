import type { StreamEvent } from '../core/events.ts'

/** A string that says something. `''`, `null` and whatever is no string count as absent on every wire. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that are there: an absent one is left out instead of being `undefined`. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<Members>
}

/** The entry for a word from the wire; never one that every object inherits, such as `constructor`. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, word: unknown): Entry | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/**
 * The ending of a stream in which the provider reported an error.
 * @param words where the error's type or code may stand, finest first; its message is never among them.
 */
export function providerError(...words: readonly unknown[]): StreamEvent {
  const word = words.find((candidate) => text(candidate) ?? typeof candidate === 'number')
  const detail = word && String(word).slice(0, 64)
  return {
    type: 'stream-ended',
    ending: { type: 'lost', how: 'provider-error', speaker: 'model', ...(detail ? { detail } : {}) },
  }
}
