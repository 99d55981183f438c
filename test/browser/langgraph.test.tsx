import { FetchStreamTransport, useStream } from '@langchain/langgraph-sdk/react'
import { StrictMode, useEffect, useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { createToolCallStore, type ToolCallStore, ToolCallTurn } from '../../src/index.ts'
import { withToolCalls } from '../../src/langgraph.ts'
import { labelsOf } from '../../src/testing/index.ts'
import { CALLED, HALF, RESULT, VALUES } from '../integrations/langgraph-wire.ts'
import { isReadable, painted, show } from './page.tsx'

/** A server in the page: what it was sent goes out, and it sees when nobody listens any more. */
function serve(): {
  readonly fetch: typeof fetch
  readonly write: (text: string) => void
  readonly end: () => void
  readonly drop: () => void
  readonly closed: () => boolean
} {
  const encoder = new TextEncoder()
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  let closed = false
  return {
    fetch: async (_url, init) => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller
        },
      })
      init?.signal?.addEventListener('abort', () => {
        closed = true
        body?.error(init.signal?.reason)
      })
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    },
    write: (text) => body?.enqueue(encoder.encode(text)),
    end: () => body?.close(),
    drop: () => body?.error(new TypeError('network error')),
    closed: () => closed,
  }
}

type Server = ReturnType<typeof serve>

function Chat({ store, server }: { readonly store: ToolCallStore; readonly server: Server }) {
  const [threadId, setThreadId] = useState<string | null>(null)
  const [transport] = useState(() =>
    withToolCalls(store, new FetchStreamTransport({ apiUrl: '/api/run', fetch: server.fetch })),
  )
  const stream = useStream({ transport, threadId, onThreadId: setThreadId })
  const main = useRef<HTMLElement>(null)
  // The hook stops a run that makes its thread before the hook's own effects have run.
  useEffect(() => main.current?.setAttribute('data-mounted', ''), [])
  return (
    <main ref={main}>
      <button type="button" onClick={() => void stream.submit({ messages: [{ type: 'human', content: 'Do it' }] })}>
        Send
      </button>
      <button type="button" onClick={() => void stream.stop()}>
        Stop
      </button>
      <p data-state="">{stream.isLoading ? 'loading' : stream.error === undefined ? 'idle' : 'error'}</p>
      {stream.messages.map((message) =>
        message.type === 'ai' && threadId !== null ? (
          <ToolCallTurn key={message.id} store={store} scope={threadId} messageId={message.id ?? ''} />
        ) : null,
      )}
    </main>
  )
}

async function open(server: Server): Promise<HTMLElement> {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'server' } } })
  const container = await show(
    <StrictMode>
      <Chat store={store} server={server} />
    </StrictMode>,
  )
  await expect.poll(() => container.querySelector('[data-mounted]')).not.toBeNull()
  press(container, 'Send')
  await until(container, 'loading')
  return container
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

const endings = [
  ['drop', ({ drop }: Server) => drop(), 'error', 'may have run (connection lost)'],
  ['clean end', ({ end }: Server) => end(), 'idle', 'may have run (the response ended early)'],
  ['stop', (_: Server, container: HTMLElement) => press(container, 'Stop'), 'idle', 'may have run (cancelled)'],
] as const

test.each(endings)(
  'useStream, %s: the block under its message says what is true',
  async (_fault, act, state, label) => {
    const server = serve()
    const container = await open(server)
    server.write(HALF)
    await expect.poll(() => container.textContent).toContain('Preparing')
    await painted()
    // Control: what must be gone at the end is there.
    expect(document.getAnimations().length).toBeGreaterThan(0)
    expect(container.textContent).toContain('I will create that ticket for you now.')

    act(server, container)
    await until(container, state)

    expect(labelsOf(container)).toEqual([`create_ticket — ${label}`])
    expect(container.querySelectorAll('[data-turn-notice]')).toHaveLength(1)
    expect(container.querySelector('[data-turn-notice]')?.textContent).toBe('May have run: create_ticket.')
    expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
    expect(document.getAnimations()).toEqual([])
    expect(document.querySelector('[aria-busy]')).toBeNull()
    expect(container.textContent).not.toMatch(/Preparing|Running/)
    expect(container.textContent).toContain('I will create that ticket for you now.')
    expect(server.closed()).toBe(true)
  },
)

test('useStream, a tool that gave a result: done, once, and each message under its own id', async () => {
  const server = serve()
  const container = await open(server)
  server.write(CALLED + RESULT + VALUES)
  server.end()
  await until(container, 'idle')
  expect(labelsOf(container)).toEqual(['create_ticket — done'])
  expect(container.querySelectorAll('[data-turn]')).toHaveLength(2)
  expect(container.textContent).toContain('Done.')
  expect(container.querySelector('[data-turn-notice]')).toBeNull()
  expect(document.getAnimations()).toEqual([])
})
