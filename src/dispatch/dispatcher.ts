import type { Settled } from '../core/outcomes.ts'
import { safely } from '../core/safely.ts'
import { type Finding, type ToolDeclaration, toolOf } from '../core/tools.ts'
import type { CallView } from '../core/view.ts'
import type { HostReport, ToolCallStore } from '../store/create-store.ts'
import type { CallRef } from '../store/refs.ts'
import type { DispatchableCall } from '../store/summary.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { ask } from './query.ts'
import { uncertaintyOf } from './uncertain.ts'

export interface DispatcherOptions {
  /** Where dispatches are written before a tool begins. Default: nowhere; then a killed process knows of none. */
  readonly journal?: Journal
  /** Makes the idempotency key of a call. Default: a random UUID. */
  readonly mintKey?: () => string
}

/** How one call went. */
export interface Run {
  readonly call: DispatchableCall
  readonly settled: Settled
  /** What the tool returned, or threw. */
  readonly value?: unknown
  /** The same in every run of this call; undefined where it was never given to its tool. */
  readonly idempotencyKey?: string
}

/** Gives calls to their tools, each once. */
export interface Dispatcher {
  /**
   * Runs these calls, side by side. Resolves when each has settled, be it as "may have run"; what comes later still
   * reaches the store. Never rejects.
   * @throws if one of the tools has no `run`: before anything has begun
   */
  dispatch(calls: readonly DispatchableCall[]): Promise<readonly Run[]>
  /**
   * Asks the tool's `query` what became of a call that may have run, and makes that known.
   * @throws if the reference means no call
   */
  reconcile(call: CallRef): Promise<Finding>
  /**
   * Runs a call once more, with the same arguments and the same idempotency key: if it may have run and its tool is
   * `idempotent`, or if `reconcile` found that it did not run. Undefined where it may not be run again.
   */
  retry(call: CallRef): Promise<Run | undefined>
  /**
   * Resolves once no tool of it runs and all that was to be written down is: also where a call was settled as "may have run"
   * before its tool came to an end. For a process that is asked to stop.
   */
  idle(): Promise<void>
  /** Stops listening to the store; what runs goes on. */
  close(): void
}

interface Known {
  readonly call: DispatchableCall
  readonly idempotencyKey: string
  /** `query` said that it did not run. */
  notRun: boolean
  running: boolean
}

/**
 * Creates what runs the tools of a store.
 * @example const dispatcher = createDispatcher(store, { journal }); await dispatcher.dispatch((await turn.ended).dispatchable)
 */
