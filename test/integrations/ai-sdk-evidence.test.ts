import type { UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import { createToolCallStore } from '../../src/index.ts'
import { reportMessages, reportPart } from '../../src/integrations/ai-sdk/evidence.ts'
import { messagesStand, replyBegan } from '../../src/integrations/replies.ts'

const scope = 'chat'
const ran = {
  type: 'tool-create_ticket',
  toolCallId: 'call_1',
  state: 'output-available',
  input: {},
  output: 7,
} as const
const open = { type: 'tool-create_ticket', toolCallId: 'call_1', state: 'input-available', input: {} } as const

/** A chat of replies that broke off, each with calls of one id. */
function lost(...counts: readonly number[]) {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'server' } } })
  const messages: UIMessage[] = []
  for (const count of counts) {
    messagesStand(
      store,
      scope,
      messages.map(({ id }) => id),
    )
    const stream = store.openStream({ scope })
    replyBegan(store, scope, stream.turnId)
    stream.push({ type: 'message-started' })
    for (let place = 0; place < count; place++) {
      stream.push({ type: 'call-announced', key: `${place}`, callId: 'call_1', name: 'create_ticket' })
      stream.push({ type: 'call-finished', key: `${place}` })
    }
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    messages.push({ id: `answer ${messages.length}`, role: 'assistant', parts: Array(count).fill(open) })
  }
  store.flush()
  const labels = () => {
    store.flush()
    return store.turnIds().flatMap((turnId) =>
      (store.turn(turnId)?.getState().items ?? []).flatMap((item) => {
        const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
        return call === undefined ? [] : labelOf(call).replace('create_ticket — ', '')
      }),
    )
  }
  return { store, messages, labels }
}

const unknown = 'may have run (connection lost)'
const late = 'done (result arrived late)'

test('where two replies have an id, a result may stand in the wrong part: what is settled stays as it is', () => {
  const { store, messages, labels } = lost(1, 1)
  expect(labels()).toEqual([unknown, unknown])
  reportMessages(
    store,
    scope,
    messages.map((message) => ({ ...message, parts: [ran] })),
  )
  expect(labels()).toEqual([unknown, unknown])
})

test('a call that still waits for its result takes it, and no other does', () => {
  const { store, messages, labels } = lost(1)
  messagesStand(store, scope, ['answer 0', 'question'])
  const stream = store.openStream({ scope })
  replyBegan(store, scope, stream.turnId)
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' })
  stream.push({ type: 'call-finished', key: 'a' })
  store.flush()
  const [first] = messages as [UIMessage]
  reportMessages(store, scope, [first, { id: 'answer 1', role: 'assistant', parts: [ran] }])
  expect(labels()).toEqual([unknown, 'done'])
})

test('a result is that of its own place, where a message has an id twice', () => {
  const { store, messages, labels } = lost(2)
  const [message] = messages as [UIMessage]
  reportMessages(store, scope, [{ ...message, parts: [ran, open] }])
  expect(labels()).toEqual([expect.stringContaining('done'), unknown])
})

test('a part that may stand for any of two calls proves nothing of either, until its place is said', () => {
  const { store, labels } = lost(2)
  reportPart(store, { scope }, ran)
  expect(labels()).toEqual([unknown, unknown])
  reportPart(store, { scope, occurrence: 1 }, ran)
  expect(labels()).toEqual([unknown, expect.stringContaining('done')])
})

test('control: where the id is the only one, the part is believed', () => {
  const { store, labels } = lost(1)
  reportPart(store, { scope }, ran)
  expect(labels()).not.toEqual([unknown])
  expect([late, 'done']).toContain(labels()[0])
})
