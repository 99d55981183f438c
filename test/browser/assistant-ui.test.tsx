import {
  type AssistantRuntime,
  AssistantRuntimeProvider,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartComponent,
  type ToolCallMessagePartProps,
  useAssistantInstructions,
  useAssistantTool,
  useAssistantToolUI,
  useAuiState,
  useLocalRuntime,
} from '@assistant-ui/react'
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk'
import type { UIMessage, UIMessageChunk } from 'ai'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { AssistantTurnNotice, assistantToolCall, withToolCalls } from '../../src/assistant-ui.ts'
import { createToolCallStore, type ToolCallStore, TurnNotice } from '../../src/index.ts'
import { createFakeClock, type FakeClock, labelsOf } from '../../src/testing/index.ts'
import { isReadable, painted, show } from './page.tsx'
import { type Network, network, opened, whole } from './ui-message-network.ts'

// The runtime, the primitives and the transport of the kit; only the network under them is a script.

interface PageOptions {
  readonly gate?: boolean
  readonly executor?: 'host' | 'server'
  /** Where the block is put. Default `Override`. */
  readonly slot?: Slot
  /** Default: one, behind the messages. */
  readonly noticePerMessage?: boolean
}

type Slot = 'Override' | 'Fallback' | 'by_name' | 'useAssistantToolUI'

interface Page {
  readonly store: ToolCallStore
  readonly clock: FakeClock
  readonly transport: AssistantChatTransport<UIMessage>
  readonly block: ToolCallMessagePartComponent
  readonly slot: Slot
  readonly noticePerMessage: boolean
  /** The arguments of every run of the page's own tool; none where the server has it. */
  readonly runs: unknown[] | null
  /** What is mounted, each time it was. */
  readonly runtimes: AssistantRuntime[]
  readonly wire: Network
}

function pageOf({
  gate = true,
  executor = 'host',
  slot = 'Override',
  noticePerMessage = false,
}: PageOptions = {}): Page {
  const wire = network()
  const clock = createFakeClock()
  const store = createToolCallStore({ tools: { create_ticket: { executor } }, clock })
  return {
    store,
    clock,
    transport: withToolCalls(store, (fetch) => new AssistantChatTransport({ api: '/chat', fetch }), { gate }),
    block: assistantToolCall(store, { approval: Approval }),
    slot,
    noticePerMessage,
    runs: executor === 'host' ? [] : null,
    runtimes: [],
    wire,
  }
}

/** Longer than the default, as a page under load may be slow. */
const until = <Value,>(check: () => Value) => vi.waitFor(check, 5_000)

function Approval({ respondToApproval }: ToolCallMessagePartProps): ReactNode {
  return (
    <button type="button" onClick={() => void respondToApproval({ approved: true })}>
      Allow
    </button>
  )
}

function Tool({ runs }: { readonly runs: unknown[] }): null {
  useAssistantTool({
    toolName: 'create_ticket',
    description: 'Creates a ticket.',
    parameters: { type: 'object', properties: { title: { type: 'string' } } },
    execute: async (input: unknown) => {
      runs.push(input)
      return 'made'
    },
  })
  return null
}

function ToolUI({ block }: { readonly block: ToolCallMessagePartComponent }): null {
  useAssistantToolUI({ toolName: 'create_ticket', render: block })
  return null
}

