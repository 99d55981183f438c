import { CopilotChat, CopilotKitProvider, HttpAgent, useFrontendTool, useRenderTool } from '@copilotkit/react-core/v2'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { copilotToolCall, copilotTurnNotice, ToolCallTap } from '../../src/copilotkit.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../../src/index.ts'
import { createFakeClock, type FakeClock, labelsOf } from '../../src/testing/index.ts'
import { args, end, finished, half, preamble, result, sse, start, whole } from '../integrations/ag-ui-wire.ts'
import { quietCancel } from '../integrations/quiet-cancel.ts'
import { isReadable, painted, show } from './page.tsx'

afterEach(() => vi.restoreAllMocks())

const encoder = new TextEncoder()
// The host's own page is a large one, and the first drawing of it takes its time on a busy machine.
const patient = { timeout: 10_000 }
const ran: string[] = []

/** A tool of the page, and one that has a renderer of its own. */
function Tools({ store }: { readonly store: ToolCallStore }): null {
  useFrontendTool({
    name: 'open_map',
    parameters: z.object({ title: z.string() }),
    followUp: false,
    handler: async (given) => {
      ran.push(JSON.stringify(given))
      return 'shown'
    },
  })
  useRenderTool({
    name: 'send_mail',
    parameters: z.object({ title: z.string() }),
    render: copilotToolCall(store),
  })
  return null
}

interface Answer {
  /** Writes a piece of the answer. */
  write(text: string): void
  end(): void
  drop(): void
}

/** An agent whose answers the test writes, one for each request. */
function agentOf(threadId: string, answers: Answer[]): HttpAgent {
  const fetch = async (_: string, init?: RequestInit): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        answers.push({
          write: (text) => controller.enqueue(encoder.encode(text)),
          end: () => controller.close(),
          drop: () => controller.error(new TypeError('network error')),
        })
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return new HttpAgent({ url: '/agent', threadId, fetch })
}

interface Page {
  readonly container: HTMLElement
  readonly store: ToolCallStore
  readonly clock: FakeClock
  readonly agent: HttpAgent
  readonly answers: readonly Answer[]
  ask(words?: string, chat?: number): Promise<void>
}

/** A page with the host's own provider and chats on it. */
async function page(options: StoreOptions & { readonly gate?: boolean } = {}, chats = ['thread-1']): Promise<Page> {
  const { gate = false, ...rest } = options
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    tools: { open_map: { executor: 'host' } },
    ...rest,
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  quietCancel()
  ran.length = 0
  const answers: Answer[] = []
  const agents = Object.fromEntries(chats.map((threadId) => [threadId, agentOf(threadId, answers)]))
  const notices = [copilotTurnNotice(store)]
  const container = await show(
    <StrictMode>
      <CopilotKitProvider agents__unsafe_dev_only={agents} renderCustomMessages={notices} enableInspector={false}>
        <ToolCallTap store={store} gate={gate} />
        <Tools store={store} />
        {chats.map(
          (threadId): ReactNode => (
            <div key={threadId} style={{ height: 560 }} data-chat={threadId}>
              <CopilotChat agentId={threadId} threadId={threadId} />
            </div>
          ),
        )}
      </CopilotKitProvider>
    </StrictMode>,
  )
  return {
    container,
    store,
    clock,
    agent: agents[chats[0] ?? ''] as HttpAgent,
    answers,
    async ask(words = 'Create a ticket.', chat = 0) {
      const count = answers.length
      const input = await vi.waitFor(() => {
        const found = container.querySelectorAll('textarea')[chat]
        if (!found) throw new Error('no input yet')
        return found
      }, patient)
      const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
      set?.call(input, words)
      input.dispatchEvent(new Event('input', { bubbles: true }))
      const button = await vi.waitFor(() => {
        const found = container.querySelectorAll<HTMLButtonElement>('[data-testid="copilot-send-button"]')[chat]
        if (!found || found.disabled) throw new Error('nothing to be sent yet')
        return found
      }, patient)
      button.click()
      await vi.waitFor(() => expect(answers.length).toBe(count + 1), patient)
    },
  }
}

const noticesIn = (container: Element): (string | null)[] =>
  [...container.querySelectorAll('[data-turn-notice]')].map(({ textContent }) => textContent)

const says = (container: Element, ...labels: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(labelsOf(container)).toEqual(labels), patient)

const open = sse(...preamble, start(), args(half))

const faults = {
  drop: 'may have run (connection lost)',
  'clean end': 'may have run (the response ended early)',
  stall: 'may have run (connection lost)',
  stop: 'may have run (cancelled)',
}

