import { describe, expect, test } from 'vitest'
import { createToolCallStore } from '../../src/store/create-store.ts'
import type { ToolCallStream } from '../../src/store/stream.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

function newStore() {
  return createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { create_ticket: { executor: 'local' }, send_payment: { executor: 'server' } },
  })
}

/** A message with one call of ours, ready to be run. */
function pushReady(stream: ToolCallStream, callId: string, messageId: string, key = callId): void {
  stream.push({ type: 'message-started', messageId })
  stream.push({ type: 'call-announced', key, callId, name: 'create_ticket' })
  stream.push({ type: 'call-fragment', key, text: `{"of":"${stream.turnId}"}` })
  stream.push({ type: 'call-finished', key })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
}

describe('two turns at a time with the same ids', () => {
  test('fragments, results and endings never cross over', async () => {
    const store = newStore()
    const left = store.openStream({ scope: 'left' })
    const right = store.openStream({ scope: 'right' })
    for (const stream of [left, right]) {
      stream.push({ type: 'message-started', messageId: 'message-1' })
      stream.push({ type: 'call-announced', key: 'call-1', callId: 'call_0', name: 'create_ticket' })
      stream.push({ type: 'call-announced', key: 'call-2', callId: 'call_1', name: 'send_payment' })
    }
    left.push({ type: 'call-fragment', key: 'call-1', text: '{"title":' })
    right.push({ type: 'call-fragment', key: 'call-1', text: '{"broken' })
    left.push({ type: 'call-fragment', key: 'call-1', text: '"left"}' })
    for (const stream of [left, right]) {
      stream.push({ type: 'call-finished', key: 'call-1' })
      stream.push({ type: 'call-finished', key: 'call-2' })
    }
    right.push({ type: 'call-returned', callId: 'call_1', ok: true })
    left.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    left.end()
    right.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })

    expect((await left.ended).dispatchable).toEqual([
      {
        callId: 'call_0',
        turnId: left.turnId,
        messageId: 'message-1',
        key: expect.any(String),
        name: 'create_ticket',
        args: { title: 'left' },
      },
    ])
    expect((await right.ended).dispatchable).toEqual([])
    expect(store.balance(left.turnId)).toMatchObject({
      announced: 2,
      waiting: { gate: 1 },
      settled: { unknown: { 'no-result': 1 } },
    })
    expect(store.balance(right.turnId)).toMatchObject({
      announced: 2,
      waiting: { gate: 0 },
      settled: { no: { 'connection-lost': 1 }, yes: { ok: 1 } },
    })
    expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
  })

  test('a reference without more than the id throws, one with its turn or message does not', async () => {
    const store = newStore()
    const left = store.openStream()
    const right = store.openStream()
    pushReady(left, 'call_0', 'message-left')
    pushReady(right, 'call_0', 'message-right')
    left.end()
    right.end()

    expect(() => store.dispatched({ callId: 'call_0' })).toThrowErrorMatchingInlineSnapshot(
      `[Error: honest-tool-calls: dispatched() found 2 calls with the id "call_0". Add turnId, messageId or key: ids of calls may repeat.]`,
    )
    expect(() => store.answerApproval({ callId: 'call_0' }, { granted: true })).toThrow(
      'answerApproval() found 2 calls',
    )
    expect(() => store.settle({ callId: 'call_0', name: null, ran: 'yes' })).toThrow('settle() found 2 calls')
    expect(store.balance()).toMatchObject({ announced: 2, waiting: { gate: 2 } })

    expect(store.dispatched({ callId: 'call_0', turnId: right.turnId })).toBe(true)
    expect(store.balance(left.turnId)).toMatchObject({ waiting: { gate: 1 }, running: 0 })
    expect(store.balance(right.turnId)).toMatchObject({ waiting: { gate: 0 }, running: 1 })
    expect(store.dispatched({ callId: 'call_0', messageId: 'message-left' })).toBe(true)
    store.settle({ callId: 'call_0', turnId: left.turnId, name: null, ran: 'yes', ok: true })
    expect(store.balance(left.turnId)).toMatchObject({ running: 0, settled: { yes: { ok: 1 } } })
    expect(store.balance(right.turnId)).toMatchObject({ running: 1 })
  })

  test('what a summary says may be dispatched is never ambiguous', async () => {
    const store = newStore()
    const streams = [store.openStream(), store.openStream(), store.openStream()]
    const ran: unknown[] = []
    for (const stream of streams) {
      pushReady(stream, 'call_0', 'message-1')
      stream.end()
    }
    for (const stream of streams) {
      for (const call of (await stream.ended).dispatchable) if (store.dispatched(call)) ran.push(call.args)
    }
    expect(ran).toEqual(streams.map(({ turnId }) => ({ of: turnId })))
  })

  test('scopes keep chats apart', () => {
    const store = newStore()
    pushReady(store.openStream({ scope: 'chat-1' }), 'call_0', 'message-1')
    pushReady(store.openStream({ scope: 'chat-2' }), 'call_0', 'message-1')
    expect(store.dispatched({ callId: 'call_0', scope: 'chat-2' })).toBe(true)
    store.flush()
    expect(store.call({ callId: 'call_0', scope: 'chat-1' })?.getState()).toMatchObject({
      phase: 'waiting',
      on: 'gate',
    })
    expect(store.call({ callId: 'call_0', scope: 'chat-2' })?.getState()).toMatchObject({ phase: 'running' })
    expect(store.call({ callId: 'call_0', scope: 'chat-3' })).toBeUndefined()
  })
})

