import { afterEach, describe, expect, test, vi } from 'vitest'
import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

function newStore() {
  return createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { create_ticket: { executor: 'local' } },
  })
}

const started: StreamEvent = { type: 'message-started' }
const announced = (key: string, name: string): StreamEvent => ({ type: 'call-announced', key, callId: key, name })
const fragment = (key: string, text: string): StreamEvent => ({ type: 'call-fragment', key, text })
const finished = (key: string): StreamEvent => ({ type: 'call-finished', key })
const naturalEnd: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }

function labelsIn(store: ToolCallStore, turnId: string): readonly string[] {
  store.flush()
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
}

describe('the end of a stream', () => {
  test('without news is complete if every message that started has ended, and early otherwise', () => {
    const store = newStore()
    const nothing = store.openStream()
    nothing.end()
    expect([nothing.whole, nothing.ending]).toEqual([false, { type: 'lost', how: 'ended-early', speaker: 'nobody' }])

    const whole = store.openStream({ speaker: 'model' })
    whole.push(started)
    whole.push(naturalEnd)
    whole.end()
    expect([whole.whole, whole.ending]).toEqual([true, { type: 'complete', speaker: 'model' }])

    const half = store.openStream({ speaker: 'model' })
    half.push(started)
    half.push(naturalEnd)
    half.push(started)
    half.end()
    expect([half.whole, half.ending]).toEqual([false, { type: 'lost', how: 'ended-early', speaker: 'nobody' }])
  })

  test('is the first one: those that follow change nothing', async () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'create_ticket'))
    store.cancel(stream.turnId)
    stream.push({ type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model' } })
    stream.end()
    store.cancel(stream.turnId, 'host')
    expect(stream.ending).toEqual({ type: 'cancelled', by: 'user', acknowledged: false })
    expect((await stream.ended).ending).toBe(stream.ending)
    expect(labelsIn(store, stream.turnId)).toEqual(['create_ticket — cancelled'])
  })

  test('can come by the stream itself', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'create_ticket'))
    stream.push({ type: 'stream-ended', ending: { type: 'lost', how: 'provider-error', speaker: 'model' } })
    expect(labelsIn(store, stream.turnId)).toEqual(['create_ticket — not run (the service reported an error)'])
    expect(stream.signal.aborted).toBe(true)
  })

  test('aborts its signal once the calls have settled', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'create_ticket'))
    const seen: unknown[] = []
    stream.signal.addEventListener('abort', () => seen.push(stream.ending?.type, store.balance()))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect(seen).toEqual(['lost', expect.objectContaining({ preparing: 0, settled: expect.objectContaining({}) })])
    expect(seen[1]).toMatchObject({ settled: { no: { 'connection-lost': 1 } } })
  })

  test('is summed up after all checks, in which nothing is dispatched', async () => {
    const verdicts: ((reason: string | undefined) => void)[] = []
    const store = createToolCallStore({
      clock: createFakeClock(),
      tools: {
        create_ticket: {
          executor: 'local',
          check: () => new Promise<string | undefined>((resolve) => verdicts.push(resolve)),
        },
      },
    })
    const stream = store.openStream()
    stream.push(started)
    for (const key of ['a', 'b']) {
      stream.push(announced(key, 'create_ticket'))
      stream.push(fragment(key, '{}'))
      stream.push(finished(key))
    }
    stream.push(naturalEnd)
    stream.end()
    let summed = false
    void stream.ended.then(() => {
      summed = true
    })
    verdicts[0]?.(undefined)
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
    expect([summed, store.balance().preparing, store.dispatched({ callId: 'a' })]).toEqual([false, 2, false])
    verdicts[1]?.('not on a Sunday')
    const { dispatchable, calls } = await stream.ended
    expect(dispatchable).toEqual([])
    expect(calls.map(({ callId, outcome }) => [callId, outcome?.type])).toEqual([
      ['a', 'dispatchable'],
      ['b', 'dispatchable'],
    ])
    expect(labelsIn(store, stream.turnId)).toEqual([
      'create_ticket — not run (another call had a problem)',
      'create_ticket — not run (rejected by a rule)',
    ])
  })

  test('settles every call of its turn, and says so in the balance', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'create_ticket'))
    stream.push(announced('b', 'send_payment'))
    stream.push(announced('c', 'send_payment'))
    stream.push(finished('c'))
    stream.push({ type: 'call-dispatched', key: 'c' })
    expect(store.balance(stream.turnId)).toEqual({
      announced: 3,
      preparing: 2,
      waiting: { gate: 0, person: 0, result: 0, resume: 0 },
      running: 1,
      settled: { no: {}, unknown: {}, yes: {} },
    })
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect(store.balance(stream.turnId)).toEqual({
      announced: 3,
      preparing: 0,
      waiting: { gate: 0, person: 0, result: 0, resume: 0 },
      running: 0,
      settled: { no: { 'connection-lost': 1 }, unknown: { 'connection-lost': 2 }, yes: {} },
    })
    expect(store.balance()).toEqual(store.balance(stream.turnId))
  })
})

