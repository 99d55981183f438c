import type { Call } from '../../src/core/call.ts'
import type { StreamEvent } from '../../src/core/events.ts'
import { type Drop, Ledger } from '../../src/core/ledger.ts'
import type { Outcome } from '../../src/core/outcomes.ts'
import type { Registry, Tools } from '../../src/core/tools.ts'
import { createTurn, type Turn } from '../../src/core/turn.ts'

export interface LedgerUnderTest {
  readonly ledger: Ledger
  /** One turn whose stream 0 is open. */
  readonly turn: Turn
  /** Why events were dropped, in order. */
  readonly dropped: Drop[]
  /** What finalising made of calls when they settled, by their key; null for those that others run. */
  readonly outcomes: Map<string, Outcome | null>
  /** The keys of calls whose "not run" was withdrawn. */
  readonly contradicted: string[]
  /** Applies events of stream 0. */
  push(...events: StreamEvent[]): void
  /** The call of a key. */
  call(key: string): Call
  /** Where every call stands, by its key: its phase or, once settled, `ran, cause`. */
  standings(): Record<string, string>
}

/** A ledger that notes what it tells, with an open stream; checks that take their time are judged when they are done. */
export function openLedger(
  tools: Tools = {},
  defaultExecutor: Registry['defaultExecutor'] = 'server',
): LedgerUnderTest {
  const dropped: Drop[] = []
  const outcomes = new Map<string, Outcome | null>()
  const contradicted: string[] = []
  const turn = createTurn('turn', undefined)
  const ledger = new Ledger(
    { tools, defaultExecutor },
    {
      announced: () => {},
      revised: () => {},
      settled: (_, call, outcome) => void outcomes.set(call.key, outcome),
      pending: (_, call, verdict) => void verdict.then((late) => ledger.judge(turn, call, late)),
      dropped: (reason) => void dropped.push(reason),
      contradicted: (_, call) => void contradicted.push(call.key),
    },
  )
  ledger.openStream(turn, 0)
  return {
    ledger,
    turn,
    dropped,
    outcomes,
    contradicted,
    push: (...events) => {
      for (const event of events) ledger.apply(turn, 0, event)
    },
    call: (key) => {
      const call = turn.calls.get(key)
      if (call === undefined) throw new Error(`no call has the key ${key}`)
      return call
    },
    standings: () =>
      Object.fromEntries(
        [...turn.calls.values()].map(({ key, state }) => [
          key,
          state.phase === 'settled' ? `${state.settled.ran}, ${state.settled.cause}` : state.phase,
        ]),
      ),
  }
}
