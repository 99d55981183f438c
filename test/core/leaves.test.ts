import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import { setLeaf } from '../../src/core/leaves.ts'

test('containers are made on the way: an array for a number, an object for a name', () => {
  const value = setLeaf(undefined, ['lines', 0, 'account'], '4711', false)
  expect(setLeaf(value, ['lines', 0, 'amount'], 12.5, false)).toEqual({ lines: [{ account: '4711', amount: 12.5 }] })
})

test('an array grows at its end', () => {
  const one = setLeaf(undefined, ['ids', 0], 4, false)
  expect(setLeaf(one, ['ids', 1], 12, false)).toEqual({ ids: [4, 12] })
})

test('a leaf without a path is the whole value', () => {
  expect(setLeaf(undefined, [], 'text', false)).toBe('text')
  expect(setLeaf('text', [], ' and more', true)).toBe('text and more')
})

test('a string is appended to a string only', () => {
  expect(setLeaf({ a: 'x' }, ['a'], 'y', true)).toEqual({ a: 'xy' })
  expect(setLeaf({ a: 'x' }, ['a'], 1, true)).toBeUndefined()
  expect(setLeaf({ a: 1 }, ['a'], 'x', true)).toBeUndefined()
})

test('the same leaf twice is no difference', () => {
  expect(setLeaf({ a: null }, ['a'], null, false)).toEqual({ a: null })
})

describe('a leaf that does not fit what is there is refused: something was lost', () => {
  const rows: readonly { what: string; root: Json; path: readonly (string | number)[] }[] = [
    { what: 'an index that skips one', root: { ids: [4] }, path: ['ids', 2] },
    { what: 'an index far out', root: [], path: [4_294_967_294] },
    { what: 'a negative index', root: [4], path: [-1] },
    { what: 'half an index', root: [4], path: [0.5] },
    { what: 'a name in an array', root: [4], path: ['amount'] },
    { what: 'the length of an array', root: [4], path: ['length'] },
    { what: 'an index in an object', root: { a: 1 }, path: [0] },
    { what: 'a step into a text', root: { a: 'x' }, path: ['a', 'b'] },
    { what: 'a step into null', root: { a: null }, path: ['a', 'b'] },
    { what: 'another value in its place', root: { a: 1 }, path: ['a'] },
    { what: 'a value in place of a container', root: { a: { b: 1 } }, path: ['a'] },
  ]
  for (const { what, root, path } of rows) {
    test(what, () => {
      expect(setLeaf(root, path, 2, false)).toBeUndefined()
    })
  }
})

test('__proto__ and constructor are keys like any other', () => {
  const value = setLeaf(undefined, ['__proto__', 'polluted'], true, false)
  expect(JSON.stringify(setLeaf(value, ['constructor', 'prototype'], 'x', false))).toBe(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":"x"}}',
  )
  expect({}).not.toHaveProperty('polluted')
})

test('a path may be deeper than the stack', () => {
  const path = Array.from({ length: 100_000 }, () => 'a')
  expect(setLeaf(undefined, path, 1, false)).toHaveProperty('a.a.a')
})
