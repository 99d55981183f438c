import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEAD_LENGTH } from '../../src/core/argument-buffer.ts'
import { type Preview, Previewer } from '../../src/core/preview.ts'
import { parseStrictly } from '../../src/core/strict-json.ts'
import { plainText } from '../../src/core/text.ts'
import { runs } from './runs.ts'

const string = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom(
    '',
    '\\',
    '"',
    '\\"',
    'a,b',
    '{"a":1}',
    '[',
    ']}',
    '\n\t',
    '\ud83d\ude00',
    '\u202e',
    'null',
    '12',
    '\u001b[31m',
  ),
)
const key = fc.oneof(string, fc.constantFrom('a', 'b', '__proto__', 'constructor', '0', '1'))
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 5e-324),
)

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    number,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}))

/** A JSON document as a model might write it: with or without white space, with characters escaped or not. */
const document = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.dictionary(key, value, { maxKeys: 5 }) }, { weight: 1, arbitrary: value }),
    fc.constantFrom(0, 0, 2),
    fc.boolean(),
  )
  .map(([value, indent, escapes]) => {
    const text = JSON.stringify(value, null, indent)
    return escapes
      ? text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text
  })

// The one member that the tolerant parser loses; no tool goes without what a preview is shown without.
const plain = document.filter((text) => !text.includes('__proto__'))

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

test('every prefix of a document can be previewed: nothing vanishes, and nothing that looks final is not', () => {
  let settled = 0
  fc.assert(
    fc.property(document, (text) => {
      const last = new Previewer().rows(text, 'json', undefined)
      const previewer = new Previewer()
      let before: Preview = []
      for (let length = 1; length <= text.length; length++) {
        const rows = previewer.rows(text.slice(0, length), 'json', undefined)
        if (rows.length < before.length) expect(rows).toEqual(before)
        for (const [place, row] of rows.entries()) {
          // Compared before it is expected, as there are hundreds of thousands of rows.
          if (row.path !== last[place]?.path) expect(row.path).toBe(last[place]?.path)
          if (LONE_SURROGATE.test(row.path + row.text)) expect.unreachable(row.path + row.text)
          if (!row.settled) continue
          settled++
          if (row.text !== last[place]?.text) expect(row.text).toBe(last[place]?.text)
        }
        before = rows
      }
    }),
    runs(400),
  )
  expect(settled).toBeGreaterThan(1_000)
})

test('a number is shown when it is whole, and not before', () => {
  fc.assert(
    fc.property(
      fc.oneof(number, fc.constantFrom(true, false, null)),
      fc.constantFrom('{"n":#}', '{"n":[#]}', '{"n":{"m":#},"o":1}'),
      (number, around) => {
        const text = around.replace('#', () => JSON.stringify(number))
        const from = around.indexOf('#')
        for (let length = from; length < from + JSON.stringify(number).length; length++) {
          for (const row of new Previewer().rows(text.slice(0, length), 'json', undefined))
            expect(['', '[]', '{}']).toContain(row.text)
        }
      },
    ),
    runs(500),
  )
})

test('of a whole document the tolerant parser and the strict one read the same', () => {
  fc.assert(
    fc.property(plain, (text) => {
      const strict = parseStrictly(text)
      if (!strict.ok) return expect.unreachable(text)
      const rows = new Previewer().rows(text, 'json', undefined)
      const { value } = strict
      const shown = (part: unknown) => plainText(typeof part === 'string' ? part : JSON.stringify(part))
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        // A number out here is never whole, as nothing has to come behind it.
        expect(rows.map((row) => row.text)).toEqual(typeof value === 'number' ? [] : [shown(value)])
      else {
        // JSON.parse puts keys that look like numbers first; the rows stand in the order of the text.
        const members = Object.entries(value).map(([name, part]) => ({ path: plainText(name), text: shown(part) }))
        expect(rows.map(({ path, text }) => ({ path, text }))).toEqual(expect.arrayContaining(members))
        expect(rows.length).toBe(members.length)
      }
    }),
    runs(1_000),
  )
})

test('nothing that comes as text makes a preview throw', () => {
  const garbage = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[[\]{}",:\\0-9a-fnrtu.eE+\- ]*$/),
    fc.constantFrom(
      '['.repeat(HEAD_LENGTH),
      '{"a":'.repeat(800),
      '"\\u',
      '{"a":"\\u12',
      '\ud83d',
      '-',
      '{"a":-',
      '{"a":1e',
      '{"a":NaN',
      '{"a":Infin',
    ),
  )
  fc.assert(
    fc.property(
      fc.array(garbage, { maxLength: 6 }),
      fc.constantFrom<'json' | 'text'>('json', 'text'),
      (fragments, encoding) => {
        const previewer = new Previewer()
        let head = ''
        for (const fragment of fragments) {
          head = (head + fragment).slice(0, HEAD_LENGTH)
          for (const row of previewer.rows(head, encoding, undefined)) {
            if (LONE_SURROGATE.test(row.text)) expect.unreachable(row.text)
          }
        }
      },
    ),
    runs(1_000),
  )
})
