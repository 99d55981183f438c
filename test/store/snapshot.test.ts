import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

const announced = (key: string, name: string): StreamEvent => ({ type: 'call-announced', key, callId: key, name })
const finished = (key: string): StreamEvent => ({ type: 'call-finished', key })
const naturalEnd: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }

function newStore(clock = createFakeClock()) {
  return createToolCallStore({
    clock,
    frame: () => () => {},
    tools: { local: { executor: 'local' }, host: { executor: 'host' }, server: { executor: 'server' } },
  })
}

/** What a page keeps over a reload: text. */
function kept(store: ToolCallStore): Snapshot {
  return JSON.parse(JSON.stringify(store.snapshot())) as Snapshot
}

/** The page is closed and opened again. */
function reloaded(store: ToolCallStore, clock = createFakeClock()): ToolCallStore {
  const after = newStore(clock)
  after.restore(kept(store))
  return after
}

function labelsIn(store: ToolCallStore, turnId: string): readonly string[] {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
}

describe('what was open when the page was closed', () => {
  test('settles: ours did not run, what others would run may have', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    for (const name of ['local', 'host', 'server']) stream.push(announced(`open-${name}`, name))
    for (const name of ['local', 'host', 'server']) {
      stream.push(announced(`finished-${name}`, name))
      stream.push(finished(`finished-${name}`))
    }
    stream.push({ type: 'call-announced', key: 'provider', callId: 'provider', name: 'search', executor: 'provider' })
    const after = reloaded(store)
    expect(labelsIn(after, stream.turnId)).toEqual([
      'local — not run (the page was closed)',
      'host — may have run (the page was closed)',
      'server — may have run (the page was closed)',
      'local — not run (the page was closed)',
      'host — may have run (the page was closed)',
      'server — may have run (the page was closed)',
      'search — may have run (the page was closed)',
    ])
    expect(after.balance()).toMatchObject({ announced: 7, preparing: 0, running: 0 })
    expect(after.turn(stream.turnId)?.getState()).toMatchObject({
      open: false,
      ending: { type: 'lost', how: 'reloaded', speaker: 'nobody' },
    })
  })

  test('a call of ours that waited at the gate did not run, one that was dispatched may have', () => {
    const store = newStore()
    const stream = store.openStream()
    for (const key of ['waits', 'runs']) {
      stream.push({ type: 'message-started' })
      stream.push(announced(key, 'local'))
      stream.push({ type: 'call-fragment', key, text: '{}' })
      stream.push(finished(key))
      stream.push(naturalEnd)
    }
    stream.end()
    expect(store.dispatched({ callId: 'runs' })).toBe(true)
    const after = reloaded(store)
    expect(labelsIn(after, stream.turnId)).toEqual([
      'local — not run (the page was closed)',
      'local — may have run (the page was closed)',
    ])
    expect(after.dispatched({ callId: 'waits' })).toBe(false)
    expect(after.dispatched({ callId: 'runs' })).toBe(false)
  })

  test('a call that waited for its stream to resume is read as it stood before', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push(announced('a', 'local'))
    stream.push(announced('b', 'server'))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    expect(labelsIn(reloaded(store), stream.turnId)).toEqual([
      'local — not run (the page was closed)',
      'server — may have run (the page was closed)',
    ])
  })

  test('a server call that waits for a person goes on waiting, and can be answered', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    for (const [key, name] of [
      ['theirs', 'server'],
      ['ours', 'local'],
    ] as const) {
      stream.push(announced(key, name))
      stream.push(finished(key))
      stream.push({ type: 'approval-requested', key, approvalId: `approval-${key}` })
    }
    const clock = createFakeClock()
    const after = reloaded(store, clock)
    expect(labelsIn(after, stream.turnId)).toEqual([
      'server — waiting for your approval',
      'local — not run (the page was closed)',
    ])
    clock.advance(86_400_000)
    expect(after.answerApproval({ callId: 'theirs' }, { granted: true })).toBe(true)
    after.flush()
    expect(labelsIn(after, stream.turnId)[0]).toBe('server — sent, waiting for the result')
    clock.advance(300_000)
    after.flush()
    expect(labelsIn(after, stream.turnId)[0]).toBe('server — may have run (no result received)')
  })

  test('a tool that is declared otherwise now is read by what claims less', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push(announced('a', 'local'))
    const after = createToolCallStore({ clock: createFakeClock(), tools: {} })
    after.restore(kept(store))
    expect(labelsIn(after, stream.turnId)).toEqual(['local — may have run (the page was closed)'])
  })

  test('text that promised something is not the last word', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    const after = reloaded(store)
    const view = after.turn(stream.turnId)?.getState()
    expect(view?.items).toMatchObject([{ type: 'text', text: "I'll create that ticket for you now." }])
    expect(view?.notice === null || view?.notice === undefined ? [] : noticeSentences(view.notice)).toEqual([
      'The reply stopped here (the page was closed).',
    ])
  })
})

