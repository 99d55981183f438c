import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import type { ToolCallStream } from '../../src/store/stream.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

const ENDED: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
const priority = z.object({ priority: z.enum(['low', 'normal', 'urgent']) })

function newStore() {
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    tools: {
      create_ticket: { executor: 'local', schema: priority },
      send_mail: { executor: 'local' },
      book_room: { executor: 'local', check: () => 'The room is taken.' },
    },
  })
  return { store, clock }
}

function call(stream: ToolCallStream, key: string, name: string, text: string): void {
  stream.push({ type: 'call-announced', key, callId: `id-${key}`, name })
  stream.push({ type: 'call-fragment', key, text })
  stream.push({ type: 'call-finished', key })
}

/** A message of these calls: name and argument text by key; its stream ends with it. */
function message(
  store: ToolCallStore,
  turnId: string,
  calls: Readonly<Record<string, readonly [string, string]>>,
  corrects = true,
): ToolCallStream {
  const stream = store.openStream({ turnId, corrects })
  stream.push({ type: 'message-started' })
  for (const [key, [name, text]] of Object.entries(calls)) call(stream, key, name, text)
  stream.push(ENDED)
  stream.end({ type: 'complete', speaker: 'model' })
  store.flush()
  return stream
}

/** What stands on the screen: the labels by the key of their block. */
function blocks(store: ToolCallStore, turnId = 't'): Record<string, string> {
  store.flush()
  const items = store.turn(turnId)?.getState().items ?? []
  return Object.fromEntries(
    items.flatMap((item) => {
      const view = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
      return view === undefined ? [] : [[item.key, labelOf(view)]]
    }),
  )
}

const P1: readonly [string, string] = ['create_ticket', '{"priority":"P1"}']
const URGENT: readonly [string, string] = ['create_ticket', '{"priority":"urgent"}']

