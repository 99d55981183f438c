import type { Adapter } from '../adapters/adapter.ts'
import { ArgumentBuffer } from '../core/argument-buffer.ts'
import type { CallKey, StreamEvent } from '../core/events.ts'
import type { Recorder } from '../core/recorder.ts'
import type { Registry, Tools } from '../core/tools.ts'
import { DEFAULT_DEADLINES } from '../deadlines.ts'
import { feedOf } from '../feed.ts'
import { createToolCallStore, type ToolCallStore } from '../store/create-store.ts'
import type { ToolCallStream } from '../store/stream.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

/**
 * What happens after the last byte: `done` and `eof` a clean end, `error` the connection breaks, `stall` nothing more comes,
 * `user-cancel` the user presses stop, `reload` the page is closed and opened again.
 */
export type ReplayEnding = 'done' | 'eof' | 'error' | 'stall' | 'user-cancel' | 'reload'

/** Every ending that can be played, for tests that go through all of them. */
export const REPLAY_ENDINGS: readonly ReplayEnding[] = ['done', 'eof', 'error', 'stall', 'user-cancel', 'reload']

/** What a capture is played with. */
export interface PlayerOptions {
  /** The wire format of the capture. */
  readonly adapter: Adapter
  /** Default: none. */
  readonly tools?: Tools
  /** Default `server`, as in a store. */
  readonly defaultExecutor?: Registry['defaultExecutor']
  /** Told what becomes of calls, before and after a reload. Default: nobody. */
  readonly record?: Recorder
}

/** Plays a capture into a store, piece by piece, in no time of its own. */
export interface Player {
  /** After a `reload`: the store of the page that was opened again. */
  readonly store: ToolCallStore
  readonly turnId: string
  readonly stream: ToolCallStream
  readonly clock: FakeClock
  /** How many events of the format were seen. */
  readonly frames: number
  /** What came of the arguments of each call while it took any, by its key in the turn; kept when it has settled. */
  readonly buffers: ReadonlyMap<CallKey, ArgumentBuffer>
  /** Ingests one piece of the capture and publishes what it changed. */
  feed(piece: Uint8Array | string): void
  /**
   * What happens after the last byte; adds nothing where the capture has ended by itself.
   * A stream that stalls while a person is asked stays open: no silence ends that.
   */
  end(ending: ReplayEnding): void
}

const STEP = 10_000
// Nothing comes of a silence that is longer than every deadline.
const LONGEST_SILENCE = 2 * Math.max(...Object.values(DEFAULT_DEADLINES))

/** Opens a player. Its clock stands still, its publications wait for `store.flush()`, and no call misses its hand-off. */
export function createPlayer({ adapter, tools = {}, defaultExecutor = 'server', record }: PlayerOptions): Player {
  const clock = createFakeClock()
  const options = {
    tools,
    defaultExecutor,
    clock,
    deadlines: { handoff: Number.POSITIVE_INFINITY },
    frame: () => () => {},
    ...(record === undefined ? {} : { record }),
  }
  let store = createToolCallStore(options)
  const stream = store.openStream({ speaker: adapter.speaker })
  const buffers = new Map<CallKey, ArgumentBuffer>()
  let frames = 0
  const watched: Adapter = {
    ...adapter,
    reader() {
      const reader = adapter.reader()
      return {
        open: () => reader.open(),
        read(event, emit) {
          const known = reader.read(event, (made) => {
            const before = tooLate(store)
            emit(made)
            // Text that the store did not take is none of the call's.
            if (tooLate(store) === before) keep(buffers, made)
          })
          if (known) frames++
          return known
        },
      }
    },
  }
  const feed = feedOf(watched, stream)

  function stall(): void {
    // In steps, and not over the end: what a call waits for after its stream is another matter.
    for (let waited = 0; stream.ending === null && waited < LONGEST_SILENCE; waited += STEP) clock.advance(STEP)
  }

  function reload(): void {
    const kept = JSON.parse(JSON.stringify(store.snapshot())) as ReturnType<ToolCallStore['snapshot']>
    stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody' })
    store = createToolCallStore(options)
    store.restore(kept)
  }

  return {
    get store() {
      return store
    },
    turnId: stream.turnId,
    stream,
    clock,
    get frames() {
      return frames
    },
    buffers,
    feed(piece) {
      feed(piece)
      store.flush()
    },
    end(ending) {
      if (stream.ending !== null) return
      if (stream.whole || ending === 'done' || ending === 'eof') stream.end()
      else if (ending === 'error') stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
      else if (ending === 'stall') stall()
      else if (ending === 'user-cancel') store.cancel(stream.turnId)
      else reload()
      store.flush()
    },
  }
}

/** How much a store dropped because its call, or its stream, had ended. */
function tooLate(store: ToolCallStore): number {
  const { dropped } = store.counts()
  return (dropped['not-open'] ?? 0) + (dropped['after-stream-end'] ?? 0)
}

function keep(buffers: Map<CallKey, ArgumentBuffer>, event: StreamEvent): void {
  switch (event.type) {
    case 'call-announced':
      buffers.set(event.key, new ArgumentBuffer())
      break
    case 'call-fragment':
      buffers.get(event.key)?.append(event.text)
      break
    case 'call-snapshot':
      if ('text' in event) buffers.get(event.key)?.replaceText(event.text)
      else buffers.get(event.key)?.replaceValue(event.value)
      break
    case 'call-leaf':
      buffers.get(event.key)?.setLeaf(event.path, event.value, event.continues)
      break
    default:
  }
}
