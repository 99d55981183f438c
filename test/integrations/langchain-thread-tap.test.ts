import { expect, test } from 'vitest'
import type { Ending } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { createStreamLink, listenTo } from '../../src/integrations/langchain-react/stream-link.ts'
import { type Beginning, createThreadTap } from '../../src/integrations/langchain-react/thread-tap.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { begun, type Emitted, lifecycle, piece, toolFinished } from './agent-server.ts'

const NOW = { threadId: 't1', asked: 'h1' }
const STOPPED: Ending = { type: 'cancelled', by: 'user', acknowledged: false }

function setUp() {
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, frame: () => () => {}, tools: { create_ticket: { executor: 'server' } } })
  const gaveUp: string[] = []
  const host = {
    stop: async () => void gaveUp.push('stop'),
    disconnect: async () => void gaveUp.push('disconnect'),
  }
  let seq = 0
  const tap = () => {
    const made = createThreadTap(store)
    const take = (...events: readonly Emitted[]): void => {
      for (const [method, data] of events)
        made.take({ type: 'event', seq: ++seq, event_id: `e${seq}`, method, params: { namespace: [], data } }, NOW)
    }
    return { ...made, running: (now: Beginning) => made.running(now, host), emit: take }
  }
  const labels = (): readonly string[] => {
    store.flush()
    return store.turnIds().flatMap((id) =>
      (store.turn(id)?.getState().items ?? []).flatMap(({ type, key }) => {
        const call = type === 'call' ? store.callByKey(id, key)?.getState() : undefined
        return call === undefined ? [] : labelOf(call)
      }),
    )
  }
  return { clock, store, gaveUp, tap, labels }
}

const half = [...begun(), piece('{"title":"Disk')]
const lost = 'create_ticket — may have run (connection lost)'

test('a lost link is waited for, but not for ever; what comes after all is still of the same reply', () => {
  const { clock, store, tap, labels } = setUp()
  const { running, lost: drop, restored, emit } = tap()
  running(NOW)
  emit(...half)
  drop()
  drop()
  expect(labels()).toEqual(['create_ticket — reconnecting…'])
  clock.advance(29_999)
  expect(labels()).toEqual(['create_ticket — reconnecting…'])
  clock.advance(1)
  expect(labels()).toEqual([lost])
  restored()
  emit(toolFinished)
  expect(labels()).toEqual(['create_ticket — done'])
  expect(store.turnIds()).toHaveLength(1)
  expect(store.counts().contradictedLabels).toBe(0)
})

test('an event shows as well as its word that the link is there again', () => {
  const { tap, labels } = setUp()
  const { running, lost: drop, emit } = tap()
  running(NOW)
  emit(...half)
  drop()
  emit(piece(' full"'))
  expect(labels()).toEqual(['Preparing create_ticket…'])
})

test('who gives up while the link is away settles at once', () => {
  const { tap, labels } = setUp()
  const { running, lost: drop, over, emit } = tap()
  running(NOW)
  emit(...half)
  drop()
  over(STOPPED)
  expect(labels()).toEqual(['create_ticket — may have run (cancelled)'])
})

test('a run whose last word came by another connection is not stopped: what it brings is on its way', () => {
  const { tap, labels } = setUp()
  const { running, over, ended, emit } = tap()
  running(NOW)
  emit(...half)
  ended()
  over(STOPPED)
  expect(labels()).toEqual(['Preparing create_ticket…'])
  emit(piece('"}'), toolFinished, lifecycle('completed'))
  expect(labels()).toEqual(['create_ticket — done'])
})

test('what is on its way is not waited for once the next run begins', () => {
  const { tap, labels } = setUp()
  const { running, over, ended, emit } = tap()
  running(NOW)
  emit(...half)
  ended()
  over(STOPPED)
  running({ ...NOW, asked: 'h2' })
  expect(labels()).toEqual(['create_ticket — may have run (cancelled)'])
})

test('a page that is left and drawn again goes on with its reply, but not with that to another message', () => {
  const { store, tap, labels } = setUp()
  const first = tap()
  first.running(NOW)
  first.emit(...half)
  first.lost()
  const second = tap()
  second.running(NOW)
  second.emit(piece('"}'), toolFinished, lifecycle('completed'))
  expect(labels()).toEqual(['create_ticket — done'])
  expect(store.turnIds()).toHaveLength(1)
  const third = tap()
  third.running({ ...NOW, asked: 'h2' })
  expect(store.turnIds()).toHaveLength(2)
})

test('silence and a cancelled turn are told to the host; what the host itself ended is not', () => {
  const { clock, store, gaveUp, tap } = setUp()
  const { running, over, emit } = tap()
  running(NOW)
  emit(...half)
  over(STOPPED)
  expect(gaveUp).toEqual([])
  running(NOW)
  emit(...begun('ai-2', 'call_2'))
  clock.advance(30_000)
  expect(gaveUp).toEqual(['disconnect'])
  over(STOPPED)
  running(NOW)
  store.cancel(store.turnIds().at(-1) ?? '')
  expect(gaveUp).toEqual(['disconnect', 'stop'])
})

test('a run that follows too closely to be drawn is a reply of its own; what comes between two runs is of none', () => {
  const { store, tap } = setUp()
  const { running, emit } = tap()
  running(NOW)
  emit(...half, lifecycle('completed'), ...begun('ai-2', 'call_2'))
  expect(store.turnIds()).toHaveLength(1)
  expect(store.balance().announced).toBe(1)
  emit(lifecycle('running'), ...begun('ai-3', 'call_3'))
  expect(store.turnIds()).toHaveLength(2)
  expect(store.counts().dropped).toEqual({})
})

test('a link tells its listeners until they leave; one of somebody else’s is a mistake', () => {
  const link = createStreamLink()
  const heard: string[] = []
  const leave = listenTo(link, { lost: () => heard.push('lost'), restored: () => heard.push('restored') })
  link.onConnected({ kind: 'initial', attempt: 0 })
  link.onReconnect({ attempt: 1, cause: new Error('MARKER'), delayMs: 0 })
  link.onConnected({ kind: 'reconnected', attempt: 1 })
  expect(heard).toEqual(['lost', 'restored'])
  leave()
  link.onReconnect({ attempt: 1, cause: new Error('MARKER'), delayMs: 0 })
  expect(heard).toHaveLength(2)
  expect(() => listenTo({ ...link }, { lost() {}, restored() {} })).toThrow(/createStreamLink/)
})
