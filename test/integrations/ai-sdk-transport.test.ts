import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { describe, expect, test, vi } from 'vitest'
import { withToolCalls } from '../../src/ai-sdk.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { begun, called, chatOf, finished, labelsIn, noticeIn, opened, words } from './ai-sdk-chat.ts'
import { type Script, type Step, serve } from './ui-message-server.ts'

const promise = [...begun, ...words('I will do that now.')]
const short = { idle: 150, quiet: 400, finish: 150, run: 400 }

interface Fault {
  readonly script: (tool: string) => readonly Step[]
  /** Where the backend runs the tool, beyond the stream. */
  readonly server: readonly string[]
  /** Where the page would run it, with the gate. */
  readonly gated: readonly string[]
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'the connection drops in mid arguments': {
    script: (tool) => [...promise, ...opened('c1', tool), 'drop'],
    server: ['may have run (connection lost)'],
    gated: ['not run (connection lost)'],
  },
  'the response ends cleanly in mid arguments': {
    script: (tool) => [...promise, ...opened('c1', tool), 'end'],
    server: ['may have run (the response ended early)'],
    gated: ['not run (the response ended early)'],
  },
  'nothing more comes': {
    script: (tool) => [...promise, ...opened('c1', tool), 'stall'],
    server: ['may have run (connection lost)'],
    gated: ['not run (connection lost)'],
  },
  'the limit is reached in mid arguments': {
    script: (tool) => [...promise, ...opened('c1', tool), ...finished('length'), 'end'],
    server: ['not run (the request was cut short)'],
    gated: ['not run (the request was cut short)'],
  },
  'the limit is reached over arguments that look whole': {
    script: (tool) => [...promise, ...called('c1', tool), ...finished('length'), 'end'],
    server: ['may have run (no result received)'],
    gated: ['not run (the request was cut short)'],
  },
  'a content filter stops it': {
    script: (tool) => [...promise, ...called('c1', tool), ...finished('content-filter'), 'end'],
    server: ['may have run (no result received)'],
    gated: ['not run (stopped by a content filter)'],
  },
  'the arguments are no JSON': {
    script: (tool) => [
      ...promise,
      ...opened('c1', tool, '{"title":'),
      { type: 'tool-input-available', toolCallId: 'c1', toolName: tool, input: {} },
      ...finished(),
      'end',
    ],
    server: ['may have run (no result received)'],
    gated: ['not run (the request was unreadable)'],
  },
  'the server rejects the arguments': {
    script: (tool) => [
      ...promise,
      ...opened('c1', tool, '{"title":1}'),
      { type: 'tool-input-error', toolCallId: 'c1', toolName: tool, input: { title: 1 }, errorText: 'no string' },
      ...finished(),
      'end',
    ],
    server: ['not run (the details were not valid)'],
    gated: ['not run (the details were not valid)'],
  },
  'the arguments do not fit, and the server lets them pass': {
    script: (tool) => [...promise, ...called('c1', tool, { title: 1 }), ...finished(), 'end'],
    server: ['may have run (no result received)'],
    gated: ['not run (the details were not valid)'],
  },
  'the service reports an error': {
    script: (tool) => [...promise, ...opened('c1', tool), { type: 'error', errorText: 'overloaded' }, 'end'],
    server: ['not run (the service reported an error)'],
    gated: ['not run (the service reported an error)'],
  },
  'the server says that it was aborted': {
    script: (tool) => [...promise, ...opened('c1', tool), { type: 'abort' }, 'end'],
    server: ['cancelled'],
    gated: ['cancelled'],
  },
  'a call is announced and never finished': {
    script: (tool) => [
      ...promise,
      { type: 'tool-input-start', toolCallId: 'c1', toolName: tool },
      ...finished(),
      'end',
    ],
    server: ['not run (the response ended early)'],
    gated: ['not run (the response ended early)'],
  },
  'of two calls the second is cut': {
    script: (tool) => [...promise, ...called('c1', tool), ...opened('c2', tool), ...finished(), 'end'],
    server: ['may have run (no result received)', 'not run (the response ended early)'],
    gated: ['not run (another call had a problem)', 'not run (the response ended early)'],
  },
  'the connection drops when a call was handed over': {
    script: (tool) => [...promise, ...called('c1', tool), 'drop'],
    server: ['may have run (connection lost)'],
    gated: ['not run (connection lost)'],
  },
}

