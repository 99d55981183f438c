import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { labelOf } from '../../src/core/labels.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

/** What the user reads of a call, right now. */
function labelIn(store: ToolCallStore, callId: string): string {
  store.flush()
  const call = store.call({ callId })?.getState()
  return call === undefined ? 'no such block' : labelOf(call)
}

/** A store with one call of ours that waits at the gate, its stream open. */
function readyCall(options: StoreOptions = {}) {
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, tools: { create_ticket: { executor: 'local' } }, ...options })
  const stream = store.openStream()
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'create_ticket' })
  stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"x"}' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  return { clock, store, stream }
}

describe('the hand-off', () => {
  test('a ready call that nobody takes within 10 s was never started, after the end of its stream too', () => {
    const { clock, store, stream } = readyCall()
    stream.end()
    clock.advance(9_999)
    expect(labelIn(store, 'a')).toBe('create_ticket — waiting to run')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('create_ticket — not run (never started)')
  })

  test('it begins at the end of the stream, as what may be dispatched is offered there', () => {
    const { clock, store, stream } = readyCall()
    clock.advance(20_000)
    expect(labelIn(store, 'a')).toBe('create_ticket — waiting to run')
    stream.end()
    clock.advance(10_000)
    expect(labelIn(store, 'a')).toBe('create_ticket — not run (never started)')
  })

  test('dispatched() is refused after it, and granted once before it', () => {
    const late = readyCall()
    late.stream.end()
    late.clock.advance(10_000)
    expect(late.store.dispatched({ callId: 'a' })).toBe(false)
    expect(labelIn(late.store, 'a')).toBe('create_ticket — not run (never started)')

    const inTime = readyCall()
    inTime.stream.end()
    inTime.clock.advance(9_999)
    expect(inTime.store.dispatched({ callId: 'a' })).toBe(true)
    expect(inTime.store.dispatched({ callId: 'a' })).toBe(false)
    expect(labelIn(inTime.store, 'a')).toBe('Running create_ticket…')
  })

  test('a call that is taken has the run deadline instead', () => {
    const { clock, store, stream } = readyCall()
    stream.end()
    clock.advance(9_000)
    store.dispatched({ callId: 'a' })
    clock.advance(299_999)
    expect(labelIn(store, 'a')).toBe('Running create_ticket…')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('create_ticket — may have run (timed out)')
  })

  test('checks that do not come back are bounded by it, and dispatch nothing when they do', async () => {
    let judge: (answer: undefined) => void = () => {}
    const check = (): Promise<undefined> =>
      new Promise((resolve) => {
        judge = resolve
      })
    const { clock, store, stream } = readyCall({ tools: { create_ticket: { executor: 'local', check } } })
    stream.end()
    clock.advance(9_999)
    expect(labelIn(store, 'a')).toBe('Preparing create_ticket…')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('create_ticket — not run (never started)')

    judge(undefined)
    const { dispatchable } = await stream.ended
    expect(dispatchable).toEqual([])
    expect(store.dispatched({ callId: 'a' })).toBe(false)
    expect(labelIn(store, 'a')).toBe('create_ticket — not run (never started)')
  })

  test('a call whose checks took their time still has 10 s to be taken', async () => {
    let judge: (answer: undefined) => void = () => {}
    const check = (): Promise<undefined> =>
      new Promise((resolve) => {
        judge = resolve
      })
    const { clock, store, stream } = readyCall({ tools: { create_ticket: { executor: 'local', check } } })
    stream.end()
    clock.advance(9_000)
    judge(undefined)
    const { dispatchable } = await stream.ended
    expect(dispatchable).toHaveLength(1)
    clock.advance(9_999)
    expect(labelIn(store, 'a')).toBe('create_ticket — waiting to run')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('create_ticket — not run (never started)')
  })

  test('a sleeping laptop leaves two seconds to take the call', () => {
    const taken = readyCall()
    taken.stream.end()
    taken.clock.sleep(3_600_000)
    taken.clock.advance(1_999)
    expect(taken.store.dispatched({ callId: 'a' })).toBe(true)

    const left = readyCall()
    left.stream.end()
    left.clock.sleep(3_600_000)
    left.clock.advance(2_000)
    expect(left.store.dispatched({ callId: 'a' })).toBe(false)
  })
})

