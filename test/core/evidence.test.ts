import { describe, expect, test } from 'vitest'
import { type CallState, RANK, type Rank } from '../../src/core/call.ts'
import { reconsider, reportEvidence, resultEvidence } from '../../src/core/evidence.ts'
import type { CauseNo, CauseUnknown, Settled } from '../../src/core/outcomes.ts'

test('ranks: a result, a report, a dispatch, an inference', () => {
  expect(RANK.result).toBeGreaterThan(RANK.report)
  expect(RANK.report).toBeGreaterThan(RANK.dispatch)
  expect(RANK.dispatch).toBeGreaterThan(RANK.inference)
})

test('a result says that it ran, and how it went', () => {
  expect(resultEvidence(true)).toEqual({ settled: { ran: 'yes', cause: 'ok' }, rank: RANK.result })
  expect(resultEvidence(false)).toEqual({ settled: { ran: 'yes', cause: 'not-ok' }, rank: RANK.result })
})

describe('a report', () => {
  test('that it ran weighs as much as a result', () => {
    const report = { callId: 'c1', name: null, ran: 'yes' } as const
    expect(reportEvidence({ ...report, ok: true })).toEqual(resultEvidence(true))
    expect(reportEvidence({ ...report, ok: false })).toEqual(resultEvidence(false))
    expect(reportEvidence(report)).toEqual({ settled: { ran: 'yes', cause: 'unreadable' }, rank: RANK.result })
  })

  const causesNo = [
    'connection-lost',
    'ended-early',
    'truncated',
    'filtered',
    'unparseable',
    'invalid-arguments',
    'rejected-by-rule',
    'unknown-tool',
    'provider-error',
    'held-back',
    'declined',
    'declined-by-policy',
    'approval-expired',
    'withdrawn',
    'not-started',
    'reloaded',
    'unrecognised',
    'cancelled',
  ] as const satisfies readonly CauseNo[]
  test('of "not run" keeps every cause of ours', () => {
    for (const cause of causesNo) {
      expect(reportEvidence({ callId: 'c1', name: null, ran: 'no', cause })).toEqual({
        settled: { ran: 'no', cause },
        rank: RANK.report,
      })
    }
  })

  const causesUnknown = [
    'connection-lost',
    'ended-early',
    'provider-error',
    'cancelled',
    'truncated',
    'filtered',
    'withdrawn',
    'reloaded',
    'no-result',
    'timed-out',
    'tool-error',
    'unrecognised',
  ] as const satisfies readonly CauseUnknown[]
  test('of "may have run" keeps every cause of ours', () => {
    for (const cause of causesUnknown) {
      expect(reportEvidence({ callId: 'c1', name: null, ran: 'unknown', cause })).toEqual({
        settled: { ran: 'unknown', cause },
        rank: RANK.report,
      })
    }
  })

  test('with a foreign cause, or one of another kind, is unrecognised; the word is kept as detail', () => {
    for (const cause of ['quota_exceeded', 'timed-out', 'ok', 'toString', '__proto__']) {
      expect(reportEvidence({ callId: 'c1', name: null, ran: 'no', cause }).settled).toEqual({
        ran: 'no',
        cause: 'unrecognised',
        detail: cause,
      })
    }
    expect(reportEvidence({ callId: 'c1', name: null, ran: 'unknown', cause: 'declined' }).settled).toEqual({
      ran: 'unknown',
      cause: 'unrecognised',
      detail: 'declined',
    })
  })

  test('without a cause takes it from its outcome, as far as that says one', () => {
    const rows = {
      dispatchable: 'unrecognised',
      abandoned: 'unrecognised',
      truncated: 'truncated',
      unparseable: 'unparseable',
      'schema-error': 'invalid-arguments',
    } as const
    for (const [outcome, cause] of Object.entries(rows)) {
      expect(
        reportEvidence({ callId: 'c1', name: null, ran: 'no', outcome: outcome as keyof typeof rows }).settled,
      ).toEqual({ ran: 'no', cause })
    }
    expect(reportEvidence({ callId: 'c1', name: null, ran: 'no' }).settled).toEqual({
      ran: 'no',
      cause: 'unrecognised',
    })
    expect(reportEvidence({ callId: 'c1', name: null, ran: 'unknown' }).settled).toEqual({
      ran: 'unknown',
      cause: 'unrecognised',
    })
  })
})

