import { expect, test } from 'vitest'
import type { StreamEvent } from '../../src/core/events.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { Tools } from '../../src/core/tools.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

const tools: Tools = {
  create_ticket: { executor: 'local' },
  open_file: { executor: 'host' },
  send_payment: { executor: 'server' },
}
const started = { type: 'message-started' } as const
const ended = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false } as const
const lost = { type: 'lost', how: 'connection-lost', speaker: 'nobody' } as const

function whole(name: string, key = 'a'): readonly StreamEvent[] {
  return [
    { type: 'call-announced', key, callId: key, name },
    { type: 'call-fragment', key, text: '{"title":"Disk"}' },
    { type: 'call-finished', key },
  ]
}

function storeWith(options: Partial<Parameters<typeof createToolCallStore>[0]> = {}) {
  const clock = createFakeClock()
  const store = createToolCallStore({ tools, clock, frame: () => () => {}, ...options })
  const stream = store.openStream()
  const push = (...events: readonly StreamEvent[]) => {
    for (const event of events) stream.push(event)
  }
  return { store, stream, clock, push }
}

function standing(store: ToolCallStore, key = 'a'): string | undefined {
  store.flush()
  const view = store.callByKey(store.turnIds()[0] ?? '', key)?.getState()
  return view?.phase === 'waiting' ? `waiting on ${view.on}` : view?.phase
}

test.each(['create_ticket', 'open_file', 'send_payment'])(
  'a call of %s may be run once, whoever asks twice',
  (name) => {
    const { store, push } = storeWith()
    push(started, ...whole(name), ended)
    expect([store.dispatched({ callId: 'a' }), store.dispatched({ callId: 'a' })]).toEqual([true, false])
    expect(standing(store)).toBe('running')
  },
)

test.each(['open_file', 'send_payment'])('a call of %s may not be run while it is still being written', (name) => {
  const { store, push } = storeWith()
  push(started, ...whole(name).slice(0, 2))
  expect(store.dispatched({ callId: 'a' })).toBe(false)
  expect(standing(store)).toBe('preparing')
})

test('nor while a person is asked, nor once it is settled', () => {
  const { store, stream, push } = storeWith()
  push(started, ...whole('open_file'), { type: 'approval-requested', key: 'a' })
  expect(store.dispatched({ callId: 'a' })).toBe(false)
  expect(standing(store)).toBe('waiting on person')
  stream.end(lost)
  expect(store.dispatched({ callId: 'a' })).toBe(false)
  expect(standing(store)).toBe('settled')
})

test('a subscriber has heard that it runs before the tool can begin, so that a journal is ahead of it', () => {
  const { store, push } = storeWith()
  push(started, ...whole('create_ticket'), ended)
  store.flush()
  const heard: string[] = []
  store.subscribe(({ calls }) => heard.push(...calls.map(({ call }) => call.phase)))
  expect(store.dispatched({ callId: 'a' })).toBe(true)
  expect(heard).toEqual(['running'])
})

test('what was said of no tool having run is taken back as soon as one does', () => {
  const { store, stream, push } = storeWith({
    tools: { create_ticket: { executor: 'local' } },
    defaultExecutor: 'local',
  })
  push(started, ...whole('create_ticket'), ended)
  stream.end(lost)
  const notice = () => {
    store.flush()
    const found = store.turn(stream.turnId)?.getState().notice ?? null
    return found === null ? '' : noticeSentences(found).join(' ')
  }
  expect(notice()).toBe('The reply stopped here (connection lost). No tool was run.')
  store.dispatched({ callId: 'a' })
  expect(notice()).toBe('The reply stopped here (connection lost).')
})

test('a tool that nobody declared is not dispatched, and holds its batch back', () => {
  const { store, stream, push } = storeWith({ defaultExecutor: 'local' })
  push(started, ...whole('rm_rf'), ...whole('create_ticket', 'b'), ended)
  stream.end()
  expect(store.dispatchable()).toEqual([])
  expect(store.balance().settled.no).toEqual({ 'unknown-tool': 1, 'held-back': 1 })
})

test('what a person approves after the end of the stream may be dispatched then', () => {
  const { store, stream, push } = storeWith()
  push(started, ...whole('create_ticket'), { type: 'approval-requested', key: 'a' }, ended)
  stream.end()
  expect(store.dispatchable()).toEqual([])
  store.answerApproval({ callId: 'a' }, { granted: true })
  const [call] = store.dispatchable(stream.turnId)
  expect(call).toMatchObject({ callId: 'a', name: 'create_ticket', args: { title: 'Disk' } })
  expect(call !== undefined && store.dispatched(call)).toBe(true)
})

test('an answer that is given while the stream is away holds when it comes back', () => {
  const { store, stream, push } = storeWith()
  push(started, ...whole('open_file'), { type: 'approval-requested', key: 'a' })
  stream.end(lost, { resumable: true })
  expect(standing(store)).toBe('waiting on resume')
  expect(store.answerApproval({ callId: 'a' }, { granted: true })).toBe(true)
  store.openStream({ turnId: stream.turnId })
  expect(standing(store)).toBe('waiting on result')
})

test('a report by a stream about another turn is about that turn', () => {
  const { store, stream, push } = storeWith()
  push(started, ...whole('send_payment'))
  const other = store.openStream()
  for (const event of [started, ...whole('send_payment')]) other.push(event)
  other.push({
    type: 'outcome-reported',
    report: { turnId: stream.turnId, callId: 'a', name: null, ran: 'yes', ok: true },
  })
  expect(store.balance(stream.turnId).settled.yes).toEqual({ ok: 1 })
  expect(store.balance(other.turnId).waiting.result).toBe(1)
})

test('a result for an id that stands for two calls of a turn is held, not guessed, even where one is settled', () => {
  const { store, stream, push } = storeWith()
  push(started, ...whole('send_payment', 'a'))
  stream.end(lost)
  const next = store.openStream({ turnId: stream.turnId })
  for (const event of [started, { type: 'call-announced', key: 'b', callId: 'a', name: 'send_payment' } as const])
    next.push(event)
  next.push({ type: 'call-returned', callId: 'a', ok: true })
  expect(store.balance().settled.yes).toEqual({})
  expect(store.counts().dropped).toEqual({ 'ambiguous-id': 1 })
})

test('a deadline that is no number of milliseconds is refused, one left undefined is the default', () => {
  expect(() => createToolCallStore({ deadlines: { idle: Number.NaN } })).toThrow('the deadline idle is NaN')
  const { store, stream, clock, push } = storeWith({ deadlines: { idle: undefined } })
  push(started, ...whole('send_payment').slice(0, 2))
  clock.advance(9_999)
  expect(stream.ending).toBeNull()
  clock.advance(1)
  expect(stream.ending).toMatchObject({ how: 'idle' })
  expect(standing(store)).toBe('settled')
})
