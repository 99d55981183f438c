import { describe, expect, test, vi } from 'vitest'
import type { RunningCall, ToolDeclaration } from '../../src/core/tools.ts'
import { createDispatcher } from '../../src/dispatch/dispatcher.ts'
import type { Journal, JournalEntry } from '../../src/dispatch/journal.ts'
import { UncertainExecution } from '../../src/dispatch/uncertain.ts'
import { deferred, labels, newStore, receive, settle } from './ready-calls.ts'

function tool(run: ToolDeclaration['run'], more: Partial<ToolDeclaration> = {}): ToolDeclaration {
  return { executor: 'local', ...(run === undefined ? {} : { run }), ...more }
}

describe('a call that passed', () => {
  test('runs once with its arguments, a key of its own and a signal, and says how it went', async () => {
    const run = vi.fn((_args: unknown, _call: RunningCall) => 'T-1')
    const { store } = newStore({ create_ticket: tool(run) })
    const dispatcher = createDispatcher(store, { mintKey: () => 'key-1' })
    const ready = receive(store, { c1: ['create_ticket', '{"title":"x"}'] })
    const [first, second] = await Promise.all([dispatcher.dispatch(ready), dispatcher.dispatch(ready)])
    expect(run).toHaveBeenCalledTimes(1)
    expect(run.mock.calls[0]).toEqual([
      { title: 'x' },
      { callId: 'c1', idempotencyKey: 'key-1', signal: expect.any(AbortSignal) },
    ])
    expect(first).toMatchObject([{ settled: { ran: 'yes', cause: 'ok' }, value: 'T-1', idempotencyKey: 'key-1' }])
    // The second one never began, and says nothing of how it went.
    expect(second[0]?.value).toBeUndefined()
    expect(labels(store)).toEqual({ c1: 'create_ticket — done' })
  })

  test('is running while it runs, and others run beside it', async () => {
    const slow = deferred<string>()
    const { store } = newStore({ slow: tool(() => slow.promise), quick: tool(() => 1) })
    const runs = createDispatcher(store).dispatch(receive(store, { a: ['slow', '{}'], b: ['quick', '{}'] }))
    await settle()
    expect(labels(store)).toEqual({ a: 'Running slow…', b: 'quick — done' })
    slow.resolve('')
    await runs
    expect(labels(store)).toEqual({ a: 'slow — done', b: 'quick — done' })
  })

  test.for([
    ['an error of its own', new Error('No such project.'), 'ran and failed'],
    ['a refusal by what is behind it', Object.assign(new Error('no'), { status: 422 }), 'ran and failed'],
    ['a word that is no error', 'no', 'ran and failed'],
    ['a lost connection', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'may have run (connection lost)'],
    [
      'a failed fetch of Node',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }) }),
      'may have run (connection lost)',
    ],
    ['a failed fetch of a browser', new TypeError('Failed to fetch'), 'may have run (an error was reported)'],
    ['a time-out of its own', new DOMException('x', 'TimeoutError'), 'may have run (timed out)'],
    ['an abort of its own', new DOMException('x', 'AbortError'), 'may have run (cancelled)'],
    [
      'a gateway without an answer',
      Object.assign(new Error('x'), { status: 504 }),
      'may have run (an error was reported)',
    ],
    ['its own doubt', new UncertainExecution('The bank did not answer.'), 'may have run (an error was reported)'],
  ] as const)('that throws %s: "%s"', async ([, error, words]) => {
    const { store } = newStore({
      pay: tool(() => {
        throw error
      }),
    })
    const [run] = await createDispatcher(store).dispatch(receive(store, { c1: ['pay', '{}'] }))
    expect(labels(store)).toEqual({ c1: `pay — ${words}` })
    expect(run?.value).toBe(error)
  })

  test('of a tool without `run` is the mistake of whoever dispatched it: nothing begins', () => {
    const run = vi.fn()
    const { store } = newStore({ good: tool(run), bare: tool(undefined) })
    const ready = receive(store, { a: ['good', '{}'], b: ['bare', '{}'] })
    expect(() => createDispatcher(store).dispatch(ready)).toThrow(/"bare", which has no `run`/)
    expect(run).not.toHaveBeenCalled()
  })

  test('that was cancelled, or waited too long, does not begin', async () => {
    const run = vi.fn()
    const { store, clock } = newStore({ pay: tool(run) })
    const cancelled = receive(store, { a: ['pay', '{}'] })
    store.cancel('t')
    const late = receive(store, { b: ['pay', '{}'] }, 'u')
    clock.advance(10_000)
    await createDispatcher(store).dispatch([...cancelled, ...late])
    expect(run).not.toHaveBeenCalled()
    expect([labels(store), labels(store, 'u')]).toEqual([
      { a: 'pay — cancelled' },
      { b: 'pay — not run (never started)' },
    ])
  })
})

