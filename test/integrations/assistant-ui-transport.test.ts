import { AssistantChatTransport } from '@assistant-ui/react-ai-sdk'
import type { UIMessage, UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { withToolCalls } from '../../src/assistant-ui.ts'
import { DEFAULT_DEADLINES } from '../../src/deadlines.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { begun, called, finished, labelsIn, opened } from './ai-sdk-chat.ts'
import { type Script, serve } from './ui-message-server.ts'

const messages: UIMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Open a ticket.' }] }]

async function transportTo(script: Script) {
  const { api, requests } = await serve(script)
  const clock = createFakeClock()
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'host' } }, clock })
  const transport = withToolCalls(store, (fetch) => new AssistantChatTransport({ api, fetch }), { gate: true })
  return { store, clock, transport, requests }
}

/** Sends a message and reads the answer to its end. */
async function send(
  transport: AssistantChatTransport<UIMessage>,
  seen: (type: UIMessageChunk['type']) => void = () => {},
): Promise<void> {
  // Torn off: a method of the class has to work without it.
  const { sendMessages } = transport
  const options = { trigger: 'submit-message', chatId: 'chat', messageId: undefined, messages } as const
  for await (const { type } of await sendMessages({ ...options, abortSignal: undefined })) seen(type)
}

const kinds = [
  ['itself', (transport: AssistantChatTransport<UIMessage>) => transport],
  ['its copy for a thread', (transport: AssistantChatTransport<UIMessage>) => transport.__internal_clone()],
  [
    'a copy of the copy',
    (transport: AssistantChatTransport<UIMessage>) => transport.__internal_clone().__internal_clone(),
  ],
] as const

test.each(kinds)('%s is a transport of its class, and heard, and holds back', async (_, kindOf) => {
  const { store, transport } = await transportTo([
    ...begun,
    ...called('c1', 'create_ticket'),
    ...finished('length'),
    'end',
  ])
  const one = kindOf(transport)
  expect(one).toBeInstanceOf(AssistantChatTransport)
  const types: string[] = []
  await send(one, (type) => types.push(type))
  expect(types).toContain('tool-input-error')
  expect(types).not.toContain('tool-input-available')
  expect(labelsIn(store)).toEqual(['create_ticket — not run (the request was cut short)'])
})

test.each(kinds)('%s hears bytes, so that silence has the shorter deadline', async (_, kindOf) => {
  const { store, clock, transport } = await transportTo([...begun, ...opened('c1', 'create_ticket'), 'stall'])
  const { idle, idleEvents } = DEFAULT_DEADLINES
  expect(idle).toBeLessThan(idleEvents)
  const falls = (type: string): void => void (type === 'tool-input-delta' && clock.advance(idle))
  await expect(send(kindOf(transport), falls)).rejects.toThrow('network')
  expect(labelsIn(store)).toEqual(['create_ticket — not run (connection lost)'])
})

test('a copy is another transport to the same server', async () => {
  const { transport, requests } = await transportTo([...begun, ...finished('stop'), 'end'])
  const copy = transport.__internal_clone()
  expect(copy).not.toBe(transport)
  await send(transport)
  await send(copy)
  expect(requests).toHaveLength(2)
})

test('what the class has beside the chat is left as it is', () => {
  const storage = { getStreamId: () => null, setStreamId: () => {}, clear: () => {} }
  const resumable = { storage, resumeApi: '/resume' }
  const transport = withToolCalls(createToolCallStore(), (fetch) => new AssistantChatTransport({ fetch, resumable }))
  expect(transport.getResumableAdapter()).toBe(resumable)
  expect(new AssistantChatTransport().getResumableAdapter()).toBeUndefined()
})
