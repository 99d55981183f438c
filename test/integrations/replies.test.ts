import { describe, expect, test } from 'vitest'
import { createToolCallStore, type ToolCallStore } from '../../src/index.ts'
import { repeats, replyBegan, turnOfReply } from '../../src/integrations/replies.ts'

const scope = 'chat'
const callId = 'call_1'

/** A turn in which a call is announced. */
function turn(
  store: ToolCallStore,
  { messageId, callId: id = callId }: { messageId?: string; callId?: string } = {},
): string {
  const stream = store.openStream({ scope })
  stream.push({ type: 'message-started', ...(messageId === undefined ? {} : { messageId }) })
  stream.push({ type: 'call-announced', key: 'a', callId: id, name: 'create_ticket' })
  store.flush()
  return stream.turnId
}

describe('the turn of a message', () => {
  test('is that of its reply, also where a later one has a call of the same id', () => {
    const store = createToolCallStore()
    const first = turn(store)
    replyBegan(store, scope, first, ['question 1'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    const second = turn(store)
    replyBegan(store, scope, second, ['question 1', 'answer 1', 'question 2'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    expect(turnOfReply(store, scope, 'answer 2', callId)).toBe(second)
  })

  test('is the one with the call, where a reply was taken up again', () => {
    const store = createToolCallStore()
    const first = turn(store)
    replyBegan(store, scope, first, ['question'])
    const rest = turn(store, { callId: 'call_2' })
    replyBegan(store, scope, rest)
    replyBegan(store, scope, rest)
    expect(turnOfReply(store, scope, 'answer', callId)).toBe(first)
    expect(turnOfReply(store, scope, 'answer', 'call_2')).toBe(rest)
    expect(turnOfReply(store, scope, 'answer', 'unheard of')).toBe(rest)
  })

  test('is the newer one where a reply was asked for once more', () => {
    const store = createToolCallStore()
    replyBegan(store, scope, turn(store), ['question'])
    const again = turn(store)
    replyBegan(store, scope, again, ['question'])
    expect(turnOfReply(store, scope, 'another answer', callId)).toBe(again)
  })

  test('of an earlier page is one that it left, and none of this page', () => {
    const store = createToolCallStore()
    const earlier = turn(store)
    const live = turn(store)
    replyBegan(store, scope, live, ['question 1', 'answer 1', 'question 2'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(earlier)

    const forgetful = createToolCallStore()
    replyBegan(forgetful, scope, turn(forgetful), ['question 1', 'answer 1', 'question 2'])
    expect(turnOfReply(forgetful, scope, 'answer 1', callId)).toBeUndefined()
  })

  test('is what its server says, where that names its messages', () => {
    const store = createToolCallStore()
    const [first, second] = [turn(store, { messageId: 'answer 1' }), turn(store, { messageId: 'answer 2' })]
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    expect(turnOfReply(store, scope, 'answer 2', callId)).toBe(second)
  })

  test('is not that of another chat', () => {
    const store = createToolCallStore()
    replyBegan(store, scope, turn(store), [])
    expect(turnOfReply(store, 'another', 'answer', callId)).toBeUndefined()
  })
})

test('an id repeats where another reply of the same chat has it', () => {
  const store = createToolCallStore()
  const first = turn(store)
  const viewOf = (turnId: string) => {
    const view = store.call({ callId, turnId })?.getState()
    if (view === undefined) throw new Error('no such call')
    return view
  }
  const elsewhere = store.openStream({ scope: 'another' })
  elsewhere.push({ type: 'message-started' })
  elsewhere.push({ type: 'call-announced', key: 'a', callId, name: 'create_ticket' })
  store.flush()
  expect(repeats(store, viewOf(first))).toBe(false)
  const second = turn(store)
  expect([first, second].map((id) => repeats(store, viewOf(id)))).toEqual([true, true])
})