describe('a batch that may be corrected', () => {
  test('stays "Preparing" after its stream ended, and says what was wrong to whoever asks for the correction', async () => {
    const { store } = newStore()
    const stream = message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    expect(blocks(store)).toEqual({ a: 'Preparing create_ticket…', b: 'Preparing send_mail…' })
    expect(store.turn('t')?.getState().notice).toBeNull()
    const { calls, dispatchable } = await stream.ended
    expect(dispatchable).toEqual([])
    expect(calls.map(({ key, correcting, outcome, raw }) => [key, correcting, outcome?.type, raw])).toEqual([
      ['a', true, 'schema-error', '{"priority":"P1"}'],
      ['b', true, 'dispatchable', '{}'],
    ])
  })

  test('the control: without a host that corrects it settles at once', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] }, false)
    expect(blocks(store)).toEqual({
      a: 'create_ticket — not run (the details were not valid)',
      b: 'send_mail — not run (another call had a problem)',
    })
  })

  test('the correction takes its block, in its place and under its key', async () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    const second = store.openStream({ turnId: 't', corrects: true })
    second.push({ type: 'message-started' })
    second.push({ type: 'text-fragment', text: 'Once more.' })
    call(second, 'c', ...URGENT)
    expect(blocks(store)).toEqual({ a: 'Preparing create_ticket…', b: 'Preparing send_mail…' })
    call(second, 'd', 'send_mail', '{"to":"x"}')
    second.push(ENDED)
    second.end({ type: 'complete', speaker: 'model' })
    expect(blocks(store)).toEqual({ a: 'create_ticket — waiting to run', b: 'send_mail — waiting to run' })
    const { dispatchable, calls } = await second.ended
    expect(dispatchable.map(({ key, callId, args }) => [key, callId, args])).toEqual([
      ['a', 'id-c', { priority: 'urgent' }],
      ['b', 'id-d', { to: 'x' }],
    ])
    expect(calls.map(({ attempt }) => attempt)).toEqual([2, 2])
    expect(dispatchable.map((one) => store.dispatched(one))).toEqual([true, true])
    expect(store.balance()).toMatchObject({
      announced: 4,
      running: 2,
      settled: { no: { 'invalid-arguments': 1, 'held-back': 1 } },
    })
    // The block of the call that was replaced is the block of its correction, whatever id it is asked for by.
    expect(store.call({ callId: 'id-a', turnId: 't' })?.getState().id).toBe('id-c')
  })

  test('may use the id of what it corrects again, and is what that id means', () => {
    const { store } = newStore()
    for (const [key, text] of [
      ['a', '{"priority":"P1"}'],
      ['b', '{}'],
      ['c', '{"priority":"low"}'],
    ] as const) {
      const stream = store.openStream({ turnId: 't', corrects: true })
      stream.push({ type: 'message-started' })
      stream.push({ type: 'call-announced', key, callId: 'same', name: 'create_ticket' })
      stream.push({ type: 'call-fragment', key, text })
      stream.push({ type: 'call-finished', key })
      stream.push(ENDED)
      stream.end({ type: 'complete', speaker: 'model' })
    }
    expect(store.dispatchable('t').map((one) => store.dispatched(one))).toEqual([true])
    store.settle({ callId: 'same', turnId: 't', name: null, ran: 'yes', ok: true })
    expect(blocks(store)).toEqual({ a: 'create_ticket — done' })
    expect(store.call({ callId: 'same', turnId: 't', occurrence: 0 })?.getState().phase).toBe('settled')
    expect(store.call({ callId: 'same', turnId: 't', occurrence: 1 })).toBeUndefined()
  })

  test('the nth call of a name takes the nth block of that name; further calls get blocks of their own', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['create_ticket', '{"priority":"P2"}'] })
    message(store, 't', { c: URGENT, d: ['create_ticket', '{"priority":"low"}'], e: URGENT })
    expect(Object.keys(blocks(store))).toEqual(['a', 'b', 'e'])
    expect(store.dispatchable('t').map(({ key, args }) => [key, args])).toEqual([
      ['a', { priority: 'urgent' }],
      ['b', { priority: 'low' }],
      ['e', { priority: 'urgent' }],
    ])
  })

  test('a name that comes late takes its block then', () => {
    const { store } = newStore()
    message(store, 't', { a: P1 })
    const second = store.openStream({ turnId: 't', corrects: true })
    second.push({ type: 'call-announced', key: 'c', callId: 'id-c' })
    second.push({ type: 'call-identified', key: 'c', name: 'create_ticket' })
    expect(Object.keys(blocks(store))).toEqual(['a'])
  })

  test('blocks left over settle as they were judged, and the notice names them', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    message(store, 't', { c: URGENT })
    expect(blocks(store)).toEqual({
      a: 'create_ticket — waiting to run',
      b: 'send_mail — not run (another call had a problem)',
    })
    expect(store.turn('t')?.getState().notice?.notRun).toEqual(['send_mail'])
  })

  test('and do so with the next message, though its stream goes on', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: P1 })
    const stream = store.openStream({ turnId: 't', corrects: true })
    stream.push({ type: 'message-started' })
    call(stream, 'c', ...URGENT)
    expect(blocks(store)).toMatchObject({ b: 'Preparing create_ticket…' })
    stream.push(ENDED)
    expect(blocks(store)).toMatchObject({ b: 'create_ticket — not run (the details were not valid)' })
    expect(stream.ending).toBeNull()
  })

  test('an answer without any call settles all of them', () => {
    const { store } = newStore()
    message(store, 't', { a: P1 })
    message(store, 't', {})
    expect(blocks(store)).toEqual({ a: 'create_ticket — not run (the details were not valid)' })
  })

  test('may be given up', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    store.giveUpCorrections('t')
    expect(blocks(store)).toEqual({
      a: 'create_ticket — not run (the details were not valid)',
      b: 'send_mail — not run (another call had a problem)',
    })
  })

  test('a correction that breaks off says so; the user was never told of the first attempt', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    const second = store.openStream({ turnId: 't', corrects: true })
    second.push({ type: 'message-started' })
    second.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    expect(blocks(store)).toEqual({
      a: 'create_ticket — not run (connection lost)',
      b: 'send_mail — not run (connection lost)',
    })
  })

  test('is stopped by the user like anything else', () => {
    const { store } = newStore()
    message(store, 't', { a: P1 })
    store.openStream({ turnId: 't', corrects: true })
    store.cancel('t')
    expect(blocks(store)).toEqual({ a: 'create_ticket — cancelled' })
  })

  test('settles if nobody asks for the correction in time, and waits while it is being asked for', () => {
    const { store, clock } = newStore()
    message(store, 't', { a: P1 })
    clock.advance(9_000)
    const second = store.openStream({ turnId: 't', corrects: true })
    clock.advance(299_000)
    expect(blocks(store)).toEqual({ a: 'Preparing create_ticket…' })
    second.end({ type: 'complete', speaker: 'model' })
    expect(blocks(store)).toEqual({ a: 'create_ticket — not run (the details were not valid)' })

    message(store, 'u', { a: P1 })
    clock.advance(10_000)
    expect(blocks(store, 'u')).toEqual({ a: 'create_ticket — not run (the details were not valid)' })
  })

  test('never runs: asking for it is answered with no', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{}'] })
    expect(['id-a', 'id-b'].map((callId) => store.dispatched({ callId, turnId: 't' }))).toEqual([false, false])
  })
})

