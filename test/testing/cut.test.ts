import { expect, test } from 'vitest'
import { cut } from '../../src/testing/index.ts'

const bytes = new TextEncoder().encode('abcdef')

function pieces(places: Iterable<number>): string[] {
  return cut(bytes, places).map((piece) => new TextDecoder().decode(piece))
}

test('bytes are cut at the places given, in any order', () => {
  expect(pieces([4, 1])).toEqual(['a', 'bcd', 'ef'])
  expect(pieces(bytes.keys())).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('without a place inside, they stay whole', () => {
  expect(pieces([])).toEqual(['abcdef'])
  expect(pieces([0, 6, 7, -1])).toEqual(['abcdef'])
  expect(pieces([3, 3])).toEqual(['abc', 'def'])
  expect(cut(new Uint8Array(), [0, 1])).toEqual([new Uint8Array()])
})