function App({ page, messages = [] }: { readonly page: Page; readonly messages?: UIMessage[] }): ReactNode {
  const { store, transport, runs, runtimes } = page
  const runtime = useChatRuntime({ transport, messages })
  useEffect(() => void runtimes.push(runtime), [runtimes, runtime])
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      {runs && <Tool runs={runs} />}
      {page.slot === 'useAssistantToolUI' && <ToolUI block={page.block} />}
      <Instructions />
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages>{() => <Message page={page} />}</ThreadPrimitive.Messages>
        {!page.noticePerMessage && <AssistantTurnNotice store={store} />}
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

function Message({ page }: { readonly page: Page }): ReactNode {
  const threadId = useAuiState((state) => state.threadListItem.id)
  const messageId = useAuiState((state) => state.message.id)
  return (
    <article>
      <MessagePrimitive.Parts components={{ tools: toolsOf(page) }} />
      {page.noticePerMessage && <TurnNotice store={page.store} scope={threadId} messageId={messageId} />}
    </article>
  )
}

function toolsOf({ slot, block }: Page) {
  if (slot === 'Override') return { Override: block }
  if (slot === 'by_name') return { by_name: { create_ticket: block } }
  return slot === 'Fallback' ? { Fallback: block } : {}
}

function Instructions(): null {
  useAssistantInstructions('Be kind.')
  return null
}

function threadOf({ runtimes }: Page): AssistantRuntime['thread'] {
  const runtime = runtimes.at(-1)
  if (runtime === undefined) throw new Error('Nothing is mounted.')
  return runtime.thread
}

async function ask(page: Page): Promise<HTMLElement> {
  const container = await show(
    <StrictMode>
      <App page={page} />
    </StrictMode>,
  )
  // StrictMode takes the component down for once.
  await until(() => expect(page.runtimes.length).toBeGreaterThanOrEqual(2))
  threadOf(page).append('My login is broken.')
  await until(() => expect(page.wire.requests).toHaveLength(1))
  await painted()
  return container
}

function expectStill(container: HTMLElement): void {
  expect(document.getAnimations()).toEqual([])
  expect(document.querySelector('[aria-busy]')).toBeNull()
  expect(container.textContent).not.toMatch(/Preparing|Running/)
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
}

const finish = (finishReason: 'length' | 'stop' | 'tool-calls'): UIMessageChunk[] => [
  { type: 'finish-step' },
  { type: 'finish', finishReason },
]
const announced = opened.slice(0, -1)
const handedOver = whole.slice(0, -2)

const ENDINGS = {
  drop: ['create_ticket — not run (connection lost)', opened, ({ wire }) => wire.drop()],
  'clean end': ['create_ticket — not run (the response ended early)', opened, ({ wire }) => wire.end()],
  'end right after the announcement': [
    'create_ticket — not run (the response ended early)',
    announced,
    ({ wire }) => wire.end(),
  ],
  stall: ['create_ticket — not run (connection lost)', opened, ({ clock }) => clock.advance(10_000)],
  stop: ['create_ticket — cancelled', opened, (page) => threadOf(page).cancelRun()],
} satisfies Record<string, [string, readonly UIMessageChunk[], (page: Page) => void]>

test.each(Object.entries(ENDINGS))('%s: the label says so beside the promise, and nothing moves', async (_, row) => {
  const [label, chunks, end] = row
  const page = pageOf()
  const container = await ask(page)
  page.wire.send(chunks)
  // Control: what must be gone at the end is there while it streams.
  await until(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  end(page)
  await until(() => expect(labelsOf(container)).toEqual([label]))
  await painted()
  expectStill(container)
  expect(container.textContent).toContain("I'll create that ticket for you now.")
  expect(container.querySelector('[data-turn-notice]')?.textContent).toContain('Not run: create_ticket.')
  expect(container.querySelector('button')).toBeNull()
  expect(page.runs).toEqual([])
})

test('a reply that ends before it has a message: the notice stands alone', async () => {
  const page = pageOf()
  const container = await ask(page)
  page.wire.drop()
  await until(() =>
    expect(container.querySelector('[data-turn-notice]')?.textContent).toBe(
      'The reply stopped here (connection lost).',
    ),
  )
})

test('a notice for each message stays under its own', async () => {
  const page = pageOf({ noticePerMessage: true })
  const container = await ask(page)
  page.wire.send(opened)
  await until(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  page.wire.drop()
  const notices = () => [...container.querySelectorAll('article:has([data-turn-notice])')]
  await until(() => expect(notices()).toHaveLength(1))
  threadOf(page).append('Again.')
  await until(() => expect(page.wire.requests).toHaveLength(2))
  page.wire.send([{ type: 'start', messageId: 'second' }, ...opened.slice(1, 5), ...finish('stop')])
  page.wire.end()
  await until(() => expect(container.querySelectorAll('article')).toHaveLength(4))
  expect(notices().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Not run: create_ticket.')])
  expect(notices()[0]).toBe(container.querySelectorAll('article')[1])
})

test.each(['Override', 'Fallback', 'by_name', 'useAssistantToolUI'] as const)(
  'a tool of the server is done when its result comes: %s',
  async (slot) => {
    const page = pageOf({ executor: 'server', slot })
    const container = await ask(page)
    page.wire.send(handedOver)
    await until(() => expect(labelsOf(container)).toEqual(['create_ticket — sent, waiting for the result']))
    // The host shows it as a result.
    page.wire.send([
      { type: 'tool-output-available', toolCallId: 'c1', output: '10 %', preliminary: true },
      { type: 'text-start', id: 'u' },
      { type: 'text-delta', id: 'u', delta: 'Wait.' },
    ])
    await until(() => expect(container.textContent).toContain('Wait.'))
    expect(labelsOf(container)).toEqual(['Running create_ticket…'])
    page.wire.send([
      { type: 'tool-output-available', toolCallId: 'c1', output: 'made' },
      { type: 'text-end', id: 'u' },
      ...finish('stop'),
    ])
    page.wire.end()
    await until(() => expect(labelsOf(container)).toEqual(['create_ticket — done']))
    await painted()
    expectStill(container)
    expect(container.querySelector('[data-turn-notice]')).toBeNull()
  },
)

test('a tool of the server, whose link is lost, may have run', async () => {
  const page = pageOf({ executor: 'server' })
  const container = await ask(page)
  page.wire.send(opened)
  await until(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  page.wire.drop()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — may have run (connection lost)']))
})

const DAMAGED = {
  'the length limit over arguments that look whole': [...handedOver, ...finish('length')],
  'the length limit before any argument': [
    ...announced,
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'create_ticket', input: {} },
    ...finish('length'),
  ],
  'an end without a stop reason': handedOver,
} satisfies Record<string, readonly UIMessageChunk[]>

/** Plays a whole reply, and waits until the runtime has done what it does with it. */
async function play(page: Page, chunks: readonly UIMessageChunk[]): Promise<HTMLElement> {
  const container = await ask(page)
  page.wire.send(chunks)
  page.wire.end()
  await until(() => expect(threadOf(page).getState().isRunning).toBe(false))
  await until(() => expect(labelsOf(container).join()).not.toMatch(/^$|Preparing|Running/))
  await painted()
  return container
}

test.each(Object.entries(DAMAGED))('the gate: %s: 0 runs; without it 1', async (_, chunks) => {
  const gated = pageOf()
  const container = await play(gated, chunks)
  expect(labelsOf(container)[0]).toMatch(/^create_ticket — not run \(/)
  expectStill(container)
  expect(gated.runs).toEqual([])

  // Control: the kit's own dispatcher does run it.
  const open = pageOf({ gate: false })
  await play(open, chunks)
  await until(() => expect(open.runs).toHaveLength(1))
})

test('a sound call runs once and is done, though its result crosses no wire', async () => {
  const page = pageOf()
  const container = await play(page, whole)
  expect(labelsOf(container)).toEqual(['create_ticket — done'])
  expectStill(container)
  expect(page.runs).toHaveLength(1)
})

test('the runtime puts its tools and its system text into the request', async () => {
  const page = pageOf()
  await ask(page)
  const has = { system: 'Be kind.', tools: { create_ticket: { description: 'Creates a ticket.' } } }
  expect(page.wire.requests).toMatchObject([has])

  // Control: a wrapper that is no instance of the class gets neither.
  const plain = pageOf()
  const { sendMessages, reconnectToStream } = plain.transport
  await ask({ ...plain, transport: { sendMessages, reconnectToStream } as AssistantChatTransport<UIMessage> })
  expect(plain.wire.requests).toHaveLength(1)
  expect(plain.wire.requests[0]).not.toHaveProperty('system')
  expect(plain.wire.requests[0]).toHaveProperty('tools', {})
})

function expectOne<Element>(found: Element | null): Element {
  if (found === null) throw new Error('Nothing is there yet.')
  return found
}

const asked: readonly UIMessageChunk[] = [
  ...handedOver,
  { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
  ...finish('tool-calls'),
]

async function askedFor(page: Page): Promise<{ readonly container: HTMLElement; readonly button: HTMLButtonElement }> {
  const container = await ask(page)
  page.wire.send(asked)
  page.wire.end()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — waiting for your approval']))
  const button = await until(() => expectOne(container.querySelector('button')))
  await until(() => expect(threadOf(page).getState().isRunning).toBe(false))
  return { container, button }
}

test('a call that waits for a person offers the answer, once', async () => {
  const { container, button } = await askedFor(pageOf({ executor: 'server' }))
  button.click()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — sent, waiting for the result']))
  expect(container.querySelector('button')).toBeNull()
})

test('the next message takes an unanswered question back: nothing waits for an answer any more', async () => {
  const page = pageOf({ executor: 'server' })
  const { container } = await askedFor(page)
  threadOf(page).append('Never mind.')
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — not run (withdrawn)']))
  expect(container.querySelector('button')).toBeNull()
})

test('the error that the next message writes into a part is no evidence of a run', async () => {
  const page = pageOf()
  const container = await ask(page)
  page.wire.send(opened)
  await until(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  page.wire.drop()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — not run (connection lost)']))
  threadOf(page).append('Again.')
  await until(() => expect(page.wire.requests).toHaveLength(2))
  expect(JSON.stringify(page.wire.requests[1])).toContain('User cancelled tool call')
  await painted()
  expect(labelsOf(container)).toEqual(['create_ticket — not run (connection lost)'])
})

const stored = (part: object): UIMessage[] => [
  {
    id: 'reply',
    role: 'assistant',
    parts: [{ type: 'tool-create_ticket', toolCallId: 'c1', ...part } as object as UIMessage['parts'][number]],
  },
]

test.each([
  ['cut in mid input', { state: 'input-streaming', input: { title: 'Broken' } }, 'not run (the page was closed)'],
  [
    'with a first part of its output',
    { state: 'output-available', input: {}, output: 1, preliminary: true },
    'may have run (the page was closed)',
  ],
  [
    'with a question about a call that ran in the page',
    { state: 'approval-requested', input: {}, approval: { id: 'a1' } },
    'may have run (the page was closed)',
  ],
  ['with its result', { state: 'output-available', input: {}, output: 'made' }, 'done'],
  [
    'which the gate refused',
    { state: 'output-error', input: {}, errorText: '[honest-tool-calls] Not run: x' },
    'not run',
  ],
  ['with an error', { state: 'output-error', input: {}, errorText: 'Boom' }, 'may have run (an error was reported)'],
])('after a reload a stored part is labelled by itself: %s', async (_, part, words) => {
  const page = pageOf()
  const container = await show(
    <StrictMode>
      <App page={page} messages={stored(part)} />
    </StrictMode>,
  )
  await until(() => expect(labelsOf(container)).toEqual([`create_ticket — ${words}`]))
  await painted()
  expectStill(container)
  expect(container.querySelector('button')).toBeNull()
  expect(page.runs).toEqual([])
})

test('after a reload a question of the server still stands', async () => {
  const page = pageOf({ executor: 'server' })
  const question = { state: 'approval-requested', input: {}, approval: { id: 'a1' } }
  const container = await show(<App page={page} messages={stored(question)} />)
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — waiting for your approval']))
  expectOne(container.querySelector('button')).click()
  await until(() => expect(container.querySelector('button')).toBeNull())
  expect(labelsOf(container)).toEqual(['create_ticket — may have run (the page was closed)'])
})

test('two threads in which a call has the same id', async () => {
  const page = pageOf({ executor: 'server' })
  const container = await ask(page)
  page.wire.send(opened)
  await until(() => expect(labelsOf(container)).toEqual(['Preparing create_ticket…']))
  page.wire.drop()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — may have run (connection lost)']))

  const threads = page.runtimes.at(-1)?.threads
  const first = threads?.getState().mainThreadId ?? ''
  await threads?.switchToNewThread()
  await until(() => expect(labelsOf(container)).toEqual([]))
  expect(container.querySelector('[data-turn-notice]')).toBeNull()
  threadOf(page).append('Another one.')
  await until(() => expect(page.wire.requests).toHaveLength(2))
  page.wire.send([...handedOver, { type: 'tool-output-available', toolCallId: 'c1', output: 1 }, ...finish('stop')])
  page.wire.end()
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — done']))

  await threads?.switchToThread(first)
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — may have run (connection lost)']))
  expect(container.querySelector('[data-turn-notice]')).not.toBeNull()
})

function OnAnotherRuntime({ block }: Pick<Page, 'block'>): ReactNode {
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'create_ticket', args: {}, result: 'made' } as const
  const initialMessages = [{ role: 'assistant', content: [call] }] as const
  const runtime = useLocalRuntime({ run: async () => ({}) }, { initialMessages })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Messages>
        {() => <MessagePrimitive.Parts components={{ tools: { Override: block } }} />}
      </ThreadPrimitive.Messages>
    </AssistantRuntimeProvider>
  )
}

test('on a runtime that is not the AI SDK’s, a call that the store does not know may have run', async () => {
  const container = await show(<OnAnotherRuntime block={pageOf().block} />)
  await until(() => expect(labelsOf(container)).toEqual(['create_ticket — may have run (the page was closed)']))
})
