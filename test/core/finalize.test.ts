import type { StandardSchemaV1 } from '@standard-schema/spec'
import { parse as parseTolerantly } from 'partial-json'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'
import type { StopReason } from '../../src/core/events.ts'
import { type FinalizableCall, failed, finalize, isWhole } from '../../src/core/finalize.ts'
import type { Json } from '../../src/core/json.ts'
import type { MessageEnd } from '../../src/core/message-end.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'

const NATURAL: MessageEnd = { reason: 'natural', finishesOpenCalls: false }
const UNSTATED: MessageEnd = { reason: null, finishesOpenCalls: false }

/** A call of create_ticket that its wire finished over this text. */
function callOver(text: string, different: Partial<FinalizableCall> = {}): FinalizableCall {
  const buffer = new ArgumentBuffer()
  buffer.append(text)
  return { id: 'c1', name: 'create_ticket', encoding: 'json', buffer, finished: 'complete', ...different }
}

describe('a ticket whose description ran into the length limit, under a completion event', () => {
  // Cut in the sentence that says what happened: the string and the object are still open.
  const CUT =
    '{"project":"WAREHOUSE","title":"Stock count differs by 312 units","priority":"normal","description":"Aisle 7 was counted twice on Tuesday. The second count is wrong because the scanner'

  const schema = z.object({
    project: z.string(),
    title: z.string(),
    priority: z.enum(['low', 'normal', 'urgent']),
    description: z.string().min(10),
  })
  const tool: ToolDeclaration = { executor: 'local', schema }

  test('the control: a tolerant parser makes of it a ticket that satisfies the schema', () => {
    const repaired: unknown = parseTolerantly(CUT)
    expect(schema.safeParse(repaired).success).toBe(true)
    expect(repaired).toMatchObject({ description: expect.stringMatching(/because the scanner$/) })
  })

  test('after a length stop it is truncated', () => {
    expect(finalize(callOver(CUT), { reason: 'length', finishesOpenCalls: false }, tool)).toEqual({
      type: 'failed',
      callId: 'c1',
      name: 'create_ticket',
      reason: 'truncated',
      cause: 'truncated',
      detail: 'max-tokens',
      raw: CUT,
    })
  })

  test('after a natural stop it is unparseable', () => {
    expect(finalize(callOver(CUT), NATURAL, tool)).toEqual({
      type: 'failed',
      callId: 'c1',
      name: 'create_ticket',
      reason: 'unparseable',
      cause: 'unparseable',
      detail: 'not-json',
      raw: CUT,
    })
  })

  test('it is abandoned if its wire never finished it', () => {
    expect(finalize(callOver(CUT, { finished: null }), NATURAL, tool)).toMatchObject({
      type: 'failed',
      reason: 'abandoned',
      cause: 'ended-early',
      detail: 'incomplete-at-finish',
      raw: CUT,
    })
  })

  test('a length stop is believed even where the text happens to be a whole, valid document', () => {
    const whole = `${CUT} dropped."}`
    expect(finalize(callOver(whole), { reason: 'length', finishesOpenCalls: false }, tool)).toMatchObject({
      type: 'failed',
      reason: 'truncated',
      cause: 'truncated',
    })
    expect(finalize(callOver(whole), NATURAL, tool)).toMatchObject({ type: 'dispatchable' })
  })

  test('no prefix of a whole document is dispatchable, under any validator', () => {
    const whole = `${CUT} dropped."}`
    for (let length = 0; length < whole.length; length++) {
      expect(finalize(callOver(whole.slice(0, length)), UNSTATED, tool)).toMatchObject({ type: 'failed' })
    }
  })
})

