import type { StoreApi } from 'zustand/vanilla'
import { type Clock, systemClock } from '../clock.ts'
import { type Balance, balanceOf } from '../core/balance.ts'
import type { Call } from '../core/call.ts'
import type { Drop } from '../core/ledger.ts'
import type { Recorder } from '../core/recorder.ts'
import { type Report, readReports } from '../core/report.ts'
import type { Registry, Tools } from '../core/tools.ts'
import type { Turn } from '../core/turn.ts'
import type { CallView } from '../core/view.ts'
import { DEFAULT_DEADLINES, type DeadlineSettings } from '../deadlines.ts'
import { type Context, createContext, type EventListener } from './context.ts'
import { type Frame, frameOf } from './frame.ts'
import type { Entry, Publication } from './publisher.ts'
import { type CallRef, type Found, findCall, findCalls } from './refs.ts'
import { canBeAskedAgain, isSnapshot, revive, type Snapshot, type SnapshotOptions, snapshotOf } from './snapshot.ts'
import { openStream, type StreamOptions, type ToolCallStream } from './stream.ts'
import { type DispatchableCall, dispatchableOf } from './summary.ts'
import type { TurnView } from './turn-view.ts'

export interface StoreOptions {
  /** The tools by name. Default: none. */
  readonly tools?: Tools
  /** Who runs a tool that is not declared. Default `server`: the choice that claims least. */
  readonly defaultExecutor?: Registry['defaultExecutor']
  /** Deadlines in milliseconds that differ from `DEFAULT_DEADLINES`. */
  readonly deadlines?: { readonly [Name in keyof DeadlineSettings]?: DeadlineSettings[Name] | undefined }
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** Default: the browser's frames. */
  readonly frame?: Frame
  /** Told what becomes of calls, as by `createRecorder` of `honest-tool-calls/record`. Default: nobody. */
  readonly record?: Recorder
}

/** What was counted beside the balance. */
export interface Counts {
  /** How often a "not run" had to be withdrawn: zero while every executor tells the truth. */
  readonly contradictedLabels: number
  /** What came and was dropped, by reason. */
  readonly dropped: Readonly<Partial<Record<Drop, number>>>
}

/** Ingests stream events and what executors say; publishes what is true of every call. */
export interface ToolCallStore {
  /** What was declared. */
  readonly registry: Registry
  /** The clock that all its deadlines go by. */
  readonly clock: Clock
  /** Begins a stream of a new turn, or a further one of `turnId`. */
  openStream(options?: StreamOptions): ToolCallStream
  /** What executors say of their calls; ids that match nothing become blocks of their own at the end of the stream. */
  settle(reports: HostReport | readonly HostReport[]): void
  /**
   * To be called before running a tool by hand. Run it only if the answer is true:
   * false means that the call may not, or may no longer, be run.
   * @throws if the reference means no call, or several
   */
  dispatched(call: CallRef): boolean
  /** What may be dispatched now, of one turn or of all: also what a person has approved since its stream ended. */
  dispatchable(turnId?: string): readonly DispatchableCall[]
  /** A person's, a policy's or a clock's answer; false if nobody waits for it any more. @throws as `dispatched` does */
  answerApproval(
    call: CallRef,
    answer: { readonly granted: boolean; readonly by?: 'person' | 'policy' | 'expiry' },
  ): boolean
  /** Ends the open streams of a turn as cancelled and settles what waits at the gate. */
  cancel(turnId: string, by?: 'user' | 'host'): void
  /** Aborted when the turn is cancelled: for whatever works on its behalf. */
  cancellation(turnId: string): AbortSignal
  /** Where all announced calls stand, right now; of one turn or of all. */
  balance(turnId?: string): Balance
  counts(): Counts
  /** The published turns by id, oldest first. */
  turnIds(): readonly string[]
  /** The zustand store of one turn. */
  turn(turnId: string): StoreApi<TurnView> | undefined
  /** The zustand store of the latest turn of a scope, or of the latest one in it that has this message. */
  turnOf(scope: string, messageId?: string): StoreApi<TurnView> | undefined
  /** The zustand store of one call, by its key in its turn. */
  callByKey(turnId: string, key: string): StoreApi<CallView> | undefined
  /** The zustand store of one call: of the latest turn, and of the nth call of that id in it (`occurrence`, from 0; default the last). */
  call(ref: CallRef & { readonly occurrence?: number | undefined }): StoreApi<CallView> | undefined
  /** Counts up whenever a turn or call was added, named or forgotten. */
  readonly structure: StoreApi<number>
  /** No correction will be asked for: what waits for one in this turn settles as it was judged. */
  giveUpCorrections(turnId: string): void
  /** Told of every event of every stream, after it was applied; until the answer is called. */
  onEvent(listener: EventListener): () => void
  /** Told of every publication, once. */
  subscribe(listener: (publication: Publication) => void): () => void
  /** Publishes what waits for the next frame, now. */
  flush(): void
  /**
   * The store as data; no arguments in it.
   * @param options `arguments: true` keeps those of calls of ours that wait for a person, so that after a reload the
   * person can still answer: they are checked again then. Default: the question does not outlive the page.
   */
  snapshot(options?: SnapshotOptions): Snapshot
  /** Puts back what was kept. What was open then is settled now; turns that are here already stay. */
  restore(snapshot: Snapshot): void
  /** Drops an ended turn and what is kept of it; what waits at the gate is cancelled. @throws while a stream of it is open */
  forget(turnId: string): void
}

