import type { Clock } from '../clock.ts'
import type { Call } from '../core/call.ts'
import type { StreamEvent } from '../core/events.ts'
import { type Drop, Ledger } from '../core/ledger.ts'
import type { Recorder } from '../core/recorder.ts'
import type { Registry } from '../core/tools.ts'
import { createTurn, type RetriedCall, type Turn } from '../core/turn.ts'
import { type DeadlineSettings, Deadlines } from '../deadlines.ts'
import { followCall } from './call-deadlines.ts'
import type { Frame } from './frame.ts'
import { type Entry, Publisher } from './publisher.ts'
import { noRecording, recordingOf } from './recording.ts'
import type { ToolCallStream } from './stream.ts'
import { type Judged, judgedOf } from './summary.ts'
import { createWarner } from './warn.ts'

/** One event of a stream, with the call that it was about. */
export interface StreamedEvent {
  readonly turnId: string
  readonly event: StreamEvent
  /** The key of that call's view: another than the event's where the call corrects an earlier one. */
  readonly block?: string | undefined
}

export type EventListener = (streamed: StreamedEvent) => void

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
  /** What became of the calls of each stream that is not summed up yet, before their text went. */
  readonly judged: Map<number, Map<Call, Judged>>
  /** Told of every event of every stream, after it was applied. */
  readonly eventListeners: Set<EventListener>
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
  begin(turnId: string | undefined, scope: string | undefined, retryOf: RetriedCall | undefined): Entry
  remove(entry: Entry): void
  drop(reason: Drop): void
  /** To be called after anything but a fragment changed a turn. */
  changed(entry: Entry): void
}

/** Makes what the parts of one store share. */
export function createContext(
  registry: Registry,
  clock: Clock,
  settings: DeadlineSettings,
  frame: Frame,
  recorder?: Recorder,
): Context {
  const warn = createWarner()
  const recording = recorder === undefined ? noRecording : recordingOf(recorder, { registry, clock })
  const entryOf = (turn: Turn, tell: (entry: Entry) => void): void => {
    const entry = context.entries.get(turn.id)
    if (entry !== undefined) tell(entry)
  }
  const ledger = new Ledger(registry, {
    announced: (turn, call) => entryOf(turn, (entry) => recording.announced(entry, call)),
    settled: (turn, call, outcome) => {
      context.judged.get(call.message.stream)?.set(call, judgedOf(call, outcome))
      entryOf(turn, (entry) => recording.settled(entry, call, outcome))
    },
    revised: (turn, call) => entryOf(turn, (entry) => recording.revised(entry, call)),
    pending: (turn, call, verdict) => {
      void verdict.then((judged) => {
        ledger.judge(turn, call, judged)
        const entry = context.entries.get(turn.id)
        if (entry !== undefined) context.changed(entry)
      })
    },
    dropped: (reason) => context.drop(reason),
    contradicted: (turn, call) => {
      context.contradictedLabels++
      entryOf(turn, (entry) => recording.contradicted(entry, call))
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
    judged: new Map(),
    eventListeners: new Set(),
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
    begin(turnId, scope, retryOf) {
      const known = turnId === undefined ? undefined : context.entries.get(turnId)
      if (known !== undefined) return known
      const entry = context.add(createTurn(turnId ?? mintTurnId(context), scope, retryOf))
      context.publisher.structureChanged()
      return entry
    },
    remove(entry) {
      entry.lost?.over()
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
