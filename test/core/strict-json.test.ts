import { expect, test } from 'vitest'
import { isTooDeep, MAX_DEPTH, parseStrictly, sameJson } from '../../src/core/strict-json.ts'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('a text is one JSON document or it is nothing', () => {
  expect(parseStrictly('{"title":"x"}')).toEqual({ ok: true, value: { title: 'x' } })
  expect(parseStrictly(' null\n')).toEqual({ ok: true, value: null })
  expect(parseStrictly('')).toEqual({ ok: false, detail: 'not-json' })
  expect(parseStrictly('{"title":"x')).toEqual({ ok: false, detail: 'not-json' })
  expect(parseStrictly('{}{}')).toEqual({ ok: false, detail: 'not-json' })
})

test('a document is too deep from 1,001 levels on', () => {
  expect(MAX_DEPTH).toBe(1000)
  expect(parseStrictly(deep(1000)).ok).toBe(true)
  expect(parseStrictly(deep(1001))).toEqual({ ok: false, detail: 'too-deep' })
  expect(parseStrictly('{"a":'.repeat(1001) + '1' + '}'.repeat(1001))).toEqual({ ok: false, detail: 'too-deep' })
  expect(parseStrictly(deep(500_000))).toEqual({ ok: false, detail: 'too-deep' })
})

test('width is no depth', () => {
  expect(isTooDeep(Array.from({ length: 20_000 }, () => [[]]))).toBe(false)
})

test('what is not nested is not deep', () => {
  for (const value of [null, 0, '', true, 'text', [], {}]) expect(isTooDeep(value)).toBe(false)
})

test('values are the same whatever the order of their members', () => {
  const rows = [
    { left: { a: 1, b: [1, { c: null }] }, right: { b: [1, { c: null }], a: 1 }, same: true },
    { left: [1, 2], right: [2, 1], same: false },
    { left: { a: 1 }, right: { a: 1, b: 1 }, same: false },
    { left: { a: 1, b: 1 }, right: { a: 1 }, same: false },
    { left: { a: 1 }, right: { b: 1 }, same: false },
    { left: { toString: 1 }, right: { a: 1 }, same: false },
    { left: { a: 1 }, right: { toString: 1 }, same: false },
    { left: [], right: {}, same: false },
    { left: { 0: 1 }, right: [1], same: false },
    { left: null, right: {}, same: false },
    { left: 1, right: '1', same: false },
    { left: '', right: '', same: true },
    { left: JSON.parse('{"__proto__":1}'), right: JSON.parse('{"__proto__":1}'), same: true },
    { left: JSON.parse('{"__proto__":1}'), right: JSON.parse('{"__proto__":2}'), same: false },
    { left: JSON.parse('{"__proto__":{}}'), right: { a: {} }, same: false },
  ]
  for (const { left, right, same } of rows) {
    expect(sameJson(left, right)).toBe(same)
    expect(sameJson(right, left)).toBe(same)
  }
})

test('comparing does not overflow, however deep', () => {
  expect(sameJson(JSON.parse(deep(100_000)), JSON.parse(deep(100_000)))).toBe(true)
  expect(sameJson(JSON.parse(deep(100_000)), JSON.parse(deep(100_001)))).toBe(false)
})
