import { afterEach, describe, expect, test, vi } from 'vitest'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import type { Frame } from '../../src/store/frame.ts'
import type { Publication } from '../../src/store/publisher.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

/** A page whose frames come when the test says so. */
function createFrames() {
  const waiting = new Set<() => void>()
  let asked = 0
  const frame: Frame = (callback) => {
    asked++
    waiting.add(callback)
    return () => waiting.delete(callback)
  }
  const paint = (): void => {
    for (const callback of Array.from(waiting)) {
      waiting.delete(callback)
      callback()
    }
  }
  return { frame, paint, asked: () => asked, waiting: () => waiting.size }
}

/** A tab in the background: no frame ever comes. */
const hidden: Frame = () => () => {}

function newStore(frame: Frame) {
  const store = createToolCallStore({
    clock: createFakeClock(),
    frame,
    tools: { create_ticket: { executor: 'local' } },
  })
  const publications: Publication[] = []
  store.subscribe((publication) => publications.push(publication))
  return { store, publications }
}

function openCall(store: ToolCallStore, key = 'a') {
  const stream = store.openStream()
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key, callId: key, name: 'create_ticket' })
  return stream
}

describe('while calls prepare', () => {
  test('there is at most one publication per frame, whatever comes', async () => {
    const { frame, paint, asked } = createFrames()
    const { store, publications } = newStore(frame)
    const stream = openCall(store)
    for (let frames = 1; frames <= 5; frames++) {
      for (let fragments = 0; fragments < 1_000; fragments++)
        stream.push({ type: 'call-fragment', key: 'a', text: 'x' })
      await Promise.resolve()
      expect(publications).toHaveLength(frames - 1)
      paint()
      expect(publications).toHaveLength(frames)
    }
    expect(asked()).toBe(5)
    expect(store.call({ callId: 'a' })?.getState()).toMatchObject({ phase: 'preparing', received: 5_000 })
  })

  test('several turns share the frame', () => {
    const { frame, paint } = createFrames()
    const { store, publications } = newStore(frame)
    openCall(store, 'a')
    openCall(store, 'b')
    openCall(store, 'c')
    paint()
    expect(publications).toHaveLength(1)
    expect(publications[0]?.calls.map(({ before, call }) => [before, call.id])).toEqual([
      [null, 'a'],
      [null, 'b'],
      [null, 'c'],
    ])
  })

  test('a frame in which nothing changed publishes nothing', () => {
    const { frame, paint, asked } = createFrames()
    const { store, publications } = newStore(frame)
    openCall(store)
    paint()
    paint()
    store.flush()
    expect([publications.length, asked()]).toEqual([1, 1])
  })

  test('in a process without frames the clock stands in for them', () => {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock })
    let publications = 0
    store.subscribe(() => publications++)
    openCall(store)
    expect(publications).toBe(0)
    clock.advance(16)
    expect(publications).toBe(1)
  })
})

