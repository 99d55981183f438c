import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { labelOf } from '../../src/core/labels.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { DEFAULT_DEADLINES } from '../../src/core.ts'
import { args, end, failed, finished, half, preamble, result, sse, start, started, whole } from './ag-ui-wire.ts'
import { type Host, hostAt, saidBy, THREAD } from './copilotkit-host.ts'

const here: ToolDeclaration = { executor: 'host' }
const tools = { create_ticket: here, send_mail: here }
const open = [...preamble, start(), args(half)]
const call = sse(...preamble, start(), args(whole), end(), finished())
const asksAgain = (words = 'Thank you.'): string =>
  sse(
    started('run-2'),
    { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: words },
    { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
    finished(undefined, 'run-2'),
  )
const labels = (host: Host): readonly string[] => host.said().labels

describe('the gate', () => {
  test('the model is told in the mark that nothing ran, and the host asks it nothing by itself', async () => {
    const host = await hostAt([{ body: sse(...open) }], { tools, gate: true, followUp: true })
    await host.ask()
    expect(host.results()).toEqual({ c1: `${NOT_RUN_MARK} create_ticket — not run (the response ended early)` })
    expect(host.requests).toHaveLength(1)
  })

  test('the next request carries it, and a server that tells it again is not taken for a tool', async () => {
    const marked = `${NOT_RUN_MARK} create_ticket — not run (the response ended early)`
    const host = await hostAt([{ body: sse(...open) }, { body: sse(started('run-2'), result(marked), finished()) }], {
      tools,
      gate: true,
    })
    await host.ask()
    await host.ask('And now?')
    expect(host.requests[1]?.body.messages).toContainEqual(
      expect.objectContaining({ role: 'tool', toolCallId: 'c1', content: marked }),
    )
    expect(host.ran).toEqual([])
    expect(host.store.counts().contradictedLabels).toBe(0)
  })

  test('a call without arguments is run where the tool takes none', async () => {
    const body = sse(...preamble, start(), end(), finished())
    const declared = { create_ticket: { executor: 'host', noArguments: true } } satisfies Record<
      string,
      ToolDeclaration
    >
    const host = await hostAt([{ body }], { tools: declared, gate: true })
    await host.ask()
    expect(host.ran).toEqual(['create_ticket({})'])
    expect(host.said()).toEqual({ labels: ['create_ticket — done'], notice: '' })
  })

  test('details that are not valid hold the call back, also by a check that takes its time', async () => {
    const check = async (): Promise<string> => 'Closed on Sundays.'
    for (const gate of [true, false]) {
      const host = await hostAt([{ body: call }], { tools: { create_ticket: { executor: 'host', check } }, gate })
      await host.ask()
      expect(host.ran).toEqual(gate ? [] : [`create_ticket(${whole})`])
      expect(labels(host)).toEqual([`create_ticket — ${gate ? 'not run (rejected by a rule)' : 'done'}`])
    }
  })

  test('details of the wrong type hold it back, which the host does not look at', async () => {
    const schema = z.object({ title: z.number() })
    for (const gate of [true, false]) {
      const host = await hostAt([{ body: call }], { tools: { create_ticket: { executor: 'host', schema } }, gate })
      await host.ask()
      expect(host.ran).toEqual(gate ? [] : [`create_ticket(${whole})`])
      expect(labels(host)).toEqual([`create_ticket — ${gate ? 'not run (the details were not valid)' : 'done'}`])
    }
  })

  test('a check that passes lets the call go, once', async () => {
    const check = async (): Promise<undefined> => undefined
    const host = await hostAt([{ body: call }, { body: asksAgain() }], {
      tools: { create_ticket: { executor: 'host', check } },
      gate: true,
      followUp: true,
    })
    await host.ask()
    expect(host.ran).toEqual([`create_ticket(${whole})`])
    expect(labels(host)).toEqual(['create_ticket — done'])
    expect(host.requests).toHaveLength(2)
  })

  const moments = {
    'as soon as it was seen': (host: Host) => host.seen('TOOL_CALL_START'),
    'once it stands in the messages': (host: Host) =>
      vi.waitFor(() => expect(JSON.stringify(host.agent.messages)).toContain('create_ticket')),
  }
  test.each(Object.entries(moments))(
    'a second message while a call is being written, %s: the host would run what it has of it',
    async (_, moment) => {
      for (const gate of [true, false]) {
        const body = sse(...preamble, start())
        const host = await hostAt([{ body, after: 'wait' }, { body: asksAgain() }], { tools, gate })
        const first = host.ask()
        await moment(host)
        await Promise.all([host.ask('Never mind.'), first])
        expect(host.ran).toEqual(gate ? [] : ['create_ticket({})'])
        const view = host.store.call({ callId: 'c1' })?.getState()
        expect(view && labelOf(view)).toBe(gate ? 'create_ticket — cancelled' : 'create_ticket — done')
        // The result stands behind its call, before what came later.
        const place = host.agent.messages.findIndex(({ role }) => role === 'tool')
        if (gate) expect(host.agent.messages[place - 1]).toMatchObject({ toolCalls: [{ id: 'c1' }] })
        if (gate) expect(host.results().c1).toContain(NOT_RUN_MARK)
        expect(host.store.counts().contradictedLabels).toBe(0)
      }
    },
  )

  test('calls of the request that are told again need no second result', async () => {
    const again = [started('run-2'), start(), args(half)]
    const messages = [
      {
        id: 'm1',
        role: 'assistant',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'create_ticket', arguments: half } }],
      },
    ]
    const host = await hostAt(
      [
        { body: sse(...open) },
        { body: sse(...again) },
        { body: sse(started('run-3'), { type: 'MESSAGES_SNAPSHOT', messages }) },
      ],
      { tools, gate: true },
    )
    await host.ask()
    await host.ask('And now?')
    expect(host.agent.messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
    await host.ask('And now?')
    expect(host.results()).toEqual({})
    expect(host.ran).toEqual([])
  })

  test('tools of the server are left alone', async () => {
    const host = await hostAt([{ body: sse(...open) }], { here: [], gate: true })
    await host.ask()
    expect(host.results()).toEqual({})
  })

  test('a place that a server keeps for the result is no result', async () => {
    const body = sse(...preamble, start(), args(whole), end(), result('Forwarded to client'), finished())
    for (const gate of [true, false]) {
      const host = await hostAt([{ body }], { tools, gate })
      const states: (readonly string[])[] = []
      host.core.subscribe({ onToolExecutionStart: () => void states.push(labels(host)) })
      await host.ask()
      expect(states).toEqual([['Running create_ticket…']])
      expect(host.ran).toEqual([`create_ticket(${whole})`])
      expect(labels(host)).toEqual(['create_ticket — done'])
    }
  })

  test('calls that only a snapshot of the messages brings are held as well', async () => {
    const snapshot = (text: string): object => ({
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'u', role: 'user', content: 'Create a ticket.' },
        {
          id: 'm1',
          role: 'assistant',
          toolCalls: [{ id: 'c1', type: 'function', function: { name: 'create_ticket', arguments: text } }],
        },
      ],
    })
    for (const [text, ran, words] of [
      [half, [], 'not run (the request was unreadable)'],
      [whole, [`create_ticket(${whole})`], 'done'],
    ] as const) {
      const host = await hostAt([{ body: sse(started(), snapshot(text), finished()) }], { tools, gate: true })
      await host.ask()
      expect(host.ran).toEqual(ran)
      expect(labels(host)).toEqual([`create_ticket — ${words}`])
    }
  })
})