describe('what comes after the end', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  const late: readonly StreamEvent[] = [
    started,
    { type: 'text-fragment', text: 'late' },
    announced('a', 'create_ticket'),
    announced('late', 'create_ticket'),
    { type: 'call-identified', key: 'a', name: 'another' },
    fragment('a', '{}'),
    { type: 'call-snapshot', key: 'a', value: {} },
    { type: 'call-leaf', key: 'a', path: ['title'], value: 'late', continues: false },
    finished('a'),
    { type: 'call-dispatched', key: 'a' },
    { type: 'call-progress', key: 'a' },
    { type: 'call-returned', key: 'a', ok: true },
    { type: 'call-withdrawn', key: 'a' },
    { type: 'approval-requested', key: 'a' },
    { type: 'approval-answered', key: 'a', granted: true, by: 'person' },
    { type: 'outcome-reported', report: { callId: 'a', name: null, ran: 'yes', ok: true } },
    naturalEnd,
    { type: 'stream-ended', ending: { type: 'complete', speaker: 'executor' } },
  ]

  test('is dropped and counted, warned of once in development, and never throws', () => {
    vi.stubEnv('NODE_ENV', 'development')
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'create_ticket'))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    store.flush()
    const view = store.turn(stream.turnId)?.getState()
    for (const event of late) expect(() => stream.push(event)).not.toThrow()
    stream.touch()
    store.flush()
    expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: { 'after-stream-end': late.length } })
    expect(store.balance()).toMatchObject({ announced: 1, settled: { no: { 'connection-lost': 1 } } })
    expect(store.turn(stream.turnId)?.getState()).toBe(view)
    expect(warned.mock.calls).toEqual([
      [
        'honest-tool-calls: dropped what came (after-stream-end). Counted in counts(); docs/usage.md says what it means.',
      ],
    ])
  })

  test('is not warned of in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const store = newStore()
    const stream = store.openStream()
    stream.end()
    for (const event of late) stream.push(event)
    expect(store.counts().dropped).toEqual({ 'after-stream-end': late.length })
    expect(warned).not.toHaveBeenCalled()
  })

  test('where nobody says which it is, there is no warning', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const stream = newStore().openStream()
    vi.stubGlobal('process', undefined)
    stream.skip()
    vi.unstubAllGlobals()
    expect(warned).not.toHaveBeenCalled()
    stream.push(fragment('nobody', 'x'))
    expect(warned).toHaveBeenCalledTimes(1)
  })

  test('each reason is warned of once, in each store', () => {
    vi.stubEnv('NODE_ENV', 'test')
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (let stores = 0; stores < 2; stores++) {
      const stream = newStore().openStream()
      stream.push(fragment('nobody', 'x'))
      stream.push(finished('nobody'))
      stream.skip()
      stream.skip()
    }
    expect(warned).toHaveBeenCalledTimes(4)
  })

  test('an event of a type from the future is dropped and counted', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'call-teleported', key: 'a' } as unknown as StreamEvent)
    expect(store.counts().dropped).toEqual({ 'not-an-event': 1 })
  })
})

describe('a turn of several streams', () => {
  test('is open from the start, before its first frame', () => {
    const store = newStore()
    const stream = store.openStream()
    expect(store.turn(stream.turnId)?.getState()).toEqual({
      id: stream.turnId,
      items: [],
      open: true,
      ending: null,
      notice: null,
    })
  })

  test('is open while any of them is, and tells of the ending that came last', () => {
    const store = newStore()
    const first = store.openStream()
    first.end()
    const second = store.openStream({ turnId: first.turnId })
    store.flush()
    expect(store.turn(first.turnId)?.getState()).toMatchObject({ open: true, notice: null })
    second.end({ type: 'cancelled', by: 'user', acknowledged: false })
    store.flush()
    expect(store.turn(first.turnId)?.getState()).toMatchObject({
      open: false,
      ending: { type: 'cancelled' },
      notice: { stopped: 'cancelled' },
    })
  })

  test('a continuation brings the result of what the first stream had handed over', async () => {
    const store = createToolCallStore({ clock: createFakeClock(), tools: { create_ticket: { executor: 'local' } } })
    const first = store.openStream()
    first.push(started)
    first.push(announced('a', 'create_ticket'))
    first.push(fragment('a', '{}'))
    first.push(finished('a'))
    first.push(naturalEnd)
    first.end()
    let runs = 0
    for (const call of (await first.ended).dispatchable) if (store.dispatched(call)) runs++
    store.settle({ callId: 'a', turnId: first.turnId, name: null, ran: 'yes', ok: true })
    const second = store.openStream({ turnId: first.turnId })
    second.push(started)
    second.push({ type: 'text-fragment', text: 'Your ticket is created.' })
    second.push(announced('b', 'create_ticket'))
    second.push(fragment('b', '{"half'))
    second.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect((await second.ended).calls.map(({ callId }) => callId)).toEqual(['b'])
    expect(runs).toBe(1)
    expect(labelsIn(store, first.turnId)).toEqual(['create_ticket — done', 'create_ticket — not run (connection lost)'])
  })

  test('two that overlap: the end of one settles its own calls and leaves those of the other', async () => {
    const store = newStore()
    const one = store.openStream()
    const two = store.openStream({ turnId: one.turnId })
    one.push({ type: 'message-started', message: 'm1' })
    one.push({ ...announced('a', 'create_ticket'), message: 'm1' } as StreamEvent)
    two.push({ type: 'message-started', message: 'm2' })
    two.push({ ...announced('b', 'create_ticket'), message: 'm2' } as StreamEvent)
    one.push(fragment('a', '{"of":1}'))
    two.push(fragment('b', '{"of":2}'))
    one.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect((await one.ended).calls.map(({ callId }) => callId)).toEqual(['a'])
    expect(labelsIn(store, one.turnId)).toEqual([
      'create_ticket — not run (connection lost)',
      'Preparing create_ticket…',
    ])
    expect(store.turn(one.turnId)?.getState().open).toBe(true)

    two.push(finished('b'))
    two.push({ ...naturalEnd, message: 'm2' } as StreamEvent)
    two.end()
    const { dispatchable } = await two.ended
    expect(dispatchable.map(({ callId, args }) => [callId, args])).toEqual([['b', { of: 2 }]])
    store.flush()
    expect(store.turn(one.turnId)?.getState().open).toBe(false)
  })

  test('two that overlap without naming their messages: each stream speaks of its own', async () => {
    const store = newStore()
    const one = store.openStream()
    const two = store.openStream({ turnId: one.turnId })
    one.push(started)
    two.push(started)
    one.push(announced('a', 'create_ticket'))
    two.push(announced('b', 'create_ticket'))
    one.push(fragment('a', '{"of":1}'))
    two.push(fragment('b', '{"of'))
    one.push(finished('a'))
    one.push(naturalEnd)
    one.end()
    two.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect((await one.ended).dispatchable.map(({ args }) => args)).toEqual([{ of: 1 }])
    expect((await two.ended).dispatchable).toEqual([])
    expect(labelsIn(store, one.turnId)).toEqual([
      'create_ticket — waiting to run',
      'create_ticket — not run (connection lost)',
    ])
  })
})

