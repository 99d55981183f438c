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

export interface PumpOptions extends Pick<StreamOptions, 'scope' | 'turnId' | 'corrects' | 'requestId' | 'retryOf'> {
  /** Aborting it cancels the turn on the host's behalf. */
  readonly signal?: AbortSignal | undefined
  /**
   * Opens what there is of an answer whose connection was lost: its rest, or all of it again. Called once for each loss,
   * five times at most; may try for as long as its signal lets it, which is the deadline `resume`. `null`, a throw, 204
   * or an error status: there is nothing any more. Default: what was lost is lost.
   */
  readonly resume?: ((signal: AbortSignal) => Source | null | PromiseLike<Source | null>) | undefined
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
  const { signal, resume, ...streamOptions } = options
  const resumable = resume !== undefined
  const open = (more: StreamOptions): ToolCallStream =>
    store.openStream({ ...streamOptions, ...more, resumable, speaker: adapter.speaker, liveness: 'bytes' })
  const first = open({})
  const { turnId } = first
  const cancelledByHost = (): void => store.cancel(turnId, 'host')
  const detach = (): void => signal?.removeEventListener('abort', cancelledByHost)
  signal?.addEventListener('abort', cancelledByHost)
  first.signal.addEventListener('abort', () => {
    if (!first.waits) detach()
  })

  if (signal?.aborted === true) {
    cancelledByHost()
    if (typeof source !== 'function') letGo(source)
  } else void read(source, adapter, first)

  async function goOn(): Promise<StreamSummary> {
    let stream = first
    for (let tries = 0; resume !== undefined; tries++) {
      await endOf(stream)
      const source = tries < RESUMES ? await resumed(resume, stream) : null
      if (source === null) break
      stream = open({ turnId, resumes: true })
      void read(source, adapter, stream)
    }
    stream.giveUp()
    const summary = await stream.ended
    detach()
    return summary
  }

  return { id: turnId, ended: goOn(), cancel: () => store.cancel(turnId, 'user') }
}

const RESUMES = 5

function endOf({ signal }: ToolCallStream): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}

/** What can still be had of a lost stream, while it waits; null where there is nothing, and where it was not lost. */
async function resumed(resume: NonNullable<PumpOptions['resume']>, stream: ToolCallStream): Promise<Open | null> {
  if (!stream.waits) return null
  const controller = new AbortController()
  const opening = (async () => resume(controller.signal))()
  const given = stream.ended.then(() => null)
  const source = await Promise.race([opening, given]).catch(() => null)
  const isThere = source !== null && stream.waits && !(isResponse(source) && (!source.ok || source.body === null))
  if (!isThere) {
    controller.abort()
    void opening.then((late) => late !== null && letGo(late), ignore)
    return null
  }
  return (signal) => {
    signal.addEventListener('abort', () => controller.abort())
    return source
  }
}

async function read(source: Open | Source, adapter: Adapter, stream: ToolCallStream): Promise<void> {
  let opened: Source | null = null
  try {
    opened = typeof source === 'function' ? await source(stream.signal) : source
    // A source that opens after its stream was cancelled must not stay open.
    if (stream.ending !== null) return letGo(opened)
    const refused = isResponse(opened) ? await refusalOf(opened, adapter, stream) : null
    if (refused !== null) return stream.end(refused)
    if (stream.ending !== null) return letGo(opened)
    if (!isResponse(opened)) await readItems(opened, adapter, stream)
    else if (opened.body === null) stream.end()
    else await readItems(opened.body, adapter, stream)
  } catch (error) {
    stream.end(lossOf(error, opened, adapter))
  }
}

/** An answer that is no stream: another status than 2xx, or a JSON body that says so. */
async function refusalOf(response: Response, adapter: Adapter, stream: ToolCallStream): Promise<Ending | null> {
  if (!response.ok) {
    letGo(response)
    return reported(adapter, `http-${response.status}`)
  }
  // Not `application/x-ndjson`, nor `application/stream+json`: those are streams.
  const isJson = /(?<!stream)[/+]json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')
  if (!isJson || response.body === null) return null
  const body = await jsonOf(response.body, stream)
  const { error = null } = isRecord(body) ? body : {}
  return error === null ? { type: 'lost', how: 'ended-early', speaker: 'nobody' } : reported(adapter, 'json-error')
}