describe('tools that run in the page', () => {
  test('one that throws has run and failed', async () => {
    const host = await hostAt([{ body: call }], { tools, here: [] })
    host.core.addTool({
      name: 'create_ticket',
      followUp: false,
      handler: async () => {
        throw new Error('MARKER')
      },
    })
    await host.ask()
    expect(labels(host)).toEqual(['create_ticket — ran and failed'])
  })

  test('the answer to its result is more of the same reply', async () => {
    const host = await hostAt([{ body: call }, { body: asksAgain() }], { tools, followUp: true })
    await host.ask()
    expect(host.store.turnIds()).toHaveLength(1)
    await host.ask('Another one.')
    expect(host.store.turnIds()).toHaveLength(2)
  })

  test('a stop during the first leaves the second not run', async () => {
    const body = sse(
      ...preamble,
      start(),
      args(whole),
      end(),
      start('c2', 'send_mail'),
      args(whole, 'c2'),
      end('c2'),
      finished(),
    )
    for (const gate of [true, false]) {
      const host = await hostAt([{ body }], { tools, gate, here: ['send_mail'] })
      host.core.addTool({
        name: 'create_ticket',
        handler: async () => host.core.stopAgent({ agent: host.agent }),
      })
      await host.ask()
      expect(host.ran).toEqual([])
      expect(labels(host)).toEqual(['create_ticket — done', 'send_mail — cancelled'])
      expect(host.store.counts().contradictedLabels).toBe(0)
    }
  })
})