describe('further evidence about a settled call', () => {
  const no: Settled = { ran: 'no', cause: 'connection-lost' }
  const unknown: Settled = { ran: 'unknown', cause: 'connection-lost' }
  const unknownToo: Settled = { ran: 'unknown', cause: 'timed-out' }
  const ok: Settled = { ran: 'yes', cause: 'ok' }
  const notOk: Settled = { ran: 'yes', cause: 'not-ok' }
  const unreadable: Settled = { ran: 'yes', cause: 'unreadable' }
  const declined: Settled = { ran: 'no', cause: 'declined' }

  const rows: readonly {
    known: [Settled, keyof typeof RANK]
    evidence: [Settled, keyof typeof RANK]
    becomes: Settled
    rank: keyof typeof RANK
    contradicts: boolean
  }[] = [
    // Lower never overrides higher.
    { known: [ok, 'result'], evidence: [no, 'report'], becomes: ok, rank: 'result', contradicts: false },
    { known: [no, 'report'], evidence: [unknown, 'dispatch'], becomes: no, rank: 'report', contradicts: false },
    {
      known: [unknown, 'report'],
      evidence: [unknownToo, 'dispatch'],
      becomes: unknown,
      rank: 'report',
      contradicts: false,
    },
    // At equal rank the first known fact stands, and beats what is not known.
    { known: [ok, 'result'], evidence: [notOk, 'result'], becomes: ok, rank: 'result', contradicts: false },
    { known: [no, 'report'], evidence: [declined, 'report'], becomes: no, rank: 'report', contradicts: false },
    { known: [no, 'report'], evidence: [unknown, 'report'], becomes: no, rank: 'report', contradicts: false },
    {
      known: [unknown, 'report'],
      evidence: [declined, 'report'],
      becomes: declined,
      rank: 'report',
      contradicts: false,
    },
    {
      known: [unknown, 'report'],
      evidence: [unknownToo, 'report'],
      becomes: unknown,
      rank: 'report',
      contradicts: false,
    },
    { known: [unreadable, 'result'], evidence: [ok, 'result'], becomes: ok, rank: 'result', contradicts: false },
    { known: [ok, 'result'], evidence: [unreadable, 'result'], becomes: ok, rank: 'result', contradicts: false },
    // Higher takes the place of "may have run" without a word.
    { known: [unknown, 'inference'], evidence: [ok, 'result'], becomes: ok, rank: 'result', contradicts: false },
    {
      known: [unknown, 'inference'],
      evidence: [declined, 'report'],
      becomes: declined,
      rank: 'report',
      contradicts: false,
    },
    { known: [unknown, 'dispatch'], evidence: [no, 'report'], becomes: no, rank: 'report', contradicts: false },
    // Higher withdraws "not run" in the open.
    {
      known: [no, 'inference'],
      evidence: [ok, 'result'],
      becomes: { ran: 'yes', cause: 'late' },
      rank: 'result',
      contradicts: true,
    },
    {
      known: [no, 'report'],
      evidence: [notOk, 'result'],
      becomes: { ran: 'yes', cause: 'late-not-ok' },
      rank: 'result',
      contradicts: true,
    },
    {
      known: [no, 'inference'],
      evidence: [unreadable, 'result'],
      becomes: unreadable,
      rank: 'result',
      contradicts: true,
    },
    {
      known: [no, 'inference'],
      evidence: [unknown, 'dispatch'],
      becomes: unknown,
      rank: 'dispatch',
      contradicts: true,
    },
    // The same claim on better authority keeps its words.
    { known: [no, 'inference'], evidence: [declined, 'report'], becomes: no, rank: 'report', contradicts: false },
  ]

  for (const { known, evidence, becomes, rank, contradicts } of rows) {
    const [before, ofRank] = known
    const [after, byRank] = evidence
    test(`${before.ran} ${before.cause} by ${ofRank}, then ${after.ran} ${after.cause} by ${byRank}: ${becomes.ran} ${becomes.cause}`, () => {
      const state = { phase: 'settled', settled: before, rank: RANK[ofRank] as Rank } as const satisfies CallState
      expect(reconsider(state, { settled: after, rank: RANK[byRank] })).toEqual({
        state: { phase: 'settled', settled: becomes, rank: RANK[rank] },
        contradicts,
      })
    })
  }

  test('that says nothing new is the same state', () => {
    const state = { phase: 'settled', settled: ok, rank: RANK.result } as const satisfies CallState
    expect(reconsider(state, { settled: ok, rank: RANK.result }).state).toBe(state)
    expect(reconsider(state, { settled: no, rank: RANK.report }).state).toBe(state)
  })
})