describe('a call that began and did not come to its end', () => {
  test('its time is up: "may have run", its signal is aborted, and a result that comes late is the truth', async () => {
    const answer = deferred<string>()
    let signal: AbortSignal | undefined
    const { store, clock } = newStore({
      pay: tool(
        (_, call) => {
          signal = call.signal
          return answer.promise
        },
        { timeout: 2_000 },
      ),
    })
    const runs = createDispatcher(store).dispatch(receive(store, { c1: ['pay', '{}'] }))
    await settle()
    clock.advance(1_999)
    expect(labels(store)).toEqual({ c1: 'Running pay…' })
    clock.advance(1)
    expect(await runs).toMatchObject([{ settled: { ran: 'unknown', cause: 'timed-out' } }])
    expect(labels(store)).toEqual({ c1: 'pay — may have run (timed out)' })
    expect(signal?.aborted).toBe(true)
    answer.resolve('paid')
    await settle()
    expect(labels(store)).toEqual({ c1: 'pay — done' })
    expect(store.counts().contradictedLabels).toBe(0)
  })

  test('the user stops it: "may have run", never "cancelled" alone; what it throws then changes nothing', async () => {
    const answer = deferred<string>()
    const { store } = newStore({
      pay: tool((_, { signal }) => {
        signal.addEventListener('abort', () => answer.reject(new Error('stopped')))
        return answer.promise
      }),
    })
    const runs = createDispatcher(store).dispatch(receive(store, { c1: ['pay', '{}'] }))
    await settle()
    store.cancel('t')
    await runs
    await settle()
    expect(labels(store)).toEqual({ c1: 'pay — may have run (cancelled)' })
  })

  test('a tool that is done is not told to stop', async () => {
    let signal: AbortSignal | undefined
    const { store } = newStore({
      pay: tool((_, call) => {
        signal = call.signal
      }),
    })
    await createDispatcher(store).dispatch(receive(store, { c1: ['pay', '{}'] }))
    store.cancel('t')
    expect(signal?.aborted).toBe(false)
  })
})

function newJournal(append: Journal['append'] = () => {}) {
  const entries: JournalEntry[] = []
  const journal: Journal = {
    append(entry) {
      entries.push(entry)
      return append(entry)
    },
    read: () => entries,
  }
  return { entries, journal }
}

