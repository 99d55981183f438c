import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallState, RANK, type Rank } from '../../src/core/call.ts'
import { type Evidence, reconsider } from '../../src/core/evidence.ts'
import type { Settled } from '../../src/core/outcomes.ts'
import { runs } from './runs.ts'

const no: fc.Arbitrary<Settled & { ran: 'no' }> = fc.record({
  ran: fc.constant('no'),
  cause: fc.constantFrom('connection-lost', 'cancelled', 'declined'),
})
const unknown: fc.Arbitrary<Settled & { ran: 'unknown' }> = fc.record({
  ran: fc.constant('unknown'),
  cause: fc.constantFrom('connection-lost', 'no-result', 'timed-out'),
})
const yes: fc.Arbitrary<Settled & { ran: 'yes' }> = fc.record({
  ran: fc.constant('yes'),
  cause: fc.constantFrom('ok', 'not-ok', 'unreadable'),
})

const by = (settled: fc.Arbitrary<Settled>, ...ranks: readonly Rank[]): fc.Arbitrary<Evidence> =>
  fc.record({ settled, rank: fc.constantFrom(...ranks) })

// What is said with which weight: only a result says that a call ran, only a report or an inference that it did not.
const evidence = fc.oneof(
  by(yes, RANK.result),
  by(no, RANK.report),
  by(unknown, RANK.report),
  by(unknown, RANK.dispatch),
)
const start = fc.oneof(evidence, by(no, RANK.inference), by(unknown, RANK.inference))

type SettledState = Extract<CallState, { phase: 'settled' }>

test('in any order of evidence the weight never falls, the heaviest fact stands, and each withdrawal is told', () => {
  fc.assert(
    fc.property(start, fc.array(evidence, { maxLength: 6 }), (first, further) => {
      let state: SettledState = { phase: 'settled', ...first }
      for (const next of further) {
        const { state: after, contradicts } = reconsider(state, next)
        if (after.phase !== 'settled') return expect.unreachable()
        expect(after.rank).toBe(Math.max(state.rank, next.rank))
        if (next.rank < state.rank) expect(after).toBe(state)
        if (next.rank > state.rank) expect(after.settled.ran).toBe(next.settled.ran)
        if (next.rank === state.rank && state.settled.ran !== 'unknown')
          expect(after.settled.ran).toBe(state.settled.ran)
        expect(contradicts).toBe(state.settled.ran === 'no' && after.settled.ran !== 'no')
        state = after
      }
    }),
    runs(2_000),
  )
})

test('a result ends the matter: after it everything else can come, and nothing changes', () => {
  const final = by(yes, RANK.result).filter(({ settled }) => settled.cause !== 'unreadable')
  fc.assert(
    fc.property(start, final, fc.array(evidence, { maxLength: 6 }), (first, result, further) => {
      const known = reconsider({ phase: 'settled', ...first }, result).state
      let state = known
      for (const next of further) if (state.phase === 'settled') state = reconsider(state, next).state
      if (first.rank < RANK.result || first.settled.cause === 'unreadable') expect(state).toEqual(known)
    }),
    runs(1_000),
  )
})