describe('the connection', () => {
  test('a refused request is an error of the service', async () => {
    const host = await hostAt([{ body: 'MARKER', status: 503 }], { tools })
    await host.ask()
    expect(host.said().notice).toBe('The reply stopped here (the service reported an error).')
    expect(host.errors).toContain('agent_run_failed')
  })

  test('comments count as life, and silence closes the connection', async () => {
    const host = await hostAt([{ body: sse(...open), after: 'wait' }], { tools })
    const asked = host.ask()
    await host.seen('TOOL_CALL_ARGS')
    host.clock.advance(DEFAULT_DEADLINES.idle - 1)
    const heard = vi.spyOn(host.clock, 'now')
    host.requests[0]?.response.write(': ping\n\n')
    await vi.waitFor(() => expect(heard).toHaveBeenCalled())
    host.clock.advance(DEFAULT_DEADLINES.idle - 1)
    expect(labels(host)).toEqual(['Preparing create_ticket…'])
    host.clock.advance(1)
    await asked
    await host.requests[0]?.closed
    expect(labels(host)).toEqual(['create_ticket — may have run (connection lost)'])
  })

  test('what the store cancels ends the run', async () => {
    const host = await hostAt([{ body: sse(...open), after: 'wait' }], { tools, gate: true })
    const asked = host.ask()
    await host.seen('TOOL_CALL_ARGS')
    host.store.cancel(host.store.turnIds()[0] ?? '')
    await asked
    await host.requests[0]?.closed
    expect(labels(host)).toEqual(['create_ticket — cancelled'])
  })

  test('an abort that comes from elsewhere is handed on as it came', async () => {
    const host = await hostAt([{ body: sse(...open, failed('abort')) }], { tools, gate: true })
    const errors: unknown[] = []
    host.agent.subscribe({ onRunErrorEvent: ({ event }) => void errors.push(event.message) })
    await host.ask()
    expect(errors).toEqual(['MARKER'])
    expect(labels(host)).toEqual(['create_ticket — cancelled'])
  })

  test('a server that runs the tool, and loses its link while it does', async () => {
    const host = await hostAt([{ body: sse(...preamble, start(), args(whole), end()), after: 'wait' }], { here: [] })
    const asked = host.ask()
    await host.seen('TOOL_CALL_END')
    expect(labels(host)).toEqual(['create_ticket — sent, waiting for the result'])
    host.requests[0]?.response.destroy()
    await asked
    expect(labels(host)).toEqual(['create_ticket — may have run (connection lost)'])
  })

  test('a server that runs the tool and says so', async () => {
    const body = sse(...preamble, start(), args(whole), end(), result('7'), finished())
    const host = await hostAt([{ body }], { here: [], gate: true })
    await host.ask()
    expect(host.said()).toEqual({ labels: ['create_ticket — done'], notice: '' })
  })
})

