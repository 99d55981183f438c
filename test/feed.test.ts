import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/adapters/anthropic.ts'
import { openaiChat } from '../src/adapters/openai-chat.ts'
import { labelOf } from '../src/core/labels.ts'
import { feedOf } from '../src/feed.ts'
import { createToolCallStore, type ToolCallStore } from '../src/store/create-store.ts'
import type { Snapshot } from '../src/store/snapshot.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function newStore() {
  return createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { create_ticket: { executor: 'local' } },
  })
}

function labelsIn(store: ToolCallStore, turnId: string): readonly string[] {
  store.flush()
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
}

/** A message of Anthropic with one call of ours, an event each. */
function anthropicMessage(callId: string, args: string): readonly object[] {
  return [
    { type: 'message_start', message: { id: `message-of-${callId}` } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: callId, name: 'create_ticket' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args.slice(0, 5) } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args.slice(5) } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]
}

/** A message of OpenAI Chat with one call of ours, an event each. */
function chatMessage(callId: string, args: string): readonly object[] {
  const call = { index: 0, id: callId, function: { name: 'create_ticket', arguments: args } }
  return [
    { id: callId, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] },
    { id: callId, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ]
}

const sse = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

describe('what a source yields', () => {
  test('bytes, text and events of an SDK lead to the same calls', async () => {
    const events = anthropicMessage('toolu_1', '{"title":"Tür klemmt 🚪"}')
    const whole = events.map(sse).join('')
    const forms: Record<string, readonly unknown[]> = {
      events,
      text: [whole],
      bytes: [bytes(whole)],
      'byte for byte': [...bytes(whole)].map((byte) => Uint8Array.of(byte)),
      'half a character at a time': [...whole],
    }
    for (const [form, items] of Object.entries(forms)) {
      const stream = newStore().openStream()
      const feed = feedOf(anthropic, stream)
      for (const item of items) feed(item)
      stream.end()
      const { dispatchable } = await stream.ended
      expect([form, dispatchable.map(({ args }) => args)]).toEqual([form, [{ title: 'Tür klemmt 🚪' }]])
    }
  })

  test('bytes are seen as bytes and events as events, which have longer deadlines', () => {
    const stream = newStore().openStream()
    const feed = feedOf(anthropic, stream)
    feed(bytes(': a comment\n\n'))
    feed(': another\n\n')
    expect(stream.liveness).toBe('bytes')
    feed({ type: 'ping' })
    expect(stream.liveness).toBe('events')
  })

  test('every piece is a sign of life, whether it holds an event or not', async () => {
    const clock = createFakeClock()
    const stream = createToolCallStore({ clock }).openStream()
    const feed = feedOf(anthropic, stream)
    for (const piece of [': a comment\n\n', 'data: {"type":', '"ping"}\n\n', ': end\n\n']) {
      clock.advance(100)
      feed(piece)
    }
    stream.end()
    expect((await stream.ended).gaps.count).toBe(4)
  })

  test('a frame that is none of the format is skipped and counted, and the next one is read', () => {
    const store = newStore()
    const stream = store.openStream()
    const feed = feedOf(anthropic, stream)
    feed('data: this is no JSON\n\n')
    feed('data: {"type":"from_the_future"}\n\n')
    feed(null)
    feed(42)
    for (const event of anthropicMessage('toolu_1', '{"a":1}')) feed(event)
    expect(store.counts().dropped).toEqual({ 'unknown-frame': 4 })
    expect(store.balance()).toMatchObject({ announced: 1, waiting: { gate: 1 } })
  })

  test('the report of an executor comes by any wire made of frames', () => {
    for (const adapter of [anthropic, openaiChat]) {
      const store = newStore()
      const stream = store.openStream()
      const feed = feedOf(adapter, stream)
      const report = { call_id: 'call_7', name: 'send_payment', ran: 'no', cause: 'declined-by-policy' }
      feed(`event: tool-call-outcome\ndata: ${JSON.stringify([report, { nonsense: true }])}\n\n`)
      stream.end()
      expect(labelsIn(store, stream.turnId)).toEqual(['send_payment — not run (blocked by policy)'])
      expect(store.counts().dropped).toEqual({})
    }
  })

  test('what comes after the end of the stream is dropped and counted', () => {
    const store = newStore()
    const stream = store.openStream()
    const feed = feedOf(anthropic, stream)
    stream.end()
    for (const event of anthropicMessage('toolu_1', '{"a":1}')) expect(() => feed(event)).not.toThrow()
    expect(store.balance().announced).toBe(0)
    expect(store.counts().dropped['after-stream-end']).toBeGreaterThan(0)
  })
})

