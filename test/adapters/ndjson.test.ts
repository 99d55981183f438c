import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ndjson } from '../../src/adapters/ndjson.ts'
import { cut } from '../../src/testing/index.ts'

function framesOf(...pieces: readonly (Uint8Array | string)[]): unknown[] {
  const frames: unknown[] = []
  const framer = ndjson({ frame: (data) => frames.push(data) })
  for (const piece of pieces) framer.feed(piece)
  return frames
}

test('every line is a document', () => {
  expect(framesOf('{"a":1}\n[2]\n3\n')).toEqual([{ a: 1 }, [2], 3])
})

test('a line may end in CR LF, and lines may be empty', () => {
  expect(framesOf('{"a":1}\r\n\r\n  \n\n{"b":2}\r\n')).toEqual([{ a: 1 }, { b: 2 }])
})

test('a document may come in pieces, text or bytes', () => {
  expect(framesOf('{"a"', ':', '1}', '\n{"b":', '2}\n{')).toEqual([{ a: 1 }, { b: 2 }])
  expect(framesOf(Buffer.from('{"a":1'), Buffer.from('}\n'))).toEqual([{ a: 1 }])
})

test('a line that is not closed is never passed on, even if it looks whole', () => {
  expect(framesOf('{"a":1}\n{"b":2}')).toEqual([{ a: 1 }])
})

test('a line that is no JSON is passed on as its text, and the next one is read', () => {
  expect(framesOf('{"a":\n{"b":2}\nnot json\r\n')).toEqual(['{"a":', { b: 2 }, 'not json\r'])
})

test('a byte order mark at the start is none of the document', () => {
  expect(framesOf(Buffer.from('\ufeff{"a":1}\n'))).toEqual([{ a: 1 }])
})

test('cut anywhere, also inside characters, it gives the same', () => {
  const lines = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 })
  fc.assert(
    fc.property(lines, fc.array(fc.nat({ max: 200 }), { maxLength: 20 }), (values, places) => {
      const bytes = Buffer.from([...values, { text: 'Grüße 🎉' }].map((value) => `${JSON.stringify(value)}\n`).join(''))
      const parsed = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      expect(framesOf(...cut(bytes, places))).toEqual([...parsed, { text: 'Grüße 🎉' }])
    }),
  )
})

test('a long line in small pieces takes time in proportion to its length', () => {
  const time = (length: number): number => {
    const framer = ndjson({ frame: () => {} })
    const from = performance.now()
    for (let piece = 0; piece < length; piece += 1) framer.feed('"xxxxxxxxxxxxxxx')
    return performance.now() - from
  }
  time(2_000)
  expect(time(80_000)).toBeLessThan(8 * time(20_000) + 50)
})
