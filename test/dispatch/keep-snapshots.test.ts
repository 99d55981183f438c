import { afterEach, describe, expect, test, vi } from 'vitest'
import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { type KeepOptions, keepSnapshots } from '../../src/dispatch/keep-snapshots.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

afterEach(() => vi.restoreAllMocks())

const started: StreamEvent = { type: 'message-started' }
const announced = (key: string, name = 'ours'): StreamEvent => ({ type: 'call-announced', key, callId: key, name })
const fragment = (key: string, text: string): StreamEvent => ({ type: 'call-fragment', key, text })
const finished = (key: string): StreamEvent => ({ type: 'call-finished', key })
const naturalEnd: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }

/** What outlives a page: text, and how often it was written. */
function createStorage(text: string | null = null) {
  const storage = {
    text,
    writes: 0,
    load: (): unknown => JSON.parse(storage.text ?? 'null'),
    save(snapshot: unknown) {
      storage.text = JSON.stringify(snapshot)
      storage.writes++
    },
  }
  return storage
}

function openPage(storage: Pick<KeepOptions, 'load' | 'save'>, options: Partial<KeepOptions> = {}) {
  const clock = createFakeClock()
  const frames: (() => void)[] = []
  const store = createToolCallStore({
    clock,
    frame: (callback) => {
      frames.push(callback)
      return () => {}
    },
    tools: { ours: { executor: 'local' }, asks: { executor: 'local', needsApproval: true } },
  })
  const page = new EventTarget()
  const stop = keepSnapshots(store, { ...storage, page, ...options })
  const nextFrame = (): void => {
    for (const frame of frames.splice(0)) frame()
  }
  return { clock, store, page, stop, nextFrame }
}

function labelsIn(store: ToolCallStore): readonly string[] {
  store.flush()
  return store.turnIds().flatMap((id) => {
    const { items = [] } = store.turn(id)?.getState() ?? {}
    return items.flatMap((item) => {
      const call = item.type === 'call' ? store.callByKey(id, item.key)?.getState() : undefined
      return call === undefined ? [] : labelOf(call)
    })
  })
}

/** The labels that a page reads which finds this in its storage. */
function labelsKept(text: string | null): readonly string[] {
  return labelsIn(openPage(createStorage(text)).store)
}

/** A turn with one call of ours that is running. */
function running(store: ToolCallStore, callId = 'a', turn?: string): string {
  const stream = store.openStream({ turnId: turn })
  for (const event of [started, announced(callId), fragment(callId, '{}'), finished(callId), naturalEnd])
    stream.push(event)
  stream.end()
  expect(store.dispatched({ callId, turnId: stream.turnId })).toBe(true)
  return stream.turnId
}

describe('a reload', () => {
  test('a call left open by a closed page settles once, and that is what is kept', () => {
    const storage = createStorage()
    const { store } = openPage(storage)
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a'))
    stream.push(announced('b', 'theirs'))
    store.flush()
    const open = storage.text
    expect(open).not.toContain('"settled"')

    const labels = ['ours — not run (the page was closed)', 'theirs — may have run (the page was closed)']
    const { store: after } = openPage(storage)
    expect(labelsIn(after)).toEqual(labels)
    expect(storage.text).not.toBe(open)
    expect(storage.text).not.toContain('"preparing"')

    // A second reload finds them settled, and nothing to settle again.
    const settled = storage.text
    const { store: again } = openPage(storage)
    expect(labelsIn(again)).toEqual(labels)
    expect(storage.text).toBe(settled)
  })

  test('a dispatch is kept before the tool begins', () => {
    const storage = createStorage()
    running(openPage(storage).store)
    expect(labelsKept(storage.text)).toEqual(['ours — may have run (the page was closed)'])
  })

  test('a result, and one that comes later than the first word, are kept', () => {
    const storage = createStorage()
    const { store, clock } = openPage(storage)
    running(store)
    clock.advance(300_000)
    store.flush()
    expect(labelsKept(storage.text)).toEqual(['ours — may have run (timed out)'])
    store.settle({ callId: 'a', name: null, ran: 'yes', ok: true })
    store.flush()
    expect(labelsKept(storage.text)).toEqual(['ours — done'])
  })

  test('what was forgotten does not come back', () => {
    const storage = createStorage()
    const { store } = openPage(storage)
    const turnId = running(store)
    store.settle({ callId: 'a', name: null, ran: 'yes', ok: true })
    store.flush()
    expect(labelsKept(storage.text)).toHaveLength(1)
    store.forget(turnId)
    expect(labelsKept(storage.text)).toEqual([])
  })

  test.for([
    [true, 'asks — waiting for your approval'],
    [undefined, 'asks — not run (the page was closed)'],
  ] as const)('a question outlives it only with its arguments: %s', ([keepsArguments, label]) => {
    const storage = createStorage()
    const options = keepsArguments === undefined ? {} : { arguments: keepsArguments }
    const { store } = openPage(storage, options)
    const stream = store.openStream()
    for (const event of [started, announced('a', 'asks'), fragment('a', '{"to":"Ann"}'), finished('a'), naturalEnd])
      stream.push(event)
    store.flush()
    expect(storage.text?.includes('Ann')).toBe(keepsArguments === true)
    expect(labelsKept(storage.text)).toEqual([label])
  })
})

