import { expect, test } from 'vitest'
import { object, present, providerError, table, text } from '../../src/adapters/wire-values.ts'

test('only an object counts as one', () => {
  expect(object({ a: 1 })).toEqual({ a: 1 })
  for (const value of [null, undefined, [], 'x', 1]) expect(object(value)).toEqual({})
})

test('only a string that says something is text', () => {
  expect(text('a')).toBe('a')
  for (const value of ['', null, undefined, 1, true, {}, ['a']]) expect(text(value)).toBeUndefined()
})

test('members that are undefined are left out, other empty ones are not', () => {
  expect(Object.keys(present({ a: undefined, b: null, c: '', d: 0, e: false }))).toEqual(['b', 'c', 'd', 'e'])
})

test('a table knows its own words only', () => {
  const reasons = table({ stop: 'natural' })
  expect(reasons.get('stop')).toBe('natural')
  for (const word of ['constructor', '__proto__', 'toString', '', null, undefined, 1, {}])
    expect(reasons.get(word)).toBeUndefined()
})

test('a provider’s error is the model’s ending of the stream, with its code cut short', () => {
  expect(providerError('overloaded_error')).toEqual({
    type: 'stream-ended',
    ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded_error' },
  })
  const without = { type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model' } }
  for (const code of [null, undefined, '', {}, 5]) expect(providerError(code)).toEqual(without)
  expect(providerError('x'.repeat(100))).toMatchObject({ ending: { detail: 'x'.repeat(64) } })
})
