// @vitest-environment jsdom
import { setImmediate } from 'node:timers/promises'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'
import { withToolCalls } from '../../src/ai-sdk.ts'
import { labelOf } from '../../src/core/labels.ts'
import { createToolCallStore, type Snapshot, type ToolCallStore } from '../../src/index.ts'
import type { ToolPart } from '../../src/integrations/ai-sdk/evidence.ts'
import { usePartCall } from '../../src/integrations/ai-sdk/use-part-call.ts'

afterEach(cleanup)

const chatId = 'chat'
const tools = { create_ticket: { executor: 'server' } } as const
const gone = 'create_ticket — may have run (the page was closed)'

const open = (toolCallId: string) =>
  ({ type: 'tool-create_ticket', toolCallId, state: 'input-available', input: {} }) as const
const returned = (toolCallId: string) => ({ ...open(toolCallId), state: 'output-available', output: 7 }) as const
const question = (id: string): UIMessage => ({ id, role: 'user', parts: [] })
const answer = (id: string, ...parts: UIMessage['parts']): UIMessage => ({ id, role: 'assistant', parts })

const started = (messageId?: string): UIMessageChunk => ({ type: 'start', ...(messageId && { messageId }) })
const announced = (toolCallId: string): UIMessageChunk => ({
  type: 'tool-input-start',
  toolCallId,
  toolName: 'create_ticket',
})
const whole = (toolCallId: string): UIMessageChunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'create_ticket',
  input: {},
})
const finished: readonly UIMessageChunk[] = [{ type: 'finish-step' }, { type: 'finish', finishReason: 'tool-calls' }]

/** A chat whose streams are written here, one after the other; what its host got. */
function chatOf(store: ToolCallStore, gate = false) {
  let out: ReadableStreamDefaultController<UIMessageChunk> | undefined
  const got: UIMessageChunk[] = []
  const source = async () =>
    new ReadableStream<UIMessageChunk>({
      start(controller) {
        out = controller
      },
    })
  const inner: ChatTransport<UIMessage> = { sendMessages: source, reconnectToStream: source }
  const transport = withToolCalls(store, inner, { gate })

  /** Reads until nothing more is there. */
  async function read(stream: ReadableStream<UIMessageChunk> | null, chunks: readonly UIMessageChunk[], lost: boolean) {
    for (const chunk of chunks) out?.enqueue(chunk)
    // An error takes with it what nobody has read yet.
    await setImmediate()
    if (lost) out?.error(new TypeError('network'))
    else out?.close()
    try {
      for await (const chunk of stream ?? []) got.push(chunk)
    } catch {
      // The link is lost.
    }
    store.flush()
  }
  const send = async (messages: UIMessage[], trigger: 'submit-message' | 'regenerate-message' = 'submit-message') =>
    transport.sendMessages({ chatId, messages, trigger, messageId: undefined, abortSignal: undefined })
  return {
    got,
    reply: async (messages: UIMessage[], ...chunks: readonly UIMessageChunk[]) =>
      read(await send(messages), chunks, false),
    lost: async (messages: UIMessage[], ...chunks: readonly UIMessageChunk[]) =>
      read(await send(messages), chunks, true),
    again: async (messages: UIMessage[], ...chunks: readonly UIMessageChunk[]) =>
      read(await send(messages, 'regenerate-message'), chunks, false),
    /** What it brings, until the link is lost. */
    resume: async (...chunks: readonly UIMessageChunk[]) =>
      read(await transport.reconnectToStream({ chatId }), chunks, true),
    /** Takes up a reply, of which more is to come. */
    async takeUp(...chunks: readonly UIMessageChunk[]) {
      const stream = await transport.reconnectToStream({ chatId })
      for (const chunk of chunks) out?.enqueue(chunk)
      return (...rest: readonly UIMessageChunk[]) => read(stream, rest, false)
    },
  }
}

