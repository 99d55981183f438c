import { expect, test } from 'vitest'
import { frozen } from '../../src/core/frozen.ts'

test('an object is frozen to its last member, and is the same object', () => {
  const value = { a: { b: [{ c: 1 }] }, d: null, e: undefined }
  expect(frozen(value)).toBe(value)
  expect([value, value.a, value.a.b, value.a.b[0]].every(Object.isFrozen)).toBe(true)
})

test('what a schema made is left as it is, for its members are its own', () => {
  const value = { at: new Date(0), seen: new Map([['a', { b: 1 }]]) }
  frozen(value)
  expect([value.at, value.seen, value.seen.get('a')].some(Object.isFrozen)).toBe(false)
})

test('what is frozen already is not gone into again, so that a circle ends', () => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  expect(Object.isFrozen(frozen(value))).toBe(true)
})

test.for([undefined, null, 'text', 12])('%s is what it was', (value) => {
  expect(frozen(value)).toBe(value)
})
