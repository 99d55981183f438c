import fc from 'fast-check'
import type { Ending, Speaker, StopReason, StreamEvent } from '../../src/core/events.ts'
import type { Json } from '../../src/core/json.ts'
import type { Report } from '../../src/core/report.ts'
import type { CallRef } from '../../src/store/refs.ts'

/** Stands in every piece of arguments and in every result: nothing that is shown may contain it. */
export const MARKER = 'zqx'

/** One thing that a stream, a host, a person or time may do to a store. */
export type Action =
  | {
      readonly do: 'open'
      readonly turnId: string
      readonly speaker: Speaker
      readonly liveness: 'bytes' | 'events'
      readonly corrects: boolean
    }
  | { readonly do: 'push'; readonly stream: number; readonly event: StreamEvent }
  | { readonly do: 'touch'; readonly stream: number }
  | {
      readonly do: 'end'
      readonly stream: number
      readonly ending: Ending | undefined
      readonly resumable: boolean
    }
  | { readonly do: 'settle'; readonly report: Report }
  | { readonly do: 'dispatch'; readonly call: CallRef }
  | {
      readonly do: 'answer'
      readonly call: CallRef
      readonly granted: boolean
      readonly by: 'person' | 'policy' | 'expiry'
    }
  | { readonly do: 'give-up'; readonly turnId: string }
  | { readonly do: 'cancel'; readonly turnId: string; readonly by: 'user' | 'host' }
  | { readonly do: 'advance'; readonly by: number }
  | { readonly do: 'sleep'; readonly by: number }
  | { readonly do: 'reload' }

const turnId = fc.constantFrom('turn-0', 'turn-1')
const stream = fc.constantFrom(0, 0, 0, 1)
// Few and unevenly used, so that things happen to the same call.
const key = fc.constantFrom('key-0', 'key-0', 'key-1', 'key-1', 'key-2', 'key-3', 'key-4', 'key-5')
const callId = fc.constantFrom('call-0', 'call-0', 'call-1', 'call-1', 'call-2', 'call-3', 'call-4', 'call-5')
const wireId = fc.option(fc.constantFrom('call-0', 'call-1', 'call-2', 'kit-call-1', ''), { nil: undefined })
const name = fc.option(
  fc.constantFrom('local', 'checked', 'strict', 'asked', 'slow', 'hosted', 'served', 'undeclared', 'constructor', ''),
  { nil: undefined },
)
const message = fc.option(fc.constantFrom('message-0', 'message-1'), { nil: undefined, freq: 3 })
const messageId = fc.option(fc.constantFrom('id-0', 'id-1'), { nil: undefined })
const speaker = fc.constantFrom<Speaker>('executor', 'model', 'relay', 'nobody')
const liveness = fc.constantFrom<'bytes' | 'events'>('bytes', 'events')
const reason = fc.constantFrom<StopReason | null>(
  'natural',
  null,
  'length',
  'filter',
  'malformed',
  'error',
  'paused',
  'cancelled',
  'unknown',
)
const whole = `{"${MARKER}-note":"${MARKER}","${MARKER}-n":1204}`
const text = fc.oneof(
  fc.constantFrom(whole, '{}', '', ' ', `"${MARKER}"`, `{"${MARKER}`, `${MARKER}"}`, '[', 'null', `{"a":"${MARKER}",`),
  fc.nat(whole.length).map((end) => whole.slice(0, end)),
  fc.nat(whole.length).map((start) => whole.slice(start)),
)
const value = fc.constantFrom<Json>({}, { a: MARKER }, { a: MARKER, b: [1] }, MARKER, null, [MARKER])
const path = fc.array(fc.constantFrom<string | number>('a', 'b', '__proto__', 0), { maxLength: 3 })
const by = fc.constantFrom<'person' | 'policy' | 'expiry'>('person', 'policy', 'expiry')

const endings: fc.Arbitrary<Ending> = fc.oneof(
  fc.record({ type: fc.constant('complete' as const), speaker }),
  fc.record({
    type: fc.constant('cancelled' as const),
    by: fc.constantFrom<'user' | 'host'>('user', 'host'),
    acknowledged: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('lost' as const),
    how: fc.constantFrom<'connection-lost' | 'idle' | 'ended-early' | 'provider-error' | 'reloaded'>(
      'connection-lost',
      'idle',
      'ended-early',
      'provider-error',
      'reloaded',
    ),
    speaker,
  }),
)

