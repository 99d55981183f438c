import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Call } from '../core/call.ts'
import { safely } from '../core/safely.ts'
import type { Registry } from '../core/tools.ts'
import type { Turn } from '../core/turn.ts'
import { type CallView, viewOf } from '../core/view.ts'
import type { Gaps } from '../gaps.ts'
import type { Frame } from './frame.ts'
import type { Judged } from './summary.ts'
import { type TurnView, turnViewOf } from './turn-view.ts'

/** A turn with what is published of it: a zustand store for itself and one for each call, so that a block hears of its own call only. */
export interface Entry {
  readonly turn: Turn
  readonly view: StoreApi<TurnView>
  readonly calls: Map<string, StoreApi<CallView>>
  /** What adapters know of the turn, from one of its streams to the next. */
  readonly carried: Map<unknown, unknown>
  /** Aborted when the turn is cancelled. */
  cancellation: AbortController
  /** What records say of the streams of the turn. */
  readonly sources: Map<number, StreamSource>
  /** The stream that was lost and may still be resumed. */
  lost: LostStream | null
}

/** A stream that another one may go on with. */
export interface LostStream {
  /** What became of its calls so far. */
  readonly judged: ReadonlyMap<Call, Judged>
  /** It waits no longer. */
  over(): void
}

/** A stream as records know it. */
interface StreamSource {
  readonly requestId: string | undefined
  gaps(): Gaps
}

/** Everything that one publication changed. */
export interface Publication {
  readonly calls: readonly { readonly before: CallView | null; readonly call: CallView }[]
  readonly turns: readonly { readonly before: TurnView; readonly turn: TurnView }[]
}

/**
 * Turns changes of the ledger into publications: at most one per frame while calls prepare,
 * one in a microtask for everything that settled, as a hidden tab gets no frames.
 */
export class Publisher {
  readonly #registry: Registry
  readonly #frame: Frame
  readonly #dirty = new Set<Entry>()
  readonly #listeners = new Set<(publication: Publication) => void>()
  /** Counts up whenever a turn or a call was added, named or forgotten. */
  readonly structure: StoreApi<number> = cellOf(() => 0)
  #cancelFrame: (() => void) | null = null
  #urgent = false

  constructor(registry: Registry, frame: Frame) {
    this.#registry = registry
    this.#frame = frame
  }

  subscribe(listener: (publication: Publication) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  entry(turn: Turn): Entry {
    turn.changed = false
    return {
      turn,
      view: cellOf(() => turnViewOf(turn, this.#registry)),
      calls: new Map(),
      carried: new Map(),
      sources: new Map(),
      cancellation: new AbortController(),
      lost: null,
    }
  }

  /** Something of this turn changed. */
  mark(entry: Entry, urgent: boolean): void {
    this.#dirty.add(entry)
    if (urgent && !this.#urgent) {
      this.#urgent = true
      queueMicrotask(() => this.flush())
    } else if (!this.#urgent && this.#cancelFrame === null) {
      this.#cancelFrame = this.#frame(() => this.flush())
    }
  }

  forget(entry: Entry): void {
    this.#dirty.delete(entry)
    this.structureChanged()
  }

  structureChanged(): void {
    this.structure.setState(this.structure.getState() + 1, true)
  }

  /** Publishes what waits, now. */
  flush(): void {
    this.#cancelFrame?.()
    this.#cancelFrame = null
    this.#urgent = false
    if (this.#dirty.size === 0) return
    const publication = this.#publish()
    // A fragment that was dropped changed nothing.
    if (publication.calls.length === 0 && publication.turns.length === 0) return
    for (const listener of this.#listeners) safely(() => listener(publication))
  }

  /** Publishes a turn without telling anybody: it was there before anybody looked. */
  publishSilently(entry: Entry): void {
    this.#publishEntry(entry, [], [])
  }

  #publish(): Publication {
    const calls: Publication['calls'][number][] = []
    const turns: Publication['turns'][number][] = []
    const entries = [...this.#dirty]
    this.#dirty.clear()
    let grown = false
    for (const entry of entries) grown = this.#publishEntry(entry, calls, turns) || grown
    if (grown) this.structureChanged()
    return { calls, turns }
  }

  #publishEntry(entry: Entry, calls: Publication['calls'][number][], turns: Publication['turns'][number][]): boolean {
    const { turn } = entry
    let grown = false
    // In the order in which they were announced, whatever settled first.
    for (const call of [...turn.touched].sort((a, b) => a.order - b.order)) {
      // Its block belongs to its correction.
      if (call.replaced) continue
      const view = viewOf(call, turn.id, this.#registry)
      const cell = entry.calls.get(call.block)
      const before = cell?.getState() ?? null
      if (cell === undefined)
        entry.calls.set(
          call.block,
          cellOf(() => view),
        )
      else cell.setState(view, true)
      if (before?.id !== view.id) grown = true
      calls.push({ before, call: view })
    }
    turn.touched.clear()
    if (turn.changed) {
      turn.changed = false
      const before = entry.view.getState()
      const view = turnViewOf(turn, this.#registry)
      entry.view.setState(view, true)
      turns.push({ before, turn: view })
    }
    return grown
  }
}

/** A zustand store whose listeners cannot break each other, nor the publication they are told of. */
function cellOf<State>(initial: () => State): StoreApi<State> {
  const cell = createStore(initial)
  return { ...cell, subscribe: (listener) => cell.subscribe((state, before) => safely(() => listener(state, before))) }
}
