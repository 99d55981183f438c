// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createToolCallStore, type ToolCallStore } from '../../src/index.ts'
import { messagesStand, replyBegan } from '../../src/integrations/replies.ts'
import { useCallOfSlot } from '../../src/integrations/use-call-of-slot.ts'

afterEach(cleanup)

const scope = 'chat'
const toolCallId = 'call_1'

function reply(store: ToolCallStore, before: readonly string[]): string {
  messagesStand(store, scope, before)
  const stream = store.openStream({ scope })
  replyBegan(store, scope, stream.turnId)
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key: 'a', callId: toolCallId, name: 'create_ticket' })
  store.flush()
  return stream.turnId
}

function turnShown(store: ToolCallStore, messageId?: string) {
  const { result, rerender } = renderHook(() => useCallOfSlot({ store, scope, messageId, toolCallId }))
  return () => {
    rerender()
    return result.current?.turnId
  }
}

test('a block shows the call of its message; without one, the call that it showed first', () => {
  const store = createToolCallStore()
  const first = reply(store, ['question 1'])
  const [named, unnamed] = [turnShown(store, 'answer 1'), turnShown(store)]
  expect([named(), unnamed()]).toEqual([first, first])
  const second = reply(store, ['question 1', 'answer 1', 'question 2'])
  expect([named(), unnamed()]).toEqual([first, first])
  // Mounted again, only the one that has a message knows.
  expect([turnShown(store, 'answer 1')(), turnShown(store)()]).toEqual([first, second])
  expect(turnShown(store, 'answer 2')()).toBe(second)
})

test('a message that no reply of the store made has no call, though the id stands there', () => {
  const store = createToolCallStore()
  reply(store, ['from before', 'question 3'])
  expect(turnShown(store, 'from before')()).toBeUndefined()
  // The control.
  expect(turnShown(store, 'answer')()).toBeDefined()
})

test('a block without a message stays with a call whose correction took its place under another id', () => {
  const schema = z.object({ title: z.string() })
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'local', schema } } })
  const { turnId, ...first } = store.openStream({ scope, corrects: true })
  first.push({ type: 'message-started' })
  first.push({ type: 'call-announced', key: 'a', callId: toolCallId, name: 'create_ticket' })
  first.push({ type: 'call-fragment', key: 'a', text: '{}' })
  first.push({ type: 'call-finished', key: 'a' })
  first.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  first.end({ type: 'complete', speaker: 'model' })
  const second = store.openStream({ turnId, corrects: true })
  second.push({ type: 'message-started' })
  second.push({ type: 'call-announced', key: 'b', callId: 'call_2', name: 'create_ticket' })
  store.flush()
  const { result } = renderHook(() => useCallOfSlot({ store, scope, messageId: undefined, toolCallId }))
  expect(result.current?.id).toBe('call_2')
})