describe('the calls of one turn', () => {
  test('by two streams of one adapter are told apart', async () => {
    const store = newStore()
    const first = store.openStream()
    const feedFirst = feedOf(anthropic, first)
    for (const event of anthropicMessage('toolu_1', '{"of":1}').slice(0, 4)) feedFirst(event)
    first.end()
    const second = store.openStream({ turnId: first.turnId })
    const feedSecond = feedOf(anthropic, second)
    for (const event of anthropicMessage('toolu_2', '{"of":2}')) feedSecond(event)
    second.end()
    expect((await second.ended).dispatchable.map(({ callId, args }) => [callId, args])).toEqual([
      ['toolu_2', { of: 2 }],
    ])
    expect(labelsIn(store, first.turnId)).toEqual([
      'create_ticket — not run (the response ended early)',
      'create_ticket — waiting to run',
    ])
  })

  test('by the adapter of another provider that takes over are told apart', async () => {
    const store = newStore()
    const first = store.openStream()
    const feedFirst = feedOf(anthropic, first)
    for (const event of anthropicMessage('toolu_1', '{"of":1}').slice(0, 3)) feedFirst(event)
    first.end({ type: 'lost', how: 'provider-error', speaker: 'model' })
    const second = store.openStream({ turnId: first.turnId })
    const feedSecond = feedOf(openaiChat, second)
    for (const event of chatMessage('call_2', '{"of":2}')) feedSecond(event)
    second.end()
    expect((await second.ended).dispatchable.map(({ callId, args }) => [callId, args])).toEqual([['call_2', { of: 2 }]])
    expect(labelsIn(store, first.turnId)).toEqual([
      'create_ticket — not run (the service reported an error)',
      'create_ticket — waiting to run',
    ])
  })

  for (const [adapter, message] of [
    [anthropic, anthropicMessage],
    [openaiChat, chatMessage],
  ] as const) {
    test(`after a reload are told apart from those before (${adapter.format})`, async () => {
      const before = newStore()
      const first = before.openStream()
      const feedFirst = feedOf(adapter, first)
      feedFirst(message('toolu_1', '{"of":1}')[0])
      feedFirst(message('toolu_1', '{"of":1}')[1])

      let store = before
      for (let reloads = 1; reloads <= 3; reloads++) {
        const kept = JSON.parse(JSON.stringify(store.snapshot())) as Snapshot
        store = newStore()
        store.restore(kept)
        const next = store.openStream({ turnId: first.turnId })
        const feedNext = feedOf(adapter, next)
        for (const event of message(`again_${reloads}`, `{"of":${reloads}}`)) feedNext(event)
        next.end()
        expect((await next.ended).dispatchable.map(({ args }) => args)).toEqual([{ of: reloads }])
        expect(labelsIn(store, first.turnId)).toHaveLength(1 + reloads)
      }
      expect(labelsIn(store, first.turnId).at(-1)).toBe('create_ticket — waiting to run')
    })

    test(`by two streams that are open at once never mix (${adapter.format})`, async () => {
      const store = newStore()
      const one = store.openStream()
      const two = store.openStream({ turnId: one.turnId })
      const feedOne = feedOf(adapter, one)
      const feedTwo = feedOf(adapter, two)
      const left = message('left', '{"of":"left"}')
      const right = message('right', '{"of":"right"}')
      for (const [place, event] of left.entries()) {
        feedOne(event)
        feedTwo(right[place])
      }
      one.end()
      two.end()
      expect((await one.ended).dispatchable.map(({ callId, args }) => [callId, args])).toEqual([
        ['left', { of: 'left' }],
      ])
      expect((await two.ended).dispatchable.map(({ callId, args }) => [callId, args])).toEqual([
        ['right', { of: 'right' }],
      ])
    })
  }
})