describe('when something settles', () => {
  test('it is published in a microtask, one for all that settled together, though no frame ever comes', async () => {
    const { store, publications } = newStore(hidden)
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    for (let calls = 0; calls < 20; calls++)
      stream.push({ type: 'call-announced', key: `call-${calls}`, name: 'create_ticket' })
    await Promise.resolve()
    expect(publications).toHaveLength(0)

    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect(publications).toHaveLength(0)
    await Promise.resolve()
    expect(publications).toHaveLength(1)
    expect(publications[0]?.calls).toHaveLength(20)
    expect(publications[0]?.calls.every(({ call }) => call.phase === 'settled')).toBe(true)
    expect(publications[0]?.turns.map(({ turn }) => turn.ending)).toEqual([
      { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    ])
  })

  test('the frame that was asked for is taken back', async () => {
    const { frame, paint, waiting } = createFrames()
    const { store, publications } = newStore(frame)
    const stream = openCall(store)
    expect(waiting()).toBe(1)
    stream.end()
    await Promise.resolve()
    expect([waiting(), publications.length]).toEqual([0, 1])
    paint()
    expect(publications).toHaveLength(1)
  })

  test('frames go on for what still prepares', async () => {
    const { frame, paint } = createFrames()
    const { store, publications } = newStore(frame)
    const stream = openCall(store, 'a')
    openCall(store, 'b').end()
    await Promise.resolve()
    expect(publications).toHaveLength(1)
    stream.push({ type: 'call-fragment', key: 'a', text: 'x' })
    await Promise.resolve()
    expect(publications).toHaveLength(1)
    paint()
    expect(publications).toHaveLength(2)
  })

  test('a stream that ends with text alone is published too', async () => {
    const { store, publications } = newStore(hidden)
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    await Promise.resolve()
    expect(publications).toHaveLength(1)
    expect(store.turn(stream.turnId)?.getState().notice).toMatchObject({ stopped: 'connection-lost' })
  })

  test('flush() publishes at once, and the microtask then has nothing left', async () => {
    const { store, publications } = newStore(hidden)
    openCall(store).end()
    store.flush()
    expect(publications).toHaveLength(1)
    await Promise.resolve()
    expect(publications).toHaveLength(1)
  })
})

describe('what is published', () => {
  test('state objects are replaced for the calls touched, and for no others', () => {
    const { frame, paint } = createFrames()
    const { store } = newStore(frame)
    const stream = openCall(store, 'a')
    stream.push({ type: 'call-announced', key: 'b', callId: 'b', name: 'create_ticket' })
    const other = openCall(store, 'c')
    paint()
    const before = ['a', 'b', 'c'].map((callId) => store.call({ callId })?.getState())
    const turns = [stream, other].map(({ turnId }) => store.turn(turnId)?.getState())
    const heard: string[] = []
    for (const callId of ['a', 'b', 'c']) store.call({ callId })?.subscribe(() => heard.push(callId))

    stream.push({ type: 'call-fragment', key: 'b', text: '{' })
    paint()
    const after = ['a', 'b', 'c'].map((callId) => store.call({ callId })?.getState())
    expect(after.map((state, place) => state === before[place])).toEqual([true, false, true])
    expect([stream, other].map(({ turnId }, place) => store.turn(turnId)?.getState() === turns[place])).toEqual([
      true,
      true,
    ])
    expect(heard).toEqual(['b'])
  })

  test('the stores of a call and of a turn stay the same objects for their whole life', () => {
    const { store } = newStore(hidden)
    const stream = openCall(store, 'a')
    store.flush()
    const call = store.call({ callId: 'a' })
    const turn = store.turn(stream.turnId)
    stream.end()
    store.flush()
    expect(store.call({ callId: 'a' })).toBe(call)
    expect(store.turn(stream.turnId)).toBe(turn)
    expect(call?.getState().phase).toBe('settled')
  })

  test('what comes late for a settled call replaces nothing and tells nobody', () => {
    const { store, publications } = newStore(hidden)
    const stream = openCall(store, 'a')
    stream.push({ type: 'call-withdrawn', key: 'a' })
    store.flush()
    const settled = store.call({ callId: 'a' })?.getState()
    expect(settled?.phase).toBe('settled')
    const told = publications.length

    stream.push({ type: 'call-fragment', key: 'a', text: 'x' })
    stream.push({ type: 'call-snapshot', key: 'a', text: '{}' })
    stream.push({ type: 'call-snapshot', key: 'a', value: {} })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'approval-requested', key: 'a' })
    stream.push({ type: 'call-withdrawn', key: 'a' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'another' })
    store.flush()
    expect(store.call({ callId: 'a' })?.getState()).toBe(settled)
    expect(publications).toHaveLength(told)
  })

  test('a settled call keeps no argument text', async () => {
    const secret = 'the-text-of-the-arguments'
    const { store } = newStore(hidden)
    const stream = openCall(store, 'a')
    stream.push({ type: 'call-fragment', key: 'a', text: `{"title":"${secret}"` })
    store.flush()
    const preparing = store.call({ callId: 'a' })?.getState()
    expect(preparing?.phase === 'preparing' && JSON.stringify(preparing.preview)).toContain(secret)
    stream.end()
    await stream.ended
    store.flush()
    expect(JSON.stringify(store.call({ callId: 'a' })?.getState())).not.toContain(secret)
    expect(JSON.stringify(store.snapshot())).not.toContain(secret)
  })

  test('the structure counts up when a turn or a call is added, named or forgotten, and not for fragments', () => {
    const { store } = newStore(hidden)
    const counts: number[] = []
    const count = (): void => {
      store.flush()
      counts.push(store.structure.getState())
    }
    count()
    const stream = store.openStream()
    count()
    stream.push({ type: 'call-announced', key: 'a' })
    count()
    stream.push({ type: 'call-fragment', key: 'a', text: '{' })
    count()
    stream.push({ type: 'call-identified', key: 'a', callId: 'toolu_1' })
    count()
    stream.end()
    count()
    store.forget(stream.turnId)
    count()
    const grew = counts.slice(1).map((value, place) => value > (counts[place] ?? 0))
    expect(grew).toEqual([true, true, false, true, false, true])
  })
})

