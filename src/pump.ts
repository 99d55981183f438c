import type { Adapter } from './adapters/adapter.ts'
import type { Ending } from './core/events.ts'
import { isRecord } from './core/json.ts'
import { feedOf } from './feed.ts'
import type { ToolCallStore } from './store/create-store.ts'
import type { StreamOptions, ToolCallStream } from './store/stream.ts'
import type { StreamSummary } from './store/summary.ts'

/** What an answer can be read from: a `Response`, a byte stream, or the iterable of a provider's own SDK. */
export type Source = Response | ReadableStream<unknown> | AsyncIterable<unknown>

/** Opens the source; stops opening when the signal is aborted. */
export type Open = (signal: AbortSignal) => Source | PromiseLike<Source>

export interface PumpOptions extends Pick<StreamOptions, 'scope' | 'turnId'> {
  /** Aborting it cancels the turn on the host's behalf. */
  readonly signal?: AbortSignal
}

/** A turn that is being read. */
export interface PumpedTurn {
  readonly id: string
  /** The user pressed stop: ends the stream and settles what waits at the gate. */
  cancel(): void
  /** What the stream came to. Never rejects: every ending is an outcome. */
  readonly ended: Promise<StreamSummary>
}

/**
 * Reads a source to its end into a store. Whatever happens (it throws, ends early, never yields, goes on after its end),
 * the stream ends exactly once and what was held is let go.
 * @example const turn = pump((signal) => fetch('/api/chat', { method: 'POST', body, signal }), anthropic, store)
 */
export function pump(
  source: Open | Source,
  adapter: Adapter,
  store: ToolCallStore,
  options: PumpOptions = {},
): PumpedTurn {
  const stream = store.openStream({
    speaker: adapter.speaker,
    liveness: 'bytes',
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(options.turnId === undefined ? {} : { turnId: options.turnId }),
  })
  const { signal } = options
  const cancelledByHost = (): void => store.cancel(stream.turnId, 'host')
  signal?.addEventListener('abort', cancelledByHost)
  stream.signal.addEventListener('abort', () => signal?.removeEventListener('abort', cancelledByHost))

  if (signal?.aborted === true) {
    cancelledByHost()
    if (typeof source !== 'function') letGo(source)
  } else void read(source, adapter, stream)

  return { id: stream.turnId, ended: stream.ended, cancel: () => store.cancel(stream.turnId, 'user') }
}

async function read(source: Open | Source, adapter: Adapter, stream: ToolCallStream): Promise<void> {
  try {
    const opened = typeof source === 'function' ? await source(stream.signal) : source
    // A source that opens after its stream was cancelled must not stay open.
    if (stream.ending !== null) return letGo(opened)
    const refused = isResponse(opened) ? await refusalOf(opened, adapter) : null
    if (refused !== null) return stream.end(refused)
    if (!isResponse(opened)) await readItems(opened, adapter, stream)
    else if (opened.body === null) stream.end()
    else await readItems(opened.body, adapter, stream)
  } catch (error) {
    stream.end(lossOf(error))
  }
}

/** An answer that is no stream: another status than 2xx, or a JSON body that says so. */
async function refusalOf(response: Response, adapter: Adapter): Promise<Ending | null> {
  const refused = (detail: string): Ending => ({
    type: 'lost',
    how: 'provider-error',
    speaker: adapter.speaker,
    detail,
  })
  if (!response.ok) {
    letGo(response)
    return refused(`http-${response.status}`)
  }
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return null
  const body: unknown = await response.json().catch(() => null)
  return isRecord(body) && 'error' in body
    ? refused('json-error')
    : { type: 'lost', how: 'ended-early', speaker: 'nobody' }
}

async function readItems(source: Exclude<Source, Response>, adapter: Adapter, stream: ToolCallStream): Promise<void> {
  const feed = feedOf(adapter, stream)
  const items = iterate(source)
  stream.signal.addEventListener('abort', items.release)
  for (;;) {
    const { done, value } = await items.next()
    if (stream.ending !== null) return
    if (done === true) return stream.end()
    feed(value)
  }
}

interface Items {
  next(): Promise<{ readonly done?: boolean; readonly value?: unknown }>
  /** Lets go of what the source holds. Best effort; what it answers no longer matters. */
  release(): void
}

function iterate(source: Exclude<Source, Response>): Items {
  if ('getReader' in source) {
    // Not every browser can iterate a byte stream.
    const reader = source.getReader()
    return { next: () => reader.read(), release: () => void reader.cancel().catch(ignore) }
  }
  const iterator = source[Symbol.asyncIterator]()
  return {
    next: () => iterator.next(),
    release() {
      letGo(source)
      iterator.return?.().then(ignore, ignore)
    },
  }
}

/** Closes a source that nobody reads. */
function letGo(source: Source): void {
  if (isResponse(source)) {
    if (source.body !== null) letGo(source.body)
  } else if ('getReader' in source) {
    if (!source.locked) source.cancel().catch(ignore)
  } else {
    // The SDKs' streams close their connection through a controller of theirs.
    const { controller } = source as { readonly controller?: unknown }
    if (controller instanceof AbortController) controller.abort()
  }
}

function ignore(): void {}

function isResponse(source: Source): source is Response {
  return 'headers' in source && 'ok' in source
}

/** What a thrown error says: the SDKs put a status or the provider's own error object on theirs; all else is the connection. */
function lossOf(error: unknown): Ending {
  const { status, error: body, type, name } = isRecord(error) ? error : {}
  if (name === 'AbortError') return { type: 'cancelled', by: 'host', acknowledged: false }
  if (typeof status === 'number')
    return { type: 'lost', how: 'provider-error', speaker: 'model', detail: `http-${status}` }
  if (body !== undefined && body !== null) {
    return {
      type: 'lost',
      how: 'provider-error',
      speaker: 'model',
      ...(typeof type === 'string' ? { detail: type } : {}),
    }
  }
  return { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
}