/**
 * Creates a store.
 * @example createToolCallStore({ tools: { create_ticket: { executor: 'local', schema } } })
 */
export function createToolCallStore(options: StoreOptions = {}): ToolCallStore {
  const { tools = {}, defaultExecutor = 'server', clock = systemClock } = options
  const context = createContext(
    { tools, defaultExecutor },
    clock,
    deadlinesOf(options.deadlines),
    options.frame ?? frameOf(clock),
    options.record,
  )
  const { registry, ledger, publisher, entries } = context
  const turns = function* (): Generator<Turn> {
    for (const entry of entries.values()) yield entry.turn
  }
  const known = ({ turn, call }: Found): { entry: Entry; call: Call } => ({ entry: context.entry(turn.id), call })

  return {
    registry,
    clock,
    structure: publisher.structure,
    openStream: (stream) => openStream(context, stream),
    settle(reports) {
      const read = readReports(reports)
      if (read.length !== (Array.isArray(reports) ? reports.length : 1)) {
        throw new Error(
          'honest-tool-calls: settle() was given something that is not a report. A report has `ran` and a `callId` or a `name`.',
        )
      }
      const given = Array.isArray(reports) ? reports : [reports]
      for (const [place, report] of read.entries()) settleOne(context, report, given[place]?.key)
    },
    dispatched(ref) {
      const { entry, call } = known(findCall(turns(), ref, 'dispatched()'))
      const taken = ledger.act(entry.turn, call, { type: 'dispatched', source: 'host' })
      context.changed(entry)
      // Whoever keeps a journal of publications must have written this one before the tool begins.
      if (taken) publisher.flush()
      return taken
    },
    dispatchable: (turnId) =>
      (turnId === undefined ? [...turns()] : [context.entry(turnId).turn]).flatMap((turn) =>
        dispatchableOf(turn.id, turn.unsettled),
      ),
    answerApproval(ref, { granted, by = 'person' }) {
      const { entry, call } = known(findCall(turns(), ref, 'answerApproval()'))
      const taken = ledger.answer(entry.turn, call, granted, by, 'host')
      context.changed(entry)
      return taken
    },
    cancel(turnId, by = 'user') {
      const entry = context.entry(turnId)
      // The calls first: what its stream comes to must not offer for dispatch what is cancelled in the same breath.
      for (const call of entry.turn.calls.values()) ledger.act(entry.turn, call, { type: 'cancelled', by })
      for (const stream of Array.from(context.streams)) {
        if (stream.turnId === turnId) stream.end({ type: 'cancelled', by, acknowledged: false })
      }
      entry.lost?.over()
      context.changed(entry)
      const { cancellation } = entry
      // What is begun after this is not what was cancelled.
      entry.cancellation = new AbortController()
      cancellation.abort()
    },
    cancellation: (turnId) => context.entry(turnId).cancellation.signal,
    balance: (turnId) => balanceOf(callsOf(turnId === undefined ? turns() : [context.entry(turnId).turn])),
    counts: () => ({ contradictedLabels: context.contradictedLabels, dropped: Object.fromEntries(context.dropped) }),
    turnIds: () => [...entries.keys()],
    turn: (turnId) => entries.get(turnId)?.view,
    turnOf: (scope, messageId) =>
      [...entries.values()].findLast(
        ({ turn }) =>
          turn.scope === scope &&
          (messageId === undefined || [...turn.messages.values()].some((message) => message.id === messageId)),
      )?.view,
    callByKey: (turnId, key) => entries.get(turnId)?.calls.get(key),
    call({ occurrence, ...ref }) {
      const named = ref.turnId === undefined ? undefined : entries.get(ref.turnId)
      const found = findCalls(named === undefined ? turns() : [named.turn], ref)
      const latest = found.filter(({ turn }) => turn === found.at(-1)?.turn)
      const one = latest.at(occurrence ?? -1)
      return one === undefined ? undefined : entries.get(one.turn.id)?.calls.get(one.call.block)
    },
    giveUpCorrections(turnId) {
      const entry = context.entry(turnId)
      for (const call of entry.turn.correcting) ledger.act(entry.turn, call, { type: 'uncorrected', ending: null })
      context.changed(entry)
    },
    onEvent(listener) {
      context.eventListeners.add(listener)
      return () => context.eventListeners.delete(listener)
    },
    subscribe: (listener) => publisher.subscribe(listener),
    flush: () => publisher.flush(),
    snapshot: (options) => ({ version: 1, turns: [...turns()].map((turn) => snapshotOf(turn, options)) }),
    restore(snapshot) {
      if (!isSnapshot(snapshot)) {
        throw new Error(
          'honest-tool-calls: restore() was given something that snapshot() did not make. Give it back what you stored, parsed.',
        )
      }
      const revived = snapshot.turns.filter(({ id }) => !entries.has(id)).map((kept) => revive(kept, registry))
      for (const turn of revived) {
        const entry = context.add(turn)
        for (const call of entry.turn.calls.values()) {
          if (canBeAskedAgain(call)) ledger.askAgain(entry.turn, call)
          else ledger.act(entry.turn, call, { type: 'reloaded' })
        }
        entry.turn.changed = true
        publisher.publishSilently(entry)
      }
      publisher.structureChanged()
    },
    forget(turnId) {
      const entry = context.entry(turnId)
      if (entry.turn.openStreams.size > 0) {
        throw new Error(
          'honest-tool-calls: forget() was called on a turn whose stream is open. End or cancel it first, or its calls would never settle.',
        )
      }
      // What waits at the gate, or for its checks, settles in the open first: nobody could ever take it.
      for (const call of entry.turn.calls.values()) ledger.act(entry.turn, call, { type: 'cancelled', by: 'host' })
      context.changed(entry)
      publisher.flush()
      context.remove(entry)
    },
  }
}

