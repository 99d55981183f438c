import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { labelOf, type ToolCallRef, useToolCall, useTurn } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

/** Two chats; in the first the id `a` occurs in two messages of one turn, and twice in the second of them. */
function manyCalls() {
  const { store } = openSample()
  const first = store.openStream({ scope: 'chat-1', turnId: 'turn-1' })
  first.push({ type: 'message-started', messageId: 'msg-1' })
  first.push({ type: 'call-announced', key: '1', callId: 'a', name: 'first' })
  first.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
  first.push({ type: 'message-started', messageId: 'msg-2' })
  first.push({ type: 'call-announced', key: '2', callId: 'a', name: 'second' })
  first.push({ type: 'call-announced', key: '3', callId: 'a', name: 'third' })
  drop(first)
  const other = store.openStream({ scope: 'chat-2', turnId: 'turn-2' })
  other.push({ type: 'call-announced', key: '1', callId: 'a', name: 'other_chat' })
  drop(other)
  store.flush()
  return store
}

const refs: readonly (readonly [string, ToolCallRef, string | undefined])[] = [
  ['the id alone: the last call of the latest turn', { toolCallId: 'a' }, 'other_chat'],
  ['scope: the last call in that chat', { toolCallId: 'a', scope: 'chat-1' }, 'third'],
  ['turn', { toolCallId: 'a', turnId: 'turn-2' }, 'other_chat'],
  ['message', { toolCallId: 'a', messageId: 'msg-1' }, 'first'],
  ['scope and message', { toolCallId: 'a', scope: 'chat-1', messageId: 'msg-2' }, 'third'],
  ['occurrence, counted from 0 in its turn', { toolCallId: 'a', scope: 'chat-1', occurrence: 0 }, 'first'],
  ['occurrence in a message', { toolCallId: 'a', messageId: 'msg-2', occurrence: 0 }, 'second'],
  ['an occurrence that never was', { toolCallId: 'a', scope: 'chat-1', occurrence: 3 }, undefined],
  ['an unknown id', { toolCallId: 'b' }, undefined],
  ['another chat', { toolCallId: 'a', scope: 'chat-3' }, undefined],
]

test.each(refs)('a call is found by %s', (_, ref, name) => {
  const store = manyCalls()
  const { result } = renderHook(() => useToolCall({ ...ref, store }))
  expect(result.current?.name).toBe(name)
})

test('another reference means another call at once', () => {
  const store = manyCalls()
  const { result, rerender } = renderHook((scope: string) => useToolCall({ toolCallId: 'a', scope, store }), {
    initialProps: 'chat-1',
  })
  expect(result.current?.name).toBe('third')
  rerender('chat-2')
  expect(result.current?.name).toBe('other_chat')
})

test('a call that is asked for before it is announced appears with its announcement', async () => {
  const { store, stream } = openSample()
  const { result } = renderHook(() => useToolCall({ toolCallId: 'a', store }))
  expect(result.current).toBeUndefined()
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    store.flush()
  })
  expect(result.current && labelOf(result.current)).toBe('Preparing create_ticket…')
})

test('an id that the wire tells late names its call from then on', async () => {
  const { store, stream } = openSample()
  const { result } = renderHook(() => useToolCall({ toolCallId: 'late', store }))
  await act(async () => {
    stream.push({ type: 'call-announced', key: 'a', name: 'create_ticket' })
    store.flush()
  })
  expect(result.current).toBeUndefined()
  await act(async () => {
    stream.push({ type: 'call-identified', key: 'a', callId: 'late' })
    store.flush()
  })
  expect(result.current?.id).toBe('late')
})

test('a reused id means the newest call, once there is one', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'old')
  drop(stream)
  store.flush()
  const { result } = renderHook(() => useToolCall({ toolCallId: 'a', store }))
  expect(result.current?.name).toBe('old')
  await act(async () => {
    announce(store.openStream(), 'a', 'new')
    store.flush()
  })
  expect(result.current?.name).toBe('new')
})

test('renders only when this very call changes', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'mine')
  announce(stream, 'b', 'other')
  store.flush()
  let renders = 0
  renderHook(() => {
    renders++
    return useToolCall({ toolCallId: 'a', store })
  })
  expect(renders).toBe(1)
  for (let fragment = 0; fragment < 5; fragment++) {
    await act(async () => {
      stream.push({ type: 'text-fragment', text: 'more text' })
      stream.push({ type: 'call-fragment', key: 'b', text: '{' })
      announce(stream, `c${fragment}`, 'yet_another')
      store.flush()
    })
  }
  expect(renders).toBe(1)
  await act(async () => {
    stream.push({ type: 'call-fragment', key: 'a', text: '{' })
    store.flush()
  })
  expect(renders).toBe(2)
})

test('a forgotten turn is gone', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  const call = renderHook(() => useToolCall({ toolCallId: 'a', store }))
  const turn = renderHook(() => useTurn({ turnId: stream.turnId, store }))
  expect(call.result.current).toBeDefined()
  await act(async () => store.forget(stream.turnId))
  expect(call.result.current).toBeUndefined()
  expect(turn.result.current).toBeUndefined()
})

test('a turn is found by its id, by its scope (the latest there), and by a message of it', () => {
  const store = manyCalls()
  const again = store.openStream({ scope: 'chat-1', turnId: 'turn-3' })
  again.push({ type: 'message-started', messageId: 'msg-3' })
  drop(again)
  store.flush()
  const idOf = (ref: Parameters<typeof useTurn>[0]) => renderHook(() => useTurn({ ...ref, store })).result.current?.id
  expect(idOf({ turnId: 'turn-1' })).toBe('turn-1')
  expect(idOf({ scope: 'chat-1' })).toBe('turn-3')
  expect(idOf({ scope: 'chat-1', messageId: 'msg-2' })).toBe('turn-1')
  expect(idOf({ scope: 'chat-2' })).toBe('turn-2')
  expect(idOf({ scope: 'chat-2', messageId: 'msg-1' })).toBeUndefined()
  expect(idOf({ turnId: 'turn-4' })).toBeUndefined()
})
