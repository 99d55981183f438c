import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test, vi } from 'vitest'
import type { StreamEvent } from '../../src/core/events.ts'
import type { Tools } from '../../src/core/tools.ts'
import { openLedger } from './ledger-under-test.ts'

const TOOLS: Tools = { create_ticket: { executor: 'local' }, export_report: { executor: 'server' } }

const ENDED: StreamEvent = { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }

/** A sound call of ours, finished. */
const SOUND: readonly StreamEvent[] = [
  { type: 'call-announced', key: 'sound', callId: 'c1', name: 'create_ticket' },
  { type: 'call-fragment', key: 'sound', text: '{"title":"Invoice run"}' },
  { type: 'call-finished', key: 'sound' },
]

describe('one call of ours that did not pass holds back its siblings', () => {
  const damaged: readonly { how: string; events: readonly StreamEvent[]; settles: string }[] = [
    {
      how: 'unreadable',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '{"title":' },
        { type: 'call-finished', key: 'other' },
      ],
      settles: 'no, unparseable',
    },
    {
      how: 'not an object',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '"{\\"title\\":1}"' },
        { type: 'call-finished', key: 'other' },
      ],
      settles: 'no, invalid-arguments',
    },
    {
      how: 'never finished',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '{}' },
      ],
      settles: 'no, ended-early',
    },
    {
      how: 'marked incomplete by its wire',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '{}' },
        { type: 'call-finished', key: 'other', status: 'incomplete' },
      ],
      settles: 'no, truncated',
    },
    {
      how: 'rejected by its wire',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '{}' },
        { type: 'call-finished', key: 'other', status: 'rejected' },
      ],
      settles: 'no, invalid-arguments',
    },
    {
      how: 'damaged, while a person is asked about it',
      events: [
        { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
        { type: 'call-fragment', key: 'other', text: '{"title":' },
        { type: 'call-finished', key: 'other' },
        { type: 'approval-requested', key: 'other' },
      ],
      settles: 'no, unparseable',
    },
  ]

  for (const { how, events, settles } of damaged) {
    test(`${how}, announced after them`, () => {
      const { push, standings, outcomes } = openLedger(TOOLS)
      push(...SOUND, ...events, ENDED)
      expect(standings()).toEqual({ sound: 'no, held-back', other: settles })
      expect(outcomes.get('sound')).toEqual({
        type: 'dispatchable',
        callId: 'c1',
        name: 'create_ticket',
        args: { title: 'Invoice run' },
      })
    })

    test(`${how}, announced before them`, () => {
      const { push, standings } = openLedger(TOOLS)
      push(...events, ...SOUND, ENDED)
      expect(standings()).toEqual({ other: settles, sound: 'no, held-back' })
    })
  }
})

describe('what holds nothing back', () => {
  const other: readonly StreamEvent[] = [
    { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
    { type: 'call-fragment', key: 'other', text: '{"title":' },
  ]

  test('a call that was withdrawn', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...SOUND, ...other, { type: 'call-withdrawn', key: 'other' }, ENDED)
    expect(standings()).toEqual({ sound: 'ready', other: 'no, withdrawn' })
  })

  test('a call that was declined', () => {
    const { push, standings } = openLedger(TOOLS)
    push(
      ...SOUND,
      ...other,
      { type: 'approval-requested', key: 'other' },
      { type: 'approval-answered', key: 'other', granted: false, by: 'person' },
      ENDED,
    )
    expect(standings()).toEqual({ sound: 'ready', other: 'no, declined' })
  })

  test('a call that was declined after it had passed', () => {
    const { ledger, turn, push, call, standings } = openLedger(TOOLS)
    push(
      ...SOUND,
      { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
      { type: 'call-fragment', key: 'other', text: '{}' },
      { type: 'call-finished', key: 'other' },
      { type: 'approval-requested', key: 'other' },
      ENDED,
    )
    expect(standings()).toEqual({ sound: 'ready', other: 'asking' })
    ledger.answer(turn, call('other'), false, 'person', 'host')
    expect(standings()).toEqual({ sound: 'ready', other: 'no, declined' })
  })

  test('a damaged call of the server, which has a gate of its own', () => {
    const { push, standings } = openLedger(TOOLS)
    push(
      ...SOUND,
      { type: 'call-announced', key: 'other', callId: 'c2', name: 'export_report' },
      { type: 'call-fragment', key: 'other', text: '{"month":' },
      { type: 'call-finished', key: 'other' },
      ENDED,
    )
    expect(standings()).toEqual({ sound: 'ready', other: 'sent' })
  })

  test('a damaged call of another message', () => {
    const { push, standings } = openLedger(TOOLS)
    push(...SOUND, ENDED, { type: 'message-started' }, ...other, { type: 'call-finished', key: 'other' }, ENDED)
    expect(standings()).toEqual({ sound: 'ready', other: 'no, unparseable' })
  })
})