describe.each(Object.entries(FAULTS))('%s', (_, { script, server, gated }) => {
  test('a tool of the server: every label is settled and claims no more than is known', async () => {
    const { api } = await serve(script('send_payment'))
    const { store, chat } = chatOf(api, { deadlines: short })
    await chat.sendMessage({ text: 'Pay.' })
    await vi.waitFor(() => expect(labelsIn(store)).toEqual(server.map((label) => `send_payment — ${label}`)))
    expect(store.balance()).toMatchObject({ announced: server.length, preparing: 0, running: 0 })
  })

  test('a tool of the page, with the gate: it does not run, and the label says so', async () => {
    const { api } = await serve(script('create_ticket'))
    const { store, chat, runs } = chatOf(api, { deadlines: short, gate: true })
    await chat.sendMessage({ text: 'Open a ticket.' })
    await vi.waitFor(() => expect(labelsIn(store)).toEqual(gated.map((label) => `create_ticket — ${label}`)))
    expect(runs).toEqual([])
    await vi.waitFor(() => expect(noticeIn(store)).toContain('Not run: create_ticket'))
    expect(store.counts().contradictedLabels).toBe(0)
  })
})

describe('the gate', () => {
  test('a sound call runs once, and its result is seen in the next request', async () => {
    const first = [...promise, ...called('c1', 'create_ticket'), ...finished(), 'end'] as const
    const { api, requests } = await serve(first, [...begun, ...words('Done.'), ...finished('stop'), 'end'])
    const { store, chat, runs } = chatOf(
      api,
      { gate: true },
      { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls },
    )
    await chat.sendMessage({ text: 'Open a ticket.' })
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    expect(runs).toEqual([{ title: 'x' }])
    await vi.waitFor(() => expect(labelsIn(store)).toEqual(['create_ticket — done']))
    // It goes on with the reply that made the call.
    expect(store.turnIds()).toHaveLength(1)
  })

  test('two sound calls both run; a call without arguments too', async () => {
    const calls = [...called('c1', 'create_ticket'), ...called('c2', 'create_ticket', {})]
    const { api } = await serve([...promise, ...calls, ...finished(), 'end'])
    const { chat, runs, store } = chatOf(api, { gate: true })
    await chat.sendMessage({ text: 'Open two tickets.' })
    expect(runs).toEqual([{ title: 'x' }, {}])
    expect(labelsIn(store)).toEqual(['Running create_ticket…', 'Running create_ticket…'])
  })

  test('nothing runs before its message has ended, and other chunks are not kept waiting', async () => {
    const seen: number[] = []
    const { api } = await serve([
      ...promise,
      ...called('c1', 'create_ticket'),
      ...words('More words.'),
      60,
      () => seen.push(lab.runs.length),
      ...finished(),
      'end',
    ])
    const lab = chatOf(api, { gate: true })
    const sent = lab.chat.sendMessage({ text: 'Open a ticket.' })
    await vi.waitFor(() => expect(JSON.stringify(lab.chat.messages)).toContain('More words.'))
    expect(lab.runs).toEqual([])
    await sent
    expect(seen).toEqual([0])
    expect(lab.runs).toHaveLength(1)
  })

  test('a check that takes its time is waited for', async () => {
    const { api } = await serve([...promise, ...called('c1', 'create_ticket'), ...finished(), 'end'])
    const check = () => new Promise<undefined>((resolve) => setTimeout(resolve, 50))
    const { chat, runs } = chatOf(api, { gate: true, tools: { create_ticket: { executor: 'host', check } } })
    await chat.sendMessage({ text: 'Open a ticket.' })
    expect(runs).toHaveLength(1)
  })

  test('a call of the page that would have to wait for a person is not handed over', async () => {
    const { api } = await serve([
      ...promise,
      ...called('c1', 'create_ticket'),
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
      ...finished(),
      'end',
    ])
    const { store, chat, runs } = chatOf(api, { gate: true })
    await chat.sendMessage({ text: 'Open a ticket.' })
    expect(runs).toEqual([])
    expect(labelsIn(store)).toEqual(['create_ticket — not run (never started)'])
  })

  test('a next step decides too, and the host finds the part in the step it belongs to', async () => {
    const { api } = await serve([
      ...promise,
      ...called('c1', 'create_ticket'),
      { type: 'finish-step' },
      { type: 'start-step' },
      ...words('And more.'),
      ...finished('stop'),
      'end',
    ])
    const { chat, runs } = chatOf(api, { gate: true })
    await chat.sendMessage({ text: 'Open a ticket.' })
    expect(runs).toHaveLength(1)
    expect(chat.lastMessage?.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'tool-create_ticket',
      'step-start',
      'text',
    ])
    expect(chat.lastMessage?.parts[2]).toMatchObject({ state: 'output-available' })
  })

  test('a tool that nobody declared runs nowhere', async () => {
    const { api } = await serve([...promise, ...called('c1', 'drop_table'), ...finished(), 'end'])
    const seen = vi.fn()
    const { store, chat } = chatOf(api, { gate: true, defaultExecutor: 'host' }, { onToolCall: seen })
    await chat.sendMessage({ text: 'Clean up.' })
    expect(seen).not.toHaveBeenCalled()
    expect(labelsIn(store)).toEqual(['drop_table — not run (no such tool)'])
  })

  test('a tool of the server is not kept waiting', async () => {
    const seen: unknown[] = []
    const { api } = await serve([
      ...promise,
      ...called('c1', 'send_payment'),
      { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
      40,
      () => seen.push(lab.chat.lastMessage?.parts.at(-1)),
      ...finished('stop'),
      'end',
    ])
    const lab = chatOf(api, { gate: true })
    await lab.chat.sendMessage({ text: 'Pay.' })
    expect(seen).toMatchObject([{ state: 'output-available' }])
  })

  test('what it refuses tells the model that nothing ran', async () => {
    const { api } = await serve([...promise, ...called('c1', 'create_ticket'), ...finished('length'), 'end'])
    const { chat } = chatOf(api, { gate: true })
    await chat.sendMessage({ text: 'Open a ticket.' })
    expect(chat.lastMessage?.parts.at(-1)).toMatchObject({
      state: 'output-error',
      errorText: '[honest-tool-calls] Not run: create_ticket — not run (the request was cut short)',
    })
  })

  test('control: without it the host runs what the limit has cut, and the label does not deny it', async () => {
    const { api } = await serve([...promise, ...called('c1', 'create_ticket'), ...finished('length'), 'end'])
    const { chat, runs, store } = chatOf(api)
    await chat.sendMessage({ text: 'Open a ticket.' })
    expect(runs).toHaveLength(1)
    expect(labelsIn(store)[0]).not.toContain('not run')
  })
})