async function jsonOf(body: ReadableStream<unknown>, stream: ToolCallStream): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  await eachItem(body, stream, (piece) => {
    stream.touch()
    text += piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : ''
  })
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function readItems(source: Exclude<Source, Response>, adapter: Adapter, stream: ToolCallStream): Promise<void> {
  await eachItem(source, stream, feedOf(adapter, stream))
  if (stream.ending !== null) return
  const { controller, done, errored } = source as SdkStream
  // Anthropic's helper drops an error that comes before its events are read, and then seems to end well.
  if (errored === true) await done?.call(source)
  // The SDKs' streams end in silence where their own controller was aborted.
  if (controller?.signal?.aborted === true && !stream.whole) stream.end(ABORTED)
  else stream.end()
}

/** Hands on what a source yields, until it or the stream ends. */
async function eachItem(
  source: Exclude<Source, Response>,
  stream: ToolCallStream,
  take: (item: unknown) => void,
): Promise<void> {
  const items = iterate(source)
  stream.signal.addEventListener('abort', items.release)
  for (;;) {
    const { done, value } = await items.next()
    if (stream.ending !== null || done === true) return
    take(value)
  }
}

/** What the streams of the official SDKs have beside their events. */
interface SdkStream {
  /** Closes the connection. */
  readonly controller?: { readonly signal?: { readonly aborted?: boolean }; abort?(): void }
  /** Of the helpers: whether an error or an abort ended it, and a promise that throws it. */
  readonly errored?: boolean
  readonly aborted?: boolean
  done?(): Promise<void>
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
    const release = (): void => {
      reader.cancel().catch(ignore)
      reader.releaseLock()
    }
    return { next: () => reader.read(), release }
  }
  const iterator = source[Symbol.asyncIterator]()
  const close = async (): Promise<void> => {
    ;(source as SdkStream).controller?.abort?.()
    await iterator.return?.()
  }
  return { next: () => iterator.next(), release: () => void close().catch(ignore) }
}

/** Closes a source that nobody reads. */
function letGo(source: Source): void {
  const items = isResponse(source) ? source.body : source
  if (items === null || ('locked' in items && items.locked)) return
  // By the road of one that is read: the SDKs' helpers take an abort that nobody listens to for an unhandled error.
  iterate(items).release()
}

function ignore(): void {}

function isResponse(source: Source): source is Response {
  return 'headers' in source && 'ok' in source
}

const ABORTED: Ending = { type: 'cancelled', by: 'host', acknowledged: false }

/**
 * What a thrown error says, by its fields: the SDKs put a status or the provider's own error object on theirs.
 * Undefined where the source itself ended and its SDK did not like what had come; all else is the connection.
 */
function lossOf(thrown: unknown, source: Source | null, adapter: Adapter): Ending | undefined {
  const error = isRecord(thrown) ? thrown : {}
  const cause = isRecord(error.cause) ? error.cause : {}
  const { errored, aborted } = (source ?? {}) as SdkStream
  // OpenAI's errors have no names of their own.
  const names = [error.name, cause.name, error.constructor?.name]
  if (aborted === true || names.includes('AbortError') || names.includes('APIUserAbortError')) return ABORTED
  // Its name differs by SDK: OpenAI, Anthropic, Google; Mistral, Cohere; Ollama.
  const status = [error.status, error.statusCode, error.status_code].find(
    (code) => typeof code === 'number' && code >= 400,
  )
  if (status !== undefined) return reported(adapter, `http-${status}`)
  // AWS's SDK throws the exceptions that come among the events of a stream.
  if ('$fault' in error) return reported(adapter, error.name)
  const { error: body = null, code, type } = error
  if (body !== null)
    return reported(
      adapter,
      [code, type].find((word) => typeof word === 'string'),
    )
  const complaint = errored === true && !('cause' in error) && !('status' in error)
  if (complaint || names.includes('SyntaxError')) return undefined
  return { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
}

/** The service refused. Whoever says so by a status or an error need not be the one who runs the tools. */
function reported(adapter: Adapter, detail: unknown): Ending {
  const speaker = adapter.speaker === 'executor' ? 'relay' : adapter.speaker
  return { type: 'lost', how: 'provider-error', speaker, ...(typeof detail === 'string' ? { detail } : {}) }
}
