import { describe, expect, test } from 'vitest'
import { createToolCallStore, type ToolCallStore } from '../../src/index.ts'
import { callShown, messagesStand, repeats, replyBegan, turnOfReply } from '../../src/integrations/replies.ts'

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

/** A reply to these messages. */
function reply(store: ToolCallStore, before: readonly string[], of: Parameters<typeof turn>[1] = {}): string {
  messagesStand(store, scope, before)
  const turnId = turn(store, of)
  replyBegan(store, scope, turnId)
  return turnId
}

describe('the turn of a message, where two replies have a call of the same id,', () => {
  test('is that of its own reply, as the message stood there before the next one', () => {
    const store = createToolCallStore()
    const first = reply(store, ['question 1'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    const second = reply(store, ['question 1', 'answer 1', 'question 2'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    expect(turnOfReply(store, scope, 'answer 2', callId)).toBe(second)
  })

  test('is the newer one where a reply was asked for once more, and the older one for the message that was shown with it', () => {
    const store = createToolCallStore()
    const first = reply(store, ['question'])
    const shown = store.call({ callId, turnId: first })?.getState()
    if (shown !== undefined) callShown(store, scope, 'answer', shown)
    const again = reply(store, ['question'])
    expect(turnOfReply(store, scope, 'another answer', callId)).toBe(again)
    expect(turnOfReply(store, scope, 'answer', callId)).toBe(first)
  })

  test('is what its server says, where that names its messages', () => {
    const store = createToolCallStore()
    const [first, second] = [turn(store, { messageId: 'answer 1' }), turn(store, { messageId: 'answer 2' })]
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(first)
    expect(turnOfReply(store, scope, 'answer 2', callId)).toBe(second)
    expect(turnOfReply(store, scope, 'from before', callId)).toBeUndefined()
  })

  test('is none where an earlier page left both: nobody knows which message was which', () => {
    const store = createToolCallStore()
    turn(store)
    turn(store)
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBeUndefined()
    const live = reply(store, ['question 1', 'answer 1', 'question 2', 'answer 2', 'question 3'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBeUndefined()
    expect(turnOfReply(store, scope, 'answer 3', callId)).toBe(live)
  })

  test('is none of a reply for a message that was fetched later, and stands before it', () => {
    const store = createToolCallStore()
    reply(store, ['question 1'])
    reply(store, ['question 1', 'answer 1', 'question 2'])
    messagesStand(store, scope, ['older answer', 'question 1', 'answer 1', 'question 2', 'answer 2', 'question 3'])
    expect(turnOfReply(store, scope, 'older answer', callId)).toBeUndefined()
  })
})

describe('the turn of a message, where one reply has the call,', () => {
  test('is that one, whatever else is known of the message', () => {
    const store = createToolCallStore()
    const kept = turn(store)
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(kept)
    const live = reply(store, ['question 1', 'answer 1', 'question 2'], { callId: 'call_2' })
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBe(kept)
    expect(turnOfReply(store, scope, 'never heard of', 'call_2')).toBe(live)
  })

  test('is none where the message stood there before it', () => {
    const store = createToolCallStore()
    reply(store, ['question 1', 'answer 1', 'question 2'])
    expect(turnOfReply(store, scope, 'answer 1', callId)).toBeUndefined()
  })

  test('is not that of another chat', () => {
    const store = createToolCallStore()
    reply(store, [])
    expect(turnOfReply(store, 'another', 'answer', callId)).toBeUndefined()
  })

  test('goes with what is forgotten', () => {
    const store = createToolCallStore()
    const first = reply(store, ['question'])
    store.cancel(first, 'host')
    store.forget(first)
    expect(turnOfReply(store, scope, 'answer', callId)).toBeUndefined()
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