describe('endings', () => {
  test('a user who stops reads "cancelled" of what did not run, and the connection is closed', async () => {
    const server = await serve([...promise, ...opened('c1', 'create_ticket'), 'stall'])
    const { store, chat } = chatOf(server.api, { gate: true })
    void chat.sendMessage({ text: 'Open a ticket.' })
    await vi.waitFor(() => expect(labelsIn(store)).toEqual(['Preparing create_ticket…']))
    await chat.stop()
    expect(labelsIn(store)).toEqual(['create_ticket — cancelled'])
    expect(noticeIn(store)).toBe('Not run: create_ticket.')
    expect(store.turnOf('chat')?.getState().ending).toMatchObject({ type: 'cancelled', by: 'user' })
    expect(chat.status).toBe('ready')
    await vi.waitFor(() => expect(server.closedEarly()).toBe(1))
  })

  test("a user who stops a server's tool reads that it may have run", async () => {
    const { api } = await serve([...promise, ...called('c1', 'send_payment'), 'stall'])
    const { store, chat } = chatOf(api)
    void chat.sendMessage({ text: 'Pay.' })
    await vi.waitFor(() => expect(labelsIn(store)).toEqual(['send_payment — sent, waiting for the result']))
    await chat.stop()
    expect(labelsIn(store)).toEqual(['send_payment — may have run (cancelled)'])
  })

  test('a stop before the headers ends the turn too', async () => {
    const { api } = await serve([300, 'stall'])
    const { store, chat } = chatOf(api)
    void chat.sendMessage({ text: 'Pay.' })
    await vi.waitFor(() => expect(store.turnIds()).toHaveLength(1))
    await chat.stop()
    expect(store.turnOf('chat')?.getState().ending).toMatchObject({ type: 'cancelled', by: 'user' })
  })

  test('when silence lasts too long the host is told of a lost connection, and the socket is closed', async () => {
    const server = await serve([...promise, ...opened('c1', 'send_payment'), 'stall'])
    const onFinish = vi.fn()
    const { chat } = chatOf(server.api, { deadlines: short }, { onFinish })
    await chat.sendMessage({ text: 'Pay.' })
    expect(chat.status).toBe('error')
    expect(onFinish.mock.lastCall?.[0]).toMatchObject({ isDisconnect: true, isAbort: false })
    await vi.waitFor(() => expect(server.closedEarly()).toBe(1))
  })

  test('comments are signs of life, through our fetch only', async () => {
    const pings: readonly Step[] = Array.from({ length: 8 }, () => [50, ': ping\n\n']).flat()
    const script: Script = [...promise, ...opened('c1', 'send_payment'), ...pings, ...finished('length'), 'end']
    const { api } = await serve(script)
    const heard = chatOf(api, { deadlines: { idle: 150, idleEvents: 150 } })
    await heard.chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(heard.store)).toEqual(['send_payment — not run (the request was cut short)'])

    // One that makes its requests by another `fetch` is not taken for a silent one.
    const other = createToolCallStore({ deadlines: { idle: 150 } })
    const elsewhere = chatOf(api, {}, { transport: withToolCalls(other, () => new DefaultChatTransport({ api })) })
    await elsewhere.chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(other)).toEqual(['send_payment — not run (the request was cut short)'])

    const store = createToolCallStore({ deadlines: { idle: 150, idleEvents: 150 } })
    const deaf = chatOf(api, {}, { transport: withToolCalls(store, new DefaultChatTransport({ api })) })
    await deaf.chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
  })

  test('the app may stop a turn through the store', async () => {
    const { api } = await serve([...promise, ...opened('c1', 'create_ticket'), 'stall'])
    const { store, chat } = chatOf(api, { gate: true })
    const sent = chat.sendMessage({ text: 'Open a ticket.' })
    await vi.waitFor(() => expect(labelsIn(store)).toHaveLength(1))
    store.cancel(store.turnIds()[0] ?? '')
    await sent
    expect(chat.status).toBe('ready')
    expect(labelsIn(store)).toEqual(['create_ticket — cancelled'])
  })

  test('an answer that is no stream, and one that never comes', async () => {
    const refused = await serve({ status: 503 })
    const first = chatOf(refused.api)
    await first.chat.sendMessage({ text: 'Pay.' })
    expect(noticeIn(first.store)).toBe('The reply stopped here (the service reported an error).')
    expect(first.chat.status).toBe('error')

    const second = chatOf('http://127.0.0.1:1/chat')
    await second.chat.sendMessage({ text: 'Pay.' })
    expect(noticeIn(second.store)).toBe('The reply stopped here (connection lost).')
  })

  test('a link that is lost while the tool runs leaves it open whether it ran', async () => {
    const { api } = await serve([
      ...promise,
      ...called('c1', 'send_payment'),
      { type: 'tool-output-available', toolCallId: 'c1', output: '10 %', preliminary: true },
      30,
      () => seen.push(...labelsIn(lab.store)),
      'drop',
    ])
    const seen: string[] = []
    const lab = chatOf(api)
    await lab.chat.sendMessage({ text: 'Pay.' })
    expect(seen).toEqual(['Running send_payment…'])
    expect(labelsIn(lab.store)).toEqual(['send_payment — may have run (connection lost)'])
  })

  test('a call without arguments that ran is done', async () => {
    const { api } = await serve([
      ...promise,
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'send_payment' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'send_payment', input: {} },
      { type: 'tool-output-available', toolCallId: 'c1', output: null },
      ...finished('stop'),
      'end',
    ])
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — done'])
  })

  test('a call that ran is done, and a natural end needs no note', async () => {
    const result: Step = { type: 'tool-output-available', toolCallId: 'c1', output: { ok: true } }
    const { api } = await serve([...promise, ...called('c1', 'send_payment', {}), result, ...finished('stop'), 'end'])
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — done'])
    expect(noticeIn(store)).toBe('')
  })
})