describe('the run', () => {
  test('a call of ours that runs is given 300 s, while its stream is open too', () => {
    const { clock, store, stream } = readyCall({ deadlines: { quiet: 900_000 } })
    store.dispatched({ callId: 'a' })
    clock.advance(299_999)
    expect(labelIn(store, 'a')).toBe('Running create_ticket…')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('create_ticket — may have run (timed out)')
    expect(stream.ending).toBeNull()
  })

  test('a result in time ends it, and no timer speaks afterwards', () => {
    const { clock, store, stream } = readyCall()
    stream.end()
    store.dispatched({ callId: 'a' })
    clock.advance(299_999)
    store.settle({ callId: 'a', name: 'create_ticket', ran: 'yes', ok: true })
    clock.advance(600_000)
    expect(labelIn(store, 'a')).toBe('create_ticket — done')
  })

  test('a result after it is believed: "may have run" becomes a known fact', () => {
    const { clock, store, stream } = readyCall()
    stream.end()
    store.dispatched({ callId: 'a' })
    clock.advance(300_000)
    store.settle({ callId: 'a', name: 'create_ticket', ran: 'yes', ok: false })
    expect(labelIn(store, 'a')).toBe('create_ticket — ran and failed')
    expect(store.counts().contradictedLabels).toBe(0)
  })

  for (const [state, label, outcome] of [
    [
      'waits on its result',
      'open_door — sent, waiting for the result',
      'open_door — may have run (no result received)',
    ],
    ['runs', 'Running open_door…', 'open_door — may have run (timed out)'],
  ] as const) {
    test(`what another dispatcher of this page was handed and ${state} is given 300 s after its stream`, () => {
      const clock = createFakeClock()
      const store = createToolCallStore({ clock, tools: { open_door: { executor: 'host' } } })
      const stream = store.openStream()
      stream.push({ type: 'message-started' })
      stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'open_door' })
      stream.push({ type: 'call-finished', key: 'a' })
      if (state === 'runs') stream.push({ type: 'call-dispatched', key: 'a' })
      stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
      store.flush()
      clock.advance(200_000)
      stream.end({ type: 'complete', speaker: 'executor' })
      clock.advance(299_999)
      expect(labelIn(store, 'a')).toBe(label)
      clock.advance(1)
      expect(labelIn(store, 'a')).toBe(outcome)
    })
  }

  test('a further stream of the turn takes over: its silence speaks for what others run', () => {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock, tools: { open_door: { executor: 'host' } } })
    const first = store.openStream()
    first.push({ type: 'message-started' })
    first.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'open_door' })
    first.push({ type: 'call-finished', key: 'a' })
    first.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    first.end({ type: 'complete', speaker: 'executor' })
    store.flush()
    clock.advance(299_000)
    const second = store.openStream({ turnId: first.turnId })
    clock.advance(299_000)
    second.touch()
    clock.advance(299_999)
    expect(labelIn(store, 'a')).toBe('open_door — sent, waiting for the result')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('open_door — may have run (no result received)')
    expect(second.ending).toMatchObject({ how: 'idle', detail: 'run' })
  })

  test('a server call that a person granted after the stream had ended is given 300 s', () => {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock })
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'send_payment' })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'approval-requested', key: 'a' })
    stream.end({ type: 'complete', speaker: 'executor' })
    clock.advance(86_400_000)
    expect(labelIn(store, 'a')).toBe('send_payment — waiting for your approval')
    expect(store.answerApproval({ callId: 'a' }, { granted: true })).toBe(true)
    clock.advance(299_999)
    expect(labelIn(store, 'a')).toBe('send_payment — sent, waiting for the result')
    clock.advance(1)
    expect(labelIn(store, 'a')).toBe('send_payment — may have run (no result received)')
  })
})

