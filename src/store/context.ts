import type { Clock } from '../clock.ts'
import type { Call } from '../core/call.ts'
import { type Drop, Ledger } from '../core/ledger.ts'
import type { Outcome } from '../core/outcomes.ts'
import type { Registry } from '../core/tools.ts'
import { createTurn, type Turn } from '../core/turn.ts'
import { type DeadlineSettings, Deadlines } from '../deadlines.ts'
import { followCall } from './call-deadlines.ts'
import type { Frame } from './frame.ts'
import { type Entry, Publisher } from './publisher.ts'
import type { ToolCallStream } from './stream.ts'
import { createWarner } from './warn.ts'

/** What the parts of one store share. */
export interface Context {
  readonly registry: Registry
  readonly clock: Clock
  readonly settings: DeadlineSettings
  readonly deadlines: Deadlines<unknown>
  readonly ledger: Ledger
  readonly publisher: Publisher
  readonly entries: Map<string, Entry>
  readonly streams: Set<ToolCallStream>
  /** What finalising made of the calls of each stream that is not summed up yet. */
  readonly outcomes: Map<number, Map<Call, Outcome>>
  /** Called after every change that may end what somebody waits for. */
  readonly watchers: Set<() => void>
  readonly dropped: Map<Drop, number>
  contradictedLabels: number
  streamCount: number
  turnCount: number
  /** @throws if there is no such turn */
  entry(turnId: string): Entry
  add(turn: Turn): Entry
  /** The turn of this id, begun if need be. */
  begin(turnId: string | undefined, scope: string | undefined): Entry
  remove(entry: Entry): void
  drop(reason: Drop): void
  /** To be called after anything but a fragment changed a turn. */
  changed(entry: Entry): void
}

/** Makes what the parts of one store share. */
export function createContext(registry: Registry, clock: Clock, settings: DeadlineSettings, frame: Frame): Context {
  const warn = createWarner()
  const ledger = new Ledger(registry, {
    settled: (_turn, call, outcome) => {
      if (outcome !== null) context.outcomes.get(call.message.stream)?.set(call, outcome)
    },
    pending: (turn, call, verdict) => {
      void verdict.then((judged) => {
        ledger.judge(turn, call, judged)
        const entry = context.entries.get(turn.id)
        if (entry !== undefined) context.changed(entry)
      })
    },
    dropped: (reason) => context.drop(reason),
    contradicted: () => {
      context.contradictedLabels++
    },
  })
  const context: Context = {
    registry,
    clock,
    settings,
    ledger,
    deadlines: new Deadlines(clock),
    publisher: new Publisher(registry, frame),
    entries: new Map(),
    streams: new Set(),
    outcomes: new Map(),
    watchers: new Set(),
    dropped: new Map(),
    contradictedLabels: 0,
    streamCount: 0,
    turnCount: 0,
    entry(turnId) {
      const entry = context.entries.get(turnId)
      if (entry !== undefined) return entry
      throw new Error(
        `honest-tool-calls: there is no turn ${JSON.stringify(turnId)} in this store. Was it forgotten, or is it of another store?`,
      )
    },
    add(turn) {
      const entry = context.publisher.entry(turn)
      context.entries.set(turn.id, entry)
      return entry
    },
    begin(turnId, scope) {
      const known = turnId === undefined ? undefined : context.entries.get(turnId)
      if (known !== undefined) return known
      const entry = context.add(createTurn(turnId ?? mintTurnId(context), scope))
      context.publisher.structureChanged()
      return entry
    },
    remove(entry) {
      for (const call of entry.turn.calls.values()) context.deadlines.clear(call)
      context.entries.delete(entry.turn.id)
      context.publisher.forget(entry)
    },
    drop(reason) {
      context.dropped.set(reason, (context.dropped.get(reason) ?? 0) + 1)
      warn(reason)
    },
    changed(entry) {
      let urgent = false
      for (const call of entry.turn.touched) {
        followCall(context, entry, call)
        urgent ||= call.state.phase !== 'preparing'
      }
      // Before the watchers: whoever waits for a stream's summary and then reads the store finds it published.
      if (entry.turn.touched.size > 0 || entry.turn.changed)
        context.publisher.mark(entry, urgent || entry.turn.openStreams.size === 0)
      for (const watcher of Array.from(context.watchers)) watcher()
    },
  }
  return context
}

function mintTurnId(context: Context): string {
  let id: string
  do id = `kit-turn-${++context.turnCount}`
  while (context.entries.has(id))
  return id
}