test('a turn is found by its chat: the latest one, or the one that has a message', () => {
  const store = newStore()
  const first = store.openStream({ scope: 'chat-1' })
  pushReady(first, 'call_0', 'message-1')
  const second = store.openStream({ scope: 'chat-1' })
  pushReady(second, 'call_0', 'message-2')
  const other = store.openStream({ scope: 'chat-2' })
  pushReady(other, 'call_0', 'message-1')
  expect(store.turnOf('chat-1')).toBe(store.turn(second.turnId))
  expect(store.turnOf('chat-1', 'message-1')).toBe(store.turn(first.turnId))
  expect(store.turnOf('chat-2', 'message-1')).toBe(store.turn(other.turnId))
  expect(store.turnOf('chat-2', 'message-2')).toBeUndefined()
  expect(store.turnOf('chat-3')).toBeUndefined()
})

describe('an id that occurs again', () => {
  test('in one turn: the latest is meant, the nth can be asked for, and messages tell them apart', () => {
    const store = newStore()
    const stream = store.openStream()
    pushReady(stream, 'functions.x:0', 'message-1', 'first')
    pushReady(stream, 'functions.x:0', 'message-2', 'second')
    store.flush()
    const ref = { callId: 'functions.x:0' }
    expect(store.call(ref)?.getState().key).toBe('second')
    expect(store.call({ ...ref, occurrence: 0 })?.getState().key).toBe('first')
    expect(store.call({ ...ref, occurrence: 1 })?.getState().key).toBe('second')
    expect(store.call({ ...ref, occurrence: 2 })).toBeUndefined()
    expect(store.call({ ...ref, messageId: 'message-1' })?.getState().key).toBe('first')
    expect(() => store.dispatched(ref)).toThrow('2 calls')
    expect(store.dispatched({ ...ref, messageId: 'message-1' })).toBe(true)
    store.flush()
    expect(store.callByKey(stream.turnId, 'first')?.getState().phase).toBe('running')
    expect(store.callByKey(stream.turnId, 'second')?.getState().phase).toBe('waiting')
  })

  test('in a later turn: the occurrences are those of the latest turn', () => {
    const store = newStore()
    const first = store.openStream()
    pushReady(first, 'call_0', 'message-1')
    const second = store.openStream()
    pushReady(second, 'call_0', 'message-1')
    store.flush()
    expect(store.call({ callId: 'call_0' })?.getState().turnId).toBe(second.turnId)
    expect(store.call({ callId: 'call_0', occurrence: 0 })?.getState().turnId).toBe(second.turnId)
    expect(store.call({ callId: 'call_0', occurrence: 1 })).toBeUndefined()
    expect(store.call({ callId: 'call_0', turnId: first.turnId })?.getState().turnId).toBe(first.turnId)
  })

  test('from a wire: a result for several open calls of that id is held and counted, not guessed', () => {
    const store = newStore()
    const stream = store.openStream()
    for (const key of ['first', 'second']) {
      stream.push({ type: 'message-started' })
      stream.push({ type: 'call-announced', key, callId: 'call_0', name: 'send_payment' })
      stream.push({ type: 'call-finished', key })
    }
    stream.push({ type: 'call-returned', callId: 'call_0', ok: true })
    expect(store.balance()).toMatchObject({ announced: 2, waiting: { result: 2 } })
    expect(store.counts().dropped).toEqual({ 'ambiguous-id': 1 })
  })
})