describe('what was settled', () => {
  function settledStore() {
    const store = newStore()
    const stream = store.openStream({ scope: 'chat-1' })
    stream.push({ type: 'message-started', messageId: 'message-1' })
    stream.push({ type: 'text-fragment', text: 'Two things.' })
    stream.push(announced('a', 'server'))
    stream.push(finished('a'))
    stream.push({ type: 'call-returned', key: 'a', ok: true })
    stream.push(announced('b', 'server'))
    stream.push({ type: 'call-finished', key: 'b', status: 'rejected' })
    stream.push({ type: 'call-announced', key: 'c', name: 'a tool — done' })
    stream.push({ type: 'message-ended', reason: 'length', rawReason: 'max_tokens', finishesOpenCalls: false })
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    store.flush()
    return { store, turnId: stream.turnId }
  }

  test('survives as text, word for word, in order, with its ids and the ending of its turn', () => {
    const { store, turnId } = settledStore()
    const after = reloaded(store)
    expect(labelsIn(after, turnId)).toEqual(labelsIn(store, turnId))
    expect(after.turn(turnId)?.getState()).toEqual(store.turn(turnId)?.getState())
    for (const key of ['a', 'b', 'c'])
      expect(after.callByKey(turnId, key)?.getState()).toEqual(store.callByKey(turnId, key)?.getState())
    expect(after.balance()).toEqual(store.balance())
    expect(after.call({ callId: 'a', scope: 'chat-1', messageId: 'message-1' })?.getState().key).toBe('a')
    expect(after.call({ callId: 'kit-call-1', turnId })?.getState().key).toBe('c')
    expect(kept(after)).toEqual(kept(store))
  })

  test('stays settled: what comes late still counts by its rank', () => {
    const { store, turnId } = settledStore()
    const after = reloaded(store)
    after.settle({ callId: 'a', turnId, name: null, ran: 'no', cause: 'cancelled' })
    after.settle({ callId: 'kit-call-1', turnId, name: null, ran: 'yes', ok: true })
    after.flush()
    expect(labelsIn(after, turnId)[0]).toBe('server — done')
    expect(after.callByKey(turnId, 'c')?.getState()).toMatchObject({ settled: { ran: 'yes', cause: 'ok' } })
  })

  test('holds no arguments, before and after', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push(announced('a', 'local'))
    stream.push({ type: 'call-fragment', key: 'a', text: '{"password":"hunter2"}' })
    stream.push(finished('a'))
    stream.push(naturalEnd)
    stream.end()
    expect(JSON.stringify(store.snapshot())).not.toContain('hunter2')
  })
})

describe('restoring', () => {
  test('tells no subscriber: the turns were there before anybody looked', async () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(announced('a', 'local'))
    const after = newStore()
    let publications = 0
    after.subscribe(() => publications++)
    after.restore(kept(store))
    await Promise.resolve()
    after.flush()
    expect(publications).toBe(0)
    expect(labelsIn(after, stream.turnId)).toEqual(['local — not run (the page was closed)'])

    const live = after.openStream()
    live.push(announced('b', 'local'))
    after.flush()
    expect(publications).toBe(1)
  })

  test('twice is the same as once', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push(announced('a', 'server'))
    const snapshot = kept(store)
    const after = newStore()
    after.restore(snapshot)
    const call = after.callByKey(stream.turnId, 'a')
    const once = kept(after)
    after.settle({ callId: 'a', name: null, ran: 'yes', ok: true })
    after.flush()
    after.restore(snapshot)
    after.restore(once)
    expect(after.turnIds()).toEqual([stream.turnId])
    expect(after.callByKey(stream.turnId, 'a')).toBe(call)
    expect(labelsIn(after, stream.turnId)).toEqual(['server — done'])
  })

  test('several times over, reload after reload, changes nothing any more', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: 'One moment.' })
    stream.push(announced('a', 'local'))
    stream.push(announced('b', 'server'))
    const once = reloaded(store)
    const often = reloaded(reloaded(reloaded(once)))
    expect(kept(often)).toEqual(kept(once))
    expect(labelsIn(often, stream.turnId)).toEqual(labelsIn(once, stream.turnId))
  })

  test('leaves turns that are here already, and minted ids never collide with restored ones', () => {
    const store = newStore()
    const old = store.openStream()
    old.push(announced('a', 'server'))
    const after = newStore()
    const live = after.openStream()
    live.push(announced('live', 'server'))
    after.restore(kept(store))
    expect(old.turnId).toBe(live.turnId)
    expect(live.ending).toBeNull()
    expect(after.balance()).toMatchObject({ announced: 1, preparing: 1 })

    const fresh = newStore()
    fresh.restore(kept(store))
    expect(fresh.openStream().turnId).not.toBe(old.turnId)
  })

  test('a restored turn can go on, with calls of its own', async () => {
    const store = newStore()
    const first = store.openStream()
    first.push({ type: 'message-started' })
    first.push(announced('a', 'server'))
    const after = reloaded(store)
    const second = after.openStream({ turnId: first.turnId, speaker: 'model' })
    second.push({ type: 'message-started' })
    second.push(announced('b', 'local'))
    second.push({ type: 'call-fragment', key: 'b', text: '{}' })
    second.push(finished('b'))
    second.push(naturalEnd)
    second.end()
    const { dispatchable, ending, calls } = await second.ended
    expect(ending.type).toBe('complete')
    expect(calls.map(({ callId }) => callId)).toEqual(['b'])
    expect(dispatchable.map((call) => after.dispatched(call))).toEqual([true])
    after.flush()
    expect(labelsIn(after, first.turnId)).toEqual(['server — may have run (the page was closed)', 'Running local…'])
  })

  test('something that is no snapshot throws', () => {
    const store = newStore()
    for (const wrong of [null, undefined, {}, [], 'text', { version: 2, turns: [] }, { version: 1 }]) {
      expect(() => store.restore(wrong as unknown as Snapshot)).toThrow('restore() was given something')
    }
    expect(() => store.restore({ version: 1, turns: [] })).not.toThrow()
  })
})
