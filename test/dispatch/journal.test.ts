import { describe, expect, test, vi } from 'vitest'
import { type JournalEntry, recover } from '../../src/dispatch/journal.ts'

const about = { turnId: 't', key: 'a', callId: 'c1', name: 'pay', at: 0 } as const
const announced: JournalEntry = { ...about, type: 'call-announced' }
const dispatched: JournalEntry = { ...about, type: 'call-dispatched', idempotencyKey: 'k' }
const settled = (
  ran: 'no' | 'unknown' | 'yes',
  cause: Extract<JournalEntry, { ran: unknown }>['cause'],
): JournalEntry => ({
  ...about,
  type: 'call-settled',
  ran,
  cause,
})

describe('what a journal proves', () => {
  test.for([
    ['only announced: it was never given to its tool', [announced], { ran: 'no', cause: 'not-started' }],
    ['dispatched and no more: it may have run', [announced, dispatched], { ran: 'unknown', cause: 'no-result' }],
    ['done', [announced, dispatched, settled('yes', 'ok')], { ran: 'yes', ok: true }],
    ['done late', [dispatched, settled('unknown', 'timed-out'), settled('yes', 'late')], { ran: 'yes', ok: true }],
    ['failed', [dispatched, settled('yes', 'not-ok')], { ran: 'yes', ok: false }],
    ['ran, nobody said how', [dispatched, settled('yes', 'unreadable')], { ran: 'yes' }],
    ['refused by the gate', [announced, settled('no', 'invalid-arguments')], { ran: 'no', cause: 'invalid-arguments' }],
    ['timed out', [dispatched, settled('unknown', 'timed-out')], { ran: 'unknown', cause: 'timed-out' }],
    [
      'settled as unknown without a dispatch',
      [announced, settled('unknown', 'reloaded')],
      { ran: 'unknown', cause: 'reloaded' },
    ],
  ] as const)('%s', async ([, entries, says]) => {
    expect(await recover(entries)).toEqual([{ turnId: 't', callId: 'c1', name: 'pay', ...says }])
  })

  test('what may have run is asked about by its key, where its tool can be asked', async () => {
    const query = vi.fn(() => ({ ran: 'yes', ok: true }) as const)
    const tools = { pay: { executor: 'local', query } } as const
    expect(await recover([announced, dispatched], tools)).toMatchObject([{ ran: 'yes', ok: true }])
    expect(query.mock.calls).toEqual([['k']])
    await recover([announced, dispatched, settled('yes', 'ok')], tools)
    await recover([announced], tools)
    expect(query).toHaveBeenCalledTimes(1)
  })

  test('calls of one id in several turns, or under several keys, are several calls', async () => {
    const entries = [announced, { ...dispatched, turnId: 'u' }, { ...announced, key: 'b' }]
    expect((await recover(entries)).map(({ turnId, ran }) => [turnId, ran])).toEqual([
      ['t', 'no'],
      ['u', 'unknown'],
      ['t', 'no'],
    ])
  })

  test('a call that was corrected is told of by its own id, and by the one that its block had first', async () => {
    const corrected = [announced, { ...dispatched, callId: 'c2' }, { ...settled('yes', 'ok'), callId: 'c2' }]
    expect(await recover(corrected)).toEqual([
      { turnId: 't', callId: 'c2', announcedAs: 'c1', name: 'pay', ran: 'yes', ok: true },
    ])
  })

  test('an empty journal proves nothing', async () => {
    expect(await recover([])).toEqual([])
  })
})