describe('an id that means nothing', () => {
  test('throws where the host acts on it', () => {
    const store = newStore()
    const stream = store.openStream()
    expect(() => store.dispatched({ callId: 'nobody' })).toThrowErrorMatchingInlineSnapshot(
      `[Error: honest-tool-calls: dispatched() found no call with the id "nobody". Was its turn forgotten?]`,
    )
    expect(() => store.answerApproval({ callId: 'nobody' }, { granted: true })).toThrow(
      'answerApproval() found no call',
    )
    expect(() => store.cancel('nobody')).toThrowErrorMatchingInlineSnapshot(
      `[Error: honest-tool-calls: there is no turn "nobody" in this store. Was it forgotten, or is it of another store?]`,
    )
    expect(() => store.balance('nobody')).toThrow('there is no turn')
    expect(() => store.forget('nobody')).toThrow('there is no turn')
    expect(stream.ending).toBeNull()
  })

  test('is nothing where a view looks for it, which may well come before its call', () => {
    const store = newStore()
    expect(store.call({ callId: 'nobody' })).toBeUndefined()
    expect(store.turn('nobody')).toBeUndefined()
    expect(store.callByKey('nobody', 'a')).toBeUndefined()
  })

  test('in a report waits for its announcement, and at the end of the stream becomes a block of its own', () => {
    const store = newStore()
    const stream = store.openStream()
    store.settle({ callId: 'call_0', name: 'send_payment', ran: 'yes', ok: true })
    store.settle({ callId: 'call_9', name: 'refund', ran: 'no', cause: 'cancelled' })
    expect(store.balance().announced).toBe(0)
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'call_0', name: 'send_payment' })
    expect(store.balance()).toMatchObject({ announced: 1, settled: { yes: { ok: 1 } } })
    stream.end()
    expect(store.balance()).toMatchObject({ announced: 2, settled: { yes: { ok: 1 }, no: { cancelled: 1 } } })
  })

  test('in a report of a turn that is not here, as it was forgotten, is dropped and counted', () => {
    const store = newStore()
    const report = { callId: 'call_0', name: null, ran: 'yes' } as const
    store.settle(report)
    const stream = store.openStream()
    stream.end()
    store.settle(report)
    store.settle({ ...report, turnId: 'another' })
    expect(store.balance().announced).toBe(0)
    expect(store.counts().dropped).toEqual({ 'result-without-call': 3 })
    store.settle({ ...report, turnId: stream.turnId })
    expect(store.balance()).toMatchObject({ announced: 1, settled: { yes: { unreadable: 1 } } })
  })
})

describe('ids of turns', () => {
  test('are minted, and never those of a host', () => {
    const store = newStore()
    expect(store.openStream({ turnId: 'kit-turn-1' }).turnId).toBe('kit-turn-1')
    expect(store.openStream().turnId).toBe('kit-turn-2')
    expect(store.openStream({ turnId: 'answer-7' }).turnId).toBe('answer-7')
    expect(store.openStream().turnId).toBe('kit-turn-3')
    expect(store.turnIds()).toEqual(['kit-turn-1', 'kit-turn-2', 'answer-7', 'kit-turn-3'])
  })

  test('a further stream of a turn goes on in it, and keeps its scope', () => {
    const store = newStore()
    const first = store.openStream({ scope: 'chat-1' })
    first.end()
    const second = store.openStream({ turnId: first.turnId, scope: 'chat-2' })
    pushReady(second, 'call_0', 'message-1')
    store.flush()
    expect(store.turnIds()).toEqual([first.turnId])
    expect(store.turn(first.turnId)?.getState()).toMatchObject({ scope: 'chat-1', open: true })
    expect(store.call({ callId: 'call_0', scope: 'chat-1' })).toBeDefined()
  })
})

describe('answers to an approval', () => {
  test('count once, for the call that asked', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    for (const key of ['a', 'b']) {
      stream.push({ type: 'call-announced', key, callId: key, name: 'send_payment' })
      stream.push({ type: 'call-finished', key })
      stream.push({ type: 'approval-requested', key })
    }
    expect(store.answerApproval({ callId: 'a' }, { granted: false })).toBe(true)
    expect(store.answerApproval({ callId: 'a' }, { granted: true })).toBe(false)
    expect(store.answerApproval({ callId: 'b' }, { granted: true })).toBe(true)
    expect(store.balance()).toMatchObject({ waiting: { person: 0, result: 1 }, settled: { no: { declined: 1 } } })
  })

  test('of a policy or a clock have words of their own', () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    for (const by of ['person', 'policy', 'expiry'] as const) {
      stream.push({ type: 'call-announced', key: by, callId: by, name: 'send_payment' })
      stream.push({ type: 'call-finished', key: by })
      stream.push({ type: 'approval-requested', key: by })
      store.answerApproval({ callId: by }, { granted: false, by })
    }
    expect(store.balance().settled.no).toEqual({ declined: 1, 'declined-by-policy': 1, 'approval-expired': 1 })
  })
})