describe('through a runtime', () => {
  test('a stop, which crosses no wire, is heard where it is made', async () => {
    const host = await hostAt([{ body: sse(...open), after: 'wait' }], { tools, gate: true, runtime: true })
    const asked = host.ask()
    await host.seen('TOOL_CALL_ARGS')
    host.core.stopAgent({ agent: host.agent })
    expect(labels(host)).toEqual(['create_ticket — cancelled'])
    await vi.waitFor(() => expect(host.requests.map(({ url }) => url)).toContain(`/agent/default/stop/${THREAD}`))
    // The host waits for the runtime, which has the last word.
    expect(host.agent.isRunning).toBe(true)
    host.requests[0]?.response.end()
    await asked
    expect(host.ran).toEqual([])
    expect(host.agent.isRunning).toBe(false)
    expect(host.requests).toHaveLength(2)
  })

  test('silence ends the run', async () => {
    const host = await hostAt([{ body: sse(...open), after: 'wait' }], { tools, gate: true, runtime: true })
    const asked = host.ask()
    await host.seen('TOOL_CALL_ARGS')
    host.clock.advance(DEFAULT_DEADLINES.idle)
    await asked
    expect(labels(host)).toEqual(['create_ticket — not run (connection lost)'])
    expect(host.results().c1).toContain(NOT_RUN_MARK)
    expect(host.ran).toEqual([])
  })

  test('when the link drops and the server goes on, a replay brings the result to the same reply', async () => {
    const begun = [...preamble, start(), args(whole), end()]
    const host = await hostAt(
      [{ body: sse(...begun), after: 'wait' }, { body: sse(...begun, result('7'), finished()) }],
      { here: [], runtime: true },
    )
    const asked = host.ask()
    await host.seen('TOOL_CALL_END')
    host.requests[0]?.response.destroy()
    await asked
    expect(labels(host)).toEqual(['create_ticket — may have run (connection lost)'])
    await host.core.connectAgent({ agent: host.agent })
    expect(host.said()).toEqual({ labels: ['create_ticket — done'], notice: '' })
    expect(host.store.turnIds()).toHaveLength(1)
    expect(host.store.counts().contradictedLabels).toBe(0)
  })

  test('a replay after a reload is told to the store, but nothing of it is run, nor said not to have run', async () => {
    for (const gate of [true, false]) {
      const history = sse(
        ...preamble,
        start('c1', 'lookup'),
        args(whole),
        end(),
        result('7'),
        start('c2', 'create_ticket'),
        args(whole, 'c2'),
        end('c2'),
        finished(),
      )
      const host = await hostAt([{ body: history }], { tools, gate, runtime: true })
      await host.core.connectAgent({ agent: host.agent })
      expect(host.ran).toEqual([])
      host.clock.advance(DEFAULT_DEADLINES.handoff * 2)
      expect(labels(host)[0]).toBe('lookup — done')
      // Held back from the store, too, it is labelled by what the host has of it.
      expect(labels(host)[1]).toBe(gate ? undefined : 'create_ticket — sent, waiting for the result')
    }
  })

  test('a connection that stays open after a replay is not silent', async () => {
    const host = await hostAt([{ body: sse(...preamble, finished()), after: 'wait' }], { runtime: true })
    const connected = host.core.connectAgent({ agent: host.agent })
    await vi.waitFor(() => {
      host.store.flush()
      expect(host.store.turnOf(THREAD)?.getState().ending).toMatchObject({ type: 'complete' })
    })
    host.clock.advance(DEFAULT_DEADLINES.quiet * 2)
    expect(host.said()).toEqual({ labels: [], notice: '' })
    host.requests[0]?.response.destroy()
    await connected
    expect(host.said()).toEqual({ labels: [], notice: '' })
  })

  test('a replay tells earlier replies again without calls of theirs becoming calls of the latest', async () => {
    const first = [started('r1'), start('c1', 'lookup', 'm1'), args(whole), end()]
    const second = [started('r2'), start('c2', 'lookup', 'm2'), args(whole, 'c2'), end('c2')]
    const host = await hostAt(
      [
        { body: sse(...first, finished(undefined, 'r1')) },
        { body: sse(...second, finished(undefined, 'r2')) },
        {
          body: sse(
            ...first,
            result('1'),
            finished(undefined, 'r1'),
            ...second,
            result('2', 'c2'),
            finished(undefined, 'r2'),
          ),
        },
      ],
      { here: [], runtime: true },
    )
    await host.ask()
    await host.ask('And this?')
    await host.core.connectAgent({ agent: host.agent })
    expect(host.store.turnIds()).toHaveLength(2)
    const all = host.store.turnIds().map((turnId) => host.store.balance(turnId).announced)
    expect(all).toEqual([1, 1])
    expect(labels(host)).toEqual(['lookup — done'])
    expect(host.store.call({ callId: 'c1' })?.getState()).toMatchObject({ settled: { ran: 'yes' } })
  })
})

