import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { StopReason } from '../../src/core/events.ts'
import type { Json } from '../../src/core/json.ts'
import type { ToolDeclaration, Tools } from '../../src/core/tools.ts'
import { type JsonSchema, jsonSchema } from '../../src/json-schema/index.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { runs } from './runs.ts'

beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
})

type Type = 'string' | 'integer' | 'boolean'

interface Tool {
  readonly types: Readonly<Record<string, Type>>
  readonly required: readonly string[]
  readonly closed: boolean
  /** The rule: this member must not be `"no"`. */
  readonly rule: string
  readonly takesTime: boolean
  readonly breaks: 'schema' | 'rule' | 'nothing'
}

const members = fc.constantFrom('a', 'b', 'c')
const tool: fc.Arbitrary<Tool> = fc.record({
  types: fc.dictionary(members, fc.constantFrom<Type>('string', 'integer', 'boolean'), { maxKeys: 3 }),
  required: fc.uniqueArray(members, { maxLength: 2 }),
  closed: fc.boolean(),
  rule: members,
  takesTime: fc.boolean(),
  breaks: fc.oneof(
    { weight: 20, arbitrary: fc.constant<'nothing'>('nothing') },
    { weight: 1, arbitrary: fc.constantFrom<'schema' | 'rule'>('schema', 'rule') },
  ),
})

function declare({ types, required, closed, rule, takesTime, breaks }: Tool): ToolDeclaration {
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  const parameters: JsonSchema = { type: 'object', properties, required: [...required], additionalProperties: !closed }
  const { validate } = jsonSchema(parameters)['~standard']
  const check = (args: unknown) => {
    if (breaks === 'rule') throw new Error('the rule broke')
    return (args as Record<string, unknown>)[rule] === 'no' ? 'not this one' : undefined
  }
  return {
    executor: 'local',
    schema: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate(value) {
          if (breaks === 'schema') throw new Error('the schema broke')
          return takesTime ? Promise.resolve(validate(value)) : validate(value)
        },
      },
    },
    check: takesTime ? async (args) => check(args) : check,
  }
}

/** Says the same as schema and rule, by other means. */
function mayRun({ types, required, closed, rule, breaks }: Tool, value: unknown): boolean {
  if (breaks !== 'nothing' || typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  const fits = entries.every(([name, member]) => {
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (type === undefined) return !closed
    return type === 'integer' ? Number.isInteger(member) : typeof member === type
  })
  return (
    fits &&
    required.every((name) => Object.hasOwn(value, name)) &&
    !entries.some(([name, member]) => name === rule && member === 'no')
  )
}

const values = {
  string: fc.constantFrom('yes', '', 'ünï\ud83d\ude00', 'no'),
  integer: fc.integer(),
  boolean: fc.boolean(),
}
const odd = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(null, 'no', '1'))

/** What a model makes of the tool's schema when it does as it is told. */
function fitting({ types, required }: Tool): fc.Arbitrary<string> {
  const described = { ...Object.fromEntries(required.map((name) => [name, 'string' as const])), ...types }
  const shape = Object.fromEntries(Object.entries(described).map(([name, type]) => [name, values[type]]))
  return fc.record(shape, { requiredKeys: [...required] }).map((value) => JSON.stringify(value))
}

const call = tool.chain((tool) => {
  const whole = fc.oneof(
    { weight: 12, arbitrary: fitting(tool) },
    { weight: 1, arbitrary: fc.dictionary(members, odd, { maxKeys: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '{}', 'null', '{"a":"yes"}{}', '{"a":"yes",}', '{"a":NaN}', "{'a':'yes'}"),
    },
  )
  const text = fc.oneof(
    { weight: 8, arbitrary: whole },
    // Cut short, as by a lost connection.
    { weight: 1, arbitrary: fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))) },
    // One character lost or replaced, as by a careless gateway.
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.nat(), fc.constantFrom('', '"', '}', '{', ',', '0', '\\')).map(([text, at, by]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + by + text.slice(place + 1)
      }),
    },
  )
  return fc.record({ tool: fc.constant(tool), text, cuts: fc.array(fc.nat(20), { maxLength: 4 }) })
})
const batch = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  reason: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<StopReason | null>('natural', null) },
    { weight: 1, arbitrary: fc.constantFrom<StopReason>('length', 'filter', 'unknown', 'paused', 'error') },
  ),
  finishesOpenCalls: fc.boolean(),
  leftOpen: fc.nat(6),
  corrects: fc.boolean(),
})

