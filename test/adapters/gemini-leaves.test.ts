import { describe, expect, test } from 'vitest'
import { readLeaf, readPath } from '../../src/adapters/gemini-leaves.ts'
import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'

test.each([
  ['$.a', ['a']],
  ['$.a.b', ['a', 'b']],
  ['$.a[0].b', ['a', 0, 'b']],
  ['$[0][12]', [0, 12]],
  ["$['a b']", ['a b']],
  ["$['a']['b.c'][0]", ['a', 'b.c', 0]],
  ['$["a b"].c', ['a b', 'c']],
  ["$['0']", ['0']],
  ["$['']", ['']],
  ['$.0', ['0']],
  ['$.größe_x', ['größe_x']],
  ['$.my-key', ['my-key']],
  ['$.__proto__.x', ['__proto__', 'x']],
  ['$', []],
])('%s is a path', (path, steps) => {
  expect(readPath(path)).toEqual(steps)
})

test.each([
  '',
  'a',
  '.a',
  '$a',
  '$.',
  '$..a',
  '$.a.',
  '$.*',
  '$.a[*]',
  '$[-1]',
  '$[0:2]',
  '$[?(@.a)]',
  '$[',
  '$.a[0',
  "$['a",
  '$[\'a"]',
  "$['it\\'s']",
  '$ .a',
  'x$',
  null,
  undefined,
  7,
  {},
  ['$.a'],
])('%o is none', (path) => {
  expect(readPath(path)).toBeUndefined()
})

test.each([
  [{ stringValue: 'x' }, 'x'],
  [{ stringValue: '' }, ''],
  [{ numberValue: 0 }, 0],
  [{ boolValue: false }, false],
  [{ nullValue: 'NULL_VALUE' }, null],
])('the value of %o is %o', (value, expected) => {
  expect(readLeaf({ jsonPath: '$.a', ...value })).toEqual([{ path: ['a'], value: expected, continues: false }])
})

test('a string goes on only where it says so', () => {
  const leaf = { jsonPath: '$.a', stringValue: 'x' }
  expect(readLeaf({ ...leaf, willContinue: true })).toMatchObject([{ continues: true }])
  expect(readLeaf({ ...leaf, willContinue: false })).toMatchObject([{ continues: false }])
  expect(readLeaf({ ...leaf, willContinue: 'yes' })).toMatchObject([{ continues: false }])
})

test('without a value it says nothing', () => {
  for (const leaf of [{}, { jsonPath: '$.a' }, { jsonPath: '$.a', willContinue: true }])
    expect(readLeaf(leaf)).toEqual([])
})

describe('a leaf that has no place', () => {
  const nowhere = { path: [-1], value: 'x', continues: false }

  test('is a leaf all the same', () => {
    expect(readLeaf({ jsonPath: '$..a', stringValue: 'x' })).toEqual([nowhere])
    expect(readLeaf({ stringValue: 'x' })).toEqual([nowhere])
  })

  test.each([
    ['alone', []],
    ['after others', [{ jsonPath: '$.a', numberValue: 1 }]],
    ['among the items of a list', [{ jsonPath: '$[0]', numberValue: 1 }]],
    ['after a string that goes on', [{ jsonPath: '$.a', stringValue: 'x', willContinue: true }]],
  ])('%s, it is not believed, nor what is left', (_, before) => {
    const buffer = new ArgumentBuffer()
    for (const leaf of [...before, { jsonPath: '$.*', stringValue: 'x' }].flatMap(readLeaf)) {
      buffer.setLeaf(leaf.path, leaf.value, leaf.continues)
    }
    expect(buffer.conflicting).toBe(true)
  })
})
