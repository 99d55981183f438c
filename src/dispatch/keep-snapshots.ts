import { isPromise } from '../core/promise.ts'
import { safely } from '../core/safely.ts'
import { standingOf } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { Publication } from '../store/publisher.ts'
import type { Snapshot, SnapshotOptions } from '../store/snapshot.ts'

/** Tells when the page is left and when it is there again: `pagehide` and `pageshow`. */
export type PageEvents = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export interface KeepOptions extends SnapshotOptions {
  /**
   * What `save` was given last, parsed; null or undefined where nothing was kept. What is no snapshot, and what this
   * throws, is dropped with a warning. May be a promise: nothing is kept before it has come, and turns that begin
   * before then need ids of your own, as those of the store begin anew on every page.
   */
  load(): unknown
  /** Keeps a snapshot in place of the one before. What it throws is reported as an event listener's error is. */
  save(snapshot: Snapshot): unknown
  /** Default: the global object where it has events, as in a page. `null`: there is no page to be left. */
  readonly page?: PageEvents | null
}

/**
 * Keeps a store over a reload. Puts back what was kept, keeps at once what became of it, and then whenever a call was
 * announced, moved on, was dispatched or settled; never for a fragment.
 * @returns stops keeping
 * @example keepSnapshots(store, { load: () => JSON.parse(sessionStorage.getItem('turns') ?? 'null'), save: (turns) => sessionStorage.setItem('turns', JSON.stringify(turns)) })
 */
export function keepSnapshots(
  store: ToolCallStore,
  { load, save, page = pageOf(globalThis), arguments: keepsArguments = false }: KeepOptions,
): () => void {
  // A page that is being left aborts its requests: what that looks like must not take the place of what was true.
  let isLeaving = false
  let isStopped = false
  const stops: (() => void)[] = []

  const write = (): void => safely(() => save(store.snapshot({ arguments: keepsArguments })))
  const keep = (): void => {
    if (!isLeaving) write()
  }
  const leave = (): void => {
    keep()
    isLeaving = true
  }
  const comeBack = (): void => {
    if (!isLeaving) return
    isLeaving = false
    keep()
  }

  function begin(kept: unknown): void {
    if (isStopped) return
    const isRestored = kept !== null && kept !== undefined && restore(store, kept)
    let turns = store.turnIds().length
    stops.push(
      store.subscribe((publication) => {
        if (isWorthKeeping(publication)) keep()
      }),
      // What was forgotten must not come back.
      store.structure.subscribe(() => {
        const before = turns
        turns = store.turnIds().length
        if (turns < before) keep()
      }),
    )
    page?.addEventListener('pagehide', leave)
    page?.addEventListener('pageshow', comeBack)
    stops.push(() => {
      page?.removeEventListener('pagehide', leave)
      page?.removeEventListener('pageshow', comeBack)
    })
    if (isRestored) keep()
  }

  const beginAnew = (error: unknown): void => {
    warn(error)
    begin(null)
  }
  try {
    const kept = load()
    // Nothing is kept before that has come: it would take its place.
    if (isPromise(kept)) kept.then(begin, beginAnew)
    else begin(kept)
  } catch (error) {
    beginAnew(error)
  }
  return () => {
    isStopped = true
    for (const stop of stops.splice(0)) stop()
  }
}

function restore(store: ToolCallStore, kept: unknown): boolean {
  try {
    store.restore(kept as Snapshot)
    return true
  } catch (error) {
    warn(error)
    return false
  }
}

function warn(error: unknown): void {
  console.warn('honest-tool-calls: what was kept of earlier turns could not be read and was dropped.', error)
}

function isWorthKeeping({ calls, turns }: Publication): boolean {
  return (
    calls.some(({ before, call }) => before === null || standingOf(before) !== standingOf(call)) ||
    turns.some(({ before, turn }) => before.open !== turn.open)
  )
}

function pageOf(scope: object): PageEvents | null {
  return 'addEventListener' in scope ? (scope as PageEvents) : null
}
