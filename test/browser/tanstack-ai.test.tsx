import { toolDefinition } from '@tanstack/ai'
import type { AnyClientTool } from '@tanstack/ai-client'
import { type ConnectConnectionAdapter, fetchServerSentEvents, useChat } from '@tanstack/ai-react'
import { ChatMessage } from '@tanstack/ai-react/ui'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createToolCallStore, type ToolCallStore, TurnNotice } from '../../src/index.ts'
import { tanstackToolCall, withToolCalls } from '../../src/tanstack-ai.ts'
import { createFakeClock, type FakeClock, labelsOf } from '../../src/testing/index.ts'
import { args, end, finished, half, preamble, sse, start } from '../integrations/tanstack-wire.ts'
import { isReadable, painted, show } from './page.tsx'

afterEach(() => vi.unstubAllGlobals())

const THREAD = 'thread-1'
type Chat = ReturnType<typeof useChat>

interface PageProps {
  readonly store: ToolCallStore
  readonly tools: readonly AnyClientTool[]
  readonly connection: ConnectConnectionAdapter
  readonly onChat: (chat: Chat) => void
}

function Page({ store, tools, connection, onChat }: PageProps): ReactNode {
  const chat = useChat({ threadId: THREAD, connection, tools }) as unknown as Chat
  // Not while rendering: under StrictMode that is done twice, and one of the two is thrown away.
  useEffect(() => onChat(chat))
  return (
    <>
      {chat.messages.map((message) => (
        <ChatMessage
          key={message.id}
          message={message}
          defaultToolRenderer={tanstackToolCall(store, THREAD)}
          toolResultRenderer={() => null}
        />
      ))}
      <TurnNotice store={store} scope={THREAD} />
    </>
  )
}

/** A page with the host’s own hook and message on it, and an answer that the test writes. */
async function page(
  store: ToolCallStore,
  tools: readonly AnyClientTool[] = [],
  gate = false,
): Promise<{
  readonly container: HTMLElement
  readonly chat: () => Chat
  readonly answer: ReadableStreamDefaultController<Uint8Array>
  readonly signal: AbortSignal | null | undefined
}> {
  let chat: Chat | undefined
  const connection = withToolCalls(store, (fetchClient) => fetchServerSentEvents('/api/chat', { fetchClient }), {
    gate,
  })
  const onChat = (latest: Chat): void => {
    chat = latest
  }
  let answer: ReadableStreamDefaultController<Uint8Array> | undefined
  let signal: AbortSignal | null | undefined
  const asked = vi.fn(async (_: string, init: RequestInit) => {
    signal = init.signal
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        answer = controller
        init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  vi.stubGlobal('fetch', asked)
  const container = await show(
    <StrictMode>
      <Page store={store} tools={tools} connection={connection} onChat={onChat} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(chat).toBeDefined())
  void chat?.sendMessage('Create a ticket.')
  await vi.waitFor(() => expect(answer).toBeDefined())
  return {
    container,
    chat: () => chat as Chat,
    answer: answer as unknown as ReadableStreamDefaultController<Uint8Array>,
    signal,
  }
}

const encoder = new TextEncoder()

function storeWith(executor: 'host' | 'server'): { readonly store: ToolCallStore; readonly clock: FakeClock } {
  const clock = createFakeClock()
  return { clock, store: createToolCallStore({ clock, tools: { create_ticket: { executor } } }) }
}

const faults = {
  drop: 'may have run (connection lost)',
  'clean end': 'may have run (the response ended early)',
  stall: 'may have run (connection lost)',
  stop: 'may have run (cancelled)',
}

test.each(Object.entries(faults))('%s: %s, and nothing goes on', async (fault, words) => {
  const { store, clock } = storeWith('server')
  const { container, chat, answer, signal } = await page(store)
  answer.enqueue(encoder.encode(sse(...preamble, start(), args(half))))
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  await painted()
  expect(document.getAnimations().length).toBeGreaterThan(0)
  expect(container.querySelector('[data-turn-notice]')).toBeNull()

  if (fault === 'drop') answer.error(new TypeError('network error'))
  if (fault === 'clean end') answer.close()
  if (fault === 'stall') clock.advance(10_000)
  if (fault === 'stop') chat().stop()
  await vi.waitFor(() => expect(labelsOf(container)).toEqual([`create_ticket — ${words}`]))
  await vi.waitFor(() => expect(chat().isLoading).toBe(false))
  await painted()

  expect(labelsOf(container)).toEqual([`create_ticket — ${words}`])
  expect(container.querySelector('[data-turn-notice]')?.textContent).toBe('May have run: create_ticket.')
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
  expect(document.getAnimations()).toEqual([])
  expect(document.querySelector('[aria-busy]')).toBeNull()
  expect(container.textContent).not.toMatch(/Preparing|Running/)
  expect(signal?.aborted).toBe(true)
  expect(store.counts().contradictedLabels).toBe(0)
})

test('the result of a client tool is read from its part', async () => {
  const { store } = storeWith('host')
  const { container, chat, answer } = await page(store)
  answer.enqueue(encoder.encode(sse(...preamble, start(), args('{}'), end({}), finished('tool_calls'))))
  answer.close()
  await vi.waitFor(() => expect(chat().isLoading).toBe(false))
  expect(labelsOf(container)).toEqual(['create_ticket — sent, waiting for the result'])
  // The host asks again with it, and waits for that answer: it goes on with the turn.
  void chat().addToolResult({ toolCallId: 'c1', tool: 'create_ticket', output: { id: 7 } })
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['create_ticket — done']))
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2))
  expect(store.turnIds()).toHaveLength(1)
  expect(store.counts().contradictedLabels).toBe(0)
})

