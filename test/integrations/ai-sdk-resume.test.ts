import { DefaultChatTransport } from 'ai'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { withToolCalls } from '../../src/ai-sdk.ts'
import { keepSnapshots } from '../../src/dispatch/index.ts'
import type { StoreOptions, ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { begun, called, chatOf, finished, labelsIn, opened, words } from './ai-sdk-chat.ts'
import { serveResumable } from './resumable-server.ts'

afterEach(() => vi.restoreAllMocks())

interface Options extends StoreOptions {
  readonly gate?: boolean
  readonly resumable?: boolean
  /** Whether a resume brings only the rest. */
  readonly rest?: boolean
}

/** A page with a chat whose host takes the loss of a link for one, as in a browser. */
function openPage(api: string, { gate = false, resumable = true, rest = false, ...options }: Options = {}) {
  const page = chatOf(api, options)
  const transport = withToolCalls(
    page.store,
    (fetch) => new DefaultChatTransport({ api, fetch, ...(rest ? { resumeStreamIsReplay: false } : {}) }),
    { gate, resumable },
  )
  const made = chatOf(api, { ...options, gate }, { transport })
  return { ...made, store: page.store }
}

function textsIn(store: ToolCallStore): string {
  return store
    .turnIds()
    .flatMap((id) => store.turn(id)?.getState().items ?? [])
    .map((item) => (item.type === 'text' ? item.text : ''))
    .join('')
}

const read = (store: ToolCallStore, ...labels: string[]): Promise<void> =>
  vi.waitFor(() => expect(labelsIn(store)).toEqual(labels), { timeout: 4_000 })

describe('a link that is lost while the server goes on and runs the tool', () => {
  test.for([
    ['all of it again', false],
    ['the rest alone', true],
  ] as const)('"reconnecting…", then the truth: %s', async ([, rest]) => {
    const server = await serveResumable({ rest })
    const { store, chat } = openPage(server.api, { rest })
    const sent = chat.sendMessage({ text: 'Pay.' })
    await server.tell([...begun, ...words('I will pay.'), ...opened('c1', 'send_payment', '{"title":')])
    await read(store, 'Preparing send_payment…')
    await server.drop()
    await sent
    await read(store, 'send_payment — reconnecting…')

    // Nobody hears this.
    await server.tell([
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '"x"}' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'send_payment', input: { title: 'x' } },
    ])
    expect(labelsIn(store)).toEqual(['send_payment — reconnecting…'])
    const resumed = chat.resumeStream()
    await read(store, 'send_payment — sent, waiting for the result')
    await server.tell([{ type: 'tool-output-available', toolCallId: 'c1', output: 'paid' }, ...finished('stop')])
    await server.finish()
    await resumed
    expect(labelsIn(store)).toEqual(['send_payment — done'])
    expect(textsIn(store)).toBe('I will pay.')
    expect(store.turnIds()).toHaveLength(1)
    expect(store.balance()).toMatchObject({ announced: 1, settled: { yes: { ok: 1 } } })
    expect(store.counts().contradictedLabels).toBe(0)
    expect(store.turnOf('chat')?.getState()).toMatchObject({ open: false, ending: { type: 'complete' }, notice: null })
  })

  test('control: without the option the loss is told at once', async () => {
    const server = await serveResumable()
    const { store, chat } = openPage(server.api, { resumable: false })
    const sent = chat.sendMessage({ text: 'Pay.' })
    await server.tell([...begun, ...opened('c1', 'send_payment')])
    await read(store, 'Preparing send_payment…')
    await server.drop()
    await sent
    await read(store, 'send_payment — may have run (connection lost)')
  })
})

describe('a server that does not come back', () => {
  async function lost(gone: 'silent' | 'missing') {
    const clock = createFakeClock()
    const server = await serveResumable({ gone })
    const page = openPage(server.api, { clock })
    const sent = page.chat.sendMessage({ text: 'Pay.' })
    await server.tell([...begun, ...opened('c1', 'send_payment')])
    await read(page.store, 'Preparing send_payment…')
    await server.drop()
    await sent
    await read(page.store, 'send_payment — reconnecting…')
    return { ...page, clock, server }
  }

  test('is waited for no longer than its deadline', async () => {
    const { store, chat, clock, server } = await lost('silent')
    void chat.resumeStream()
    await vi.waitFor(() => expect(server.resumes()).toBe(1))
    clock.advance(29_999)
    expect(labelsIn(store)).toEqual(['send_payment — reconnecting…'])
    clock.advance(1)
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
  })

  test('and says that there is nothing: told at once', async () => {
    const { store, chat } = await lost('missing')
    await chat.resumeStream()
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
  })
})

describe('a tool of the page, behind the gate, runs once', () => {
  const reply = [...begun, ...words('I will do it.'), ...called('c1', 'create_ticket')]

  test.for([
    ['all of it again, lost before the end', false, false],
    ['all of it again, lost behind the last word', false, true],
  ] as const)('%s', async ([, rest, ended]) => {
    const server = await serveResumable({ rest })
    const { store, chat, runs } = openPage(server.api, { gate: true, rest })
    const sent = chat.sendMessage({ text: 'Open a ticket.' })
    await server.tell([...reply, ...(ended ? finished() : [])])
    await read(store, ended ? 'Running create_ticket…' : 'Preparing create_ticket…')
    await server.drop()
    await sent
    const resumed = chat.resumeStream()
    await vi.waitFor(() => expect(server.resumes()).toBe(1))
    if (!ended) await server.tell(finished())
    await server.finish()
    await resumed
    await vi.waitFor(() => expect(runs).toHaveLength(1))
    expect(labelsIn(store)).toHaveLength(1)
    expect(store.dispatchable()).toEqual([])
    expect(textsIn(store)).toBe('I will do it.')
  })

  test.for([[true], [false]])(
    'after a reload too: what the earlier page let go is not offered again; gate: %s',
    async ([gate]) => {
      const server = await serveResumable()
      let kept: unknown = null
      const keep = (store: ToolCallStore) =>
        keepSnapshots(store, { load: () => kept, save: (snapshot) => (kept = JSON.parse(JSON.stringify(snapshot))) })
      const before = openPage(server.api, { gate: true })
      keep(before.store)
      void before.chat.sendMessage({ text: 'Open a ticket.' })
      await server.tell([...reply, ...finished()])
      await read(before.store, 'Running create_ticket…')
      await vi.waitFor(() => expect(before.runs).toHaveLength(1))
      const atUnload = kept
      await server.drop()

      kept = atUnload
      const { store, chat, runs } = openPage(server.api, { gate: gate === true })
      keep(store)
      expect(labelsIn(store)).toEqual(['create_ticket — may have run (the page was closed)'])
      const resumed = chat.resumeStream()
      await vi.waitFor(() => expect(server.resumes()).toBe(1))
      await server.finish()
      await resumed
      expect(store.dispatchable()).toEqual([])
      expect(labelsIn(store)).toEqual(['create_ticket — may have run (the page was closed)'])
      expect(textsIn(store)).toBe('I will do it.')
      // Without the gate nothing keeps the host from it.
      expect(runs).toHaveLength(gate === true ? 0 : 1)
    },
  )
})