export function createDispatcher(store: ToolCallStore, options: DispatcherOptions = {}): Dispatcher {
  const { journal, mintKey = () => crypto.randomUUID() } = options
  const calls = new Map<string, Known>()
  const working = new Set<PromiseLike<unknown>>()
  const whileWorking = (work: PromiseLike<unknown>): void => {
    const ended = (): void => void working.delete(work)
    working.add(work)
    work.then(ended, ended)
  }
  const close = journal === undefined ? () => {} : keepJournal(store, journal, whileWorking)

  async function dispatchOne(call: DispatchableCall): Promise<Run> {
    const known: Known = { call, idempotencyKey: mintKey(), notRun: false, running: true }
    try {
      await journal?.append({ ...entryOf(store, call), type: 'call-dispatched', idempotencyKey: known.idempotencyKey })
    } catch (error) {
      // What cannot be written down is not begun.
      settle(call, { ran: 'no', cause: 'not-started' })
      return { call, settled: settledOf(call), value: error }
    }
    if (!store.dispatched(call)) return { call, settled: settledOf(call) }
    calls.set(idOf(call), known)
    return run(known)
  }

  async function run(known: Known): Promise<Run> {
    const { call, idempotencyKey } = known
    known.running = true
    const stop = new AbortController()
    // By a deadline, a report, the user: nobody waits for it any more.
    const settled = whenSettled(call, () => {
      if (known.running) stop.abort()
    })
    const cancelled = store.cancellation(call.turnId)
    const cancel = (): void => {
      settle(call, { ran: 'unknown', cause: 'cancelled' })
      stop.abort()
    }
    cancelled.addEventListener('abort', cancel)
    const tool = toolOf(store.registry, call.name)
    const running = (async () => tool?.run?.(call.args, { callId: call.callId, idempotencyKey, signal: stop.signal }))()
    const ended = (): void => {
      known.running = false
      cancelled.removeEventListener('abort', cancel)
    }
    const finished = running.then(
      (value) => {
        ended()
        settle(call, { ran: 'yes', ok: true })
        return { value }
      },
      (error: unknown) => {
        ended()
        const cause = uncertaintyOf(error)
        // What it throws because it was stopped says no more than that it was stopped.
        if (!stop.signal.aborted) settle(call, cause === null ? { ran: 'yes', ok: false } : { ran: 'unknown', cause })
        return { value: error }
      },
    )
    whileWorking(finished)
    const outcome = await Promise.race([finished, settled.promise.then(() => ({}))])
    settled.stop()
    return { call, settled: settledOf(call), idempotencyKey, ...outcome }
  }

  function whenSettled(call: DispatchableCall, tell: () => void) {
    let stop = (): void => {}
    const promise = new Promise<void>((resolve) => {
      const before = viewOf(call)
      const look = (): void => {
        const view = viewOf(call)
        if (view?.phase !== 'settled' || (before?.phase === 'settled' && before.settled === view.settled)) return
        stop()
        tell()
        resolve()
      }
      stop = store.subscribe(look)
    })
    return { promise, stop: () => stop() }
  }

  function settle(
    { turnId, callId, key, name }: Omit<DispatchableCall, 'args'>,
    says: Pick<HostReport, 'ran' | 'cause' | 'ok'>,
  ): void {
    store.settle({ turnId, callId, key, name, ...says })
    store.flush()
  }

  function viewOf({ turnId, key }: DispatchableCall): CallView | undefined {
    return key === undefined ? undefined : store.callByKey(turnId, key)?.getState()
  }

  function settledOf(call: DispatchableCall): Settled {
    const view = viewOf(call)
    return view?.phase === 'settled' ? view.settled : { ran: 'unknown', cause: 'no-result' }
  }

  function find(ref: CallRef): CallView {
    const view = store.call(ref)?.getState()
    if (view !== undefined) return view
    throw new Error(
      `honest-tool-calls: there is no call with the id ${JSON.stringify(ref.callId)}. Was its turn forgotten?`,
    )
  }

  async function keyOf(view: CallView): Promise<string | undefined> {
    const known = calls.get(idOf(view))
    if (known !== undefined) return known.idempotencyKey
    const entries = (await journal?.read?.()) ?? []
    const dispatched = entries.findLast(
      (entry) => entry.type === 'call-dispatched' && entry.turnId === view.turnId && entry.key === view.key,
    )
    return dispatched?.type === 'call-dispatched' ? dispatched.idempotencyKey : undefined
  }

  return {
    close,
    dispatch(given) {
      for (const { name } of given) runOf(toolOf(store.registry, name), name)
      const runs = Promise.all(given.map(dispatchOne))
      whileWorking(runs)
      return runs
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled(working)
    },
    async reconcile(ref) {
      const view = find(ref)
      const idempotencyKey = await keyOf(view)
      if (idempotencyKey === undefined) return { ran: 'unknown' }
      const known = calls.get(idOf(view))
      // A run that goes on may yet do what it had not done when its tool was asked.
      const wasRunning = known?.running === true
      const found = await ask(toolOf(store.registry, view.name), idempotencyKey)
      const tooEarly = found.ran === 'no' && (wasRunning || known?.running === true)
      if (found.ran === 'unknown' || tooEarly) return { ran: 'unknown' }
      settle({ ...view, callId: view.id }, found)
      if (known !== undefined) known.notRun = found.ran === 'no'
      return found
    },
    async retry(ref) {
      const view = find(ref)
      const known = calls.get(idOf(view))
      if (known === undefined || known.running || view.phase !== 'settled' || view.settled.ran === 'yes')
        return undefined
      const idempotent = toolOf(store.registry, view.name)?.idempotent === true
      if (!known.notRun && !(idempotent && view.settled.ran === 'unknown')) return undefined
      return run(known)
    },
  }
}

/** Writes down what is announced and what settles; dispatches are written where they are made. */
function keepJournal(
  store: ToolCallStore,
  journal: Journal,
  whileWorking: (work: PromiseLike<unknown>) => void,
): () => void {
  const write = (
    call: CallView,
    what: { type: 'call-announced' } | ({ type: 'call-settled' } & Pick<Settled, 'ran' | 'cause'>),
  ): void => {
    const { id: callId, name } = call
    const entry = { ...entryOf(store, { ...call, callId, name: name === '' ? null : name }), ...what }
    safely(() => {
      const kept = journal.append(entry)
      if (kept !== undefined) whileWorking(kept)
      return kept
    })
  }
  return store.subscribe(({ calls }) => {
    for (const { before, call } of calls) {
      if (call.executor !== 'local') continue
      if (before === null) write(call, { type: 'call-announced' })
      if (call.phase === 'settled' && (before?.phase !== 'settled' || before.settled !== call.settled))
        write(call, { type: 'call-settled', ran: call.settled.ran, cause: call.settled.cause })
    }
  })
}

function entryOf(
  store: ToolCallStore,
  { turnId, key, callId, name }: Pick<DispatchableCall, 'turnId' | 'key' | 'callId'> & Pick<JournalEntry, 'name'>,
): Omit<JournalEntry, 'type'> {
  return { turnId, key: key ?? callId, callId, name, at: store.clock.now() }
}

function idOf({ turnId, key }: { readonly turnId: string; readonly key?: string | undefined }): string {
  return JSON.stringify([turnId, key])
}

function runOf(tool: ToolDeclaration | undefined, name: string): NonNullable<ToolDeclaration['run']> {
  if (tool?.run !== undefined) return tool.run
  throw new Error(
    `honest-tool-calls: dispatch() was given a call of ${JSON.stringify(name)}, which has no \`run\`. Declare it with the tool, or run the call yourself between store.dispatched() and store.settle().`,
  )
}
