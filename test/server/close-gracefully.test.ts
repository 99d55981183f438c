import process from 'node:process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDispatcher } from '../../src/dispatch/dispatcher.ts'
import type { JournalEntry } from '../../src/dispatch/journal.ts'
import { runTurn } from '../../src/dispatch/run-turn.ts'
import { closeGracefully } from '../../src/server/close-gracefully.ts'
import { finishOnSignal } from '../../src/server/finish-on-signal.ts'
import { createRelay } from '../../src/server/relay.ts'
import { deferred, labels, newStore, settle } from '../dispatch/ready-calls.ts'
import { scripted } from '../dispatch/scripted-provider.ts'
import { browser, shown } from './relayed-turns.ts'

/** A server with one payment under way. */
async function paying() {
  const paid = deferred<string>()
  const entries: JournalEntry[] = []
  const tools = { pay: { executor: 'local', run: () => paid.promise } } as const
  const { store, clock } = newStore(tools)
  const journal = { append: (entry: JournalEntry) => void entries.push(entry) }
  const dispatcher = createDispatcher(store, { journal })
  const relay = createRelay(store)
  const turn = runTurn({ store, dispatcher, ...scripted({ calls: { c1: ['pay', '{}'] } }), turnId: 't' })
  relay.follow(turn)
  const live = relay.respond('t').text()
  while (store.balance().running === 0) await settle()
  const page = browser(tools)
  return { paid, entries, store, clock, dispatcher, relay, turn, live, page }
}

describe('a process that is to go', () => {
  test('tells the truth of a tool that comes to its end in time', async () => {
    const { paid, entries, store, dispatcher, relay, turn, live, page } = await paying()
    const closed = closeGracefully(store, { dispatcher, relay })
    expect(labels(store)).toEqual({ c1: 'pay — may have run (cancelled)' })
    expect((await turn.ended).status).toBe('cancelled')
    paid.resolve('P-1')
    page.read([await live])
    await closed
    expect(shown(page.store, 'browser').items).toEqual(['pay — done'])
    expect(page.store.turn('browser')?.getState().ending).toEqual({ type: 'cancelled', by: 'host', acknowledged: true })
    expect(entries.at(-1)).toMatchObject({ type: 'call-settled', ran: 'yes' })
  })

  test('does not wait longer than its grace, and then it may have run', async () => {
    const { entries, store, clock, dispatcher, relay, live, page } = await paying()
    const closed = closeGracefully(store, { dispatcher, relay, grace: 3_000 })
    let isClosed = false
    void closed.then(() => {
      isClosed = true
    })
    await settle()
    clock.advance(2_999)
    await settle()
    expect(isClosed).toBe(false)
    clock.advance(1)
    page.read([await live])
    await closed
    expect(shown(page.store, 'browser').items).toEqual(['pay — may have run (cancelled)'])
    expect(entries.at(-1)).toMatchObject({ type: 'call-settled', ran: 'unknown', cause: 'cancelled' })
  })

  test('does not wait for a client that does not read', async () => {
    const { paid, store, clock, dispatcher, relay } = await paying()
    relay.respond('t')
    const closed = closeGracefully(store, { dispatcher, relay })
    paid.resolve('')
    await settle()
    clock.advance(2_000)
    await closed
  })

  test('with nobody to tell cancels what is open', async () => {
    const { store, turn } = await paying()
    await closeGracefully(store)
    expect((await turn.ended).status).toBe('cancelled')
  })
})

describe('finishOnSignal', () => {
  afterEach(() => void vi.restoreAllMocks())

  test('closes and exits at the first signal, and leaves a second one to the machine', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const { paid, store, dispatcher, relay, turn } = await paying()
    const answered = deferred<void>()
    finishOnSignal(store, { dispatcher, relay, signals: ['SIGUSR2'], close: () => answered.promise })
    expect(process.listenerCount('SIGUSR2')).toBe(1)
    process.emit('SIGUSR2')
    expect(process.listenerCount('SIGUSR2')).toBe(0)
    paid.resolve('')
    await turn.ended
    await settle()
    expect(exit).not.toHaveBeenCalled()
    answered.resolve()
    await settle()
    expect(exit).toHaveBeenCalledTimes(1)
    expect(labels(store)).toEqual({ c1: 'pay — done' })
  })

  test('can be taken back', () => {
    const stop = finishOnSignal(newStore({}).store, { signals: ['SIGUSR2'] })
    expect(process.listenerCount('SIGUSR2')).toBe(1)
    stop()
    expect(process.listenerCount('SIGUSR2')).toBe(0)
  })
})
