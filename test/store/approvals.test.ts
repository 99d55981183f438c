import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

const ENDED: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
const COMPLETE = { type: 'complete', speaker: 'model' } as const

const payment: ToolDeclaration<{ amount: number }> = {
  executor: 'local',
  schema: z.object({ amount: z.number(), iban: z.string().optional() }),
  sensitive: ['iban'],
  needsApproval: ({ amount }) => amount > 100,
}

function newStore(send_payment: ToolDeclaration<{ amount: number }> = payment) {
  const clock = createFakeClock()
  const tools = { send_payment, send_mail: { executor: 'local' } } as const
  return { clock, store: createToolCallStore({ clock, frame: () => () => {}, tools }) }
}

function play(store: ToolCallStore, text: string, beside?: string): void {
  const stream = store.openStream({ turnId: 't' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'pay', name: 'send_payment' })
  stream.push({ type: 'call-fragment', key: 'a', text })
  stream.push({ type: 'call-finished', key: 'a' })
  if (beside !== undefined) {
    stream.push({ type: 'call-announced', key: 'b', callId: 'mail', name: 'send_mail' })
    stream.push({ type: 'call-fragment', key: 'b', text: beside })
    stream.push({ type: 'call-finished', key: 'b' })
  }
  stream.push(ENDED)
  stream.end(COMPLETE)
}

function view(store: ToolCallStore, callId = 'pay') {
  store.flush()
  const call = store.call({ callId })?.getState()
  if (call === undefined) throw new Error('no call')
  return call
}

const label = (store: ToolCallStore, callId?: string): string => labelOf(view(store, callId))
const LARGE = '{"amount":250,"iban":"DE02"}'

describe('a tool of ours that needs approval', () => {
  test('asks once its checks are passed, with what would run; `sensitive` members are not shown', () => {
    const { store } = newStore()
    play(store, LARGE)
    expect(view(store)).toMatchObject({
      phase: 'waiting',
      on: 'person',
      asked: [{ path: 'amount', text: '250', settled: true }],
    })
    expect(store.dispatchable()).toEqual([])
    expect(store.dispatched({ callId: 'pay' })).toBe(false)
  })

  test('the control: arguments that need none wait to run at once', () => {
    const { store } = newStore()
    play(store, '{"amount":5}')
    expect(label(store)).toBe('send_payment — waiting to run')
  })

  test('a grant releases the very arguments that were asked about, and nobody can change them', () => {
    const { store } = newStore()
    play(store, LARGE)
    expect(store.answerApproval({ callId: 'pay' }, { granted: true })).toBe(true)
    const [call] = store.dispatchable()
    expect(call?.args).toEqual({ amount: 250, iban: 'DE02' })
    expect(() => {
      Object.assign(call?.args ?? {}, { amount: 9000 })
    }).toThrow(TypeError)
    expect(store.answerApproval({ callId: 'pay' }, { granted: false })).toBe(false)
    expect([store.dispatched({ callId: 'pay' }), store.dispatched({ callId: 'pay' })]).toEqual([true, false])
  })

  test.for([
    ['person', 'send_payment — not run (you declined)'],
    ['policy', 'send_payment — not run (blocked by policy)'],
    ['expiry', 'send_payment — not run (approval timed out)'],
  ] as const)('refused by %s: "%s"', ([by, words]) => {
    const { store } = newStore()
    play(store, LARGE)
    store.answerApproval({ callId: 'pay' }, { granted: false, by })
    expect(label(store)).toBe(words)
    expect(store.answerApproval({ callId: 'pay' }, { granted: true })).toBe(false)
  })

  test('a damaged sibling settles it before anybody is asked', () => {
    const { store } = newStore()
    play(store, LARGE, '{"to":')
    expect(label(store)).toBe('send_payment — not run (another call had a problem)')
  })

  test('a sound sibling need not wait for the answer', () => {
    const { store } = newStore()
    play(store, LARGE, '{}')
    expect(label(store, 'mail')).toBe('send_mail — waiting to run')
  })

  test('a rule that throws asks', () => {
    const { store } = newStore({
      ...payment,
      needsApproval: () => {
        throw new Error('the rule broke')
      },
    })
    play(store, '{"amount":5}')
    expect(label(store)).toBe('send_payment — waiting for your approval')
  })

  test('a wire cannot grant it', () => {
    const { store } = newStore()
    const stream = store.openStream({ turnId: 't' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'pay', name: 'send_payment' })
    stream.push({ type: 'call-fragment', key: 'a', text: LARGE })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push(ENDED)
    stream.push({ type: 'approval-answered', key: 'a', granted: true, by: 'person' })
    expect(label(store)).toBe('send_payment — waiting for your approval')
  })

  test('waits as long as the person does, also after its stream was lost', () => {
    const { store, clock } = newStore()
    play(store, LARGE)
    clock.advance(10 * 3_600_000)
    expect(label(store)).toBe('send_payment — waiting for your approval')
  })
})