describe('a stream that is resumed', () => {
  function lostStream() {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock, frame: () => () => {}, tools: { create_ticket: { executor: 'local' } } })
    const first = store.openStream()
    first.push({ type: 'message-started', messageId: 'message-1' })
    first.push(announced('a', 'create_ticket'))
    first.push(fragment('a', '{"title":"on '))
    first.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    return { clock, store, first }
  }

  test('goes on where it was lost, and its call may be run once', async () => {
    const { store, first } = lostStream()
    expect(labelsIn(store, first.turnId)).toEqual(['create_ticket — reconnecting…'])
    expect(store.dispatchable()).toEqual([])
    const second = store.openStream({ turnId: first.turnId, speaker: 'model' })
    expect((await first.ended).dispatchable).toEqual([])
    expect(labelsIn(store, first.turnId)).toEqual(['Preparing create_ticket…'])
    second.push(fragment('a', 'fire"}'))
    second.push(finished('a'))
    second.push(naturalEnd)
    second.end()
    const { dispatchable, ending } = await second.ended
    expect(ending).toEqual({ type: 'complete', speaker: 'model' })
    expect(dispatchable.map(({ args, messageId }) => [args, messageId])).toEqual([[{ title: 'on fire' }, 'message-1']])
    let runs = 0
    for (const call of dispatchable) for (let asks = 0; asks < 2; asks++) if (store.dispatched(call)) runs++
    expect(runs).toBe(1)
  })

  test('may be read again from its start: the buffer begins anew', async () => {
    const { store, first } = lostStream()
    const second = store.openStream({ turnId: first.turnId })
    second.push(announced('a', 'create_ticket'))
    second.push(fragment('a', '{"title":"again"}'))
    second.push(finished('a'))
    second.push(naturalEnd)
    second.end()
    const { dispatchable, calls } = await second.ended
    expect(dispatchable.map(({ args }) => args)).toEqual([{ title: 'again' }])
    expect(calls).toHaveLength(1)
  })

  test('may be lost again, for good', () => {
    const { store, first } = lostStream()
    const second = store.openStream({ turnId: first.turnId })
    second.push(fragment('a', 'fi'))
    second.end({ type: 'lost', how: 'ended-early', speaker: 'nobody' })
    expect(labelsIn(store, first.turnId)).toEqual(['create_ticket — not run (the response ended early)'])
  })

  test('that ends another message leaves the call to its own ending', () => {
    const { store, first } = lostStream()
    const second = store.openStream({ turnId: first.turnId, speaker: 'model' })
    second.push({ type: 'message-started', messageId: 'message-2' })
    second.push(naturalEnd)
    second.end()
    expect(labelsIn(store, first.turnId)).toEqual(['create_ticket — not run (the response ended early)'])
  })

  test('a result that comes while it waits is believed', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'send_payment'))
    stream.push(finished('a'))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    expect(labelsIn(store, stream.turnId)).toEqual(['send_payment — reconnecting…'])
    store.settle({ callId: 'a', name: null, ran: 'yes', ok: true })
    expect(labelsIn(store, stream.turnId)).toEqual(['send_payment — done'])
  })
})