test.each(Object.entries(faults))('%s: %s, and nothing goes on', async (fault, words) => {
  const { container, store, clock, agent, answers, ask } = await page()
  await ask()
  answers[0]?.write(open)
  await says(container, 'Preparing create_ticket…')
  expect(noticesIn(container)).toEqual([])
  await painted()
  expect(motionIn(container)).toBe(true)

  if (fault === 'drop') answers[0]?.drop()
  if (fault === 'clean end') answers[0]?.end()
  if (fault === 'stall') clock.advance(10_000)
  // While it runs, the same button stops it.
  if (fault === 'stop') container.querySelector<HTMLButtonElement>('[data-testid="copilot-send-button"]')?.click()
  await says(container, `create_ticket — ${words}`)
  await vi.waitFor(() => expect(agent.isRunning).toBe(false), patient)
  await painted()

  expect(labelsOf(container)).toEqual([`create_ticket — ${words}`])
  expect(noticesIn(container)).toEqual(['May have run: create_ticket.'])
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
  expect(isReadable(container.querySelector('[data-turn-notice]'))).toBe(true)
  expect(motionIn(container)).toBe(false)
  expect(container.querySelector('[data-tool-call] [aria-busy], [data-tool-call][aria-busy]')).toBeNull()
  // StrictMode and all: heard once.
  expect(store.turnIds()).toHaveLength(1)
  expect(store.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
})

function motionIn(container: Element): boolean {
  const blocks = [...container.querySelectorAll('[data-tool-call]')]
  return document.getAnimations().some(({ effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null
    return blocks.some((block) => block.contains(target))
  })
}

test.each([
  [true, [], 'not run (the response ended early)'],
  [false, ['{}'], 'done'],
] as const)('an end right after the announcement of a client tool, with the gate %s', async (gate, runs, words) => {
  const { container, answers, ask } = await page({ gate })
  await ask()
  answers[0]?.write(sse(...preamble, start('c1', 'open_map')))
  answers[0]?.end()
  await says(container, `open_map — ${words}`)
  expect(ran).toEqual(runs)
})

test('a good call of a client tool runs once', async () => {
  const { container, answers, ask } = await page({ gate: true })
  await ask()
  answers[0]?.write(sse(...preamble, start('c1', 'open_map'), args(whole), end(), finished()))
  answers[0]?.end()
  await says(container, 'open_map — done')
  expect(ran).toEqual([whole])
  expect(noticesIn(container)).toEqual([])
})

test('a tool with a renderer of its own is drawn as well, and two calls each say their own', async () => {
  const { container, answers, ask } = await page()
  await ask()
  const body = [...preamble, start('c1', 'send_mail'), args(whole), end(), result('7'), start('c2'), args(half, 'c2')]
  answers[0]?.write(sse(...body))
  await says(container, 'send_mail — done', 'Preparing create_ticket…')
  answers[0]?.drop()
  await says(container, 'send_mail — done', 'create_ticket — may have run (connection lost)')
  expect(noticesIn(container)).toEqual(['May have run: create_ticket.'])
})

test('a server that names no message: the notice stands behind the call', async () => {
  const { container, answers, ask } = await page()
  await ask()
  const { parentMessageId: _, ...nameless } = start() as Record<string, unknown>
  answers[0]?.write(sse(preamble[0] ?? {}, nameless, args(half)))
  answers[0]?.end()
  await says(container, 'create_ticket — may have run (the response ended early)')
  await vi.waitFor(() => expect(noticesIn(container)).toEqual(['May have run: create_ticket.']), patient)
})

test('after a reload each call is labelled by what the host has of it', async () => {
  const { container, agent, store } = await page()
  const call = (id: string): object => ({ id, type: 'function', function: { name: 'create_ticket', arguments: half } })
  await vi.waitFor(() => expect(container.querySelector('textarea')).not.toBeNull(), patient)
  agent.setMessages([
    { id: 'u1', role: 'user', content: 'Create tickets.' },
    { id: 'm1', role: 'assistant', content: '', toolCalls: [call('c1'), call('c2')] as never },
    { id: 'r2', role: 'tool', toolCallId: 'c2', content: '7' },
  ])
  await says(container, 'create_ticket — may have run (the page was closed)', 'create_ticket — done')
  expect(store.turnIds()).toEqual([])
  expect(motionIn(container)).toBe(false)
})

test('two chats at once, with the same ids in both', async () => {
  const { container, answers, ask, store } = await page({}, ['thread-1', 'thread-2'])
  await ask('Create a ticket.', 0)
  await ask('Create another.', 1)
  answers[0]?.write(open)
  answers[1]?.write(open)
  await says(container, 'Preparing create_ticket…', 'Preparing create_ticket…')
  answers[1]?.drop()
  await says(container, 'Preparing create_ticket…', 'create_ticket — may have run (connection lost)')
  const [first, second] = container.querySelectorAll('[data-chat]')
  expect(first && noticesIn(first)).toEqual([])
  expect(second && noticesIn(second)).toEqual(['May have run: create_ticket.'])
  expect(store.turnIds()).toHaveLength(2)
})

test('two chats whose client tools have the same ids: the result says which of them ran', async () => {
  const { container, answers, ask, store } = await page({ gate: true }, ['thread-1', 'thread-2'])
  await ask('Show it.', 0)
  await ask('Show it, too.', 1)
  for (const answer of answers) answer.write(sse(...preamble, start('c1', 'open_map'), args(whole), end(), finished()))
  for (const answer of answers) answer.end()
  await says(container, 'open_map — done', 'open_map — done')
  expect(ran).toEqual([whole, whole])
  expect(store.counts().contradictedLabels).toBe(0)
})
