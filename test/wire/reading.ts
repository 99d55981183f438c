import type { Adapter } from '../../src/adapters/adapter.ts'
import type { Ending } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { Executor } from '../../src/core/tools.ts'
import { type PumpedTurn, pump, type Source } from '../../src/pump.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'

/** What became of one stream that was read. */
export interface Reading {
  readonly ending: Ending
  /** What the user reads: every call, and what stands after them. */
  readonly labels: readonly string[]
  readonly notice: readonly string[]
  /** The arguments of every run of the tool. */
  readonly runs: readonly unknown[]
}

/** A stream that is being read. */
export interface Reader {
  readonly turn: PumpedTurn
  readonly store: ToolCallStore
  readonly clock: FakeClock
  /** The source is open: the headers of its answer came. */
  readonly opened: Promise<void>
  /** Resolves once so many bytes, or events of an SDK, were read. */
  seen(what: 'bytes' | 'events', count: number): Promise<void>
  labels(): readonly string[]
  /** The end: what may be dispatched is run, and said to be done. */
  done(): Promise<Reading>
}

/** Reads a source with a clock that stands still and a page that paints nothing. */
export function read(
  open: (signal: AbortSignal) => Source | PromiseLike<Source>,
  adapter: Adapter,
  executor: Exclude<Executor, 'provider'>,
): Reader {
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    tools: { create_ticket: { executor } },
    defaultExecutor: executor,
  })
  const counts = { bytes: 0, events: 0 }
  const waiting = new Set<() => void>()
  const count = (what: 'bytes' | 'events', more: number): void => {
    counts[what] += more
    for (const look of waiting) look()
  }
  let isOpen: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  const counting: Adapter = {
    ...adapter,
    framer(sink) {
      const framer = adapter.framer(sink)
      return {
        feed(piece) {
          framer.feed(piece)
          count('bytes', piece.length)
        },
      }
    },
    reader() {
      const reader = adapter.reader()
      return {
        open: () => reader.open(),
        read(event, emit) {
          const known = reader.read(event, emit)
          count('events', 1)
          return known
        },
      }
    },
  }
  const turn = pump(
    async (signal) => {
      const source = await open(signal)
      isOpen()
      return source
    },
    counting,
    store,
  )
  const labels = (): readonly string[] => {
    store.flush()
    const items = store.turn(turn.id)?.getState().items ?? []
    return items.flatMap((item) => {
      const call = item.type === 'call' ? store.callByKey(turn.id, item.key)?.getState() : undefined
      return call === undefined ? [] : labelOf(call)
    })
  }
  return {
    turn,
    store,
    clock,
    opened,
    labels,
    seen: (what, wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (counts[what] < wanted) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    async done() {
      const { ending, dispatchable } = await turn.ended
      const runs: unknown[] = []
      for (const call of dispatchable) {
        if (!store.dispatched(call)) continue
        runs.push(call.args)
        store.settle({ callId: call.callId, turnId: call.turnId, name: call.name, ran: 'yes', ok: true })
      }
      store.flush()
      const notice = store.turn(turn.id)?.getState().notice ?? null
      return { ending, labels: labels(), notice: notice === null ? [] : noticeSentences(notice), runs }
    },
  }
}

/** Does the work for every item, a batch of them at a time. */
export async function inBatches<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: size }, worker))
}