describe('over a reload', () => {
  function reloaded(store: ToolCallStore, keeps: boolean): ToolCallStore {
    const { store: after } = newStore()
    after.restore(JSON.parse(JSON.stringify(store.snapshot({ arguments: keeps }))))
    return after
  }

  test('the question is asked again where the host keeps the arguments, and the answer still counts', () => {
    const { store } = newStore()
    play(store, LARGE)
    const after = reloaded(store, true)
    expect(view(after)).toMatchObject({ phase: 'waiting', on: 'person', asked: [{ path: 'amount', text: '250' }] })
    expect(after.dispatched({ callId: 'pay' })).toBe(false)
    expect(after.answerApproval({ callId: 'pay' }, { granted: true })).toBe(true)
    expect(after.dispatchable().map(({ args }) => args)).toEqual([{ amount: 250, iban: 'DE02' }])
  })

  test('what was changed in the storage has to pass the checks again', () => {
    const { store } = newStore()
    play(store, LARGE)
    const kept = JSON.stringify(store.snapshot({ arguments: true }))
    const { store: after } = newStore()
    after.restore(JSON.parse(kept.replace(JSON.stringify(LARGE), JSON.stringify('{"amount":"all"}'))))
    expect(label(after)).toBe('send_payment — not run (the details were not valid)')
    expect(after.answerApproval({ callId: 'pay' }, { granted: true })).toBe(false)
  })

  test('without the arguments it was not run', () => {
    const { store } = newStore()
    play(store, LARGE)
    expect(JSON.stringify(store.snapshot())).not.toContain('250')
    expect(label(reloaded(store, false))).toBe('send_payment — not run (the page was closed)')
  })

  test('only what waits for a person is kept', () => {
    const { store } = newStore()
    play(store, LARGE, '{"to":"somebody"}')
    expect(JSON.stringify(store.snapshot({ arguments: true }))).not.toContain('somebody')
    store.answerApproval({ callId: 'pay' }, { granted: false })
    expect(JSON.stringify(store.snapshot({ arguments: true }))).not.toContain('250')
  })
})

test('a call that the server asks about shows its arguments, if they are one whole document', () => {
  const { store } = newStore()
  const stream = store.openStream({ turnId: 't' })
  const asked = (key: string, text: string): void => {
    stream.push({ type: 'call-announced', key, callId: key, name: 'deploy' })
    stream.push({ type: 'call-fragment', key, text })
    stream.push({ type: 'call-finished', key })
    stream.push({ type: 'approval-requested', key })
  }
  asked('whole', '{"to":"production"}')
  asked('broken', '{"to":"produ')
  expect(view(store, 'whole')).toMatchObject({
    on: 'person',
    asked: [{ path: 'to', text: 'production', settled: true }],
  })
  expect(view(store, 'broken')).toMatchObject({ on: 'person', asked: [] })
})
