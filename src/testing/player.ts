import type { Adapter } from '../adapters/adapter.ts'
import { ArgumentBuffer } from '../core/argument-buffer.ts'
import type { CallKey, StreamEvent } from '../core/events.ts'
import type { Registry, Tools } from '../core/tools.ts'
import { feedOf } from '../feed.ts'
import { createToolCallStore, type ToolCallStore } from '../store/create-store.ts'
import type { ToolCallStream } from '../store/stream.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

/**
 * What happens after the last byte: `done` and `eof` a clean end, `error` the connection breaks, `stall` nothing more comes,
 * `user-cancel` the user presses stop, `reload` the page is closed and opened again.
 */
export type ReplayEnding = 'done' | 'eof' | 'error' | 'stall' | 'user-cancel' | 'reload'

export const REPLAY_ENDINGS = [
  'done',
  'eof',
  'error',
  'stall',
  'user-cancel',
  'reload',
] as const satisfies readonly ReplayEnding[]

export interface PlayerOptions {
  readonly adapter: Adapter
  readonly tools?: Tools
  /** Default `server`, as in a store. */
  readonly defaultExecutor?: Registry['defaultExecutor']
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
  /** The argument text of each call as it came, by key. */
  readonly texts: ReadonlyMap<CallKey, ArgumentBuffer>
  feed(piece: Uint8Array | string): void
  /** What happens after the last byte; adds nothing where the capture has ended by itself. */
  end(ending: ReplayEnding): void
}

/** Opens a player. Its clock stands still, its publications wait for `store.flush()`, and no call misses its hand-off. */
export function createPlayer({ adapter, tools = {}, defaultExecutor = 'server' }: PlayerOptions): Player {
  const clock = createFakeClock()
  const options = {
    tools,
    defaultExecutor,
    clock,
    deadlines: { handoff: Number.POSITIVE_INFINITY },
    frame: () => () => {},
  }
  let store = createToolCallStore(options)
  const stream = store.openStream({ speaker: adapter.speaker })
  const texts = new Map<CallKey, ArgumentBuffer>()
  let frames = 0
  const counting: Adapter = {
    ...adapter,
    reader() {
      const reader = adapter.reader()
      return {
        open: () => reader.open(),
        read(event, emit) {
          const known = reader.read(event, (made) => {
            keepText(texts, made)
            emit(made)
          })
          if (known) frames++
          return known
        },
      }
    },
  }
  const feed = feedOf(counting, stream)

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
    texts,
    feed(piece) {
      feed(piece)
      store.flush()
    },
    end(ending) {
      if (stream.ending !== null) return
      if (stream.whole || ending === 'done' || ending === 'eof') stream.end()
      else if (ending === 'error') stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
      else if (ending === 'stall') while (stream.ending === null) clock.advance(60_000)
      else if (ending === 'user-cancel') store.cancel(stream.turnId)
      else {
        const kept = JSON.parse(JSON.stringify(store.snapshot())) as ReturnType<ToolCallStore['snapshot']>
        stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody' })
        store = createToolCallStore(options)
        store.restore(kept)
      }
      store.flush()
    },
  }
}

function keepText(texts: Map<CallKey, ArgumentBuffer>, event: StreamEvent): void {
  switch (event.type) {
    case 'call-announced':
      texts.set(event.key, new ArgumentBuffer())
      break
    case 'call-fragment':
      texts.get(event.key)?.append(event.text)
      break
    case 'call-snapshot':
      if ('text' in event) texts.get(event.key)?.replaceText(event.text)
      break
    default:
  }
}
