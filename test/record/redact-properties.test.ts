import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact } from '../../src/record/redact.ts'
import { runs } from '../properties/runs.ts'

const SENSITIVE = ['token', 'iban', 'card']
const PIECE = 4

// Secrets and the rest share no piece: what is found of one came from it.
const publicText = fc.string({ unit: fc.constantFrom(...'abcxyz {}[]:,"\\\n\u00e9\ud83d\ude00'), maxLength: 8 })
const secretText = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHKMNPQ0123456789', ',', '"', '\\', '}', ':', '\n', '\u00c9', '\ud83d\ude80'),
  minLength: 4,
  maxLength: 16,
})
const publicKey = fc.oneof(publicText, fc.constantFrom('a', 'tok', 'note', 'card2'))
const publicValue = fc.oneof(
  publicText,
  fc.integer({ min: -99, max: 99 }),
  fc.constantFrom(null, true),
  fc.array(publicText, { maxLength: 2 }),
  fc.dictionary(publicKey, publicText, { maxKeys: 2 }),
)
const plainSecret = fc.oneof(secretText, fc.integer({ min: 10_000, max: 2 ** 31 }))
const nestedSecret = fc.oneof(
  fc.array(secretText, { minLength: 1, maxLength: 3 }),
  fc.dictionary(publicKey, secretText, { minKeys: 1, maxKeys: 3 }),
)

interface Member {
  readonly key: string
  readonly value: unknown
  readonly isSecret: boolean
}

interface Written {
  readonly text: string
  /** Where the sensitive keys stand: under another name they would be other members. */
  readonly keys: readonly (readonly [start: number, end: number])[]
  readonly pieces: ReadonlySet<string>
}

const members = (secret: fc.Arbitrary<unknown>) =>
  fc
    .array(
      fc.oneof(
        fc.record({ key: publicKey, value: publicValue, isSecret: fc.constant(false) }),
        fc.record({ key: fc.constantFrom(...SENSITIVE), value: secret, isSecret: fc.constant(true) }),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .filter((list) => list.some(({ isSecret }) => isSecret))

/** A document as a model might write it: repeated keys, escaped or not, white space. */
const written = (secret: fc.Arbitrary<unknown>) =>
  fc
    .tuple(members(secret), fc.boolean(), fc.constantFrom('', ' ', '\n'))
    .map(([list, escapes, blank]) => write(list, escapes, blank))

function write(list: readonly Member[], escapes: boolean, blank: string): Written {
  const literal = (value: unknown) => {
    const text = JSON.stringify(value)
    return escapes ? text.replace(/[k-p\u0080-\uffff]/g, escaped) : text
  }
  const keys: [number, number][] = []
  const pieces = new Set<string>()
  let text = '{'
  for (const [place, { key, value, isSecret }] of list.entries()) {
    if (place > 0) text += `,${blank}`
    if (isSecret) {
      keys.push([text.length, text.length + literal(key).length])
      for (const piece of piecesOf(value)) pieces.add(piece)
    }
    text += `${literal(key)}:${blank}${typeof value === 'object' ? JSON.stringify(value) : literal(value)}`
  }
  return { text: `${text}}`, keys, pieces }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Every piece of a secret that is long enough to tell, as it is and as it is written. */
function piecesOf(value: unknown): readonly string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap(piecesOf)
  const texts = [String(value), JSON.stringify(value)]
  return texts
    .flatMap((text) => Array.from(text, (_, at) => text.slice(at, at + PIECE)))
    .filter((piece) => piece.length === PIECE && piece.replace(/[^A-Z0-9]/g, '').length >= 2)
}

const fault = fc.record({
  place: fc.nat(),
  removed: fc.nat(1),
  inserted: fc.constantFrom('', ...'{}[]:,"\\u0 ax', '\\"', '":"', '},{', '\ud83d', '\u0000'),
})

function damage({ text, keys }: Written, faults: readonly { place: number; removed: number; inserted: string }[]) {
  const placed = faults
    .map(({ place, removed, inserted }) => ({ at: place % (text.length + 1), removed, inserted }))
    .filter(({ at, removed }) => !keys.some(([start, end]) => at + removed > start && at < end))
    .sort((a, b) => b.at - a.at)
  return placed.reduce(
    (damaged, { at, removed, inserted }) => damaged.slice(0, at) + inserted + damaged.slice(at + removed),
    text,
  )
}

function survivors(text: string, pieces: ReadonlySet<string>): readonly string[] {
  return [...pieces].filter((piece) => text.includes(piece))
}

/** How often there was text, how often none, and how often there was something to hide. */
interface Tally {
  kept: number
  withheld: number
  hadSecret: number
}

function expectHidden(text: string, pieces: ReadonlySet<string>, tally: Tally): void {
  const redaction = redact(text, SENSITIVE)
  if (survivors(text, pieces).length > 0) tally.hadSecret++
  if (redaction.ok) tally.kept++
  else tally.withheld++
  // Only what is wrong is worth an expectation: there are tens of thousands of texts.
  const left = redaction.ok ? survivors(redaction.text, pieces) : []
  if (left.length > 0) expect({ text, left }).toEqual({ text, left: [] })
}

test('no secret survives a cut, at any position', () => {
  const tally: Tally = { kept: 0, withheld: 0, hadSecret: 0 }
  fc.assert(
    fc.property(written(fc.oneof(plainSecret, nestedSecret)), ({ text, pieces }) => {
      for (let length = 0; length <= text.length; length++) expectHidden(text.slice(0, length), pieces, tally)
    }),
    runs(200),
  )
  expect(tally.kept).toBeGreaterThan(10_000)
  expect(tally.hadSecret).toBeGreaterThan(10_000)
  // Control: nothing was broken, so only the empty text was withheld.
  expect(tally.withheld).toBe(runs(200).numRuns)
})

test('no secret survives damage and a cut, at any position', () => {
  const tally: Tally = { kept: 0, withheld: 0, hadSecret: 0 }
  const damaged = fc.oneof(
    fc.tuple(written(plainSecret), fc.array(fault, { minLength: 1, maxLength: 2 })),
    // Two faults can make of a nested secret a sound document in which it is not sensitive.
    fc.tuple(written(nestedSecret), fc.array(fault, { minLength: 1, maxLength: 1 })),
  )
  fc.assert(
    fc.property(damaged, ([document, faults]) => {
      const text = damage(document, faults)
      for (let length = 0; length <= text.length; length++) expectHidden(text.slice(0, length), document.pieces, tally)
    }),
    runs(600),
  )
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(5000)
})

test('what is whole stays whole, with everything that is not sensitive', () => {
  // Without what looks like members inside of a string, which is hidden too.
  const clear = members(plainSecret).filter((list) => !/\\/.test(JSON.stringify(list)))
  fc.assert(
    fc.property(clear, fc.boolean(), (list, escapes) => {
      const redaction = redact(write(list, escapes, ' ').text, SENSITIVE)
      if (!redaction.ok) throw new Error('A whole document was withheld.')
      expect(JSON.parse(redaction.text)).toEqual(
        Object.fromEntries(list.map(({ key, value, isSecret }) => [key, isSecret ? '[redacted]' : value])),
      )
    }),
    runs(600),
  )
})
