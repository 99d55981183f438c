import { labelOf } from '../../src/core/labels.ts'
import type { Tools } from '../../src/core/tools.ts'
import type { CallView } from '../../src/core/view.ts'
import {
  createDispatcher,
  type JournalEntry,
  openaiChatMessages,
  runTurn,
  type TurnResult,
  UncertainExecution,
} from '../../src/dispatch/index.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { eventsAdapter } from '../dispatch/events-adapter.ts'
import type { Schedule, ScriptedCall, ScriptedRound } from './dispatch-schedules.ts'

/** One entry of a tool: what it was given. */
interface Entered {
  readonly callId: string
  readonly name: string
  readonly args: unknown
  readonly idempotencyKey: string
  /** Whether the journal had the dispatch, under the same key, before. */
  readonly wasWritten: boolean
}

/** What became of a schedule. */
export interface Outcome {
  readonly result: TurnResult<object>
  readonly store: ToolCallStore
  readonly entered: readonly Entered[]
  /** How many tools had been entered when the checks of each round were over. */
  readonly enteredWhenJudged: ReadonlyMap<number, number>
  /** What each request had in it. */
  readonly requests: readonly (readonly object[])[]
  readonly views: readonly CallView[]
  readonly labels: readonly string[]
  readonly asked: number
}

/** Lets a schedule happen to a turn, by a clock that moves from one thing that is due to the next. */
export async function play(schedule: Schedule): Promise<Outcome> {
  const clock = createFakeClock()
  const due = new Set<{ readonly at: number }>()
  const watchedClock = {
    now: clock.now,
    after(delay: number, callback: () => void) {
      const timer = { at: clock.now() + delay }
      due.add(timer)
      const stop = clock.after(delay, () => {
        due.delete(timer)
        callback()
      })
      return () => {
        due.delete(timer)
        return stop()
      }
    },
  }
  const sleep = (delay: number): Promise<void> =>
    new Promise((resolve) => {
      watchedClock.after(delay, resolve)
    })

  const entries: JournalEntry[] = []
  const entered: Entered[] = []
  const requests: (readonly object[])[] = []
  const enteredWhenJudged = new Map<number, number>()
  const byId = new Map(schedule.rounds.flatMap(({ calls }) => calls.map((call) => [call.callId, call] as const)))
  let asked = 0

  const run = async (name: string, args: unknown, callId: string, idempotencyKey: string): Promise<unknown> => {
    const wasWritten = entries.some(
      (entry) => entry.type === 'call-dispatched' && entry.callId === callId && entry.idempotencyKey === idempotencyKey,
    )
    entered.push({ callId, name, args, idempotencyKey, wasWritten })
    const { tool } = byId.get(callId) ?? {}
    if (tool === undefined || tool.does === 'hangs') return new Promise(() => {})
    if (tool.after > 0) await sleep(tool.after)
    if (tool.does === 'throws') throw new Error('It did not work.')
    if (tool.does === 'is uncertain') throw new UncertainExecution('No answer.')
    return 'Ok.'
  }
  const tools = toolsOf(run, sleep)
  const store = createToolCallStore({ clock: watchedClock, frame: () => () => {}, defaultExecutor: 'local', tools })
  const journal = {
    async append(entry: JournalEntry) {
      if (entry.type === 'call-dispatched') {
        const { journal = 'keeps' } = byId.get(entry.callId) ?? {}
        if (journal === 'fails') throw new Error('The disk is full.')
        if (journal === 'takes its time') await sleep(500)
      }
      entries.push(entry)
    },
  }
  store.subscribe(({ calls }) => {
    for (const { before, call } of calls) {
      if (call.phase !== 'waiting' || call.on !== 'person' || before?.phase === 'waiting') continue
      asked++
      const { person } = byId.get(call.id) ?? {}
      if (person === undefined || person.says === 'nothing') continue
      watchedClock.after(person.after, () =>
        store.answerApproval(
          { callId: call.id, turnId: call.turnId, key: call.key },
          { granted: person.says === 'yes' },
        ),
      )
    }
  })

  const turn = runTurn<object>({
    store,
    adapter: eventsAdapter,
    dialect: openaiChatMessages as never,
    dispatcher: createDispatcher(store, { journal }),
    maxRequests: schedule.maxRequests,
    corrections: schedule.corrections,
    regenerate: schedule.regenerate,
    onUncertain: schedule.onUncertain,
    request({ messages, number }) {
      requests.push(messages)
      const round = schedule.rounds[number - 1]
      const source = round === undefined ? textOnly() : eventsOf(round, sleep)
      if (round?.opens === 'never') return new Promise<never>(() => {})
      if (round?.opens === 'refused') throw Object.assign(new Error('No.'), { status: 429 })
      if (round?.opens === 'lost') throw new TypeError('fetch failed')
      return source
    },
  })
  store.onEvent(({ event }) => {
    if (event.type === 'message-ended') enteredWhenJudged.set(requests.length, entered.length)
  })
  const { cancel } = schedule
  if (cancel !== null)
    watchedClock.after(cancel.after, () => (cancel.by === 'user' ? turn.cancel() : store.cancel(turn.id, 'host')))

  let result: TurnResult<object> | null = null
  void turn.ended.then((ended) => {
    result = ended
  })
  for (let step = 0; step < 2_000; step++) {
    await settled()
    const next = Math.min(...[...due].map(({ at }) => at))
    if (next !== Number.POSITIVE_INFINITY) clock.advance(Math.max(0, next - clock.now()))
    else if (result !== null) break
    // Only a person may be waited for without end.
    else if (!expire(store)) throw new Error('The turn hangs, and nothing is due.')
  }
  if (result === null) throw new Error('The turn never ends.')
  store.flush()
  const items = store.turn(turn.id)?.getState().items ?? []
  const views = items.flatMap(({ type, key }) =>
    type === 'call' ? (store.callByKey(turn.id, key)?.getState() ?? []) : [],
  )
  const labels = views.map((view) => labelOf(view))
  return { result, store, entered, enteredWhenJudged, requests, views, labels, asked }
}

