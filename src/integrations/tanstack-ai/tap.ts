import type { Adapter } from '../../adapters/adapter.ts'
import { object } from '../../adapters/wire-values.ts'
import type { Ending } from '../../core/events.ts'
import { feedOf } from '../../feed.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { createResponseEar } from '../response.ts'

export type FetchClient = typeof fetch

/** What a run is to the store: of which thread, and of which turn once it has one. */
export interface Run {
  scope?: string | undefined
  turnId?: string | undefined
}

/** Hears one stream of a connection, and tells the store. Nothing of it throws but `end`. */
export interface Tap {
  /** For the inner connection in place of the host's: aborted with it, or when the kit ends the stream. */
  readonly signal: AbortSignal
  readonly turnId: string
  /** Whether the kit ended the stream, as it was cancelled here or fell silent. */
  readonly givenUp: boolean
  /** The same response, whose bytes are heard. */
  hear(response: Response): Response
  take(chunk: unknown): void
  /** The connection ended without an error. @throws if the kit ended it: the host would take the end for a good one */
  end(): void
  fail(error: unknown): void
  /** Nobody reads any more: whatever is left of the connection goes. */
  leave(): void
}

/** Opens a stream of the run in the store. */
export function openTap(store: ToolCallStore, adapter: Adapter, run: Run, hostSignal: AbortSignal | undefined): Tap {
  const { speaker } = adapter
  const stream = store.openStream({ speaker, liveness: 'events', scope: run.scope, turnId: run.turnId })
  run.turnId = stream.turnId
  // A copy takes the word that only events are seen, which is not so where bytes are heard.
  const feed = feedOf(adapter, { ...stream })
  const controller = new AbortController()
  const ear = createResponseEar(stream)

  // A stop, an unmount and a navigation look the same here. The clean end that follows an abort is none.
  const stopped = (): void => {
    store.cancel(stream.turnId)
    controller.abort()
  }
  if (hostSignal?.aborted) stopped()
  hostSignal?.addEventListener('abort', stopped)
  stream.signal.addEventListener('abort', () => {
    if (isOurs(stream.ending)) controller.abort()
  })

  return {
    signal: controller.signal,
    turnId: stream.turnId,
    get givenUp() {
      return !hostSignal?.aborted && isOurs(stream.ending)
    },
    hear: ear.hear,
    take(chunk) {
      try {
        feed(isInvented(chunk) ? { type: 'RUN_FINISHED' } : chunk)
      } catch {
        // Whatever a listener of the store does must not cost the host its reply.
      }
    },
    end() {
      if (this.givenUp)
        throw new Error('honest-tool-calls: the kit ended this stream, because it was cancelled or fell silent.')
      stream.end(ear.refusal())
    },
    fail: (error) => stream.end(ear.refusal() ?? lossOf(error)),
    leave() {
      hostSignal?.removeEventListener('abort', stopped)
      stream.end({ type: 'cancelled', by: 'host', acknowledged: false })
      controller.abort()
    },
  }
}

/** Whether the store itself ended the stream: by a deadline, or as its own `cancel` was called. */
function isOurs(ending: Ending | null): boolean {
  return ending?.type === 'cancelled' ? !ending.acknowledged : ending?.type === 'lost' && ending.how === 'idle'
}

/**
 * At `[DONE]` a connection writes an end of the run itself, a good one whatever came before. What crosses a wire has its
 * reason at the top level too: the connection puts it there.
 */
function isInvented(chunk: unknown): boolean {
  const { type, finishReason, metadata } = object(chunk)
  const written = object(object(metadata).tanstack).finishReason
  return type === 'RUN_FINISHED' && finishReason === undefined && written === 'stop'
}

/** What a connection throws says by its name; the words of its message may be any. */
function lossOf(error: unknown): Ending | undefined {
  const { name, status } = object(error)
  if (typeof status === 'number' && status >= 400)
    return { type: 'lost', how: 'provider-error', speaker: 'relay', detail: `http-${status}` }
  // The source came to its end, but something in it was no JSON.
  if (name === 'SyntaxError') return undefined
  return { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
}
