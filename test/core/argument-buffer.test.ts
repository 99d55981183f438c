import { expect, test } from 'vitest'
import { ArgumentBuffer, HEAD_LENGTH } from '../../src/core/argument-buffer.ts'

test('fragments are joined and counted, and the head is the same text while it fits', () => {
  const buffer = new ArgumentBuffer()
  for (const fragment of ['{"ti', '', 'tle":', '"x"}']) buffer.append(fragment)
  expect(buffer.text).toBe('{"title":"x"}')
  expect(buffer.head).toBe('{"title":"x"}')
  expect(buffer.fragments).toBe(4)
  expect(buffer.received).toBe(13)
})

test('the head is sealed at 4,096 characters, also in the middle of a fragment', () => {
  const buffer = new ArgumentBuffer()
  buffer.append('a'.repeat(HEAD_LENGTH - 2))
  buffer.append('bcd')
  buffer.append('efg')
  expect(HEAD_LENGTH).toBe(4096)
  expect(buffer.head).toBe(`${'a'.repeat(4094)}bc`)
  expect(buffer.received).toBe(4094 + 6)
})

test('a snapshot text that goes on from what is here replaces it', () => {
  const buffer = new ArgumentBuffer()
  buffer.append('{"ti')
  buffer.replaceText('{"title":"x"}')
  buffer.replaceText('{"title":"x"}')
  expect(buffer.text).toBe('{"title":"x"}')
  expect(buffer.head).toBe('{"title":"x"}')
  expect(buffer.conflicting).toBe(false)
})

test('a snapshot text that does not is refused, and so is every later one', () => {
  const buffer = new ArgumentBuffer()
  buffer.append('{"title":')
  buffer.replaceText('{}')
  buffer.replaceText('{"title":"x"}')
  expect(buffer.text).toBe('{"title":')
  expect(buffer.conflicting).toBe(true)
})

test('a long snapshot text seals the head like fragments do', () => {
  const buffer = new ArgumentBuffer()
  buffer.replaceText('a'.repeat(5000))
  buffer.append('b')
  expect(buffer.head).toBe('a'.repeat(4096))
})

test('a leaf is appended to the string that was to go on', () => {
  const buffer = new ArgumentBuffer()
  buffer.setLeaf(['title'], 'Stock ', true)
  buffer.setLeaf(['title'], 'count ', true)
  buffer.setLeaf(['title'], 'differs', false)
  buffer.setLeaf(['tags', 0], 'stock', false)
  expect(buffer.value).toEqual({ title: 'Stock count differs', tags: ['stock'] })
  expect(buffer.conflicting).toBe(false)
  expect(buffer.fragments).toBe(4)
})

test('a leaf that comes again with another value is a contradiction', () => {
  const buffer = new ArgumentBuffer()
  buffer.setLeaf(['amount'], 5, false)
  buffer.setLeaf(['amount'], 5, false)
  expect(buffer.conflicting).toBe(false)
  buffer.setLeaf(['amount'], 500, false)
  expect(buffer.conflicting).toBe(true)
})

test('a leaf after a whole value is a contradiction, and the value that was given is not written to', () => {
  const given = Object.freeze({ title: 'x' })
  const buffer = new ArgumentBuffer()
  buffer.replaceValue(given)
  buffer.setLeaf(['amount'], 5, false)
  expect(given).toEqual({ title: 'x' })
  expect(buffer.conflicting).toBe(true)
})

test('a whole value that agrees with the leaves is believed', () => {
  const buffer = new ArgumentBuffer()
  buffer.setLeaf(['title'], 'x', false)
  buffer.replaceValue({ title: 'x' })
  expect(buffer.conflicting).toBe(false)
  buffer.replaceValue({ title: 'y' })
  expect(buffer.conflicting).toBe(true)
})

test('it is empty while only blanks came', () => {
  const rows = [
    { text: '', empty: true },
    { text: ' \t\r\n', empty: true },
    { text: '\u00a0', empty: false },
    { text: '\ufeff', empty: false },
    { text: '{', empty: false },
  ]
  for (const { text, empty } of rows) {
    const buffer = new ArgumentBuffer()
    buffer.append(text)
    expect(buffer.isEmpty).toBe(empty)
  }
})

test('a value is not empty, not even {} or null', () => {
  for (const value of [{}, null]) {
    const buffer = new ArgumentBuffer()
    buffer.replaceValue(value)
    expect(buffer.isEmpty).toBe(false)
  }
})

test('clearing forgets everything', () => {
  const buffer = new ArgumentBuffer()
  buffer.append('{"title":')
  buffer.replaceText('{}')
  buffer.setLeaf(['title'], 'Stock ', true)
  buffer.clear()
  expect(buffer).toEqual(new ArgumentBuffer())
  buffer.setLeaf(['title'], 'count', false)
  expect(buffer.value).toEqual({ title: 'count' })
})