const available = {
  type: 'CUSTOM',
  name: 'tool-input-available',
  value: { toolCallId: 'c1', toolName: 'create_ticket', input: { title: 'Checkout' } },
}
const well = [...preamble, start(), args('{"title":"Checkout"}'), end({ title: 'Checkout' })]

test.each([
  ['a good call', [...well, available, finished('tool_calls')], 1, 1, 'done'],
  ['a token ceiling', [...well, available, finished('length')], 0, 1, 'not run (the request was cut short)'],
  ['a clean end', [...well, available], 0, 1, 'not run (the response ended early)'],
  [
    'malformed JSON',
    [...preamble, start(), args(half), end({}), available, finished('tool_calls')],
    0,
    1,
    'not run (the request was unreadable)',
  ],
] as const)('behind the gate, %s: how often a tool of the page runs', async (_, chunks, gated, free, words) => {
  for (const gate of [true, false]) {
    const { store } = storeWith('host')
    let ran = 0
    const tool = toolDefinition({ name: 'create_ticket', description: 'x', inputSchema: z.looseObject({}) }).client(
      () => {
        ran++
        return { id: 7 }
      },
    )
    const { container, chat, answer } = await page(store, [tool], gate)
    answer.enqueue(encoder.encode(sse(...chunks)))
    answer.close()
    await vi.waitFor(() => expect(chat().messages.length).toBeGreaterThan(1))
    if (gate) {
      await vi.waitFor(() => expect(labelsOf(container)).toEqual([`create_ticket — ${words}`]))
      await painted()
      expect(document.getAnimations()).toEqual([])
      expect(container.textContent).not.toContain('[honest-tool-calls]')
      expect(ran).toBe(gated)
      expect(store.counts().contradictedLabels).toBe(0)
    } else await vi.waitFor(() => expect(ran).toBe(free))
  }
})

test('the answer of a person is read from its part', async () => {
  const { store } = storeWith('server')
  const { container, chat, answer } = await page(store)
  const approval = { id: 'a1', needsApproval: true }
  const asked = { toolCallId: 'c1', toolName: 'create_ticket', input: {}, approval }
  const custom = { type: 'CUSTOM', name: 'approval-requested', value: asked }
  answer.enqueue(encoder.encode(sse(...preamble, start(), args('{}'), end({}), custom, finished('tool_calls'))))
  answer.close()
  await vi.waitFor(() => expect(chat().isLoading).toBe(false))
  expect(labelsOf(container)).toEqual(['create_ticket — waiting for your approval'])
  // The request that tells the server of it stays open: nothing of its answer is needed.
  void chat().addToolApprovalResponse({ id: 'a1', approved: false })
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['create_ticket — not run (you declined)']))
  expect(store.counts().contradictedLabels).toBe(0)
})

test('the result of a server tool is read from a part that was fetched again', async () => {
  const { store } = storeWith('server')
  const { container, chat, answer } = await page(store)
  answer.enqueue(encoder.encode(sse(...preamble, start(), args('{}'), end({}))))
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['create_ticket — sent, waiting for the result']))
  answer.error(new TypeError('network error'))
  const lost = 'create_ticket — may have run (connection lost)'
  await vi.waitFor(() => expect(labelsOf(container)).toEqual([lost]))
  await vi.waitFor(() => expect(chat().isLoading).toBe(false))
  const fetched = chat().messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-call' ? { ...part, state: 'complete' as const, output: { id: 7 } } : part,
    ),
  }))
  chat().setMessages(fetched)
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['create_ticket — done']))
  expect(store.counts().contradictedLabels).toBe(0)
})

test('a stored part that the store does not know is labelled by itself', async () => {
  const { store } = storeWith('server')
  const draw = tanstackToolCall(store, THREAD)
  const part = { id: 'c1', name: 'create_ticket', arguments: '{"title', state: 'input-complete' }
  const container = await show(<StrictMode>{draw(part)}</StrictMode>)
  expect(labelsOf(container)).toEqual(['create_ticket — may have run (the page was closed)'])
  expect(document.getAnimations()).toEqual([])
})
