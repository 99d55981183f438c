import { expect, test } from 'vitest'
import { topLevelKeys } from '../../src/core/spans.ts'

test('the keys of the outermost object come in the order in which they begin', () => {
  const rows = [
    { text: '', keys: [] },
    { text: '{', keys: [] },
    { text: '{"a":1,"b":{"c":2},"d":[{"e":3}]}', keys: ['a', 'b', 'd'] },
    { text: '{"10":1,"2":2}', keys: ['10', '2'] },
    { text: '{"a":"b","c":"d,\\"e\\":"}', keys: ['a', 'c'] },
    { text: '{"a":"{","b":"}"', keys: ['a', 'b'] },
    { text: '{"a":1,"a":2}', keys: ['a', 'a'] },
    { text: ' {\n "a" : 1 ,\n "b"', keys: ['a', 'b'] },
    { text: '{"a\\"b":1,"\\u00e9":2}', keys: ['a"b', 'é'] },
    { text: '{"__proto__":1}', keys: ['__proto__'] },
    { text: '[{"a":1}]', keys: [] },
    { text: '"a":1', keys: [] },
    { text: '}}{"a":1', keys: [] },
  ]
  for (const { text, keys } of rows) expect(topLevelKeys(text)).toEqual(keys)
})

test('a key that is cut counts as begun, under a name that is none of the others', () => {
  expect(topLevelKeys('{"ab":1,"a')).toEqual(['ab', '"a'])
  expect(topLevelKeys('{"ab":1,"a\\')).toEqual(['ab', '"a\\'])
  expect(topLevelKeys('{"ab":1,"')).toEqual(['ab', '"'])
})