const reports: fc.Arbitrary<Report> = fc.record(
  {
    turnId,
    messageId: fc.constantFrom('id-0', 'id-1'),
    callId: fc.option(callId, { freq: 8 }),
    name: fc.constantFrom('local', 'served', 'hosted'),
    outcome: fc.constantFrom('dispatchable', 'abandoned', 'truncated', 'unparseable', 'schema-error'),
    ran: fc.constantFrom('no', 'unknown', 'yes'),
    cause: fc.constantFrom('truncated', 'timed-out', 'declined', 'of-another-kit'),
    ok: fc.boolean(),
  },
  { requiredKeys: ['callId', 'name', 'ran'] },
)

/** Leaves out the members that are undefined, as an adapter does. */
function present<Value extends object>(given: Value): StreamEvent {
  return Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined)) as StreamEvent
}

const eventsByType = {
  'message-started': fc.record({ type: fc.constant('message-started'), messageId, message }),
  'text-fragment': fc.record({ type: fc.constant('text-fragment'), text: fc.constantFrom('', 'prose'), message }),
  'call-announced': fc.record({
    type: fc.constant('call-announced'),
    key,
    callId: wireId,
    name,
    executor: fc.option(fc.constant('provider'), { nil: undefined, freq: 5 }),
    encoding: fc.option(fc.constant('text'), { nil: undefined, freq: 8 }),
    message,
  }),
  'call-identified': fc.record({ type: fc.constant('call-identified'), key, callId: wireId, name }),
  'call-fragment': fc.record({ type: fc.constant('call-fragment'), key, text }),
  'call-snapshot': fc.oneof(
    fc.record({ type: fc.constant('call-snapshot'), key, text }),
    fc.record({ type: fc.constant('call-snapshot'), key, value }),
  ),
  'call-leaf': fc.record({ type: fc.constant('call-leaf'), key, path, value, continues: fc.boolean() }),
  'call-finished': fc.record({
    type: fc.constant('call-finished'),
    key,
    status: fc.option(fc.constantFrom('complete', 'incomplete', 'rejected'), { nil: undefined, freq: 2 }),
  }),
  'approval-requested': fc.record({
    type: fc.constant('approval-requested'),
    key,
    approvalId: fc.constantFrom('approval-0', 'approval-1', undefined),
  }),
  'approval-answered': fc.record({
    type: fc.constant('approval-answered'),
    key: fc.option(key, { nil: undefined }),
    approvalId: fc.constantFrom('approval-0', 'approval-1', undefined),
    granted: fc.boolean(),
    by,
  }),
  'call-dispatched': fc.record({ type: fc.constant('call-dispatched'), key }),
  'call-progress': fc.record({ type: fc.constant('call-progress'), key, value }),
  'call-returned': fc.record({
    type: fc.constant('call-returned'),
    key: fc.option(key, { nil: undefined }),
    callId: wireId,
    ok: fc.boolean(),
    value,
  }),
  'outcome-reported': fc.record({ type: fc.constant('outcome-reported'), report: reports }),
  'call-withdrawn': fc.record({ type: fc.constant('call-withdrawn'), key }),
  'message-ended': fc.record({
    type: fc.constant('message-ended'),
    reason,
    rawReason: fc.constantFrom('refusal', undefined),
    finishesOpenCalls: fc.boolean(),
    message,
  }),
  'stream-ended': fc.record({ type: fc.constant('stream-ended'), ending: endings }),
} satisfies Record<StreamEvent['type'], fc.Arbitrary<object>>

/** Any event, in any order; the end of a stream is rare enough for something to happen before it. */
const events: fc.Arbitrary<StreamEvent> = fc
  .oneof(
    ...Object.entries(eventsByType).map(([type, arbitrary]) => ({
      weight: type === 'stream-ended' ? 1 : type === 'call-announced' || type === 'call-fragment' ? 5 : 3,
      arbitrary: arbitrary as fc.Arbitrary<object>,
    })),
  )
  .map(present)

const push = (event: StreamEvent): Action => ({ do: 'push', stream: 0, event })