describe('the resume', () => {
  test('a call whose stream may be resumed waits 30 s for that, then settles by the ending that came', () => {
    const { clock, store, stream } = openCalls()
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    expect(labelIn(store, 'ours')).toBe('create_ticket — reconnecting…')
    expect(labelIn(store, 'theirs')).toBe('send_payment — reconnecting…')
    clock.advance(29_999)
    expect(labelIn(store, 'ours')).toBe('create_ticket — reconnecting…')
    clock.advance(1)
    expect(labelIn(store, 'ours')).toBe('create_ticket — not run (connection lost)')
    expect(labelIn(store, 'theirs')).toBe('send_payment — may have run (connection lost)')
  })

  test('a resumed stream stops the wait', () => {
    const { clock, store, stream } = openCalls()
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    clock.advance(29_999)
    const resumed = store.openStream({ turnId: stream.turnId })
    expect(labelIn(store, 'ours')).toBe('Preparing create_ticket…')
    clock.advance(9_999)
    expect([labelIn(store, 'ours'), resumed.ending]).toEqual(['Preparing create_ticket…', null])
    clock.advance(1)
    expect(labelIn(store, 'ours')).toBe('create_ticket — not run (connection lost)')
    expect(resumed.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('a user who stops the wait is told so', () => {
    const { store, stream } = openCalls()
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    store.cancel(stream.turnId)
    expect(labelIn(store, 'ours')).toBe('create_ticket — cancelled')
    expect(labelIn(store, 'theirs')).toBe('send_payment — may have run (cancelled)')
  })

  function openCalls() {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock, tools: { create_ticket: { executor: 'local' } } })
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key: 'ours', callId: 'ours', name: 'create_ticket' })
    stream.push({ type: 'call-announced', key: 'theirs', callId: 'theirs', name: 'send_payment' })
    return { clock, store, stream }
  }
})

describe('timers', () => {
  test('none is left running once everything is settled', async () => {
    const clock = countingClock()
    const store = createToolCallStore({ clock, tools: { create_ticket: { executor: 'local' } } })
    expect(clock.running()).toBe(0)
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'create_ticket' })
    stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"x"}' })
    stream.push({ type: 'call-announced', key: 'b', callId: 'b', name: 'send_payment' })
    // The silence of the stream, and a frame.
    expect(clock.running()).toBe(2)
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
    await stream.ended
    // The hand-off.
    expect(clock.running()).toBe(1)
    store.dispatched({ callId: 'a' })
    expect(clock.running()).toBe(1)
    store.settle({ callId: 'a', name: 'create_ticket', ran: 'yes', ok: true })
    await Promise.resolve()
    expect(clock.running()).toBe(0)
    expect(store.balance()).toMatchObject({ preparing: 0, running: 0, settled: { yes: { ok: 1 } } })
  })

  test('none is left running by a turn that is cancelled, resumed, or forgotten', () => {
    const clock = countingClock()
    const store = createToolCallStore({ clock, tools: { create_ticket: { executor: 'local' } } })
    for (const how of ['cancelled', 'resumed', 'forgotten'] as const) {
      const stream = store.openStream()
      stream.push({ type: 'call-announced', key: 'a', callId: how, name: 'create_ticket' })
      stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
      stream.push({ type: 'call-finished', key: 'a' })
      if (how === 'forgotten') stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
      stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
      expect(clock.running()).toBeGreaterThan(0)
      if (how === 'cancelled') store.cancel(stream.turnId)
      else if (how === 'resumed') store.openStream({ turnId: stream.turnId }).end()
      else store.forget(stream.turnId)
      store.flush()
      expect([how, clock.running()]).toEqual([how, 0])
    }
  })

  function countingClock(): Clock & { running(): number } {
    const clock = createFakeClock()
    const timers = new Set<object>()
    return {
      now: clock.now,
      after(delay, callback) {
        const timer = {}
        timers.add(timer)
        const stop = clock.after(delay, () => {
          timers.delete(timer)
          callback()
        })
        return () => {
          timers.delete(timer)
          stop()
        }
      },
      running: () => timers.size,
    }
  }
})
