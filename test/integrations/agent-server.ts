/** An Agent Server of LangGraph in place of the network: it answers commands, and keeps a log of events that it replays. */
export interface AgentServer {
  readonly fetch: typeof fetch
  /** Events of the root, in order; to all who listen, and again to all who come back. */
  emit(...events: readonly Emitted[]): void
  /** Every stream of events breaks off. */
  drop(): void
  /** No request reaches it any more, or again. */
  unreachable: boolean
  /** Requests wait for their answer until what this returns is called. */
  hold(): () => void
  /** The methods of the commands so far, and `cancel` for a run that was cancelled. */
  readonly commands: readonly string[]
  /** How many listen. */
  readonly listeners: () => number
}

/** What an event is about, and what it says. */
export type Emitted = readonly [method: string, data: object]

export function createAgentServer(): AgentServer {
  const encoder = new TextEncoder()
  const log: object[] = []
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const commands: string[] = []
  const frame = (event: object): Uint8Array => encoder.encode(`event: message\ndata: ${JSON.stringify(event)}\n\n`)
  let held: Promise<void> | undefined
  const json = (value: unknown, status = 200): Response =>
    new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

  function events(signal: AbortSignal | null | undefined): Response {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        open.add(controller)
        for (const event of log) controller.enqueue(frame(event))
        signal?.addEventListener('abort', () => {
          if (open.delete(controller)) controller.error(signal.reason)
        })
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }

  const server: AgentServer = {
    unreachable: false,
    commands,
    listeners: () => open.size,
    async fetch(input, init) {
      const { pathname } = new URL(String(input instanceof Request ? input.url : input))
      await held
      if (server.unreachable) throw new TypeError('fetch failed')
      if (pathname.endsWith('/stream/events')) return events(init?.signal)
      if (pathname.endsWith('/cancel')) {
        commands.push('cancel')
        return json({})
      }
      if (!pathname.endsWith('/commands')) return json({}, 404)
      const { id, method } = JSON.parse(String(init?.body)) as { readonly id: number; readonly method: string }
      commands.push(method)
      return json({ type: 'success', id, result: { run_id: `r${commands.length}` } })
    },
    hold() {
      let answer = (): void => {}
      held = new Promise((resolve) => {
        answer = resolve
      })
      return () => answer()
    },
    emit(...emitted) {
      for (const [method, data] of emitted) {
        const seq = log.length + 1
        const params = { namespace: [], timestamp: seq, data, ...(method === 'messages' && { node: 'agent' }) }
        const event = { type: 'event', seq, event_id: `e${seq}`, method, params }
        log.push(event)
        for (const controller of open) controller.enqueue(frame(event))
      }
    },
    drop() {
      for (const controller of open) controller.error(new TypeError('network error'))
      open.clear()
    },
  }
  return server
}

export const lifecycle = (event: string, members: object = {}): Emitted => ['lifecycle', { event, ...members }]
const block = (event: string, members: object = {}): Emitted => ['messages', { event, ...members }]

const call = { id: 'call_1', name: 'create_ticket' }

/** The beginnings of a message and its call; the argument text comes by `piece`. */
export function begun(id = 'ai-1', callId = 'call_1'): readonly Emitted[] {
  return [
    block('message-start', { role: 'ai', id }),
    block('content-block-start', { index: 0, content: { type: 'text', text: '' } }),
    block('content-block-delta', { index: 0, delta: { type: 'text-delta', text: 'I will create that ticket now.' } }),
    block('content-block-finish', { index: 0, content: { type: 'text', text: 'I will create that ticket now.' } }),
    block('content-block-start', { index: 1, content: { type: 'tool_call_chunk', ...call, id: callId, args: '' } }),
  ]
}

export const piece = (args: string): Emitted =>
  block('content-block-delta', { index: 1, delta: { type: 'tool-call-delta', args } })

/** The call ends as what the library made of its text, and the message for a reason. */
export function closed(args: object | string, reason: string): readonly Emitted[] {
  const whole =
    typeof args === 'string' ? { type: 'invalid_tool_call', args, error: 'MARKER' } : { type: 'tool_call', args }
  return [
    block('content-block-finish', { index: 1, content: { ...call, ...whole } }),
    block('message-finish', { reason, metadata: { finish_reason: reason } }),
  ]
}

export const toolStarted: Emitted = ['tools', { event: 'tool-started', tool_call_id: 'call_1', tool_name: call.name }]
export const toolFinished: Emitted = [
  'tools',
  { event: 'tool-finished', tool_call_id: 'call_1', tool_name: call.name, output: 'T-1' },
]
export const asked: Emitted = [
  'input.requested',
  { interrupt_id: 'i1', payload: { action_requests: [{ name: call.name, args: {} }], review_configs: [] } },
]