/** Nobody ever answers: in the end somebody's clock does. */
function expire(store: ToolCallStore): boolean {
  const waiting = store
    .turnIds()
    .flatMap((id) => (store.turn(id)?.getState().items ?? []).map(({ key }) => store.callByKey(id, key)?.getState()))
    .find((view) => view?.phase === 'waiting' && view.on === 'person')
  if (waiting === undefined) return false
  return store.answerApproval(
    { callId: waiting.id, turnId: waiting.turnId, key: waiting.key },
    { granted: false, by: 'expiry' },
  )
}

// All that promises had to do has been done by then.
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

type Run = (name: string, args: unknown, callId: string, idempotencyKey: string) => Promise<unknown>

function toolsOf(run: Run, sleep: (delay: number) => Promise<void>): Tools {
  const schema = jsonSchema({
    type: 'object',
    properties: { note: { type: 'string' }, size: { enum: ['small', 'large'] } },
    required: ['note'],
    additionalProperties: false,
  })
  const check = (args: unknown) =>
    (args as { readonly note: string }).note === 'forbidden' ? 'Not this one.' : undefined
  const slow: typeof schema = {
    '~standard': {
      ...schema['~standard'],
      async validate(value) {
        await sleep(1_000)
        return schema['~standard'].validate(value)
      },
    },
  }
  const tool = (name: string, more: object = {}) => ({
    executor: 'local' as const,
    schema,
    check,
    run: (args: unknown, { callId, idempotencyKey }: { callId: string; idempotencyKey: string }) =>
      run(name, args, callId, idempotencyKey),
    ...more,
  })
  return {
    write: tool('write'),
    slow: tool('slow', { schema: slow }),
    asks: tool('asks', { needsApproval: true }),
    queried: tool('queried', { query: () => ({ ran: 'yes', ok: true }) }),
    hasty: tool('hasty', { timeout: 2_000 }),
  }
}

async function* textOnly() {
  yield { type: 'message-started' }
  yield { type: 'text-fragment', text: 'Done.' }
  yield { type: 'message-ended', reason: 'natural', finishesOpenCalls: false }
}

async function* eventsOf(round: ScriptedRound, sleep: (delay: number) => Promise<void>): AsyncGenerator<object> {
  yield { type: 'message-started' }
  if (round.text !== '') yield { type: 'text-fragment', text: round.text }
  for (const call of round.calls) yield* callEvents(call, round.pause, sleep)
  if (round.stops === 'lost') throw new TypeError('terminated')
  if (round.stops === 'early') return
  if (round.stops === 'silent') await new Promise(() => {})
  yield { type: 'message-ended', reason: round.reason, finishesOpenCalls: round.finishesOpenCalls }
  if (round.stops === 'lost behind its end') throw new TypeError('terminated')
  if (round.stops === 'silent behind its end') await new Promise(() => {})
}

async function* callEvents(
  { key, callId, tool: { name }, text, isLeftOpen }: ScriptedCall,
  pause: number,
  sleep: (delay: number) => Promise<void>,
): AsyncGenerator<object> {
  const middle = Math.floor(text.length / 2)
  yield { type: 'call-announced', key, callId, name }
  yield { type: 'call-fragment', key, text: text.slice(0, middle) }
  if (pause > 0) await sleep(pause)
  yield { type: 'call-fragment', key, text: text.slice(middle) }
  if (!isLeftOpen) yield { type: 'call-finished', key }
}
