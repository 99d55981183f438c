import { describe, expect, test } from 'vitest'
import { DEFAULT_DEADLINES } from '../../src/deadlines.ts'
import { createContext } from '../../src/store/context.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { openStream } from '../../src/store/stream.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

describe('forgetting a turn', () => {
  test('that is open throws, as its calls would never settle', () => {
    const store = createToolCallStore({ clock: createFakeClock() })
    const stream = store.openStream()
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'send_payment' })
    expect(() => store.forget(stream.turnId)).toThrowErrorMatchingInlineSnapshot(
      `[Error: honest-tool-calls: forget() was called on a turn whose stream is open. End or cancel it first, or its calls would never settle.]`,
    )
    expect(store.balance().announced).toBe(1)
    store.cancel(stream.turnId)
    store.forget(stream.turnId)
    expect(store.turnIds()).toEqual([])
    expect(store.balance().announced).toBe(0)
    expect(store.turn(stream.turnId)).toBeUndefined()
    expect(store.call({ callId: 'a' })).toBeUndefined()
    expect(store.callByKey(stream.turnId, 'a')).toBeUndefined()
    expect(store.snapshot().turns).toEqual([])
  })

  test('leaves the others', () => {
    const store = createToolCallStore({ clock: createFakeClock(), frame: () => () => {} })
    const one = store.openStream()
    const two = store.openStream()
    for (const stream of [one, two]) {
      stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'send_payment' })
      stream.end()
    }
    store.flush()
    store.forget(one.turnId)
    expect(store.turnIds()).toEqual([two.turnId])
    expect(store.call({ callId: 'a' })?.getState().turnId).toBe(two.turnId)
  })

  test('whose checks still run dispatches nothing, tells how it ended, and keeps nobody waiting', async () => {
    let judge: (answer: undefined) => void = () => {}
    const store = createToolCallStore({
      clock: createFakeClock(),
      frame: () => () => {},
      tools: {
        create_ticket: {
          executor: 'local',
          check: () =>
            new Promise<undefined>((resolve) => {
              judge = resolve
            }),
        },
      },
    })
    const labels: string[] = []
    store.subscribe(({ calls }) => {
      for (const { call } of calls) if (call.phase === 'settled') labels.push(call.settled.cause)
    })
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'create_ticket' })
    stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
    store.forget(stream.turnId)
    const { dispatchable } = await stream.ended
    expect(dispatchable).toEqual([])
    expect(labels).toEqual(['cancelled'])
    judge(undefined)
    await Promise.resolve()
    expect(store.balance().announced).toBe(0)
    expect(() => store.dispatched({ callId: 'a' })).toThrow('no call')
  })

  test('leaves nothing behind: no entry, no stream, no outcome, no watcher, no timer', async () => {
    const clock = createFakeClock()
    const timers = new Set<object>()
    const context = createContext(
      { tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'server' },
      {
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
      },
      DEFAULT_DEADLINES,
      () => () => {},
    )
    const held = () => ({
      entries: context.entries.size,
      streams: context.streams.size,
      judged: context.judged.size,
      watchers: context.watchers.size,
      timers: timers.size,
    })
    for (let turns = 0; turns < 50; turns++) {
      const stream = openStream(context)
      stream.carry(held, () => ({}))
      stream.push({ type: 'message-started' })
      stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'create_ticket' })
      stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
      stream.push({ type: 'call-finished', key: 'a' })
      stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
      stream.end()
      await stream.ended
    }
    expect(held()).toEqual({ entries: 50, streams: 0, judged: 0, watchers: 0, timers: 50 })
    for (const entry of context.entries.values()) context.remove(entry)
    expect(held()).toEqual({ entries: 0, streams: 0, judged: 0, watchers: 0, timers: 0 })
  })
})

test('what an adapter knows of a turn is carried from one of its streams to the next, and no further', () => {
  const store = createToolCallStore({ clock: createFakeClock() })
  const adapter = {}
  const made: string[] = []
  const make = (of: string) => () => {
    made.push(of)
    return of
  }
  const first = store.openStream()
  expect(first.carry(adapter, make('first turn'))).toBe('first turn')
  first.end()
  expect(store.openStream({ turnId: first.turnId }).carry(adapter, make('never'))).toBe('first turn')
  expect(store.openStream().carry(adapter, make('second turn'))).toBe('second turn')
  expect(made).toEqual(['first turn', 'second turn'])
})