describe('a listener that throws', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('breaks neither the others nor the store, and is reported', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { store } = newStore(hidden)
    const heard: string[] = []
    store.subscribe(() => {
      throw new Error('from a subscriber')
    })
    store.subscribe(() => heard.push('subscriber'))
    const stream = openCall(store, 'a')
    store.flush()
    store.call({ callId: 'a' })?.subscribe(() => {
      throw new Error('from a call')
    })
    store.call({ callId: 'a' })?.subscribe(() => heard.push('call'))
    store.turn(stream.turnId)?.subscribe(() => {
      throw new Error('from a turn')
    })
    store.turn(stream.turnId)?.subscribe(() => heard.push('turn'))
    store.structure.subscribe(() => {
      throw new Error('from the structure')
    })
    store.structure.subscribe(() => heard.push('structure'))
    heard.length = 0
    reported.mockClear()

    stream.push({ type: 'call-announced', key: 'b', callId: 'b', name: 'create_ticket' })
    expect(() => stream.end()).not.toThrow()
    await stream.ended
    await Promise.resolve()
    expect(heard.sort()).toEqual(['call', 'structure', 'subscriber', 'turn'])
    expect(['a', 'b'].map((callId) => store.call({ callId })?.getState().phase)).toEqual(['settled', 'settled'])
    expect(reported.mock.calls.map(([error]) => String(error)).sort()).toEqual([
      'Error: from a call',
      'Error: from a subscriber',
      'Error: from a turn',
      'Error: from the structure',
    ])
  })

  test('nobody else is told twice, and nothing is lost for the next publication', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { store, publications } = newStore(hidden)
    store.subscribe(() => {
      throw new Error('from a subscriber')
    })
    const stream = openCall(store, 'a')
    store.flush()
    stream.push({ type: 'call-fragment', key: 'a', text: '{' })
    store.flush()
    store.flush()
    expect(publications.map(({ calls }) => calls.length)).toEqual([1, 1])
  })

  test('one that was taken away is not called any more', () => {
    const { store } = newStore(hidden)
    const heard: string[] = []
    const stop = store.subscribe(() => heard.push('stopped'))
    store.subscribe(() => heard.push('control'))
    stop()
    openCall(store)
    store.flush()
    expect(heard).toEqual(['control'])
  })

  test('one that acts on the store from within is served', () => {
    const { store, publications } = newStore(hidden)
    const stream = openCall(store, 'a')
    stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
    stream.push({ type: 'call-finished', key: 'a' })
    let asked = 0
    store.subscribe(({ calls }) => {
      for (const { call } of calls) {
        if (call.phase === 'waiting' && call.on === 'gate') {
          asked++
          store.dispatched({ callId: call.id })
          store.flush()
        }
      }
    })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    store.flush()
    expect(asked).toBe(1)
    expect(store.call({ callId: 'a' })?.getState().phase).toBe('running')
    expect(publications.flatMap(({ calls }) => calls.map(({ call }) => call.phase))).toEqual(['waiting', 'running'])
  })
})
