import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { StreamedEvent } from '../../src/store/context.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

function newStore() {
  const tools = { create_ticket: { executor: 'local', schema: z.object({ a: z.number() }) } } as const
  return createToolCallStore({ clock: createFakeClock(), frame: () => () => {}, tools })
}

test('every event of every stream is told, in order, with the block it is about; until nobody listens any more', () => {
  const store = newStore()
  const told: StreamedEvent[] = []
  const stop = store.onEvent((streamed) => void told.push(streamed))
  const first = store.openStream({ turnId: 't', corrects: true })
  first.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
  first.push({ type: 'call-fragment', key: 'a', text: '{}' })
  first.push({ type: 'call-finished', key: 'a' })
  first.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  first.end()
  const second = store.openStream({ turnId: 't' })
  second.push({ type: 'call-announced', key: 'b', callId: 'c2', name: 'create_ticket' })
  stop()
  second.push({ type: 'call-fragment', key: 'b', text: '{"a":1}' })
  expect(told.map(({ turnId, event, block }) => [turnId, event.type, block])).toEqual([
    ['t', 'call-announced', 'a'],
    ['t', 'call-fragment', 'a'],
    ['t', 'call-finished', 'a'],
    ['t', 'message-ended', undefined],
    ['t', 'call-announced', 'a'],
  ])
})

test('a listener that throws disturbs neither the store nor the next one', () => {
  const seen = vi.spyOn(console, 'error').mockImplementation(() => {})
  const store = newStore()
  const next = vi.fn()
  store.onEvent(() => {
    throw new Error('the relay broke')
  })
  store.onEvent(next)
  store.openStream().push({ type: 'text-fragment', text: 'Hello' })
  expect(next).toHaveBeenCalledTimes(1)
  expect(seen).toHaveBeenCalledTimes(1)
  seen.mockRestore()
})