describe('the stop reason of the message is read before the completion of the call', () => {
  const rows = {
    natural: { type: 'dispatchable' },
    length: { type: 'failed', reason: 'truncated', cause: 'truncated', detail: 'max-tokens' },
    filter: { type: 'failed', reason: 'truncated', cause: 'filtered', detail: 'content-filter' },
    malformed: { type: 'failed', reason: 'unparseable', cause: 'unparseable', detail: 'malformed' },
    error: { type: 'failed', reason: 'abandoned', cause: 'provider-error', detail: 'stop-reason' },
    paused: { type: 'failed', reason: 'abandoned', cause: 'unrecognised', detail: 'paused' },
    cancelled: { type: 'failed', reason: 'abandoned', cause: 'cancelled', detail: 'stop-reason' },
    unknown: { type: 'failed', reason: 'abandoned', cause: 'unrecognised', detail: 'stop-reason' },
  } as const satisfies Record<StopReason, object>

  for (const [reason, outcome] of Object.entries(rows)) {
    test(`${reason}, over a whole document`, () => {
      const end: MessageEnd = { reason: reason as StopReason, finishesOpenCalls: true }
      expect(finalize(callOver('{"title":"Invoice run"}'), end)).toMatchObject(outcome)
    })
  }

  test('a context window and a refusal are told from other cuts, for the record', () => {
    const window: MessageEnd = {
      reason: 'length',
      rawReason: 'model_context_window_exceeded',
      finishesOpenCalls: false,
    }
    const refusal: MessageEnd = { reason: 'filter', rawReason: 'refusal', finishesOpenCalls: false }
    expect(finalize(callOver('{}'), window)).toMatchObject({ cause: 'truncated', detail: 'context-window' })
    expect(finalize(callOver('{}'), refusal)).toMatchObject({ cause: 'filtered', detail: 'refusal' })
  })

  test("the wire's own end marker without a reason is natural for a buffer that is not empty", () => {
    expect(finalize(callOver('{"title":"x"}'), UNSTATED)).toMatchObject({
      type: 'dispatchable',
      args: { title: 'x' },
    })
  })

  test('where a wire completes no calls, the natural end of the message does', () => {
    const open = callOver('{"title":"x"}', { finished: null })
    expect(finalize(open, { reason: 'natural', finishesOpenCalls: true })).toMatchObject({ type: 'dispatchable' })
    expect(finalize(open, { reason: 'natural', finishesOpenCalls: false })).toMatchObject({
      type: 'failed',
      reason: 'abandoned',
    })
  })

  test('what the wire says of the call itself comes next', () => {
    expect(finalize(callOver('{}', { finished: 'incomplete' }), NATURAL)).toMatchObject({
      reason: 'truncated',
      cause: 'truncated',
      detail: 'incomplete-item',
    })
    expect(finalize(callOver('{}', { finished: 'rejected' }), NATURAL)).toMatchObject({
      reason: 'abandoned',
      cause: 'invalid-arguments',
      detail: 'rejected',
    })
  })

  test('a call without a name is nobody’s to run', () => {
    expect(finalize(callOver('{}', { name: null }), NATURAL)).toMatchObject({
      type: 'failed',
      name: null,
      reason: 'abandoned',
      cause: 'unrecognised',
      detail: 'nameless',
    })
  })
})

describe('an empty buffer of a finished call', () => {
  const takesNothing: ToolDeclaration = {
    executor: 'local',
    ...fromJsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
  }
  const takesTitle: ToolDeclaration = {
    executor: 'local',
    ...fromJsonSchema({ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }),
  }

  test('is {} after a stated natural stop', () => {
    expect(finalize(callOver(''), NATURAL)).toMatchObject({ type: 'dispatchable', args: {} })
    expect(finalize(callOver(' \n'), NATURAL)).toMatchObject({ type: 'dispatchable', args: {} })
  })

  test('is then validated like any other', () => {
    expect(finalize(callOver(''), NATURAL, takesTitle)).toMatchObject({
      type: 'schema-error',
      args: {},
      detail: 'missing-required',
    })
  })

  test('is abandoned after an end marker without a reason', () => {
    expect(finalize(callOver(''), UNSTATED)).toMatchObject({
      type: 'failed',
      reason: 'abandoned',
      cause: 'ended-early',
      detail: 'empty-arguments',
    })
  })

  test('is {} all the same where the tool can take nothing', () => {
    expect(finalize(callOver(''), UNSTATED, takesNothing)).toMatchObject({ type: 'dispatchable', args: {} })
    expect(finalize(callOver(''), UNSTATED, { executor: 'local', noArguments: true })).toMatchObject({
      type: 'dispatchable',
      args: {},
    })
  })

  test('is {} where the wire gave it as a whole value', () => {
    const call = callOver('')
    call.buffer.replaceValue({})
    expect(finalize(call, UNSTATED)).toMatchObject({ type: 'dispatchable', args: {} })
  })

  test('never stands in for text that failed to parse, not even for a tool that takes nothing', () => {
    for (const text of ['{', '}', 'null', '\u00a0', '\ufeff', '""']) {
      expect(finalize(callOver(text), NATURAL, takesNothing)).not.toMatchObject({ type: 'dispatchable' })
    }
  })

  test('is nothing where the call was never finished', () => {
    expect(finalize(callOver('', { finished: null }), NATURAL, takesNothing)).toMatchObject({
      reason: 'abandoned',
      detail: 'incomplete-at-finish',
    })
  })
})

