import { expect, test } from 'vitest'
import { balanceOf, unaccounted } from '../../src/core/balance.ts'
import { type CallState, LEDGER_PHASES, RANK } from '../../src/core/call.ts'
import type { Ending } from '../../src/core/events.ts'
import { openLedger } from './ledger-under-test.ts'
import { callsIn } from './lifecycle-variants.ts'

const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }

test('no calls are a balance of zero', () => {
  const balance = balanceOf([])
  expect(balance).toEqual({
    announced: 0,
    preparing: 0,
    waiting: { gate: 0, person: 0, result: 0, resume: 0 },
    running: 0,
    settled: { no: {}, unknown: {}, yes: {} },
  })
  expect(unaccounted(balance)).toBe(0)
})

test('every call counts once, by its owner or by its cause', () => {
  const [call] = callsIn('preparing', 'local')
  if (call === undefined) throw new Error('no call')
  const states: readonly CallState[] = [
    { phase: 'preparing' },
    { phase: 'finished' },
    { phase: 'validating' },
    { phase: 'correcting' },
    { phase: 'ready', args: {} },
    { phase: 'asking' },
    { phase: 'sent' },
    { phase: 'sent' },
    { phase: 'resuming', before: { phase: 'preparing' }, ending: LOST },
    { phase: 'running' },
    { phase: 'settled', settled: { ran: 'no', cause: 'declined' }, rank: RANK.inference },
    { phase: 'settled', settled: { ran: 'no', cause: 'connection-lost' }, rank: RANK.inference },
    { phase: 'settled', settled: { ran: 'unknown', cause: 'connection-lost' }, rank: RANK.inference },
    { phase: 'settled', settled: { ran: 'yes', cause: 'ok' }, rank: RANK.result },
    { phase: 'settled', settled: { ran: 'yes', cause: 'ok' }, rank: RANK.result },
  ]
  const balance = balanceOf(states.map((state) => ({ ...call, state })))
  expect(balance).toEqual({
    announced: 15,
    preparing: 4,
    waiting: { gate: 1, person: 1, result: 2, resume: 1 },
    running: 1,
    settled: {
      no: { declined: 1, 'connection-lost': 1 },
      unknown: { 'connection-lost': 1 },
      yes: { ok: 2 },
    },
  })
  expect(unaccounted(balance)).toBe(0)
})

test('a call in any phase is accounted for', () => {
  for (const phase of LEDGER_PHASES) {
    expect(unaccounted(balanceOf(callsIn(phase, 'server')))).toBe(0)
  }
})

test('what does not add up is told', () => {
  const balance = balanceOf([])
  expect(unaccounted({ ...balance, announced: 2, running: 1 })).toBe(1)
})

test('when a stream has ended nothing prepares any more, whoever runs it and whatever came of it', () => {
  const { push, turn } = openLedger({ ours: { executor: 'local' }, theirs: { executor: 'server' } })
  push(
    { type: 'call-announced', key: 'a', name: 'ours' },
    { type: 'call-announced', key: 'b', name: 'theirs' },
    { type: 'call-announced', key: 'c' },
    { type: 'call-announced', key: 'd', executor: 'provider' },
    { type: 'call-finished', key: 'b' },
    { type: 'call-finished', key: 'd', status: 'incomplete' },
    { type: 'message-ended', reason: null, finishesOpenCalls: false },
    { type: 'call-announced', key: 'e', name: 'ours' },
    { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
  )
  expect(balanceOf(turn.calls.values())).toEqual({
    announced: 5,
    preparing: 0,
    waiting: { gate: 0, person: 0, result: 0, resume: 0 },
    running: 0,
    settled: { no: { 'ended-early': 2 }, unknown: { 'ended-early': 2, 'no-result': 1 }, yes: {} },
  })
})
