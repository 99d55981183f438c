import { useStream } from '@langchain/react'
import { StrictMode, useState } from 'react'
import { expect, test } from 'vitest'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { createToolCallStore, type ToolCallStore, ToolCallTurn } from '../../src/index.ts'
import { createStreamLink, useToolCallStream } from '../../src/langchain-react.ts'
import { createFakeClock, type FakeClock, labelsOf } from '../../src/testing/index.ts'
import {
  type AgentServer,
  asked,
  begun,
  closed,
  createAgentServer,
  lifecycle,
  piece,
  toolFinished,
  toolStarted,
} from '../integrations/agent-server.ts'
import { isReadable, painted, show } from './page.tsx'

interface ChatProps {
  readonly store: ToolCallStore
  readonly server: AgentServer
}

function Chat({ store, server }: ChatProps) {
  const [threadId, onThreadId] = useState<string | null>(null)
  const [link] = useState(createStreamLink)
  // Another object is another client to the hook, and its run is gone.
  const [callerOptions] = useState(() => ({ fetch: server.fetch }))
  const stream = useStream({
    apiUrl: 'http://agent.test',
    assistantId: 'agent',
    threadId,
    onThreadId,
    fetch: server.fetch,
    callerOptions,
    reconnectDelayMs: () => 0,
    ...link,
  })
  useToolCallStream(stream, store, link)
  return (
    <>
      <button type="button" onClick={() => void stream.submit({ messages: [{ type: 'human', content: 'Do it' }] })}>
        Send
      </button>
      <button type="button" onClick={() => void stream.stop()}>
        Stop
      </button>
      <button type="button" onClick={() => void stream.respond({ decisions: [{ type: 'approve' }] })}>
        Allow
      </button>
      <button
        type="button"
        onClick={() => {
          store.answerApproval({ callId: 'call_1', scope: stream.threadId ?? '' }, { granted: false })
          void stream.respond({ decisions: [{ type: 'reject' }] })
        }}
      >
        Refuse
      </button>
      <p data-state="">{stream.isLoading ? 'loading' : stream.error === undefined ? 'idle' : 'error'}</p>
      {stream.messages.map((message) =>
        message.type === 'ai' && stream.threadId !== null ? (
          <ToolCallTurn key={message.id} store={store} scope={stream.threadId} messageId={message.id ?? ''} />
        ) : null,
      )}
    </>
  )
}

interface Opened extends ChatProps {
  readonly container: HTMLElement
  readonly clock: FakeClock
}

/** A page that one can leave. */
function Page(props: ChatProps) {
  const [isHere, setHere] = useState(true)
  return isHere ? (
    <>
      <button type="button" onClick={() => setHere(false)}>
        Leave
      </button>
      <Chat {...props} />
    </>
  ) : null
}

async function open(executor: 'server' | 'local' = 'server'): Promise<Opened> {
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, tools: { create_ticket: { executor } }, frame: requestFrame })
  const server = createAgentServer()
  const container = await show(
    <StrictMode>
      <Page store={store} server={server} />
    </StrictMode>,
  )
  press(container, 'Send')
  await until(container, 'loading')
  await expect.poll(() => server.commands).toContain('run.start')
  await expect.poll(() => server.listeners()).toBeGreaterThan(0)
  return { store, server, container, clock }
}

/** The page's frames are its own, whatever the clock of the deadlines says. */
function requestFrame(callback: () => void): () => void {
  const frame = requestAnimationFrame(callback)
  return () => cancelAnimationFrame(frame)
}

function press(container: HTMLElement, name: string): void {
  const button = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  if (button === undefined) throw new Error(`There is no button ${name}.`)
  button.click()
}

async function until(container: HTMLElement, state: string): Promise<void> {
  await expect.poll(() => container.querySelector('[data-state]')?.textContent).toBe(state)
  await painted()
}

const labels = (container: HTMLElement) => expect.poll(() => labelsOf(container))
const running = lifecycle('running')
const half = piece('{"title":"Disk')
const args = { title: 'Disk' }
const whole = piece('{"title":"Disk"}')

async function preparing(executor?: 'local'): Promise<Opened> {
  const page = await open(executor)
  page.server.emit(running, ...begun(), half)
  await labels(page.container).toEqual(['Preparing create_ticket…'])
  await painted()
  expect(document.getAnimations().length).toBeGreaterThan(0)
  return page
}

function isAtRest({ container, store }: Opened): void {
  expect(document.getAnimations()).toEqual([])
  expect(document.querySelector('[aria-busy]')).toBeNull()
  expect(container.textContent).not.toMatch(/Preparing|Running|MARKER/)
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
  expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
}

test('a run that ends well: the tool runs, and is done', async () => {
  const page = await open()
  const { server, container, store } = page
  server.emit(running, ...begun(), whole, ...closed(args, 'tool_calls'), toolStarted)
  await labels(container).toEqual(['Running create_ticket…'])
  server.emit(toolFinished, lifecycle('completed'))
  await until(container, 'idle')
  await labels(container).toEqual(['create_ticket — done'])
  expect(container.textContent).toContain('I will create that ticket now.')
  expect(container.querySelector('[data-turn-notice]')).toBeNull()
  expect(store.turnIds()).toHaveLength(1)
  isAtRest(page)
})

test('the person’s stop is cancelled, and the server is told', async () => {
  const page = await preparing()
  press(page.container, 'Stop')
  await until(page.container, 'idle')
  await labels(page.container).toEqual(['create_ticket — may have run (cancelled)'])
  expect(page.container.querySelector('[data-turn-notice]')?.textContent).toBe('May have run: create_ticket.')
  expect(page.server.commands).toContain('cancel')
  isAtRest(page)
})

