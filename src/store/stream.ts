import type { Call } from '../core/call.ts'
import type { Ending, Speaker, StreamEvent } from '../core/events.ts'
import type { Report } from '../core/report.ts'
import { safely } from '../core/safely.ts'
import type { RetriedCall, Turn } from '../core/turn.ts'
import { type Liveness, SilenceWatch, silenceRule } from '../silence.ts'
import type { Context } from './context.ts'
import type { Entry, LostStream } from './publisher.ts'
import { type Judged, type StreamSummary, summarise } from './summary.ts'

export interface StreamOptions {
  /** Chat or thread: where a call is looked up by its id. */
  readonly scope?: string | undefined
  /** Continues this turn: after a client result, an approval, a resume. Default: a new turn. */
  readonly turnId?: string | undefined
  /** What is seen of the stream. Default `bytes`; `events` where an SDK drops pings, which asks for longer deadlines. */
  readonly liveness?: Liveness
  /** The host sends schema errors back to the model: until its next message their blocks stay "Preparing". Default `false`. */
  readonly corrects?: boolean
  /** What the host calls this request: for records and traces. */
  readonly requestId?: string | undefined
  /**
   * The host can go on with it by another stream of this turn, if its connection is lost, or silent for too long. What is
   * open then waits for that, as long as the deadline `resume` says. Default `false`.
   */
  readonly resumable?: boolean
  /** Goes on with what the last stream of the turn left off, or tells it again from its start. Default `false`. */
  readonly resumes?: boolean
  /** The call of an earlier turn that this new turn tries again. */
  readonly retryOf?: RetriedCall | undefined
  /** Whose word a clean end without further news is. Default `nobody`. */
  readonly speaker?: Speaker
}

/** The push intake: one response body read to its end. */
export interface ToolCallStream {
  readonly turnId: string
  liveness: Liveness
  /** Aborted when the stream has ended for any reason: what feeds it should stop. */
  readonly signal: AbortSignal
  /** How it ended; null while it is open. */
  readonly ending: Ending | null
  /** Whether every message that started has ended: then a clean end of the source is complete. */
  readonly whole: boolean
  /** How many messages the turn has so far. */
  readonly messages: number
  /** Whether it goes on with the last stream of its turn. */
  readonly resumes: boolean
  /** Whether it was lost and may still be resumed. */
  readonly waits: boolean
  /** What it came to; after its end, after all checks, and where it may be resumed after that has begun or was given up. */
  readonly ended: Promise<StreamSummary>
  /**
   * Ingests one event. After the stream's end: dropped and counted.
   * @param at when it came, as `touch()` said, where several came at once; default now
   */
  push(event: StreamEvent, at?: number): void
  /** Bytes, pings or comments came. Returns when, by the clock of the store. */
  touch(): number
  /**
   * Ends the stream; the first ending counts. Without an ending: the source ended cleanly, which is
   * complete if every message that started has ended, and early otherwise.
   */
  end(ending?: Ending, options?: { readonly resumable?: boolean }): void
  /** Nobody goes on with it: what waits for that settles by its ending. */
  giveUp(): void
  /** State that an adapter keeps over all streams of the turn. */
  carry<State>(key: object, make: () => State): State
  /** Counts a frame that is none of the format. */
  skip(): void
}