describe('approvals', () => {
  const ask = { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'tool_call', toolCallId: 'c1' }] }
  const asking = { body: sse(...preamble, start(), args(whole), end(), finished(ask)) }

  test.each([
    ['granted', { status: 'resolved', payload: { approved: true } }, 'done'],
    ['refused', { status: 'resolved', payload: { approved: false } }, 'not run (you declined)'],
    ['called off', { status: 'cancelled' }, 'not run (you declined)'],
  ] as const)('%s', async (_, answer, words) => {
    const told = words === 'done' ? [result('7')] : []
    const host = await hostAt([asking, { body: sse(started('run-2'), ...told, finished(undefined, 'run-2')) }], {
      here: [],
    })
    await host.ask()
    expect(host.said()).toEqual({ labels: ['create_ticket — waiting for your approval'], notice: '' })
    await host.core.runAgent({ agent: host.agent, resume: [{ interruptId: 'i1', ...answer }] })
    expect(labels(host)).toEqual([`create_ticket — ${words}`])
    expect(host.store.turnIds()).toHaveLength(1)
  })

  test('without an answer it goes on waiting, also when the answer does not get through', async () => {
    const host = await hostAt([asking, { body: '', status: 503 }], { here: [] })
    await host.ask()
    await host.core.runAgent({ agent: host.agent, resume: [{ interruptId: 'i1', status: 'resolved', payload: true }] })
    expect(labels(host)).toEqual(['create_ticket — waiting for your approval'])
  })
})

describe('threads', () => {
  test('a clone of an agent is heard once, and the threads are told apart', async () => {
    const host = await hostAt([{ body: call }, { body: sse(...open) }], { tools, gate: true })
    await host.ask()
    const clone = host.agent.clone()
    clone.threadId = 'thread-2'
    clone.messages = []
    clone.addMessage({ id: 'u', role: 'user', content: 'Create a ticket.' })
    await host.core.runAgent({ agent: clone })
    expect(host.ran).toEqual([`create_ticket(${whole})`])
    expect(saidBy(host.store, 'thread-1').labels).toEqual(['create_ticket — done'])
    expect(saidBy(host.store, 'thread-2').labels).toEqual(['create_ticket — not run (the response ended early)'])
    expect(host.store.turnIds()).toHaveLength(2)
  })

  test('asking anew begins another reply, whose calls may have the same ids', async () => {
    const host = await hostAt([{ body: sse(...open) }, { body: call }], { tools, gate: true })
    await host.ask()
    host.agent.setMessages(host.agent.messages.filter(({ role }) => role === 'user'))
    await host.core.runAgent({ agent: host.agent })
    expect(host.ran).toEqual([`create_ticket(${whole})`])
    expect(labels(host)[0]).toMatch(/^create_ticket — done/)
    expect(host.store.turnIds()).toHaveLength(2)
  })
})