test('a damaged call of ours does not hold back a call of the server', () => {
  const { push, standings } = openLedger(TOOLS)
  push(
    { type: 'call-announced', key: 'server', callId: 'c1', name: 'export_report' },
    { type: 'call-fragment', key: 'server', text: '{}' },
    { type: 'call-finished', key: 'server' },
    { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
    { type: 'call-fragment', key: 'other', text: '{"title":' },
    { type: 'call-finished', key: 'other' },
    ENDED,
  )
  expect(standings()).toEqual({ server: 'sent', other: 'no, unparseable' })
})

test('nothing is ready before its message has ended', () => {
  const { ledger, turn, push, call, standings } = openLedger(TOOLS)
  push(...SOUND)
  expect(standings()).toEqual({ sound: 'finished' })
  expect(ledger.act(turn, call('sound'), { type: 'dispatched', source: 'host' })).toBe(false)
  push(ENDED)
  expect(standings()).toEqual({ sound: 'ready' })
  expect(ledger.act(turn, call('sound'), { type: 'dispatched', source: 'host' })).toBe(true)
  expect(standings()).toEqual({ sound: 'running' })
})

test('a call is taken once', () => {
  const { ledger, turn, push, call } = openLedger(TOOLS)
  push(...SOUND, ENDED)
  expect(ledger.act(turn, call('sound'), { type: 'dispatched', source: 'host' })).toBe(true)
  expect(ledger.act(turn, call('sound'), { type: 'dispatched', source: 'host' })).toBe(false)
})

test('a call whose hand-off deadline passed may not be run any more, and takes no sibling along', () => {
  const { ledger, turn, push, call, standings } = openLedger(TOOLS)
  push(
    ...SOUND,
    { type: 'call-announced', key: 'other', callId: 'c2', name: 'create_ticket' },
    { type: 'call-fragment', key: 'other', text: '{}' },
    { type: 'call-finished', key: 'other' },
    ENDED,
  )
  ledger.act(turn, call('sound'), { type: 'deadline-passed', deadline: 'handoff' })
  expect(ledger.act(turn, call('sound'), { type: 'dispatched', source: 'host' })).toBe(false)
  expect(standings()).toEqual({ sound: 'no, not-started', other: 'ready' })
})

describe('a check that takes its time keeps its whole batch preparing', () => {
  /** A schema whose answer is given by hand. */
  function schemaByHand(): {
    schema: StandardSchemaV1<unknown, unknown>
    answer: (result: StandardSchemaV1.Result<unknown>) => void
    fail: (error: Error) => void
  } {
    let answer: (result: StandardSchemaV1.Result<unknown>) => void = () => {}
    let fail: (error: Error) => void = () => {}
    const validate = () =>
      new Promise<StandardSchemaV1.Result<unknown>>((resolve, reject) => {
        answer = resolve
        fail = reject
      })
    return {
      schema: { '~standard': { version: 1, vendor: 'test', validate } },
      answer: (result) => answer(result),
      fail: (error) => fail(error),
    }
  }

  const SLOW: readonly StreamEvent[] = [
    { type: 'call-announced', key: 'slow', callId: 'c2', name: 'send_payment' },
    { type: 'call-fragment', key: 'slow', text: '{"amount":5}' },
    { type: 'call-finished', key: 'slow' },
  ]

  test('when it passes, all are ready, with what the validator returned', async () => {
    const { schema, answer } = schemaByHand()
    const { push, call, standings } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(...SOUND, ...SLOW, ENDED)
    expect(standings()).toEqual({ sound: 'validating', slow: 'validating' })
    answer({ value: { amount: 500, unit: 'cent' } })
    await vi.waitFor(() => expect(standings()).toEqual({ sound: 'ready', slow: 'ready' }))
    expect(call('slow').state).toEqual({ phase: 'ready', args: { amount: 500, unit: 'cent' } })
  })

  test('when it does not pass, its siblings are held back', async () => {
    const { schema, answer } = schemaByHand()
    const { push, standings } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(...SOUND, ...SLOW, ENDED)
    answer({ issues: [{ message: 'too much' }] })
    await vi.waitFor(() => expect(standings()).toEqual({ sound: 'no, held-back', slow: 'no, invalid-arguments' }))
  })

  test('when it rejects, that is a schema error', async () => {
    const { schema, fail } = schemaByHand()
    const { push, standings, outcomes } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(...SOUND, ...SLOW, ENDED)
    fail(new Error('the database is away'))
    await vi.waitFor(() => expect(standings()).toEqual({ sound: 'no, held-back', slow: 'no, invalid-arguments' }))
    expect(outcomes.get('slow')).toMatchObject({ type: 'schema-error', detail: 'other' })
  })

  test('when a sibling is known to be damaged meanwhile, nobody waits for it', () => {
    const { schema } = schemaByHand()
    const { push, standings } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(
      { type: 'call-announced', key: 'other', callId: 'c3', name: 'create_ticket' },
      { type: 'call-fragment', key: 'other', text: '{"title":' },
      { type: 'call-finished', key: 'other' },
      ...SOUND,
      ...SLOW,
      ENDED,
    )
    expect(standings()).toEqual({ other: 'no, unparseable', sound: 'no, held-back', slow: 'validating' })
  })

  test('when it never answers, the hand-off deadline settles it and holds back its siblings', () => {
    const { schema } = schemaByHand()
    const { ledger, turn, push, call, standings } = openLedger({
      ...TOOLS,
      send_payment: { executor: 'local', schema },
    })
    push(...SOUND, ...SLOW, ENDED)
    ledger.act(turn, call('slow'), { type: 'deadline-passed', deadline: 'handoff' })
    expect(standings()).toEqual({ sound: 'no, held-back', slow: 'no, not-started' })
  })

  test('an answer after that changes nothing', async () => {
    const { schema, answer } = schemaByHand()
    const { ledger, turn, push, call, standings } = openLedger({
      ...TOOLS,
      send_payment: { executor: 'local', schema },
    })
    push(...SLOW, ENDED)
    ledger.act(turn, call('slow'), { type: 'deadline-passed', deadline: 'handoff' })
    answer({ value: {} })
    await new Promise((resolve) => setTimeout(resolve))
    expect(standings()).toEqual({ slow: 'no, not-started' })
  })

  test('when its call is withdrawn meanwhile, its siblings go on', () => {
    const { schema } = schemaByHand()
    const { push, standings } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(...SOUND, ...SLOW, ENDED, { type: 'call-withdrawn', key: 'slow' })
    expect(standings()).toEqual({ sound: 'ready', slow: 'no, withdrawn' })
  })

  test('when its host reports meanwhile that it did not run it, its siblings go on', () => {
    const { schema } = schemaByHand()
    const { ledger, turn, push, standings } = openLedger({ ...TOOLS, send_payment: { executor: 'local', schema } })
    push(...SOUND, ...SLOW, ENDED)
    ledger.report(turn, { callId: 'c2', name: null, ran: 'no', cause: 'declined' }, 'host')
    expect(standings()).toEqual({ sound: 'ready', slow: 'no, declined' })
  })

  test('the end of the stream does not settle it: its message ended in good order', async () => {
    const { schema, answer } = schemaByHand()
    const { push, standings } = openLedger({ send_payment: { executor: 'local', schema } })
    push(...SLOW, ENDED, { type: 'stream-ended', ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' } })
    expect(standings()).toEqual({ slow: 'validating' })
    answer({ value: { amount: 5 } })
    await vi.waitFor(() => expect(standings()).toEqual({ slow: 'ready' }))
  })

  test('cancelling does', () => {
    const { schema } = schemaByHand()
    const { ledger, turn, push, call, standings } = openLedger({
      ...TOOLS,
      send_payment: { executor: 'local', schema },
    })
    push(...SOUND, ...SLOW, ENDED)
    for (const key of ['sound', 'slow']) ledger.act(turn, call(key), { type: 'cancelled', by: 'user' })
    expect(standings()).toEqual({ sound: 'no, cancelled', slow: 'no, cancelled' })
  })
})

describe('the business rule of a tool', () => {
  const CALL: readonly StreamEvent[] = [
    { type: 'call-announced', key: 'a', callId: 'c1', name: 'send_payment' },
    { type: 'call-fragment', key: 'a', text: '{"amount":5}' },
    { type: 'call-finished', key: 'a' },
    ENDED,
  ]

  test('a reason refuses the call', () => {
    const { push, standings } = openLedger({
      send_payment: { executor: 'local', check: () => 'the account is closed' },
    })
    push(...CALL)
    expect(standings()).toEqual({ a: 'no, rejected-by-rule' })
  })

  test('no reason lets it on', () => {
    const { push, standings } = openLedger({ send_payment: { executor: 'local', check: () => undefined } })
    push(...CALL)
    expect(standings()).toEqual({ a: 'ready' })
  })

  test('it may take its time', async () => {
    const { push, standings } = openLedger({
      send_payment: { executor: 'local', check: async () => 'the account is closed' },
    })
    push(...CALL)
    expect(standings()).toEqual({ a: 'validating' })
    await vi.waitFor(() => expect(standings()).toEqual({ a: 'no, rejected-by-rule' }))
  })

  test('a rule that throws has not been passed', () => {
    const { push, standings } = openLedger({
      send_payment: {
        executor: 'local',
        check: () => {
          throw new Error('the database is away')
        },
      },
    })
    push(...CALL)
    expect(standings()).toEqual({ a: 'no, rejected-by-rule' })
  })

  test('a rule that rejects has not been passed', async () => {
    const { push, standings } = openLedger({
      send_payment: { executor: 'local', check: () => Promise.reject(new Error('the database is away')) },
    })
    push(...CALL)
    await vi.waitFor(() => expect(standings()).toEqual({ a: 'no, rejected-by-rule' }))
  })

  test('it holds back the siblings of the call it refuses', () => {
    const { push, standings } = openLedger({
      ...TOOLS,
      send_payment: { executor: 'local', check: () => 'the account is closed' },
    })
    push(...SOUND, ...CALL)
    expect(standings()).toEqual({ sound: 'no, held-back', a: 'no, rejected-by-rule' })
  })

  test('it is not asked about arguments that do not fit', () => {
    const check = vi.fn()
    const { push, standings } = openLedger({ send_payment: { executor: 'local', check } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'send_payment' },
      { type: 'call-fragment', key: 'a', text: '[5]' },
      { type: 'call-finished', key: 'a' },
      ENDED,
    )
    expect(standings()).toEqual({ a: 'no, invalid-arguments' })
    expect(check).not.toHaveBeenCalled()
  })
})
