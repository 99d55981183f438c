import { useChat } from '@ai-sdk/react'
import { type ChatTransport, DefaultChatTransport, isToolUIPart, type UIMessage } from 'ai'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { ToolCallPart, withToolCalls } from '../../src/ai-sdk.ts'
import { createToolCallStore, type ToolCallStore, TurnNotice } from '../../src/index.ts'
import { labelsOf } from '../../src/testing/index.ts'
import { isReadable, painted, show } from './page.tsx'
import { type Network, network, opened, whole } from './ui-message-network.ts'

// The hook and the transport of the SDK; only the network under them is a script.

interface Page {
  readonly store: ToolCallStore
  readonly transport: ChatTransport<UIMessage>
  readonly ran: (input: unknown) => void
  readonly runs: readonly unknown[]
  readonly mounted: (chat: Controls) => void
  /** What is mounted, each time it was. */
  readonly chats: readonly Controls[]
}

type Controls = Pick<ReturnType<typeof useChat>, 'sendMessage' | 'stop'>

function pageOf(deadlines: { readonly idle?: number } = {}): Page {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'host' } }, deadlines })
  const transport = withToolCalls(store, (fetch) => new DefaultChatTransport({ api: '/chat', fetch }), { gate: true })
  const chats: Controls[] = []
  const runs: unknown[] = []
  return {
    store,
    transport,
    runs,
    ran: (input) => void runs.push(input),
    chats,
    mounted: (chat) => void chats.push(chat),
  }
}

function App({ page, messages = [] }: { readonly page: Page; readonly messages?: UIMessage[] }): ReactNode {
  const { store, transport } = page
  const chat = useChat({
    id: 'chat',
    messages,
    transport,
    onToolCall({ toolCall }) {
      page.ran(toolCall.input)
      void chat.addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output: 'made' })
    },
  })
  const { sendMessage, stop } = chat
  useEffect(() => page.mounted({ sendMessage, stop }), [page, sendMessage, stop])
  return (
    <main>
      {chat.messages.map((message) => (
        <article key={message.id}>
          {message.parts.map((part, place) =>
            isToolUIPart(part) ? (
              <ToolCallPart key={part.toolCallId} store={store} chatId={chat.id} part={part} />
            ) : part.type === 'text' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
              <p key={place}>{part.text}</p>
            ) : null,
          )}
        </article>
      ))}
      <TurnNotice store={store} scope={chat.id} />
    </main>
  )
}

async function ask(page: Page): Promise<HTMLElement> {
  const container = await show(
    <StrictMode>
      <App page={page} />
    </StrictMode>,
  )
  // The hook stops its chat when StrictMode takes the component down for the first time.
  await vi.waitFor(() => expect(page.chats).toHaveLength(2))
  void page.chats.at(-1)?.sendMessage({ text: 'My login is broken.' })
  await painted()
  return container
}

function expectStill(container: HTMLElement): void {
  expect(document.getAnimations()).toEqual([])
  expect(document.querySelector('[aria-busy]')).toBeNull()
  expect(container.textContent).not.toMatch(/Preparing|Running/)
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
}

const ENDINGS = {
  drop: ['create_ticket — not run (connection lost)', ({ drop }) => drop()],
  'clean end': ['create_ticket — not run (the response ended early)', ({ end }) => end()],
  stall: ['create_ticket — not run (connection lost)', () => {}],
  stop: ['create_ticket — cancelled', (_, { chats }) => void chats.at(-1)?.stop()],
} satisfies Record<string, [string, (wire: Network, page: Page) => void]>

test.each(Object.entries(ENDINGS))(
  '%s: the label says so beside the promise, and nothing moves',
  async (fault, [label, end]) => {
    const wire = network()
    const page = pageOf(fault === 'stall' ? { idle: 400 } : {})
    const container = await ask(page)
    wire.send(opened)
    // Control: what must be gone at the end is there while it streams.
    await vi.waitFor(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull()
    end(wire, page)
    await vi.waitFor(() => expect(labelsOf(container)).toEqual([label]))
    await painted()
    expectStill(container)
    expect(container.textContent).toContain("I'll create that ticket for you now.")
    expect(container.querySelector('[data-turn-notice]')?.textContent).toContain('Not run: create_ticket.')
    expect(page.runs).toEqual([])
  },
)

test('a sound call runs once and is done, though its result crosses no wire', async () => {
  const wire = network()
  const page = pageOf()
  const container = await ask(page)
  wire.send(whole)
  wire.end()
  await vi.waitFor(() => expect(labelsOf(container)).toEqual(['create_ticket — done']))
  await painted()
  expectStill(container)
  expect(page.runs).toHaveLength(1)
})

type Part = UIMessage['parts'][number]

const stored = (part: object): UIMessage[] => [
  {
    id: 'reply',
    role: 'assistant',
    parts: [{ type: 'tool-create_ticket', toolCallId: 'c1', ...part } as object as Part],
  },
]

test.each([
  ['cut in mid input', { state: 'input-streaming', input: { title: 'Broken' } }, 'not run (the page was closed)'],
  ['handed over', { state: 'input-available', input: {} }, 'may have run (the page was closed)'],
  ['with its result', { state: 'output-available', input: {}, output: 'made' }, 'done'],
  [
    'which the gate refused',
    { state: 'output-error', input: {}, errorText: '[honest-tool-calls] Not run: x' },
    'not run',
  ],
  ['with an error', { state: 'output-error', input: {}, errorText: 'Boom' }, 'may have run (an error was reported)'],
])('after a reload a stored part is labelled by itself: %s', async (_, part, words) => {
  const container = await show(
    <StrictMode>
      <App page={pageOf()} messages={stored(part)} />
    </StrictMode>,
  )
  expect(labelsOf(container)).toEqual([`create_ticket — ${words}`])
  expectStill(container)
})
