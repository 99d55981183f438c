import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { labelOf } from '../../src/core/labels.ts'
import { createDispatcher } from '../../src/dispatch/dispatcher.ts'
import { runTurn } from '../../src/dispatch/run-turn.ts'
import { UncertainExecution } from '../../src/dispatch/uncertain.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { deferred, labels, newStore, settle } from './ready-calls.ts'
import { scripted } from './scripted-provider.ts'

const schema = z.object({ priority: z.enum(['low', 'urgent']) })

function tickets() {
  const run = vi.fn((_args: { priority: string }) => 'T-1')
  return { run, ...newStore({ create_ticket: { executor: 'local', schema, run } }) }
}

describe('a turn', () => {
  test('without a call is one request', async () => {
    const { store } = tickets()
    const provider = scripted({ text: 'Hello.' })
    const result = await runTurn({ store, ...provider }).ended
    expect(result).toMatchObject({ status: 'complete', requests: 1, runs: [] })
    expect(result.messages).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }])
  })

  test('runs what is called for, answers, and asks again', async () => {
    const { store, run } = tickets()
    const provider = scripted(
      { text: 'At once.', calls: { c1: ['create_ticket', '{"priority":"low"}'] } },
      { text: 'It is T-1.' },
    )
    const result = await runTurn({ store, ...provider, turnId: 't' }).ended
    expect(run.mock.calls.map(([args]) => args)).toEqual([{ priority: 'low' }])
    expect(result).toMatchObject({ status: 'complete', requests: 2 })
    expect(provider.rounds[1]?.messages).toEqual(result.messages.slice(0, 2))
    expect(result.messages[1]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'T-1' }],
    })
    expect(labels(store)).toEqual({ c1: 'create_ticket — done' })
  })

  test('corrects what did not fit, and nobody is ever told "not run"', async () => {
    const { store, run } = tickets()
    const said = new Set<string>()
    store.subscribe(({ calls }) => {
      for (const { call } of calls) said.add(labelOf(call))
    })
    const provider = scripted(
      { calls: { c1: ['create_ticket', '{"priority":"P1"}'] } },
      { calls: { c2: ['create_ticket', '{"priority":"urgent"}'] } },
      { text: 'Done.' },
    )
    const result = await runTurn({ store, ...provider, turnId: 't' }).ended
    expect(run).toHaveBeenCalledTimes(1)
    expect(result).toMatchObject({ status: 'complete', requests: 3, corrections: [{ asked: 1, recovered: 1 }] })
    expect([...said]).toEqual([
      'Preparing create_ticket…',
      'create_ticket — waiting to run',
      'Running create_ticket…',
      'create_ticket — done',
    ])
    expect(labels(store)).toEqual({ c2: 'create_ticket — done' })
  })

  test('that cannot be corrected ends, and says so', async () => {
    const { store, run } = tickets()
    const provider = scripted({ calls: { c1: ['create_ticket', '{}'] } }, { calls: { c2: ['create_ticket', '{}'] } })
    const result = await runTurn({ store, ...provider, turnId: 't' }).ended
    expect(run).not.toHaveBeenCalled()
    expect(result).toMatchObject({ status: 'failed', failure: { cause: 'invalid-arguments' }, requests: 2 })
    expect(labels(store)).toEqual({ c2: 'create_ticket — not run (the details were not valid)' })
    expect(store.turn('t')?.getState().notice?.notRun).toEqual(['create_ticket'])
    expect(store.balance()).toMatchObject({ announced: 2, preparing: 0 })
  })

  test('asks again for a reply that broke off, where that is wanted and nothing was dispatched', async () => {
    const { store, run } = tickets()
    const whole = { calls: { c2: ['create_ticket', '{"priority":"low"}'] } } as const
    const broken = { calls: { c1: ['create_ticket', '{"prio'] }, breaksOff: true } as const
    const provider = scripted(broken, whole, { text: 'Done.' })
    const result = await runTurn({ store, ...provider, turnId: 't', regenerate: 1 }).ended
    expect(run).toHaveBeenCalledTimes(1)
    expect(result).toMatchObject({ status: 'complete', requests: 3, regenerated: 1 })
    // A brief word, and nothing of what broke off; neither stays in the conversation.
    expect(provider.rounds[1]?.messages).toEqual([{ role: 'user', content: expect.stringContaining('broke off') }])
    expect(JSON.stringify(result.messages)).not.toMatch(/broke off|c1/)

    const always = tickets()
    const failing = scripted(broken, broken, broken)
    const failed = await runTurn({ store: always.store, ...failing, turnId: 't', regenerate: 1 }).ended
    expect(failed).toMatchObject({
      status: 'failed',
      failure: { cause: 'ended-early', recovery: 'regenerate' },
      requests: 2,
    })
    expect(always.run).not.toHaveBeenCalled()
    expect(failed.messages).toEqual([])
  })

  test('asks for no reply again once a tool has run, though nothing of that reply was', async () => {
    const { store, run } = tickets()
    const provider = scripted(
      { calls: { c1: ['create_ticket', '{"priority":"low"}'] } },
      { calls: { c2: ['create_ticket', '{"prio'] }, breaksOff: true },
      { text: 'Done.' },
    )
    const result = await runTurn({ store, ...provider, turnId: 't', regenerate: 3 }).ended
    expect(run).toHaveBeenCalledTimes(1)
    expect(result).toMatchObject({ status: 'failed', failure: { cause: 'ended-early' }, requests: 2, regenerated: 0 })
  })

  test('ends where nobody knows whether a tool ran, unless the host wants the model to be told', async () => {
    for (const [onUncertain, status] of [
      ['stop', 'failed'],
      ['answer', 'complete'],
    ] as const) {
      const pay = () => {
        throw new UncertainExecution('no answer')
      }
      const { store } = newStore({ pay: { executor: 'local', run: pay } })
      const provider = scripted({ calls: { c1: ['pay', '{}'] } }, { text: 'I do not know.' })
      const result = await runTurn({ store, ...provider, turnId: 't', onUncertain }).ended
      expect(result.status).toBe(status)
      expect(labels(store)).toEqual({ c1: 'pay — may have run (an error was reported)' })
    }
  })

  test('asks the tool itself what became of its run, where it can be asked', async () => {
    const run = () => {
      throw new UncertainExecution('no answer')
    }
    const query = () => ({ ran: 'yes', ok: true }) as const
    const { store } = newStore({ pay: { executor: 'local', run, query } })
    const provider = scripted({ calls: { c1: ['pay', '{}'] } }, { text: 'It was paid.' })
    expect(await runTurn({ store, ...provider, turnId: 't' }).ended).toMatchObject({ status: 'complete' })
    expect(labels(store)).toEqual({ c1: 'pay — done' })
  })

  test('waits for the person who is asked, while the rest of the batch runs', async () => {
    const pay = vi.fn()
    const mail = vi.fn()
    const { store } = newStore({
      pay: { executor: 'local', run: pay, needsApproval: true },
      mail: { executor: 'local', run: mail },
    })
    const provider = scripted({ calls: { c1: ['pay', '{"amount":5}'], c2: ['mail', '{}'] } }, { text: 'Done.' })
    const turn = runTurn({ store, ...provider, turnId: 't' })
    await vi.waitFor(() => expect(labels(store)).toEqual({ c1: 'pay — waiting for your approval', c2: 'mail — done' }))
    expect([pay.mock.calls.length, mail.mock.calls.length, provider.rounds.length]).toEqual([0, 1, 1])
    store.answerApproval({ callId: 'c1' }, { granted: true })
    expect(await turn.ended).toMatchObject({ status: 'complete', requests: 2 })
    expect(pay.mock.calls.map(([args]) => args)).toEqual([{ amount: 5 }])
  })

  test('that is stopped asks for nothing more', async () => {
    const going = deferred<string>()
    const { store } = newStore({ pay: { executor: 'local', run: () => going.promise } })
    const provider = scripted({ calls: { c1: ['pay', '{}'] } })
    const turn = runTurn({ store, ...provider, turnId: 't' })
    await vi.waitFor(() => expect(labels(store)).toEqual({ c1: 'Running pay…' }))
    turn.cancel()
    expect(await turn.ended).toMatchObject({ status: 'cancelled', requests: 1 })
    expect(labels(store)).toEqual({ c1: 'pay — may have run (cancelled)' })
    going.resolve('paid')
    await settle()
    expect(labels(store)).toEqual({ c1: 'pay — done' })
  })

  test("is cancelled by the host's signal, also before it has begun", async () => {
    const { store } = tickets()
    const provider = scripted()
    expect(await runTurn({ store, ...provider, signal: AbortSignal.abort() }).ended).toMatchObject({
      status: 'cancelled',
    })
    expect(provider.rounds).toEqual([])
  })

  test('takes no more requests than it may', async () => {
    const { store, run } = tickets()
    const call = { calls: { c1: ['create_ticket', '{"priority":"low"}'] } } as const
    const result = await runTurn({ store, ...scripted(call, call, call), maxRequests: 2 }).ended
    expect(result).toMatchObject({ status: 'failed', failure: { cause: 'request-limit' }, requests: 2 })
    expect(run).toHaveBeenCalledTimes(2)
    // All that ran is answered, so that the conversation can go on later.
    expect(result.messages).toHaveLength(4)
  })

  test("sends the provider's own message back, where the host has it", async () => {
    const { store } = tickets()
    const provider = scripted({ calls: { c1: ['create_ticket', '{"priority":"low"}'] } }, { text: 'Done.' })
    const own = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }
    const request = async (round: Parameters<typeof provider.request>[0]) => ({
      source: await provider.request(round),
      own: async () => own,
    })
    const { messages } = await runTurn({ store, ...provider, request }).ended
    expect([messages[0], messages[2]]).toEqual([own, own])
  })

  test('keeps a refusal of the service and does not ask again', async () => {
    const { store } = tickets()
    const request = vi.fn(async () => new Response('{}', { status: 401, headers: { 'request-id': 'req_1' } }))
    const result = await runTurn({ store, ...scripted(), request, regenerate: 3 }).ended
    expect(result).toMatchObject({ status: 'failed', rejection: { status: 401, requestId: 'req_1' }, requests: 1 })
    expect(request).toHaveBeenCalledTimes(1)
  })

  test('goes through the dispatcher it is given', async () => {
    const { store } = tickets()
    const dispatcher = createDispatcher(store, { mintKey: () => 'k' })
    const provider = scripted({ calls: { c1: ['create_ticket', '{"priority":"low"}'] } }, {})
    expect((await runTurn({ store, ...provider, dispatcher }).ended).runs).toMatchObject([{ idempotencyKey: 'k' }])
  })
})

describe('a store that it cannot answer for is the mistake of whoever gave it', () => {
  test.for([
    [{ tools: { pay: { executor: 'server' } }, defaultExecutor: 'local' }, /cannot answer for the tool "pay"/],
    [{ tools: { pay: { executor: 'local' } }, defaultExecutor: 'local' }, /cannot answer for the tool "pay"/],
    [{ tools: {} }, /defaultExecutor: 'local'/],
  ] as const)('%#', ([options, words]) => {
    expect(() => runTurn({ store: createToolCallStore(options), ...scripted() })).toThrow(words)
  })
})
