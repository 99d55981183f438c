import type { StreamEvent } from '../core/events.ts'
import { isRecord } from '../core/json.ts'

/** An object of the wire, as it came. */
export type WireObject = Readonly<Record<string, unknown>>

/** An object; whatever is none counts as an empty one. */
export function object(value: unknown): WireObject {
  return isRecord(value) ? value : {}
}

/** A string that says something. `''`, `null` and whatever is no string count as absent on every wire. */
export function text(value: unknown): string | undefined {
  return (typeof value === 'string' && value) || undefined
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that are there: an absent one is left out instead of being `undefined`. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<Members>
}

/** A table to look words of the wire up in; it knows none that every object inherits, such as `constructor`. */
export function table<Entry>(entries: Readonly<Record<string, Entry>>): ReadonlyMap<unknown, Entry> {
  return new Map(Object.entries(entries))
}

/**
 * The ending of a stream in which the provider reported an error.
 * @param code the error's type or code; never its message.
 */
export function providerError(code: unknown): StreamEvent {
  const detail = text(code)?.slice(0, 64)
  return {
    type: 'stream-ended',
    ending: { type: 'lost', how: 'provider-error', speaker: 'model', ...present({ detail }) },
  }
}
