import { isRecord } from '../core/json.ts'

/** JSON values that stand where others should; names that every object inherits among them. */
const JUNK: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  'constructor',
  '__proto__',
  [],
  [null],
  {},
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
]

/** What is an event of no wire. */
export const NO_EVENTS: readonly unknown[] = [undefined, null, false, 7, '', 'no JSON {', {}, { zzz: { type: 'zzz' } }]

/** What may come in place of an event. */
export const GARBAGE: readonly unknown[] = [
  ...NO_EVENTS,
  ...JUNK,
  '[DONE]',
  [[[]]],
  ...['type', 'event', 'object', 'kind'].flatMap((name) => JUNK.map((value) => ({ [name]: value }))),
]

/** A frame with one of its values gone, or replaced by junk: each in turn, at any depth. */
export function* broken(frame: unknown): Generator<unknown> {
  yield* JUNK
  if (Array.isArray(frame)) {
    for (const [place, item] of frame.entries()) {
      for (const other of broken(item)) yield frame.map((own, at) => (at === place ? other : own))
    }
  } else if (isRecord(frame)) {
    for (const [name, value] of Object.entries(frame)) {
      yield Object.fromEntries(Object.entries(frame).filter(([other]) => other !== name))
      for (const other of broken(value)) yield { ...frame, [name]: other }
    }
  }
}