describe('several streams', () => {
  const lost: Script = [...promise, ...called('c1', 'send_payment'), 'drop']

  test('a resume brings the result that the lost link did not', async () => {
    const replay: Script = [
      ...promise,
      ...called('c1', 'send_payment'),
      { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
      ...finished('stop'),
      'end',
    ]
    const { api } = await serve(lost, replay)
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
    await chat.resumeStream()
    expect(labelsIn(store)).toEqual(['send_payment — done'])
    expect(store.turnIds()).toHaveLength(1)
    expect(store.counts().contradictedLabels).toBe(0)
  })

  test('comments are heard in a resume too', async () => {
    const pings: readonly Step[] = Array.from({ length: 8 }, () => [50, ': ping\n\n']).flat()
    const open: readonly Step[] = [...promise, ...opened('c1', 'send_payment')]
    const { api } = await serve([...promise, 'drop'], [...open, ...pings, ...finished('length'), 'end'])
    const { store, chat } = chatOf(api, { deadlines: { idle: 150, idleEvents: 150 } })
    await chat.sendMessage({ text: 'Pay.' })
    await chat.resumeStream()
    expect(labelsIn(store)).toEqual(['send_payment — not run (the request was cut short)'])
  })

  test('a resume that only goes on brings the result too', async () => {
    const rest: Script = [
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '"}' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'send_payment', input: { title: 'x' } },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'paid' },
      ...finished('stop'),
      'end',
    ]
    const { api } = await serve([...promise, ...opened('c1', 'send_payment'), 'drop'], rest)
    const store = createToolCallStore()
    const goesOn = { api, resumeStreamIsReplay: false }
    // Node's word for a lost link is not among those that the host takes for one.
    const lost: typeof fetch = async (input, init) => {
      const { body } = await fetch(input, init)
      const renamed = new ReadableStream<Uint8Array>({
        async start(controller) {
          try {
            for await (const piece of body ?? []) controller.enqueue(piece)
            controller.close()
          } catch {
            controller.error(new TypeError('network error'))
          }
        },
      })
      return new Response(renamed)
    }
    const transport = withToolCalls(store, new DefaultChatTransport({ ...goesOn, fetch: lost }))
    expect(transport.resumeStreamIsReplay).toBe(false)
    const { chat } = chatOf(api, {}, { transport })
    await chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
    await chat.resumeStream()
    expect(labelsIn(store)).toEqual(['send_payment — done'])
    expect(JSON.stringify(chat.messages)).toContain('output-available')
  })

  test('a resume that finds nothing opens no turn', async () => {
    const { api, requests } = await serve({ status: 204 })
    const { store, chat } = chatOf(api)
    await chat.resumeStream()
    expect(requests).toHaveLength(1)
    expect(store.turnIds()).toEqual([])
  })

  test('what the gate let go once does not run again in a replay', async () => {
    const script: readonly Step[] = [...promise, ...called('c1', 'create_ticket'), ...finished()]
    const { api } = await serve([...script, 'drop'], [...script, 'end'])
    const { store, chat, runs } = chatOf(api, { gate: true })
    await chat.sendMessage({ text: 'Open a ticket.' })
    await chat.resumeStream()
    expect(runs).toHaveLength(1)
    expect(labelsIn(store)).toEqual(['Running create_ticket…'])
    expect(JSON.stringify(chat.messages)).not.toContain('[honest-tool-calls]')
  })

  test('a new message and a regenerated one are turns of their own', async () => {
    const { api } = await serve([...promise, ...finished('stop'), 'end'])
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'One.' })
    await chat.sendMessage({ text: 'Two.' })
    await chat.regenerate()
    expect(store.turnIds()).toHaveLength(3)
  })
})

describe('approvals', () => {
  const asked: readonly Step[] = [
    ...promise,
    ...called('c1', 'send_payment'),
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
  ]

  test('a call that waits for a person goes on waiting when the link is lost', async () => {
    const { api } = await serve([...asked, 'drop'])
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    expect(labelsIn(store)).toEqual(['send_payment — waiting for your approval'])
  })

  test('what a person declined was not run', async () => {
    const { api } = await serve(
      [...asked, ...finished(), 'end'],
      [...begun, ...words('All right.'), ...finished('stop'), 'end'],
    )
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    await chat.addToolApprovalResponse({ id: 'a1', approved: false })
    await chat.sendMessage()
    expect(labelsIn(store)).toEqual(['send_payment — not run (you declined)'])
    expect(store.turnIds()).toHaveLength(1)
  })

  test('what was granted, and then lost, may have run', async () => {
    const { api } = await serve([...asked, ...finished(), 'end'], [...begun, 'drop'])
    const { store, chat } = chatOf(api)
    await chat.sendMessage({ text: 'Pay.' })
    await chat.addToolApprovalResponse({ id: 'a1', approved: true })
    await chat.sendMessage()
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
  })
})