describe('what is never sent back', () => {
  test('a batch with a call that could not be read: all of it settles', () => {
    const { store } = newStore()
    message(store, 't', { a: P1, b: ['send_mail', '{"to":'] })
    expect(blocks(store)).toEqual({
      a: 'create_ticket — not run (the details were not valid)',
      b: 'send_mail — not run (the request was unreadable)',
    })
  })

  test('a batch that was cut short, though its text fails the schema too', () => {
    const { store } = newStore()
    const stream = store.openStream({ turnId: 't', corrects: true })
    call(stream, 'a', ...P1)
    stream.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
    expect(blocks(store)).toEqual({ a: 'create_ticket — not run (the request was cut short)' })
  })

  test('a rejection by a rule alone is no correction: its reason is told and its siblings settle', async () => {
    const { store } = newStore()
    const stream = message(store, 't', { a: ['book_room', '{}'], b: ['send_mail', '{}'] })
    expect(blocks(store)).toEqual({
      a: 'book_room — not run (rejected by a rule)',
      b: 'send_mail — not run (another call had a problem)',
    })
    const { calls } = await stream.ended
    expect(calls.map(({ reason }) => reason)).toEqual(['The room is taken.', undefined])
  })

  test('beside a schema error the rejected call settles and the rest is corrected', () => {
    const { store } = newStore()
    message(store, 't', { a: ['book_room', '{}'], b: P1 })
    expect(blocks(store)).toEqual({ a: 'book_room — not run (rejected by a rule)', b: 'Preparing create_ticket…' })
  })
})

test('a page that is closed during a correction says so when it is opened again', () => {
  const { store } = newStore()
  message(store, 't', { a: P1 })
  const { store: after } = newStore()
  after.restore(JSON.parse(JSON.stringify(store.snapshot())))
  expect(blocks(after)).toEqual({ a: 'create_ticket — not run (the page was closed)' })
})

test('a correction keeps its block over a reload', () => {
  const { store } = newStore()
  message(store, 't', { a: P1 })
  message(store, 't', { c: URGENT })
  store.settle({ callId: 'id-c', turnId: 't', name: null, ran: 'yes', ok: true })
  const { store: after } = newStore()
  after.restore(JSON.parse(JSON.stringify(store.snapshot())))
  expect(blocks(after)).toEqual({ a: 'create_ticket — done' })
})

test('a call that was there before cannot be the correction, though it begins anew', () => {
  const { store } = newStore()
  const first = store.openStream({ turnId: 't', corrects: true })
  first.push({ type: 'message-started' })
  first.push({ type: 'call-announced', key: 'earlier', callId: 'id-earlier', name: 'create_ticket' })
  message(store, 't', { a: P1 })
  expect(blocks(store)).toEqual({ earlier: 'Preparing create_ticket…', a: 'Preparing create_ticket…' })
  first.push({ type: 'call-announced', key: 'earlier', callId: 'id-earlier', name: 'create_ticket' })
  expect(Object.keys(blocks(store))).toEqual(['earlier', 'a'])
  // The control: one that comes after it is.
  first.push({ type: 'call-announced', key: 'later', callId: 'id-later', name: 'create_ticket' })
  expect(Object.keys(blocks(store))).toEqual(['earlier', 'a'])
  expect(store.call({ callId: 'id-a', turnId: 't' })?.getState().id).toBe('id-later')
})

test('what was corrected before a reload is history: told once more, it takes nobody his block', () => {
  const { store } = newStore()
  message(store, 't', { a: P1 })
  message(store, 't', { c: URGENT })
  store.settle({ callId: 'id-c', turnId: 't', name: null, ran: 'yes', ok: true })
  const { store: after } = newStore()
  after.restore(JSON.parse(JSON.stringify(store.snapshot())))
  message(after, 't', { a: URGENT })
  expect(blocks(after)).toEqual({ a: 'create_ticket — done' })
  expect(after.dispatchable('t')).toEqual([])
  // The control: a call that is new is told as such.
  message(after, 't', { d: URGENT })
  expect(Object.keys(blocks(after))).toEqual(['a', 'd'])
})