function deadlinesOf(given: StoreOptions['deadlines'] = {}): DeadlineSettings {
  const entries = Object.entries(given).filter(([, delay]) => delay !== undefined)
  for (const [name, delay] of entries) {
    if (delay !== undefined && delay >= 0) continue
    throw new Error(`honest-tool-calls: the deadline ${name} is ${delay}. Give milliseconds, or Infinity for none.`)
  }
  return { ...DEFAULT_DEADLINES, ...Object.fromEntries(entries) }
}

function* callsOf(turns: Iterable<Turn>): Generator<Call> {
  for (const turn of turns) yield* turn.calls.values()
}

/** What a host says of a call; `key` tells which of several that share an id. */
export type HostReport = Report & { readonly key?: string | undefined }

/** A report may name its turn; else it belongs to the latest turn that has, or may yet announce, its call. */
function settleOne(context: Context, report: Report, key: string | undefined): void {
  const { callId, messageId, turnId } = report
  const turns = [...context.entries.values()].map(({ turn }) => turn).filter(({ id }) => id === (turnId ?? id))
  const found = callId === null ? [] : findCalls(turns, { callId, messageId, key })
  if (callId !== null && found.length > 1) findCall(turns, { callId, messageId, key }, 'settle()')
  const [one] = found
  const named = turnId === undefined ? undefined : turns.at(-1)
  const turn = one?.turn ?? named ?? turns.findLast(({ openStreams }) => openStreams.size > 0)
  // Its turn was forgotten: nobody can be told any more.
  if (turn === undefined) return context.drop('result-without-call')
  if (one === undefined) context.ledger.report(turn, report, 'host')
  else context.ledger.reportOn(turn, one.call, report, 'host')
  context.changed(context.entry(turn.id))
}
