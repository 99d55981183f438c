import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorPosition, jsonTokens } from '../../src/core/json-tokens.ts'
import { parseStrictly } from '../../src/core/strict-json.ts'
import { runs } from '../properties/runs.ts'

test('the place is that of the first character that fits no document', () => {
  const rows = [
    { text: '{"a":1}', at: null },
    { text: ' [ 1 , -0.5e+3, true, null, "\\u00e9\\n" ] ', at: null },
    { text: '"a"', at: null },
    { text: '12', at: null },
    { text: '', at: 0 },
    { text: '  ', at: 2 },
    { text: '{"a":1', at: 6 },
    { text: '{"a":"b', at: 7 },
    { text: '{"a":"\\', at: 7 },
    { text: '{"a":"\\u00', at: 10 },
    { text: '[tru', at: 4 },
    { text: '[-', at: 2 },
    { text: '[1.', at: 3 },
    { text: '[1e', at: 3 },
    { text: 'Sure: {}', at: 0 },
    { text: '{"a":1}{"b":2}', at: 7 },
    { text: '{"a":1,}', at: 7 },
    { text: '[1,]', at: 3 },
    { text: '{,', at: 1 },
    { text: '{"a" 1}', at: 5 },
    { text: '{a:1}', at: 1 },
    { text: "{'a':1}", at: 1 },
    { text: '{"a":True}', at: 5 },
    { text: '{"a":trux}', at: 8 },
    { text: '{"a":01}', at: 6 },
    { text: '{"a":+1}', at: 5 },
    { text: '{"a":1.x}', at: 7 },
    { text: '{"a":"\n"}', at: 6 },
    { text: '{"a":"\\x"}', at: 7 },
    { text: '{"a":"\\u00zz"}', at: 10 },
    { text: '[1}', at: 2 },
    { text: '{"a":1]', at: 6 },
    { text: '}', at: 0 },
    { text: '{"a":1}\u00a0', at: 7 },
    { text: '\ufeff{}', at: 0 },
  ]
  for (const { text, at } of rows) expect([text, errorPosition(text)]).toEqual([text, at])
})

test('depth costs no stack', () => {
  expect(errorPosition('['.repeat(200_000))).toBe(200_000)
  expect(errorPosition('['.repeat(200_000) + ']'.repeat(200_000))).toBe(null)
})

test('a piece that is cut reaches to the end of the text', () => {
  expect([...jsonTokens('{"a":[1,"b')]).toEqual([
    { type: 'open', start: 0, end: 1 },
    { type: 'key', start: 1, end: 4 },
    { type: 'open', start: 5, end: 6 },
    { type: 'scalar', start: 6, end: 7 },
    { type: 'string', start: 8, end: 10 },
  ])
})

const json = fc.json({ maxDepth: 3 })
/** JSON, cut somewhere, with some of its characters replaced, put in twice or left out. */
const damaged = fc
  .tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom(...'{}[]:,"\\ue1-.+0t\n a', ''))), fc.nat())
  .map(([text, faults, length]) => {
    let damagedText = text
    for (const [place, removed, inserted] of faults) {
      const at = place % (damagedText.length + 1)
      damagedText = damagedText.slice(0, at) + inserted + damagedText.slice(at + removed)
    }
    return damagedText.slice(0, length % (damagedText.length + 2))
  })

test('it is a document exactly where the strict parser says so, and the place is the one this engine names', () => {
  let named = 0
  const verdicts = { whole: 0, broken: 0 }
  fc.assert(
    fc.property(fc.oneof(json, damaged), (text) => {
      const at = errorPosition(text)
      expect(at === null).toBe(parseStrictly(text).ok)
      verdicts[at === null ? 'whole' : 'broken']++
      const place = placeNamed(text)
      if (place === null) return
      named++
      expect(at).toBe(place)
    }),
    runs(3000),
  )
  expect(named).toBeGreaterThan(300)
  expect(Math.min(verdicts.whole, verdicts.broken)).toBeGreaterThan(300)
})

/** The place in the engine's own words, where it says one. */
function placeNamed(text: string): number | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const place = /at position (\d+)/.exec(String(error))?.[1]
    return place === undefined ? null : Number(place)
  }
}

test('every beginning of a document is one, and is told from what is broken', () => {
  fc.assert(
    fc.property(json, fc.nat(), (text, length) => {
      const tokens = jsonTokens(text.slice(0, length % text.length))
      let step = tokens.next()
      while (step.done !== true) step = tokens.next()
      expect(step.value.type).not.toBe('broken')
    }),
    runs(1000),
  )
})