test('what the gate lets through parses strictly, fits its schema and its rule, and so do all calls of its batch', async () => {
  let passed = 0
  let held = 0
  await fc.assert(
    fc.asyncProperty(batch, async ({ calls, reason, finishesOpenCalls, leftOpen, corrects }) => {
      const tools: Tools = Object.fromEntries(calls.map(({ tool }, index) => [`tool-${index}`, declare(tool)]))
      const store = createToolCallStore({ tools, clock: createFakeClock(), frame: () => () => {} })
      const stream = store.openStream({ speaker: 'model', corrects })
      stream.push({ type: 'message-started' })
      for (const [index, { text, cuts }] of calls.entries()) {
        const key = `key-${index}`
        stream.push({ type: 'call-announced', key, callId: `call-${index}`, name: `tool-${index}` })
        for (const fragment of cut(text, cuts)) stream.push({ type: 'call-fragment', key, text: fragment })
        if (!finishesOpenCalls && index !== leftOpen) stream.push({ type: 'call-finished', key })
      }
      stream.push({ type: 'message-ended', reason, finishesOpenCalls })
      stream.end()
      const { dispatchable } = await stream.ended

      const isOpen = (index: number) => !finishesOpenCalls && index === leftOpen
      const values = calls.map(({ text }) => read(text, reason))
      const sound =
        (reason === 'natural' || reason === null) &&
        calls.every(
          ({ tool }, index) => !isOpen(index) && values[index]?.ok === true && mayRun(tool, values[index].value),
        )
      expect(dispatchable.map(({ args }) => args)).toEqual(sound ? values.map((value) => value.ok && value.value) : [])
      for (const index of calls.keys()) {
        const taken = store.dispatched({ callId: `call-${index}` })
        expect(taken).toBe(sound)
        if (taken) passed++
        else held++
        expect(store.dispatched({ callId: `call-${index}` })).toBe(false)
      }
    }),
    runs(2_000),
  )
  // The control: the gate opens, and it closes.
  expect(passed).toBeGreaterThan(500)
  expect(held).toBeGreaterThan(500)
})

const note = '{"a":"yes","b":2}'
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.nat(note.length).map((end) => ({ fragment: note.slice(0, end) })) },
  { weight: 1, arbitrary: fc.constantFrom(note, 'yes","b":2}', '{}').map((fragment) => ({ fragment })) },
  { weight: 3, arbitrary: fc.constantFrom(note, note.slice(0, 9), '{}', '{"a":"no"}').map((text) => ({ text })) },
  { weight: 3, arbitrary: fc.constantFrom<Json>(JSON.parse(note), {}, { b: 2, a: 'yes' }).map((value) => ({ value })) },
)

test('no snapshot launders what came before it', () => {
  let passed = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), fc.boolean(), (pieces, goesOn) => {
      const tools: Tools = { note: { executor: 'local' } }
      const store = createToolCallStore({ tools, clock: createFakeClock(), frame: () => () => {} })
      const stream = store.openStream()
      stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'note' })
      let text = ''
      const given: Json[] = []
      let goesTogether = true
      for (const piece of pieces) {
        if ('fragment' in piece) {
          // As providers do: the next fragment goes on where the last one ended.
          const fragment = goesOn ? note.slice(text.length) : piece.fragment
          text += fragment
          stream.push({ type: 'call-fragment', key: 'key', text: fragment })
        } else if ('text' in piece) {
          goesTogether &&= piece.text.startsWith(text)
          text = piece.text
          stream.push({ type: 'call-snapshot', key: 'key', text: piece.text })
        } else {
          given.push(piece.value)
          stream.push({ type: 'call-snapshot', key: 'key', value: piece.value })
        }
      }
      stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
      const taken = store.dispatched({ callId: 'call' })
      if (!taken) return
      passed++
      expect(goesTogether).toBe(true)
      if (text !== '') JSON.parse(text)
      for (const value of given) expect(value).toEqual(given[0])
    }),
    runs(2_000),
  )
  expect(passed).toBeGreaterThan(200)
})

/** What the text is, by the rules: an empty one stands for no arguments only where a natural end was stated. */
function read(
  text: string,
  reason: StopReason | null,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (text.trim() === '') return reason === 'natural' ? { ok: true, value: {} } : { ok: false }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = []
  let rest = text
  for (const length of lengths) {
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
