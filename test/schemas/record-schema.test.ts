import { describe, expect, test } from 'vitest'
import { english } from '../../src/core/labels.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { recordOf } from '../../src/record/call-record.ts'
import { type CallRecord, type CallRecorder, createRecorder } from '../../src/record/index.ts'
import schema from '../../src/schemas/record.schema.json' with { type: 'json' }
import { createPlayer, type Player, REPLAY_ENDINGS } from '../../src/testing/index.ts'
import { settledCall } from '../record/settled-call.ts'
import { CASES } from '../testing/corpus-cases.ts'

const validator = jsonSchema(schema)['~standard']

function issuesOf(value: unknown): readonly unknown[] {
  const result = validator.validate(value)
  if (result instanceof Promise) throw new Error('The validator is synchronous.')
  return result.issues ?? []
}

test('it names every member of a record, and the causes that the kit has', () => {
  const record = recordOf(settledCall(), undefined)
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(record).sort())
  expect([...schema.required].sort()).toEqual(Object.keys(record).sort())
  const causes = schema.oneOf.map(({ properties: { ran, cause } }) => [ran.const, [...cause.enum].sort()])
  expect(Object.fromEntries(causes)).toEqual({
    no: Object.keys(english.no).sort(),
    unknown: Object.keys(english.unknown).sort(),
    yes: Object.keys(english.yes).sort(),
  })
})

test('what is no record is none', () => {
  const record = recordOf(settledCall(), undefined)
  expect(issuesOf(record)).toEqual([])
  for (const wrong of [
    { raw: '{"title":"March' },
    { cause: 'lost' },
    { ran: 'yes' },
    { digest: 'e3b0' },
    { bytes: -1 },
    { stopReason: { normalised: 'stop', raw: null } },
    { expiresAt: 'next week' },
  ])
    expect([wrong, issuesOf({ ...record, ...wrong }).length > 0]).toEqual([wrong, true])
})

describe('a whole fault run', () => {
  const plays: Play[] = []
  const small = CASES.filter(({ bytes }) => bytes.length < 20_000)
  const records = small.flatMap((corpusCase) =>
    REPLAY_ENDINGS.flatMap((ending) =>
      [0.3, 0.6, 0.9, 1].flatMap((share) => {
        const { adapter, tools, bytes } = corpusCase
        const written: CallRecord[] = []
        const recorder = createRecorder({ onRecord: (record) => written.push(record) })
        const player = createPlayer({ adapter, tools, record: recorder })
        player.feed(bytes.subarray(0, Math.floor(bytes.length * share)))
        player.end(ending)
        plays.push({ settled: settledKeys(player), recorded: written.map(keyOf), counted: countOf(recorder) })
        return written
      }),
    ),
  )

  test('gives records that the schema accepts', () => {
    expect(records.length).toBeGreaterThan(1000)
    expect(records.filter((record) => issuesOf(record).length > 0)).toEqual([])
  })

  test('one for each call that has settled, also over a reload', () => {
    const ids = plays.flatMap(({ recorded }) => recorded)
    expect(ids).toHaveLength(records.length)
    for (const { settled, recorded, counted } of plays) {
      expect([...recorded].sort()).toEqual([...settled].sort())
      expect(counted).toBe(recorded.length)
    }
  })

  test('of every outcome that a break can have', () => {
    expect([...new Set(records.map(({ outcome }) => outcome))].sort()).toEqual([
      'abandoned',
      'cancelled',
      'completed',
      'dispatchable',
      'failed',
      'schema-error',
      'truncated',
      'unknown',
      'unparseable',
    ])
  })

  test('that are JSON, unchanged by being written and read', () => {
    for (const record of records) expect(JSON.parse(JSON.stringify(record))).toEqual(record)
  })
})

/** What one capture with one ending came to: each call by its turn and key. */
interface Play {
  /** The calls that a page would show as settled. */
  readonly settled: readonly string[]
  readonly recorded: readonly string[]
  readonly counted: number
}

function keyOf({ id }: CallRecord): string {
  return id
}

function countOf(recorder: CallRecorder): number {
  return recorder.counters().outcomes.reduce((sum, { count }) => sum + count, 0)
}

function settledKeys({ store, turnId }: Player): readonly string[] {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => {
    const view = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
    return view?.phase === 'settled' ? [`${turnId}/${view.key}`] : []
  })
}