describe('a journal', () => {
  test('has the dispatch before the tool begins', async () => {
    const written = deferred<void>()
    const run = vi.fn()
    const { journal, entries } = newJournal((entry) => (entry.type === 'call-dispatched' ? written.promise : undefined))
    const { store } = newStore({ pay: tool(run) })
    const dispatcher = createDispatcher(store, { journal, mintKey: () => 'k' })
    const runs = dispatcher.dispatch(receive(store, { c1: ['pay', '{"secret":"x"}'] }))
    await settle()
    expect(run).not.toHaveBeenCalled()
    written.resolve()
    await runs
    expect(run).toHaveBeenCalledTimes(1)
    expect(entries.map(({ type }) => type)).toEqual(['call-announced', 'call-dispatched', 'call-settled'])
    expect(entries[1]).toEqual({
      type: 'call-dispatched',
      turnId: 't',
      key: 'key-c1',
      callId: 'c1',
      name: 'pay',
      idempotencyKey: 'k',
      at: expect.any(Number),
    })
    expect(entries[2]).toMatchObject({ ran: 'yes', cause: 'ok' })
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  test('that cannot be written keeps the tool from beginning', async () => {
    const run = vi.fn()
    const { journal } = newJournal((entry) =>
      entry.type === 'call-dispatched' ? Promise.reject(new Error('the disk is full')) : undefined,
    )
    const { store } = newStore({ pay: tool(run) })
    await createDispatcher(store, { journal }).dispatch(receive(store, { c1: ['pay', '{}'] }))
    expect(run).not.toHaveBeenCalled()
    expect(labels(store)).toEqual({ c1: 'pay — not run (never started)' })
  })

  test('a call that is cancelled while it is being written down does not begin', async () => {
    const written = deferred<void>()
    const run = vi.fn()
    const { journal, entries } = newJournal((entry) => (entry.type === 'call-dispatched' ? written.promise : undefined))
    const { store } = newStore({ pay: tool(run) })
    const runs = createDispatcher(store, { journal }).dispatch(receive(store, { c1: ['pay', '{}'] }))
    store.cancel('t')
    written.resolve()
    await runs
    expect(run).not.toHaveBeenCalled()
    expect(labels(store)).toEqual({ c1: 'pay — cancelled' })
    expect(entries.at(-1)).toMatchObject({ type: 'call-settled', ran: 'no', cause: 'cancelled' })
  })

  test('hears nothing more once its dispatcher is closed', () => {
    const { journal, entries } = newJournal()
    const { store } = newStore({ pay: tool(() => {}) })
    createDispatcher(store, { journal }).close()
    receive(store, { c1: ['pay', '{}'] })
    expect(entries).toEqual([])
  })
})

describe('reconcile', () => {
  function uncertain(more: Partial<ToolDeclaration>) {
    const run = vi.fn((_args: unknown, _call: RunningCall): unknown => {
      throw new UncertainExecution('no answer')
    })
    return { run, ...newStore({ pay: tool(run, more) }) }
  }

  test.for([
    [{ ran: 'yes', ok: true }, 'pay — done'],
    [{ ran: 'yes', ok: false }, 'pay — ran and failed'],
    [{ ran: 'no' }, 'pay — not run'],
    [{ ran: 'no', cause: 'not-started' }, 'pay — not run (never started)'],
    [{ ran: 'unknown' }, 'pay — may have run (an error was reported)'],
  ] as const)('asks the tool by its key and makes known what it says: %o', async ([finding, words]) => {
    const query = vi.fn(() => finding)
    const { store } = uncertain({ query })
    const dispatcher = createDispatcher(store, { mintKey: () => 'k' })
    await dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    expect(await dispatcher.reconcile({ callId: 'c1' })).toEqual(finding)
    expect(query.mock.calls).toEqual([['k']])
    expect(labels(store)).toEqual({ c1: words })
  })

  test('a tool that cannot be asked, or throws, or says nonsense, leaves it unknown', async () => {
    const queries: readonly ToolDeclaration['query'][] = [
      undefined,
      () => Promise.reject(new Error('down')),
      () => ({ ran: 'perhaps' }) as never,
    ]
    for (const query of queries) {
      const { store } = uncertain(query === undefined ? {} : { query })
      const dispatcher = createDispatcher(store)
      await dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
      expect(await dispatcher.reconcile({ callId: 'c1' })).toEqual({ ran: 'unknown' })
      expect(labels(store)).toEqual({ c1: 'pay — may have run (an error was reported)' })
    }
  })

  test('a cause of its own words is none', async () => {
    const { store } = uncertain({ query: () => ({ ran: 'no', cause: 'toString' }) as never })
    const dispatcher = createDispatcher(store)
    await dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    expect(await dispatcher.reconcile({ callId: 'c1' })).toEqual({ ran: 'no' })
    expect(labels(store)).toEqual({ c1: 'pay — not run' })
  })

  test('knows the key of a process that was closed from the journal', async () => {
    const { journal } = newJournal()
    const { store } = uncertain({})
    await createDispatcher(store, { journal, mintKey: () => 'k' }).dispatch(receive(store, { c1: ['pay', '{}'] }))
    const query = vi.fn(() => ({ ran: 'yes', ok: true }) as const)
    const { store: after } = uncertain({ query })
    after.restore(JSON.parse(JSON.stringify(store.snapshot())))
    await createDispatcher(after, { journal }).reconcile({ callId: 'c1' })
    expect(query.mock.calls).toEqual([['k']])
    expect(labels(after)).toEqual({ c1: 'pay — done' })
  })

  test('a tool that says "no" while its run goes on is not believed: it may yet do it', async () => {
    const slow = deferred<string>()
    const query = vi.fn(() => ({ ran: 'no' }) as const)
    const { store, clock } = newStore({ pay: tool(() => slow.promise, { query, timeout: 1_000 }) })
    const dispatcher = createDispatcher(store)
    const runs = dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    await settle()
    clock.advance(1_000)
    await runs
    expect(await dispatcher.reconcile({ callId: 'c1' })).toEqual({ ran: 'unknown' })
    // Nor what it said before the run came to its end.
    const early = dispatcher.reconcile({ callId: 'c1' })
    slow.reject(new Error('stopped'))
    expect(await early).toEqual({ ran: 'unknown' })
    expect(labels(store)).toEqual({ c1: 'pay — may have run (timed out)' })
    await settle()
    expect(await dispatcher.reconcile({ callId: 'c1' })).toEqual({ ran: 'no' })
    expect(labels(store)).toEqual({ c1: 'pay — not run' })
    expect(query).toHaveBeenCalledTimes(3)
  })

  test('a call that nobody knows is the mistake of whoever asks', async () => {
    const { store } = uncertain({})
    await expect(createDispatcher(store).reconcile({ callId: 'c9' })).rejects.toThrow(/no call with the id "c9"/)
  })
})

describe('retry', () => {
  function flaky(more: Partial<ToolDeclaration>) {
    const keys: string[] = []
    const args: unknown[] = []
    const run = (given: unknown, { idempotencyKey }: RunningCall): string => {
      keys.push(idempotencyKey)
      args.push(given)
      if (keys.length === 1) throw new UncertainExecution('no answer')
      return 'paid'
    }
    const { store } = newStore({ pay: tool(run, more) })
    return { keys, args, store, dispatcher: createDispatcher(store) }
  }

  test('runs an idempotent tool again by the same key and with the same arguments', async () => {
    const { store, dispatcher, keys, args } = flaky({ idempotent: true })
    await dispatcher.dispatch(receive(store, { c1: ['pay', '{"amount":5}'] }))
    expect(await dispatcher.retry({ callId: 'c1' })).toMatchObject({ value: 'paid', settled: { ran: 'yes' } })
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(args).toEqual([{ amount: 5 }, { amount: 5 }])
    expect(labels(store)).toEqual({ c1: 'pay — done' })
  })

  test('runs no other tool again before it is known that it did not run', async () => {
    let ran: 'unknown' | 'no' = 'unknown'
    const { store, dispatcher, keys } = flaky({ query: () => ({ ran }) })
    await dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    await dispatcher.reconcile({ callId: 'c1' })
    expect(await dispatcher.retry({ callId: 'c1' })).toBeUndefined()
    expect(keys).toHaveLength(1)
    ran = 'no'
    await dispatcher.reconcile({ callId: 'c1' })
    await dispatcher.retry({ callId: 'c1' })
    expect(keys).toHaveLength(2)
    expect(labels(store)).toEqual({ c1: 'pay — done (result arrived late)' })
  })

  test('runs nothing that went well, nor twice at a time, nor what was never dispatched', async () => {
    const { store, dispatcher, keys } = flaky({ idempotent: true })
    receive(store, { c0: ['pay', '{}'] }, 'u')
    expect(await dispatcher.retry({ callId: 'c0' })).toBeUndefined()
    await dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    await Promise.all([dispatcher.retry({ callId: 'c1' }), dispatcher.retry({ callId: 'c1' })])
    expect(await dispatcher.retry({ callId: 'c1' })).toBeUndefined()
    expect(keys).toHaveLength(2)
  })
})

describe('idle', () => {
  test('waits for tools that nobody waits for any more, and for what is to be written down of them', async () => {
    const slow = deferred<string>()
    const writing = deferred<void>()
    const kept: string[] = []
    const journal: Journal = {
      append(entry) {
        kept.push(entry.type === 'call-settled' ? entry.ran : entry.type)
        return entry.type === 'call-settled' && entry.ran === 'yes' ? writing.promise : undefined
      },
    }
    const { store } = newStore({ pay: tool(() => slow.promise) })
    const dispatcher = createDispatcher(store, { journal })
    await dispatcher.idle()
    const runs = dispatcher.dispatch(receive(store, { c1: ['pay', '{}'] }))
    await settle()
    store.cancel('t', 'host')
    await runs
    let idle = false
    const waited = dispatcher.idle().then(() => {
      idle = true
    })
    await settle()
    expect(idle).toBe(false)
    slow.resolve('paid')
    await settle()
    expect(labels(store)).toEqual({ c1: 'pay — done' })
    expect(idle).toBe(false)
    writing.resolve()
    await waited
    expect(kept).toEqual(['call-announced', 'call-dispatched', 'unknown', 'yes'])
  })
})