const ends = [
  [
    'an error of the run',
    [lifecycle('failed', { error: 'MARKER' })],
    'error',
    'may have run (the service reported an error)',
  ],
  [
    'a token ceiling in the middle of the arguments',
    [...closed('{"title":"Disk', 'length'), lifecycle('completed')],
    'idle',
    'may have run (the response was cut short)',
  ],
  [
    'a token ceiling over a call that was never handed over',
    [...closed('{"title":"Disk', 'length').slice(1), lifecycle('completed')],
    'idle',
    'not run (the request was cut short)',
  ],
  [
    'text that is no JSON',
    [...closed('{"title":"Disk', 'tool_calls'), lifecycle('completed')],
    'idle',
    'may have run (no result received)',
  ],
] as const

test.each(ends)('%s', async (_, events, state, words) => {
  const page = await preparing()
  page.server.emit(...events)
  await until(page.container, state)
  await labels(page.container).toEqual([`create_ticket — ${words}`])
  isAtRest(page)
})

test('a link that is lost and comes back: reconnecting, then on as before', async () => {
  const page = await preparing()
  const { server, container, store } = page
  const answer = server.hold()
  server.drop()
  await labels(container).toEqual(['create_ticket — reconnecting…'])
  answer()
  await labels(container).toEqual(['Preparing create_ticket…'])
  server.emit(piece('"}'), ...closed(args, 'tool_calls'), toolStarted, toolFinished, lifecycle('completed'))
  await until(container, 'idle')
  await labels(container).toEqual(['create_ticket — done'])
  expect(store.turnIds()).toHaveLength(1)
  isAtRest(page)
})

test('a link that does not come back: what it was to bring may have run', async () => {
  const page = await preparing()
  page.server.unreachable = true
  page.server.drop()
  await until(page.container, 'error')
  await labels(page.container).toEqual(['create_ticket — may have run (connection lost)'])
  expect(page.container.querySelector('[data-turn-notice]')?.textContent).toBe('May have run: create_ticket.')
  isAtRest(page)
})

test('silence ends the turn and lets go of the stream, but cancels nothing on the server', async () => {
  const page = await preparing()
  page.clock.advance(DEFAULT_DEADLINES.idleEvents - 1)
  expect(labelsOf(page.container)).toEqual(['Preparing create_ticket…'])
  page.clock.advance(1)
  await labels(page.container).toEqual(['create_ticket — may have run (connection lost)'])
  await until(page.container, 'idle')
  expect(page.server.commands).not.toContain('cancel')
  isAtRest(page)
})

test('a run that waits for a person goes on in the same turn', async () => {
  const page = await open()
  const { server, container, store } = page
  server.emit(running, ...begun(), whole, ...closed(args, 'tool_calls'), asked, lifecycle('interrupted'))
  await until(container, 'idle')
  await labels(container).toEqual(['create_ticket — waiting for your approval'])
  expect(container.querySelector('[data-turn-notice]')).toBeNull()
  press(container, 'Allow')
  await expect.poll(() => server.commands).toContain('input.respond')
  server.emit(running, toolStarted)
  await labels(container).toEqual(['Running create_ticket…'])
  server.emit(toolFinished, lifecycle('completed'))
  await until(container, 'idle')
  await labels(container).toEqual(['create_ticket — done'])
  expect(store.turnIds()).toHaveLength(1)
  isAtRest(page)
})

test('a run whose question was refused goes on, and the tool was not run', async () => {
  const page = await open()
  const { server, container, store } = page
  server.emit(running, ...begun(), whole, ...closed(args, 'tool_calls'), asked, lifecycle('interrupted'))
  await labels(container).toEqual(['create_ticket — waiting for your approval'])
  await until(container, 'idle')
  press(container, 'Refuse')
  await expect.poll(() => server.commands).toContain('input.respond')
  server.emit(running, lifecycle('completed'))
  await until(container, 'idle')
  await labels(container).toEqual(['create_ticket — not run (you declined)'])
  expect(store.turnIds()).toHaveLength(1)
  isAtRest(page)
})

test('a second message is a turn of its own', async () => {
  const page = await open()
  const { server, container, store } = page
  server.emit(running, ...begun(), whole, ...closed(args, 'tool_calls'), toolFinished, lifecycle('completed'))
  await until(container, 'idle')
  press(container, 'Send')
  await until(container, 'loading')
  server.emit(running, ...begun('ai-2', 'call_2'), half)
  await labels(container).toEqual(['create_ticket — done', 'Preparing create_ticket…'])
  press(container, 'Stop')
  await labels(container).toEqual(['create_ticket — done', 'create_ticket — may have run (cancelled)'])
  expect(store.turnIds()).toHaveLength(2)
})

test('a second message while the first streams: what it replaces was cancelled', async () => {
  const page = await preparing()
  press(page.container, 'Send')
  await labels(page.container).toEqual(['create_ticket — may have run (cancelled)'])
  page.server.emit(running, ...begun('ai-2', 'call_2'), half)
  await labels(page.container).toEqual(['create_ticket — may have run (cancelled)', 'Preparing create_ticket…'])
  page.server.emit(...closed(args, 'tool_calls').slice(1), lifecycle('completed'))
  await until(page.container, 'idle')
  expect(labelsOf(page.container)[0]).toBe('create_ticket — may have run (cancelled)')
  expect(page.store.turnIds()).toHaveLength(2)
  expect(page.store.balance().preparing).toBe(0)
})

test('a page that is left does not go on preparing for ever', async () => {
  const { container, store, clock } = await preparing()
  press(container, 'Leave')
  await expect.poll(() => store.balance().waiting.resume).toBe(1)
  clock.advance(30_000)
  expect(store.balance()).toMatchObject({ announced: 1, settled: { unknown: { 'connection-lost': 1 } } })
})
