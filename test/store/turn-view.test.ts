import { expect, test } from 'vitest'
import { noticeSentences } from '../../src/core/notice.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

function noticeOf(store: ToolCallStore, turnId: string): string {
  store.flush()
  const notice = store.turn(turnId)?.getState().notice ?? null
  return notice === null ? '' : noticeSentences(notice).join(' ')
}

test('nothing is said to have stopped while it may be resumed, and it is said once it cannot', () => {
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, frame: () => () => {} })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
  stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
  expect(noticeOf(store, stream.turnId)).toBe('')
  clock.advance(30_000)
  expect(noticeOf(store, stream.turnId)).toBe('May have run: create_ticket.')
})

test('a report that becomes a block of its own does not hide why the reply stopped', () => {
  const store = createToolCallStore({ frame: () => () => {} })
  const stream = store.openStream()
  stream.push({ type: 'text-fragment', text: 'I will.' })
  stream.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
  stream.push({ type: 'outcome-reported', report: { callId: 'c9', name: 'send_payment', ran: 'yes', ok: true } })
  stream.end({ type: 'complete', speaker: 'model' })
  expect(noticeOf(store, stream.turnId)).toBe('The reply stopped here (the length limit was reached).')
})

test('a restored turn still says why it stopped', () => {
  const store = createToolCallStore({ frame: () => () => {} })
  const stream = store.openStream()
  stream.push({ type: 'text-fragment', text: 'I will.' })
  stream.push({ type: 'message-ended', reason: 'filter', finishesOpenCalls: false })
  stream.end({ type: 'complete', speaker: 'model' })
  const reopened = createToolCallStore()
  reopened.restore(JSON.parse(JSON.stringify(store.snapshot())))
  expect(noticeOf(reopened, stream.turnId)).toBe('The reply stopped here (a content filter).')
})

test('each item says which message it is of, also where a wire gives messages no ids', () => {
  const store = createToolCallStore({ frame: () => () => {} })
  const stream = store.openStream()
  stream.push({ type: 'message-started' })
  stream.push({ type: 'text-fragment', text: 'I will.' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  stream.push({ type: 'message-started' })
  stream.push({ type: 'text-fragment', text: 'I did.' })
  store.flush()
  const items = store.turn(stream.turnId)?.getState().items
  expect(items?.map(({ key, message }) => [key, message])).toEqual([
    ['text:0', 0],
    ['a', 0],
    ['text:2', 1],
  ])
})