/** A block of a message, as a host draws it. */
function blockOf(store: ToolCallStore, messageId: string, part: ToolPart): () => string | undefined {
  const { result } = renderHook(() => usePartCall(store, { chatId, messageId }, part))
  return () => result.current && labelOf(result.current)
}

/** What a page left: a call that failed, and one whose link was lost. */
async function left(...ids: readonly [string, string]): Promise<Snapshot> {
  const [first, second] = ids
  const store = createToolCallStore({ tools })
  const chat = chatOf(store)
  const error = { type: 'tool-output-error', toolCallId: first, errorText: 'x' } as const
  await chat.reply([question('q1')], started(), announced(first), whole(first), error, ...finished)
  await chat.lost(
    [question('q1'), answer('a1', open(first)), question('q2')],
    started(),
    announced(second),
    whole(second),
  )
  return store.snapshot()
}

describe('what an earlier page left', () => {
  test('stays with its message when the last reply is resumed, or goes on', async () => {
    for (const goOn of ['resume', 'send'] as const) {
      const store = createToolCallStore({ tools })
      store.restore(await left('call_1', 'call_2'))
      const before = blockOf(store, 'a1', open('call_1'))()
      expect(before).toMatch(/^create_ticket — (ran and failed|may have run \(an error was reported\))$/)
      const chat = chatOf(store)
      if (goOn === 'resume') await chat.resume(started(), announced('call_2'), whole('call_2'))
      else
        await chat.reply(
          [question('q1'), answer('a1', open('call_1')), question('q2'), answer('a2', returned('call_2'))],
          started(),
        )
      expect(blockOf(store, 'a1', open('call_1'))()).toBe(before)
    }
  })

  test('is found by a block that was there before it', async () => {
    const store = createToolCallStore({ tools })
    const block = blockOf(store, 'a1', open('call_1'))
    expect(block()).toBe(gone)
    const kept = await left('call_1', 'call_2')
    act(() => store.restore(kept))
    expect(block()).not.toBe(gone)
  })

  test('is not mixed up where ids repeat: the result of one call is not that of the other', async () => {
    const store = createToolCallStore({ tools })
    store.restore(await left('call_1', 'call_1'))
    const labels = () =>
      store.turnIds().flatMap((turnId) => {
        const call = store.call({ callId: 'call_1', turnId })?.getState()
        return call === undefined ? [] : labelOf(call)
      })
    const before = labels()
    expect(before).toHaveLength(2)
    expect(blockOf(store, 'a1', returned('call_1'))()).toBe('create_ticket — done')
    store.flush()
    expect(labels()).toEqual(before)
  })
})

test('history does not speak for a reply that is taken up by a fresh page, nor keep its call from the tool', async () => {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'host' } } })
  const chat = chatOf(store, true)
  const rest = await chat.takeUp(started('a2'), announced('call_1'))
  await setImmediate()
  store.flush()
  // The same id, in a message from before.
  expect(blockOf(store, 'a1', returned('call_1'))()).toBe('create_ticket — done')
  await rest(whole('call_1'), ...finished)
  expect(chat.got.filter(({ type }) => type === 'tool-input-available')).toHaveLength(1)
})

test('an answer to which a person goes back says what it said, also where the other one has the same ids', async () => {
  for (const other of ['call_1', 'call_2']) {
    const store = createToolCallStore({ tools })
    const chat = chatOf(store)
    await chat.reply([question('q1')], started(), announced('call_1'), { type: 'finish', finishReason: 'length' })
    const first = blockOf(store, 'a1', open('call_1'))()
    expect(first).toBe('create_ticket — not run (the request was cut short)')
    await chat.again([question('q1')], started(), announced(other), whole(other), ...finished)
    expect(blockOf(store, 'a2', open(other))()).toBe('create_ticket — may have run (no result received)')
    expect(blockOf(store, 'a1', open('call_1'))()).toBe(first)
  }
})
