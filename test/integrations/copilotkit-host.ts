import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HttpAgent } from '@ag-ui/client'
import { CopilotKitCoreReact } from '@copilotkit/react-core/v2/context'
import { onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import { tapOf } from '../../src/integrations/copilotkit/tap.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { quietCancel } from './quiet-cancel.ts'

export const THREAD = 'thread-1'

/** What a server does with one request. Default `end`. */
export interface Script {
  readonly body: string
  /** `wait`: nothing more comes until it is told to. */
  readonly after?: 'end' | 'wait'
  readonly status?: number
}

interface Request {
  readonly url: string
  readonly body: {
    readonly messages?: readonly { readonly role: string; readonly content?: unknown }[]
    readonly resume?: unknown
  }
  readonly response: ServerResponse
  readonly closed: Promise<void>
}

interface Options extends StoreOptions {
  readonly gate?: boolean
  /** Names of the tools that run in the page. Default: `create_ticket`, `send_mail`. */
  readonly here?: readonly string[]
  /** Through a runtime, in place of straight to an agent. */
  readonly runtime?: boolean
  readonly followUp?: boolean
}

/** The core of CopilotKit, an agent of it, and a server that speaks AG-UI to it over a real connection. */
export interface Host {
  readonly core: CopilotKitCoreReact
  readonly agent: HttpAgent
  readonly store: ToolCallStore
  readonly clock: FakeClock
  /** What ran in the page, as `name(arguments)`. */
  readonly ran: string[]
  readonly requests: Request[]
  /** Errors that the host reported. */
  readonly errors: string[]
  /** Resolves when the run and all that follows from it is over. */
  ask(words?: string): Promise<unknown>
  /** Resolves when the host was given so many events of a type. */
  seen(type: string, count?: number): Promise<void>
  said(): { readonly labels: readonly string[]; readonly notice: string }
  /** The results in the host's messages, by call. */
  results(): Record<string, unknown>
}

/** @param scripts what is answered to each run; the last one to all that follow */
export async function hostAt(scripts: readonly Script[], options: Options = {}): Promise<Host> {
  const { gate = false, here = ['create_ticket', 'send_mail'], runtime, followUp = false, ...rest } = options
  const requests: Request[] = []
  const url = await serve(scripts, requests)
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, frame: () => () => {}, ...rest })
  const ran: string[] = []
  const errors: string[] = []
  const tools = here.map((name) => ({
    name,
    parameters: z.any(),
    followUp,
    handler: async (args: unknown) => {
      ran.push(`${name}(${JSON.stringify(args)})`)
      return { ok: true }
    },
  }))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  quietCancel()
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  // The core asks a runtime for its agents only where there is a window.
  if (runtime) vi.stubGlobal('window', { location: new URL(url) })
  const core = new CopilotKitCoreReact({
    tools,
    ...(runtime
      ? { runtimeUrl: url, runtimeTransport: 'rest' as const }
      : { agents__unsafe_dev_only: { default: new HttpAgent({ url: `${url}/run`, threadId: THREAD }) } }),
  })
  core.subscribe({ onError: ({ code }) => void errors.push(code) })
  const tap = tapOf(store)
  tap.gate = gate
  core.subscribe(tap.subscriber)
  if (runtime) await vi.waitFor(() => core.getAgent('default') ?? Promise.reject(new Error('no agent yet')))
  const agent = core.getAgent('default') as HttpAgent
  agent.threadId = THREAD

  const counts = new Map<string, number>()
  const looks = new Set<() => void>()
  agent.subscribe({
    onEvent({ event }) {
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
      for (const look of looks) look()
    },
  })
  return {
    core,
    agent,
    store,
    clock,
    ran,
    requests,
    errors,
    ask(words = 'Create a ticket.') {
      agent.addMessage({ id: `user-${requests.length}-${agent.messages.length}`, role: 'user', content: words })
      return core.runAgent({ agent })
    },
    seen: (type, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((counts.get(type) ?? 0) < count) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
    said: () => saidBy(store),
    results: () =>
      Object.fromEntries(
        agent.messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content]] : [])),
      ),
  }
}

export function saidBy(store: ToolCallStore, scope = THREAD): ReturnType<Host['said']> {
  store.flush()
  const turn = store.turnOf(scope)?.getState()
  const labels = (turn?.items ?? []).flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turn?.id ?? '', item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
  return { labels, notice: turn?.notice ? noticeSentences(turn.notice).join(' ') : '' }
}

async function serve(scripts: readonly Script[], requests: Request[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url = '' } = request
    let body = ''
    for await (const piece of request) body += piece
    if (url === '/info') {
      const info = { version: '1.74.0', agents: { default: { name: 'default', description: '' } }, mode: 'sse' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info))
      return
    }
    const runs = requests.filter((known) => !known.url.includes('/stop/')).length
    const closed = new Promise<void>((resolve) => response.on('close', resolve))
    requests.push({ url, body: JSON.parse(body || '{}'), response, closed })
    if (url.includes('/stop/')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const script = scripts[Math.min(runs, scripts.length - 1)]
    response.writeHead(script?.status ?? 200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (script?.body) response.write(script.body)
    if (script?.after !== 'wait') response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
