// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createToolCallStore, type ToolCallStore } from '../../src/index.ts'
import { replyBegan } from '../../src/integrations/replies.ts'
import { useCallOfSlot } from '../../src/integrations/use-call-of-slot.ts'

afterEach(cleanup)

const scope = 'chat'
const toolCallId = 'call_1'

function reply(store: ToolCallStore, before: readonly string[]): string {
  const stream = store.openStream({ scope })
  replyBegan(store, scope, stream.turnId, before)
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key: 'a', callId: toolCallId, name: 'create_ticket' })
  store.flush()
  return stream.turnId
}

function turnShown(store: ToolCallStore, messageId?: string) {
  const { result, rerender } = renderHook(() => useCallOfSlot({ store, scope, messageId, toolCallId }))
  return () => {
    rerender()
    return result.current.live?.turnId
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