/** Opens a stream in a store. */
export function openStream(context: Context, options: StreamOptions = {}): ToolCallStream {
  const { ledger, publisher } = context
  const number = context.streamCount++
  const entry = context.begin(options.turnId, options.scope, options.retryOf)
  const { turn } = entry
  const last = [...entry.sources.keys()].at(-1)
  const resumed = options.resumes === true && last !== undefined && !turn.openStreams.has(last) ? last : undefined
  const judged = new Map<Call, Judged>(resumed === undefined ? [] : entry.lost?.judged)
  context.judged.set(number, judged)
  const controller = new AbortController()
  let ending: Ending | null = null
  const open = (): boolean => ending === null
  const silence = new SilenceWatch(
    context.clock,
    context.deadlines,
    context.settings,
    options.liveness ?? 'bytes',
    (rule) => stream.end({ type: 'lost', how: 'idle', speaker: 'nobody', detail: rule }),
  )
  const { promise: ended, resolve } = withResolvers<StreamSummary>()

  const watch = (): void => {
    if (open()) return silence.follow(silenceRule(heardBy(entry, number)))
    const calls = callsOf(entry, number)
    if (ending === null || waits() || calls.some((call) => call.state.phase === 'validating')) return
    context.watchers.delete(watch)
    context.judged.delete(number)
    resolve(summarise(turn, number, ending, calls, judged, silence.gaps()))
  }
  context.watchers.add(watch)

  const clean = (): Ending =>
    isWhole(entry, number)
      ? { type: 'complete', speaker: options.speaker ?? 'nobody' }
      : { type: 'lost', how: 'ended-early', speaker: 'nobody' }

  const waits = (): boolean => entry.lost === lost
  const lost: LostStream = {
    judged,
    over() {
      context.deadlines.clear(lost)
      if (waits()) entry.lost = null
      watch()
    },
  }
  const giveUp = (): void => {
    if (!waits()) return
    for (const call of turn.unsettled) ledger.act(turn, call, { type: 'deadline-passed', deadline: 'resume' })
    context.changed(entry)
    lost.over()
  }

  const finish = (how: Ending, resumable: boolean): void => {
    ending = how
    silence.stop()
    context.streams.delete(stream)
    if (resumable) {
      entry.lost?.over()
      entry.lost = lost
      context.deadlines.set(lost, context.settings.resume, giveUp)
    }
    ledger.apply(turn, number, { type: 'stream-ended', ending: how }, resumable)
    context.changed(entry)
    // After the calls have settled: whoever stops because of this must find the truth already told.
    controller.abort()
  }

  /** What its service or its user ended is not to be had again. */
  const mayResume = (how: Ending): boolean =>
    options.resumable === true && how.type === 'lost' && how.how !== 'provider-error' && how.how !== 'reloaded'

  const stream: ToolCallStream = {
    turnId: turn.id,
    ended,
    signal: controller.signal,
    get liveness() {
      return silence.liveness
    },
    set liveness(seen) {
      silence.liveness = seen
    },
    get ending() {
      return ending
    },
    get whole() {
      return isWhole(entry, number)
    },
    get messages() {
      return turn.messages.size
    },
    get waits() {
      return waits()
    },
    resumes: options.resumes === true,
    giveUp,
    push(event, at) {
      if (!open()) return context.drop('after-stream-end')
      if (event.type === 'stream-ended') return finish(event.ending, mayResume(event.ending))
      silence.event(at)
      if (event.type === 'outcome-reported' && reportElsewhere(context, turn.id, event.report)) return
      ledger.apply(turn, number, event)
      if (event.type === 'call-fragment' || event.type === 'text-fragment') publisher.mark(entry, false)
      else context.changed(entry)
      tell(context, turn, event)
    },
    touch: () => (open() ? silence.touch() : context.clock.now()),
    end(how = clean(), { resumable = mayResume(how) } = {}) {
      if (open()) finish(how, resumable)
    },
    carry<State>(key: object, make: () => State): State {
      if (!entry.carried.has(key)) entry.carried.set(key, make())
      return entry.carried.get(key) as State
    },
    skip: () => context.drop('unknown-frame'),
  }
  context.streams.add(stream)
  entry.sources.set(number, { requestId: options.requestId, gaps: () => silence.gaps() })
  ledger.openStream(turn, number, options.corrects, resumed)
  entry.lost?.over()
  // A new turn is seen as open from the start, not from its first frame on: a hidden tab gets none.
  if (turn.messages.size === 0 && turn.lastEnding === null) publisher.publishSilently(entry)
  context.changed(entry)
  return stream
}

function tell({ eventListeners }: Context, turn: Turn, event: StreamEvent): void {
  if (eventListeners.size === 0) return
  const block = 'key' in event && event.key !== undefined ? turn.calls.get(event.key)?.block : undefined
  for (const listener of eventListeners) safely(() => listener({ turnId: turn.id, event, block }))
}

/** A report that names another turn of this store is about that one, whichever stream brought it. */
function reportElsewhere(context: Context, here: string, report: Report): boolean {
  const entry = report.turnId === undefined || report.turnId === here ? undefined : context.entries.get(report.turnId)
  if (entry === undefined) return false
  context.ledger.report(entry.turn, report, 'wire')
  context.changed(entry)
  return true
}

function isWhole(entry: Entry, number: number): boolean {
  const messages = [...entry.turn.messages.values()].filter((message) => message.stream === number)
  return messages.length > 0 && messages.every((message) => message.end !== null)
}

/** The calls that this stream may still speak of: its own, and those whose stream has ended. */
function heardBy(entry: Entry, number: number): readonly Call[] {
  const { unsettled, openStreams } = entry.turn
  return [...unsettled].filter(({ message }) => message.stream === number || !openStreams.has(message.stream))
}

function callsOf(entry: Entry, number: number): readonly Call[] {
  return [...entry.turn.calls.values()].filter((call) => call.message.stream === number)
}

function withResolvers<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