describe('a snapshot does not launder fragments', () => {
  const fragmentsThenValue = (text: string, value: Json): FinalizableCall => {
    const call = callOver(text)
    call.buffer.replaceValue(value)
    return call
  }
  const fragmentsThenText = (text: string, snapshot: string): FinalizableCall => {
    const call = callOver(text)
    call.buffer.replaceText(snapshot)
    return call
  }

  test('a whole value after fragments that are one document is believed', () => {
    expect(finalize(fragmentsThenValue('{"title":"x"}', { title: 'x' }), NATURAL)).toMatchObject({
      type: 'dispatchable',
      args: { title: 'x' },
    })
  })

  test('a whole value after fragments that are none is not', () => {
    expect(finalize(fragmentsThenValue('{"title":"x', {}), NATURAL)).toEqual({
      type: 'failed',
      callId: 'c1',
      name: 'create_ticket',
      reason: 'unparseable',
      cause: 'unparseable',
      detail: 'not-json',
      raw: '{"title":"x',
    })
  })

  test('a whole value alone is believed', () => {
    expect(finalize(fragmentsThenValue('', { title: 'x' }), NATURAL)).toMatchObject({ args: { title: 'x' } })
  })

  test('a snapshot text that goes on from the fragments is believed', () => {
    expect(finalize(fragmentsThenText('{"title":', '{"title":"x"}'), NATURAL)).toMatchObject({ args: { title: 'x' } })
  })

  test('a snapshot text that does not is not, and the fragments are kept', () => {
    for (const snapshot of ['{}', '{"title"', '{"other":"x"}', '']) {
      expect(finalize(fragmentsThenText('{"title":', snapshot), NATURAL)).toMatchObject({
        type: 'failed',
        reason: 'unparseable',
        detail: 'snapshot-differs',
        raw: '{"title":',
      })
    }
  })

  test('two values that differ are both not believed; the order of members is no difference', () => {
    const differing = fragmentsThenValue('', { title: 'x', urgent: true })
    differing.buffer.replaceValue({ title: 'x' })
    expect(finalize(differing, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'snapshot-differs' })

    const same = fragmentsThenValue('', { title: 'x', urgent: true })
    same.buffer.replaceValue({ urgent: true, title: 'x' })
    expect(finalize(same, NATURAL)).toMatchObject({ type: 'dispatchable' })
  })

  test('fragments after a whole value must be one document themselves', () => {
    const call = fragmentsThenValue('', { title: 'x' })
    call.buffer.append('{"title":')
    expect(finalize(call, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'not-json' })
  })

  test('leaves make a whole value, unless the last of them was to go on', () => {
    const call = callOver('')
    call.buffer.setLeaf(['title'], 'Stock ', true)
    expect(finalize(call, NATURAL)).toMatchObject({ type: 'failed', reason: 'unparseable', detail: 'not-json' })
    call.buffer.setLeaf(['title'], 'count', false)
    expect(finalize(call, NATURAL)).toMatchObject({ type: 'dispatchable', args: { title: 'Stock count' } })
  })
})

describe('valid JSON that is no object', () => {
  for (const text of ['null', '5', 'true', '"text"', '"{\\"title\\":\\"x\\"}"', '[]', '[{"title":"x"}]']) {
    test(`${text} is a schema error, with or without a schema`, () => {
      const outcome = {
        type: 'schema-error',
        callId: 'c1',
        name: 'create_ticket',
        args: JSON.parse(text),
        issues: [{ message: 'Arguments must be an object.' }],
        detail: 'wrong-type',
        raw: text,
      }
      expect(finalize(callOver(text), NATURAL)).toEqual(outcome)
      expect(finalize(callOver(text), NATURAL, { executor: 'local', schema: z.any() })).toEqual(outcome)
    })
  }
})

describe('text that is not exactly one JSON document', () => {
  const texts = {
    'two documents': '{}{}',
    'a trailing comma': '{"title":"x",}',
    'a comment': '{} // done',
    'single quotes': "{'title':'x'}",
    'a code fence': '```json\n{}\n```',
    'a raw line feed in a string': '{"title":"a\nb"}',
    'a byte order mark': '\ufeff{}',
    NaN: '{"amount":NaN}',
    'a leading zero': '{"amount":007}',
  }
  for (const [what, text] of Object.entries(texts)) {
    test(`${what} is unparseable`, () => {
      expect(finalize(callOver(text), NATURAL)).toMatchObject({
        type: 'failed',
        reason: 'unparseable',
        detail: 'not-json',
        raw: text,
      })
    })
  }
})

