import fc from 'fast-check'
import type { StopReason } from '../../src/core/events.ts'

/** One call as the model writes it, and what then happens to it. */
export interface ScriptedCall {
  readonly key: string
  readonly callId: string
  readonly tool: {
    readonly name: string
    readonly does: 'returns' | 'throws' | 'hangs' | 'is uncertain'
    /** Milliseconds before it does so, whether anybody still waits for it or not. */
    readonly after: number
  }
  readonly text: string
  /** The wire never completes it. */
  readonly isLeftOpen: boolean
  readonly person: { readonly says: 'yes' | 'no' | 'nothing'; readonly after: number }
  readonly journal: 'keeps' | 'fails' | 'takes its time'
}

/** One answer of the model. */
export interface ScriptedRound {
  readonly opens: 'at once' | 'never' | 'refused' | 'lost'
  readonly text: string
  readonly calls: readonly ScriptedCall[]
  /** Milliseconds of silence in the middle of each call. */
  readonly pause: number
  readonly reason: StopReason | null
  readonly finishesOpenCalls: boolean
  readonly stops: 'in good order' | 'lost' | 'early' | 'silent' | 'lost behind its end' | 'silent behind its end'
}

/** Everything that happens to one turn. */
export interface Schedule {
  readonly rounds: readonly ScriptedRound[]
  readonly cancel: { readonly by: 'user' | 'host'; readonly after: number } | null
  readonly maxRequests: number
  readonly corrections: number
  readonly regenerate: number
  readonly onUncertain: 'stop' | 'answer'
}

function mostly<Value>(usual: Value, weight: number, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  )
}

const GOOD = '{"note":"a door is jammed","size":"small"}'
const text = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(GOOD, '{"note":"ok"}') },
  // Cut short: a tolerant parser would make valid arguments of most of these.
  { weight: 1, arbitrary: fc.nat(GOOD.length - 1).map((end) => GOOD.slice(0, end)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"note":"ok",}', '{note:"ok"}', '{"note":"ok"}}', '', 'null', '["ok"]', '"ok"'),
  },
  { weight: 4, arbitrary: fc.constantFrom('{"note":7}', '{}', '{"note":"ok","size":"P1"}', '{"note":"ok","more":1}') },
  { weight: 1, arbitrary: fc.constant('{"note":"forbidden"}') },
)

const call: fc.Arbitrary<Omit<ScriptedCall, 'key' | 'callId'>> = fc.record({
  tool: fc.record({
    name: fc.oneof(
      { weight: 24, arbitrary: fc.constantFrom('write', 'write', 'slow', 'asks', 'queried', 'hasty') },
      { weight: 1, arbitrary: fc.constantFrom('launch', 'constructor') },
    ),
    does: mostly<ScriptedCall['tool']['does']>('returns', 4, 'throws', 'hangs', 'is uncertain'),
    after: fc.constantFrom(0, 0, 100, 3_000, 400_000),
  }),
  text,
  isLeftOpen: mostly(false, 30, true),
  person: fc.record({
    says: fc.constantFrom<ScriptedCall['person']['says']>('yes', 'yes', 'no', 'nothing'),
    after: fc.constantFrom(0, 50, 20_000),
  }),
  journal: mostly<ScriptedCall['journal']>('keeps', 16, 'fails', 'takes its time'),
})

const round: fc.Arbitrary<ScriptedRound> = fc
  .record({
    opens: mostly<ScriptedRound['opens']>('at once', 20, 'never', 'refused', 'lost'),
    text: fc.constantFrom('', 'I will do it.', '\n'),
    calls: fc.oneof(fc.array(call, { minLength: 1, maxLength: 1 }), fc.array(call, { minLength: 1, maxLength: 3 })),
    pause: mostly(0, 5, 200, 40_000),
    reason: mostly<StopReason | null>(
      'natural',
      12,
      null,
      'length',
      'filter',
      'malformed',
      'error',
      'paused',
      'unknown',
    ),
    finishesOpenCalls: mostly(false, 5, true),
    stops: mostly<ScriptedRound['stops']>(
      'in good order',
      12,
      'lost',
      'early',
      'silent',
      'lost behind its end',
      'silent behind its end',
    ),
  })
  .map((round) => ({ ...round, calls: round.calls.map((call) => ({ ...call, key: '', callId: '' })) }))

/** Random schedules of faults. Keys and ids are unique in a turn. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
    cancel: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({
          by: fc.constantFrom<'user' | 'host'>('user', 'host'),
          after: fc.constantFrom(0, 60, 150, 600, 2_500, 30_000),
        }),
      },
    ),
    maxRequests: mostly(10, 5, 1, 2, 3),
    corrections: fc.constantFrom(2, 2, 1, 0),
    regenerate: fc.constantFrom(0, 0, 1, 2),
    onUncertain: fc.constantFrom<'stop' | 'answer'>('stop', 'answer'),
  })
  .map((schedule) => ({
    ...schedule,
    rounds: schedule.rounds.map((round, number) => ({
      ...round,
      calls: round.calls.map((call, place) => ({
        ...call,
        key: `key-${number}-${place}`,
        callId: `call-${number}-${place}`,
      })),
    })),
  }))

/** What the tools take, by other means than the gate's: the arguments, or undefined where they may not run with them. */
export function passes({ tool, text }: ScriptedCall): unknown {
  if (!['write', 'slow', 'asks', 'queried', 'hasty'].includes(tool.name)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { note, size, ...more } = value as Record<string, unknown>
  const fits = typeof note === 'string' && (size === undefined || size === 'small' || size === 'large')
  return fits && Object.keys(more).length === 0 && note !== 'forbidden' ? value : undefined
}

/** Whether every call of a message arrived whole, in a message that ended naturally. */
export function isSound({ calls, reason, finishesOpenCalls, stops, opens }: ScriptedRound): boolean {
  const ended = ['in good order', 'lost behind its end', 'silent behind its end'].includes(stops)
  const natural = reason === 'natural' || reason === null
  const closed = calls.every(({ isLeftOpen }) => !isLeftOpen || finishesOpenCalls)
  return opens === 'at once' && ended && natural && closed && calls.every((call) => passes(call) !== undefined)
}