/** A call as a provider sends it when all goes well, or its beginning: most rules come into play only behind one. */
const orderly: fc.Arbitrary<readonly Action[]> = fc
  .record({
    number: fc.nat(5),
    name: fc.constantFrom(
      ...(['local', 'local', 'checked', 'strict', 'strict', 'asked', 'slow', 'hosted', 'served', 'served'] as const),
      'undeclared',
    ),
    text: fc.oneof(
      { weight: 2, arbitrary: fc.constant(whole) },
      { weight: 1, arbitrary: fc.constantFrom('', whole.slice(0, 9)) },
    ),
    reason: fc.constantFrom<StopReason | null>('natural', 'natural', 'natural', null, 'length', 'filter', 'error'),
    finishes: fc.boolean(),
    asks: fc.boolean(),
    runs: fc.boolean(),
    steps: fc.oneof({ weight: 2, arbitrary: fc.constant(7) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 6 }) }),
  })
  .map(({ number, name, text, reason, finishes, asks, runs, steps }) => {
    const key = `key-${number}`
    const callId = `call-${number}`
    return [
      push({ type: 'message-started' }),
      push({ type: 'call-announced', key, callId, name }),
      push({ type: 'call-fragment', key, text }),
      ...(finishes ? [push({ type: 'call-finished', key })] : []),
      ...(asks && !runs ? [push({ type: 'approval-requested', key })] : []),
      push({ type: 'message-ended', reason, finishesOpenCalls: !finishes }),
      ...(runs ? [{ do: 'dispatch', call: { turnId: 'turn-0', callId } } as const] : []),
    ].slice(0, steps)
  })

const reference: fc.Arbitrary<CallRef> = fc.record({ turnId, callId })

const one: fc.Arbitrary<Action> = fc.oneof(
  { weight: 50, arbitrary: fc.record({ do: fc.constant('push' as const), stream, event: events }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('open' as const), turnId, speaker, liveness, corrects: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('touch' as const), stream }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      stream,
      ending: fc.option(endings, { nil: undefined }),
      resumable: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), report: reports }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('dispatch' as const), call: reference }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('answer' as const), call: reference, granted: fc.boolean(), by }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('give-up' as const), turnId }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      turnId,
      by: fc.constantFrom<'user' | 'host'>('user', 'host'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom(1, 3_000, 11_000, 400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), by: fc.constantFrom(5_000, 400_000) }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'reload' }) },
)

/** A batch that fails its schema, and the message that corrects it, or does not. */
const corrected: fc.Arbitrary<readonly Action[]> = fc
  .record({
    numbers: fc.uniqueArray(fc.nat(5), { minLength: 2, maxLength: 3 }),
    name: fc.constantFrom('strict', 'strict', 'local'),
    text: fc.constantFrom('{}', `{"a":"${MARKER}"}`, whole, `{"a":"${MARKER}`),
    corrects: fc.boolean(),
    ends: fc.boolean(),
    runs: fc.boolean(),
  })
  .map(({ numbers: [first = 0, second = 1], name, text, corrects, ends, runs }) => {
    const message = (number: number, name: string, text: string): readonly Action[] => [
      push({ type: 'message-started' }),
      push({ type: 'call-announced', key: `key-${number}`, callId: `call-${number}`, name }),
      push({ type: 'call-fragment', key: `key-${number}`, text }),
      push({ type: 'call-finished', key: `key-${number}` }),
      push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false }),
    ]
    const open: Action = { do: 'open', turnId: 'turn-0', speaker: 'model', liveness: 'bytes', corrects }
    const end: Action = { do: 'end', stream: 0, ending: { type: 'complete', speaker: 'model' }, resumable: false }
    const call = { turnId: 'turn-0', callId: `call-${second}` }
    return [
      { ...open, corrects: true },
      ...message(first, 'strict', whole),
      ...(ends ? [end, open] : []),
      ...message(second, name, text),
      ...(runs ? [{ do: 'dispatch', call } as const] : []),
    ]
  })

/** A history of a store: orderly calls and any nonsense between, before and after. */
export const histories: fc.Arbitrary<readonly Action[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: one.map((action) => [action]) },
      { weight: 4, arbitrary: orderly },
      { weight: 1, arbitrary: corrected },
    ),
    { minLength: 3, maxLength: 25, size: 'max' },
  )
  .map((parts) => [
    { do: 'open', turnId: 'turn-0', speaker: 'nobody', liveness: 'bytes', corrects: true },
    ...parts.flat(),
  ])