describe('how often', () => {
  test('never for a fragment', () => {
    const storage = createStorage()
    const { store, nextFrame } = openPage(storage)
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'theirs'))
    nextFrame()
    expect(storage.writes).toBe(1)
    for (let count = 0; count < 1000; count++) {
      stream.push(fragment('a', count === 0 ? '["' : 'x'))
      nextFrame()
    }
    // Control: each of them was published.
    expect(store.call({ callId: 'a' })?.getState()).toMatchObject({ phase: 'preparing', received: 1001 })
    expect(storage.writes).toBe(1)

    stream.push(fragment('a', '"]'))
    stream.push(finished('a'))
    store.flush()
    expect(storage.writes).toBe(2)
    stream.push({ type: 'call-returned', key: 'a', ok: true })
    store.flush()
    expect(storage.writes).toBe(3)
    stream.push(naturalEnd)
    stream.end()
    store.flush()
    expect(storage.writes).toBe(4)
  })

  test('not at all where there was nothing and nothing came', () => {
    const storage = createStorage()
    const { page } = openPage(storage)
    // As every page does once it has loaded.
    page.dispatchEvent(new Event('pageshow'))
    expect(storage.writes).toBe(0)
  })
})

describe('a page that is left', () => {
  test('keeps once more, and then not what leaving does to its requests', () => {
    const storage = createStorage()
    const { store, page } = openPage(storage)
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a'))
    stream.push(announced('b', 'theirs'))
    page.dispatchEvent(new Event('pagehide'))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect(labelsIn(store)).toEqual(['ours — not run (connection lost)', 'theirs — may have run (connection lost)'])
    expect(storage.writes).toBe(1)
    expect(labelsKept(storage.text)).toEqual([
      'ours — not run (the page was closed)',
      'theirs — may have run (the page was closed)',
    ])
  })

  test('and comes back goes on: what died meanwhile settles by its deadline, and is kept', () => {
    const storage = createStorage()
    const { store, page, clock } = openPage(storage)
    const stream = store.openStream()
    stream.push(started)
    stream.push(announced('a', 'theirs'))
    page.dispatchEvent(new Event('pagehide'))
    clock.sleep(3_600_000)
    page.dispatchEvent(new Event('pageshow'))
    expect(labelsKept(storage.text)).toEqual(['theirs — may have run (the page was closed)'])
    expect(stream.ending).toBeNull()
    // The grace of a timer that slept.
    clock.advance(2_000)
    expect(stream.ending).toMatchObject({ type: 'lost', how: 'idle' })
    expect(labelsIn(store)).toEqual(['theirs — may have run (connection lost)'])
    expect(labelsKept(storage.text)).toEqual(['theirs — may have run (connection lost)'])
  })

  test('keeps nothing more once it was stopped', () => {
    const storage = createStorage()
    const { store, page, stop } = openPage(storage)
    stop()
    running(store)
    page.dispatchEvent(new Event('pagehide'))
    page.dispatchEvent(new Event('pageshow'))
    expect(storage.writes).toBe(0)
  })
})

describe('what was kept and cannot be used', () => {
  const call = { key: 'a', id: 'a', name: 'x', executor: 'server', state: { phase: 'running' } }
  const turn = (item: unknown) => ({
    version: 1,
    turns: [
      { id: 'fine', ending: null, messages: [], items: [] },
      { id: 't', ending: null, messages: [{ key: 'm', end: null }], items: [item] },
    ],
  })
  const asCall = (members: object) => turn({ type: 'call', message: 'm', call: { ...call, ...members } })

  test('control: this can', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(labelsKept(JSON.stringify(asCall({})))).toEqual(['x — may have run (the page was closed)'])
    expect(warn).not.toHaveBeenCalled()
  })

  test.for([
    ['text that is no JSON', '{"version":1,"tur'],
    ['another program’s', '{"theme":"dark"}'],
    ['a later version', '{"version":2,"turns":[]}'],
    ['a number', '7'],
    ['an item that is none', JSON.stringify(turn(null))],
    ['a call that is none', JSON.stringify(turn({ type: 'call', message: 'm' }))],
    ['a phase that nobody knows', JSON.stringify(asCall({ state: { phase: 'dreaming' } }))],
    [
      'a cause without words',
      JSON.stringify(asCall({ state: { phase: 'settled', settled: { ran: 'no', cause: 'x' } } })),
    ],
    ['an executor that nobody knows', JSON.stringify(asCall({ executor: 'someone' }))],
  ])('%s is dropped whole, with one warning', ([, text]) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const storage = createStorage(text)
    const { store } = openPage(storage)
    expect(store.turnIds()).toEqual([])
    expect(warn).toHaveBeenCalledTimes(1)
    running(store)
    expect(labelsKept(storage.text)).toEqual(['ours — may have run (the page was closed)'])
  })
})

describe('a storage that takes its time, or refuses', () => {
  test('nothing is kept before it has answered', async () => {
    const storage = createStorage()
    running(openPage(storage).store, 'earlier', 'earlier')
    const before = storage.text
    let answer = (_kept: unknown): void => {}
    const load = () => new Promise<unknown>((resolve) => (answer = resolve))
    const { store } = openPage({ load, save: storage.save })
    running(store, 'now', 'now')
    expect(storage.text).toBe(before)
    answer(JSON.parse(before ?? ''))
    await vi.waitFor(() => expect(storage.text).not.toBe(before))
    expect([...labelsIn(store)].sort()).toEqual(['Running ours…', 'ours — may have run (the page was closed)'])
    expect(labelsKept(storage.text)).toHaveLength(2)
  })

  test('one that is full disturbs nobody', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const full = () => {
      throw new Error('full')
    }
    const { store } = openPage({ load: () => null, save: full })
    running(store)
    expect(labelsIn(store)).toEqual(['Running ours…'])
    expect(error).toHaveBeenCalled()
  })
})

test('without a page there is nothing to listen to, and by default there is none here', () => {
  const storage = createStorage()
  const store = createToolCallStore({ tools: { ours: { executor: 'local' } } })
  const stop = keepSnapshots(store, storage)
  running(store)
  expect(storage.writes).toBeGreaterThan(0)
  stop()
})