describe('depth', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  test('1,000 levels are dispatchable', () => {
    expect(finalize(callOver(nested(1000)), NATURAL)).toMatchObject({ type: 'dispatchable' })
  })

  for (const levels of [1001, 5000, 200_000]) {
    test(`${levels} levels are unparseable`, () => {
      expect(finalize(callOver(nested(levels)), NATURAL)).toMatchObject({
        type: 'failed',
        reason: 'unparseable',
        detail: 'too-deep',
      })
    })

    test(`${levels} levels given as a whole value are too, and nothing overflows`, () => {
      const call = callOver('')
      call.buffer.replaceValue(JSON.parse(nested(levels)))
      expect(finalize(call, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'too-deep' })
      call.buffer.replaceValue(JSON.parse(nested(levels)))
      expect(finalize(call, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'too-deep' })
    })
  }
})

describe('the key __proto__', () => {
  const text = '{"__proto__":{"polluted":true},"title":"x"}'

  test('is a member like any other, and pollutes nothing', () => {
    const outcome = finalize(callOver(text), NATURAL)
    if (!('type' in outcome) || outcome.type !== 'dispatchable') throw new Error('not dispatchable')
    expect(Object.keys(outcome.args)).toEqual(['__proto__', 'title'])
    expect(Object.getPrototypeOf(outcome.args)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  test('is an extra member to a schema that does not know it', () => {
    const { schema } = fromJsonSchema({
      type: 'object',
      properties: { title: { type: 'string' } },
      additionalProperties: false,
    })
    expect(finalize(callOver(text), NATURAL, { executor: 'local', schema })).toMatchObject({ type: 'schema-error' })
  })

  test('is a member like any other in leaves', () => {
    const call = callOver('')
    call.buffer.setLeaf(['__proto__', 'polluted'], true, false)
    const outcome = finalize(call, NATURAL)
    if (!('type' in outcome) || outcome.type !== 'dispatchable') throw new Error('not dispatchable')
    expect(Object.keys(outcome.args)).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a free-text tool', () => {
  const text = { encoding: 'text', name: 'run_sql' } as const

  test('gets its text as it is: nothing is parsed', () => {
    expect(finalize(callOver('SELECT {1', text), NATURAL)).toEqual({
      type: 'dispatchable',
      callId: 'c1',
      name: 'run_sql',
      args: 'SELECT {1',
    })
  })

  test('gets an empty text for an empty buffer', () => {
    expect(finalize(callOver('', text), NATURAL)).toMatchObject({ args: '' })
    expect(finalize(callOver('', text), UNSTATED)).toMatchObject({ args: '' })
  })

  test('is cut by a length stop like any other', () => {
    expect(finalize(callOver('SELECT', text), { reason: 'length', finishesOpenCalls: false })).toMatchObject({
      reason: 'truncated',
    })
  })

  test('takes a snapshot that goes on from its fragments, and no other', () => {
    const goesOn = callOver('SELECT', text)
    goesOn.buffer.replaceText('SELECT 1')
    expect(finalize(goesOn, NATURAL)).toMatchObject({ args: 'SELECT 1' })

    const differs = callOver('SELECT', text)
    differs.buffer.replaceText('DELETE')
    expect(finalize(differs, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'snapshot-differs' })
  })

  test('takes a whole value that is a text, by the same rule, and no other', () => {
    const whole = callOver('SELECT', text)
    whole.buffer.replaceValue('SELECT 1')
    expect(finalize(whole, NATURAL)).toMatchObject({ args: 'SELECT 1' })

    for (const value of ['DELETE', { sql: 'SELECT 1' }, null] satisfies Json[]) {
      const call = callOver('SELECT', text)
      call.buffer.replaceValue(value)
      expect(finalize(call, NATURAL)).toMatchObject({ reason: 'unparseable', detail: 'snapshot-differs' })
    }
  })

  test('is judged by its schema if it has one', () => {
    const tool: ToolDeclaration = { executor: 'local', schema: z.string().max(10) }
    expect(finalize(callOver('SELECT 1', text), NATURAL, tool)).toMatchObject({ args: 'SELECT 1' })
    expect(finalize(callOver('SELECT * FROM invoices', text), NATURAL, tool)).toMatchObject({
      type: 'schema-error',
      args: 'SELECT * FROM invoices',
    })
  })
})

describe('every kind of validator', () => {
  const byHand: StandardSchemaV1<unknown, unknown> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string'
          ? { value }
          : { issues: [{ message: 'a title is missing', path: ['title'] }] },
    },
  }
  const validators: Record<string, StandardSchemaV1<unknown, unknown>> = {
    Zod: z.object({ title: z.string() }),
    'JSON Schema': fromJsonSchema({
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
    }).schema,
    'one made by hand': byHand,
  }

  for (const [name, schema] of Object.entries(validators)) {
    const tool: ToolDeclaration = { executor: 'local', schema }

    test(`${name}: what fits is dispatchable`, () => {
      expect(finalize(callOver('{"title":"x"}'), NATURAL, tool)).toEqual({
        type: 'dispatchable',
        callId: 'c1',
        name: 'create_ticket',
        args: { title: 'x' },
      })
    })

    test(`${name}: what lacks a member is a schema error, with what to say to the model`, () => {
      expect(finalize(callOver('{}'), NATURAL, tool)).toEqual({
        type: 'schema-error',
        callId: 'c1',
        name: 'create_ticket',
        args: {},
        issues: [expect.objectContaining({ message: expect.any(String) })],
        detail: 'missing-required',
        raw: '{}',
      })
    })
  }

  test('what the validator made of the arguments is what the tool gets', () => {
    const schema = z.object({
      title: z.string().trim(),
      priority: z.enum(['low', 'normal']).default('normal'),
      due: z.string().transform((day) => new Date(`${day}T00:00:00Z`)),
    })
    expect(
      finalize(callOver('{"title":"  x ","due":"2025-03-14","extra":1}'), NATURAL, { executor: 'local', schema }),
    ).toMatchObject({
      type: 'dispatchable',
      args: { title: 'x', priority: 'normal', due: new Date('2025-03-14T00:00:00Z') },
    })
  })

  test('an asynchronous one is waited for', async () => {
    const schema = z.object({ title: z.string().refine(async (title) => title !== 'taken') })
    const fits = finalize(callOver('{"title":"free"}'), NATURAL, { executor: 'local', schema })
    expect(fits).toBeInstanceOf(Promise)
    expect(await fits).toMatchObject({ type: 'dispatchable' })
    expect(await finalize(callOver('{"title":"taken"}'), NATURAL, { executor: 'local', schema })).toMatchObject({
      type: 'schema-error',
    })
  })

  const failing: Record<string, StandardSchemaV1['~standard']['validate']> = {
    throws: () => {
      throw new Error('the registry is away')
    },
    rejects: () => Promise.reject(new Error('the registry is away')),
    'answers nothing': () => undefined as never,
    'promises nothing': () => Promise.resolve(undefined as never),
  }
  for (const [how, validate] of Object.entries(failing)) {
    test(`one that ${how} is a schema error, and its own words are not kept`, async () => {
      const schema: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate } }
      expect(await finalize(callOver('{}'), NATURAL, { executor: 'local', schema })).toEqual({
        type: 'schema-error',
        callId: 'c1',
        name: 'create_ticket',
        args: {},
        issues: [{ message: 'The validator threw.' }],
        detail: 'other',
        raw: '{}',
      })
    })
  }
})

describe('whether what came is one whole document, so that somebody else may have acted on it', () => {
  const rows = [
    { text: '', whole: false },
    { text: ' ', whole: false },
    { text: '{"title":', whole: false },
    { text: '{"title":"x"}', whole: true },
    { text: '{"title":"x"}{', whole: false },
    { text: '5', whole: true },
  ]
  for (const { text, whole } of rows) {
    test(`${JSON.stringify(text)}: ${whole}`, () => {
      expect(isWhole(callOver(text, { finished: null }))).toBe(whole)
    })
  }

  test('a value is, a value whose last leaf was to go on is not', () => {
    const call = callOver('', { finished: null })
    call.buffer.setLeaf(['title'], 'Stock', true)
    expect(isWhole(call)).toBe(false)
    call.buffer.setLeaf(['title'], ' count', false)
    expect(isWhole(call)).toBe(true)
  })

  test('of a free text nobody can tell', () => {
    expect(isWhole(callOver('{}', { encoding: 'text', finished: null }))).toBe(false)
  })
})

test('the raw text of a call that came as a value is that value as JSON', () => {
  const call = callOver('')
  call.buffer.replaceValue({ title: 'x' })
  expect(failed(call, 'abandoned', 'cancelled')).toEqual({
    type: 'failed',
    callId: 'c1',
    name: 'create_ticket',
    reason: 'abandoned',
    cause: 'cancelled',
    raw: '{"title":"x"}',
  })
})
