import type { BagTemplate } from '@langchain/langgraph-sdk'
import type { UseStreamTransport } from '@langchain/langgraph-sdk/react'
import { langgraph } from '../adapters/langgraph.ts'
import type { Ending } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import { type Feed, feedOf } from '../feed.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { ToolCallStream } from '../store/stream.ts'
import { createResponseEar } from './response.ts'

type Fetch = typeof globalThis.fetch
type State = Record<string, unknown>
type Payload<StateType extends State, Bag extends BagTemplate> = Parameters<
  UseStreamTransport<StateType, Bag>['stream']
>[0]

/**
 * A transport for LangGraph's `useStream` that hands on the very events of another one, and tells them to a store. Each
 * run is a stream of the scope that its thread's id names; a resumed one continues the scope's latest turn. Give a
 * function that makes it with our `fetch`, so that comments count as signs of life and a refusal is known by its status;
 * a ready transport shows only its events.
 * @example const transport = withToolCalls(store, (fetch) => new FetchStreamTransport({ apiUrl, fetch }))
 */
export function withToolCalls<StateType extends State = State, Bag extends BagTemplate = BagTemplate>(
  store: ToolCallStore,
  transport: UseStreamTransport<StateType, Bag> | ((fetch: Fetch) => UseStreamTransport<StateType, Bag>),
): UseStreamTransport<StateType, Bag> {
  const runs = new WeakMap<AbortSignal, Tap>()
  const listening: Fetch = async (input, init) => {
    const response = await fetch(input, init)
    return (init?.signal && runs.get(init.signal)?.hear(response)) ?? response
  }
  const inner = typeof transport === 'function' ? transport(listening) : transport
  return {
    async stream(payload) {
      const place = placeOf(store, payload)
      if (place.turnId !== undefined) answerAsked(store, place.turnId, payload.command?.resume)
      const stream = store.openStream({ ...place, liveness: 'events', speaker: langgraph.speaker })
      const run = tap(store, stream, payload.signal)
      runs.set(run.signal, run)
      // Its own signal: closing the SDK's iterator lets go of the connection without closing it.
      const opening = (async () => inner.stream({ ...payload, signal: run.signal }))()
      try {
        return run.through(await run.unlessOver(opening))
      } catch (error) {
        run.lose(error)
        // One that opens all the same must not stay open.
        opening.then((late) => late.return(undefined)).catch(ignore)
        throw error
      }
    },
  }
}

function placeOf<StateType extends State, Bag extends BagTemplate>(
  store: ToolCallStore,
  { config, command, input }: Payload<StateType, Bag>,
): { readonly scope: string | undefined; readonly turnId: string | undefined } {
  const thread: unknown = config?.configurable?.thread_id
  const scope = typeof thread === 'string' ? thread : undefined
  // Without an input a graph goes on from where it stopped.
  const continues = scope !== undefined && (command?.resume !== undefined || (input ?? command) == null)
  return { scope, turnId: continues ? store.turnOf(scope)?.getState().id : undefined }
}

/** What a person decided, in the order of what was asked: nothing on the wire tells a refusal from a tool that failed. */
function answerAsked(store: ToolCallStore, turnId: string, resume: unknown): void {
  const decisions: readonly unknown[] = isRecord(resume) && Array.isArray(resume.decisions) ? resume.decisions : []
  store.flush()
  const items = store.turn(turnId)?.getState().items ?? []
  const asked = items.flatMap(({ type, key }) => {
    const call = type === 'call' ? store.callByKey(turnId, key)?.getState() : undefined
    return call?.phase === 'waiting' && call.on === 'person' ? call : []
  })
  if (asked.length !== decisions.length) return
  for (const [place, { id, key }] of asked.entries()) {
    const decision = decisions[place]
    const type = isRecord(decision) ? decision.type : undefined
    if (type === 'approve' || type === 'edit' || type === 'reject')
      store.answerApproval({ callId: id, key, turnId }, { granted: type !== 'reject' })
  }
}

interface Tap {
  /** Aborted when the host stops, and when the kit itself gives the source up. */
  readonly signal: AbortSignal
  /** The same response, whose bytes are heard. */
  hear(response: Response): Response
  /** What is waited for; rejects at once when the signal is aborted, whether or not the transport heeds it. */
  unlessOver<Value>(work: Promise<Value>): Promise<Value>
  /** The source's events, each told to the store before the host has it. */
  through<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item>
  lose(error: unknown): void
}

function tap(store: ToolCallStore, stream: ToolCallStream, stopped: AbortSignal): Tap {
  // Whether bytes are heard under the events is for the response to say.
  const feed: Feed = feedOf(langgraph, stream, 'kept')
  const ear = createResponseEar(stream)
  const own = new AbortController()
  let feeding = false
  let leave: (reason: unknown) => void = ignore
  own.signal.addEventListener('abort', () => leave(own.signal.reason))

  // Its cause comes first: what follows a stop, a clean end or an error, is no news.
  const stop = (): void => {
    store.cancel(stream.turnId, 'user')
    own.abort(stopped.reason)
  }
  stream.signal.addEventListener('abort', () => {
    // After an end that the wire told of the host may still get a last state.
    if (!feeding) own.abort(stopped.aborted ? stopped.reason : reasonFor(stream.ending))
  })
  stopped.addEventListener('abort', stop, { signal: own.signal })
  if (stopped.aborted) stop()

  const unlessOver = <Value>(work: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      leave = reject
      work.then(resolve, reject)
      if (own.signal.aborted) reject(own.signal.reason)
    })
  const lose = (error: unknown): void => stream.end(ear.refusal() ?? lossOf(error))

  return {
    signal: own.signal,
    hear: ear.hear,
    unlessOver,
    lose,
    // The SDK reads ahead by itself and its hook waits for nothing between two events: what is pulled is not late.
    async *through(source) {
      try {
        for (;;) {
          const { done, value } = await unlessOver(source.next())
          if (done === true) return
          feeding = true
          feed(value)
          feeding = false
          yield value
        }
      } catch (error) {
        lose(error)
        throw error
      } finally {
        // Also where the host leaves without a word, as it does after an `error`.
        stream.end(ear.refusal())
        own.abort(reasonFor(stream.ending))
        source.return(undefined).catch(ignore)
      }
    },
  }
}

/** As what the host sees a source that the kit gave up: its hook shows any error but this one name. */
function reasonFor(ending: Ending | null): Error {
  return ending?.type === 'lost' && ending.how === 'idle'
    ? new Error('honest-tool-calls: nothing came for too long, so the connection counts as lost.')
    : new DOMException('honest-tool-calls: the stream has ended.', 'AbortError')
}

function lossOf(thrown: unknown): Ending {
  const { name, status, message }: Record<string, unknown> = isRecord(thrown) ? thrown : {}
  if (name === 'AbortError') return { type: 'cancelled', by: 'host', acknowledged: false }
  if (typeof status === 'number' && status >= 400) return reported(`http-${status}`)
  // A ready transport of the SDK tells of another status than 2xx only by these words.
  if (typeof message === 'string' && message.startsWith('Failed to stream:')) return reported('http')
  // The SDK does not read on behind a frame that is not JSON, as the last one is where a body was cut off.
  return { type: 'lost', how: name === 'SyntaxError' ? 'ended-early' : 'connection-lost', speaker: 'nobody' }
}

function reported(detail: string): Ending {
  return { type: 'lost', how: 'provider-error', speaker: 'relay', detail }
}

function ignore(): void {}
