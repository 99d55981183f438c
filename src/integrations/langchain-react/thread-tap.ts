import { langgraph } from '../../adapters/langgraph.ts'
import { object } from '../../adapters/wire-values.ts'
import type { Ending } from '../../core/events.ts'
import { type Feed, feedOf } from '../../feed.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'
import type { LinkListener } from './stream-link.ts'

/** How a thread stands when a run of it is seen to begin. */
export interface Beginning {
  readonly threadId: string | null
  /** The id of the person's message, if that is the thread's last one. */
  readonly asked: string | undefined
}

/** What leaves a run: for good, or without a word to the server. */
interface Host {
  stop(): Promise<void>
  disconnect(): Promise<void>
}

/** Tells a store of the runs of a thread, one after the other. */
export interface ThreadTap extends LinkListener {
  /** A run is under way; said again and again while it is. What the kit ends itself, the host is to leave. */
  running(now: Beginning, host: Host): void
  /** A run has said its last word, by whichever of the hook's connections. */
  ended(): void
  /** None is under way any more: the first cause counts. */
  over(ending: Ending): void
  /** An event of the root's channels. */
  take(event: unknown, now: Beginning): void
}

/** What is kept of a thread's latest turn, also while nobody draws it. */
interface Kept {
  asked: string | undefined
  /** Its run waits for a person. */
  paused: boolean
}

const threads = new WeakMap<ToolCallStore, Map<string, Kept>>()

export function createThreadTap(store: ToolCallStore): ThreadTap {
  const known = threads.get(store) ?? new Map<string, Kept>()
  threads.set(store, known)
  let host: Host | undefined
  let stream: ToolCallStream | undefined
  let feed: Feed = () => {}
  let kept: Kept = { asked: undefined, paused: false }
  let isRunning = false
  let isLost = false
  let isFeeding = false
  let isEnding = false
  /** The run has said its last word; it, and what came before it, may still be on its way by the slower connection. */
  let hasEnded = false
  let unheard: Ending | undefined

  function open(scope: string | undefined, turnId: string | undefined): void {
    const opened = store.openStream({ scope, turnId, liveness: 'events', speaker: langgraph.speaker })
    stream = opened
    feed = feedOf(langgraph, opened)
    isLost = false
    opened.signal.addEventListener('abort', () => {
      if (isFeeding || isEnding) return
      // A server that was silent is not told to stop: what it does may still be wanted.
      void (opened.ending?.type === 'cancelled' ? host?.stop() : host?.disconnect())
    })
  }

  function end(ending: Ending, resumable = false): void {
    isEnding = true
    try {
      stream?.end(ending, { resumable })
    } finally {
      isEnding = false
    }
  }

  function begin({ threadId, asked }: Beginning): void {
    isRunning = true
    // What was to be heard of the run before is so no more.
    if (unheard !== undefined) end(unheard)
    hasEnded = false
    unheard = undefined
    const scope = threadId ?? undefined
    store.flush()
    const before = scope === undefined ? undefined : known.get(scope)
    const last = scope === undefined ? undefined : store.turnOf(scope)?.getState()
    // Without a new message of the person a run goes on with what waits, or with what was lost from sight.
    const goesOn = before !== undefined && (asked === undefined || asked === before.asked)
    const continues = goesOn && (before.paused || last?.ending?.type === 'lost')
    kept = { asked: asked ?? before?.asked, paused: false }
    if (scope !== undefined) known.set(scope, kept)
    open(scope, continues ? last?.id : undefined)
  }

  return {
    running(now, by) {
      host = by
      if (!isRunning) return begin(now)
      if (now.asked === undefined || now.asked === kept.asked) return
      // The person's message may be seen late; behind an answer it is the next one.
      if ((stream?.messages ?? 0) > 0) {
        end({ type: 'cancelled', by: 'user', acknowledged: false })
        begin(now)
      } else kept.asked = now.asked
    },
    ended() {
      hasEnded = true
    },
    over(ending) {
      if (!isRunning) return
      isRunning = false
      if (hasEnded && stream?.ending === null) {
        unheard = ending
        return
      }
      // What waits for the link has to be told that it waits in vain.
      if (isLost && stream !== undefined) open(undefined, stream.turnId)
      end(ending)
    },
    take(event, now) {
      const { method, params } = object(event)
      const { namespace, data } = object(params)
      const phase =
        method === 'lifecycle' && Array.isArray(namespace) && namespace.length === 0 ? object(data).event : undefined
      if (isLost) this.restored()
      // Two runs may follow each other too closely for the hook to draw what lies between.
      else if (phase === 'running' && (!isRunning || stream?.ending != null)) begin(now)
      if (stream === undefined || stream.ending !== null) return
      if (phase === 'interrupted') kept.paused = true
      isFeeding = true
      try {
        feed(event)
      } finally {
        isFeeding = false
      }
    },
    lost() {
      if (!isRunning || stream === undefined || stream.ending !== null) return
      end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, true)
      isLost = true
    },
    restored() {
      if (isLost && stream !== undefined) open(undefined, stream.turnId)
    },
  }
}
