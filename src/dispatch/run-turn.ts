import type { Adapter } from '../adapters/adapter.ts'
import { isRecord } from '../core/json.ts'
import type { CauseNo, CauseUnknown } from '../core/outcomes.ts'
import { safely } from '../core/safely.ts'
import { parseStrictly } from '../core/strict-json.ts'
import { toolOf } from '../core/tools.ts'
import type { RetriedCall } from '../core/turn.ts'
import { type PumpedTurn, pump, type Source } from '../pump.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { StreamSummary, SummarisedCall } from '../store/summary.ts'
import { type Answer, notRunAnswer, ranAnswer } from './answer.ts'
import { type AttemptCount, createCorrectionBound } from './correction-bound.ts'
import type { Dialect, MadeCall } from './dialects/dialect.ts'
import { createDispatcher, type Dispatcher, type Run } from './dispatcher.ts'
import { failureOf } from './failure.ts'
import type { Recovery } from './recovery.ts'
import { type Rejection, rejectionOfError, rejectionOfResponse } from './rejection.ts'

/** One request to the provider. */
export interface Round<Message> {
  /** 1 for the first. */
  readonly number: number
  /** What this turn has added to the conversation so far. */
  readonly messages: readonly Message[]
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal
}

/** An answer, with the provider's own form of the message where the host can get it. */
export interface Asked {
  readonly source: Source
  /** Asked for once the stream has ended; what it gives is sent back in place of what the kit makes of text and calls. */
  readonly own: () => unknown
}

export interface RunTurnOptions<Message> {
  /** With `defaultExecutor: 'local'` and a `run` for every tool: this process runs them all. */
  readonly store: ToolCallStore
  readonly adapter: Adapter
  /** How the provider wants the conversation to go on. */
  readonly dialect: Dialect<Message>
  /** Asks the provider: the conversation, and after it `round.messages`. */
  readonly request: (round: Round<Message>) => Source | Asked | PromiseLike<Source | Asked>
  /** Chat or thread. */
  readonly scope?: string
  readonly turnId?: string
  /** The call of an earlier turn that this one tries again. */
  readonly retryOf?: RetriedCall
  /** For records and traces. */
  readonly requestId?: string
  /** Aborting it cancels the turn on the host's behalf. */
  readonly signal?: AbortSignal
  /** Default: one without a journal. */
  readonly dispatcher?: Dispatcher
  /** How many requests a turn may take. Default 10. */
  readonly maxRequests?: number
  /** How many round trips the correction of one batch may take. Default 2; 0: none. */
  readonly corrections?: number
  /** How often a failed generation is asked for again, as long as nothing was dispatched. Default 0. */
  readonly regenerate?: number
  /**
   * After a run of which nobody knows whether it took place, and whose tool has no `query` that knows: `stop` ends the turn;
   * `answer` tells the model and goes on. Default `stop`, as a model that goes on may do the same thing twice.
   */
  readonly onUncertain?: 'stop' | 'answer'
}

/** What a turn came to. */
export interface TurnResult<Message> {
  readonly turnId: string
  readonly status: 'complete' | 'failed' | 'cancelled'
  /** Why it failed, and what is safe to do about it. */
  readonly failure?: { readonly cause: CauseNo | CauseUnknown | 'request-limit'; readonly recovery: Recovery }
  /** An explicit refusal by the service. */
  readonly rejection?: Rejection
  /** What the turn adds to the conversation: every call in it is answered. */
  readonly messages: readonly Message[]
  readonly requests: number
  /** How often a generation was asked for again. */
  readonly regenerated: number
  /** What corrections were good for, by attempt. */
  readonly corrections: readonly AttemptCount[]
  /** The calls that were given to their tools. */
  readonly runs: readonly Run[]
}

/** A turn that is under way. */
export interface RunningTurn<Message> {
  readonly id: string
  /** The user pressed stop. */
  cancel(): void
  /** Never rejects. */
  readonly ended: Promise<TurnResult<Message>>
}

// For the model alone, which has not seen what it wrote before.
const AGAIN =
  'The previous reply broke off before it was complete, and nothing of it was carried out. Please reply again.'

/**
 * Asks, reads, checks, runs or corrects, answers, and asks again, until the model has no more calls.
 * @example runTurn({ store, adapter: anthropic, dialect: anthropicMessages,
 *   request: ({ messages, signal }) => client.messages.create({ ...prompt, messages: [...history, ...messages], stream: true }, { signal }) })
 * @throws if a tool of the store is not run by this process, or has no `run`
 */
export function runTurn<Message>(options: RunTurnOptions<Message>): RunningTurn<Message> {
  const { store, adapter, dialect, signal, maxRequests = 10, corrections = 2, regenerate = 0 } = options
  checkTools(store)
  const dispatcher = options.dispatcher ?? createDispatcher(store)
  const bound = createCorrectionBound(corrections)
  const messages: Message[] = []
  const runs: Run[] = []
  let own: (() => unknown) | undefined
  let rejection: Rejection | null = null
  let requests = 0
  let regenerated = 0

  function ask(turnId: string | undefined, more: readonly Message[] = []): PumpedTurn {
    own = undefined
    const open = async (signal: AbortSignal): Promise<Source> => {
      const number = ++requests
      try {
        const asked = await options.request({ number, messages: [...messages, ...more], signal })
        const source = isAsked(asked) ? asked.source : asked
        if (isAsked(asked)) own = asked.own
        if (source instanceof Response) rejection = rejectionOfResponse(source)
        return source
      } catch (error) {
        rejection = rejectionOfError(error)
        throw error
      }
    }
    const { scope, retryOf, requestId } = options
    const further = { scope, turnId, retryOf, requestId, corrects: corrections > 0 }
    return pump(open, adapter, store, signal === undefined ? further : { ...further, signal })
  }

  const first = ask(options.turnId)
  const { id } = first
  const cancelled = store.cancellation(id)
  const cancel = (): void => store.cancel(id, 'host')
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted === true) cancel()

  const result = (
    status: TurnResult<Message>['status'],
    cause?: CauseNo | CauseUnknown | 'request-limit',
    recovery: Recovery = 'stop',
  ): TurnResult<Message> => ({
    turnId: id,
    status,
    ...(cause === undefined ? {} : { failure: { cause, recovery } }),
    ...(rejection === null ? {} : { rejection }),
    messages,
    requests,
    regenerated,
    corrections: bound.counts(),
    runs,
  })

  async function loop(): Promise<TurnResult<Message>> {
    for (let pumped = first; ; ) {
      const summary = await pumped.ended
      const calls = summary.calls.filter(({ executor }) => executor === 'local')
      if (cancelled.aborted) return result('cancelled')
      bound.answered(calls)

      const failure = failureOf(summary, calls)
      if (failure !== null) {
        const mayAskAgain = rejection === null && failure.recovery === 'regenerate' && runs.length === 0
        if (!mayAskAgain || regenerated >= regenerate || requests >= maxRequests)
          return result('failed', failure.cause, rejection === null ? failure.recovery : 'report')
        regenerated++
        pumped = ask(id, dialect.note(AGAIN))
        continue
      }

      const isCorrecting = calls.some(({ correcting }) => correcting)
      const isInvalid = calls.some(({ outcome }) => outcome?.type === 'schema-error')
      if (isInvalid && (!isCorrecting || requests >= maxRequests || !bound.allows(calls))) {
        store.giveUpCorrections(id)
        return result('failed', 'invalid-arguments', 'report')
      }
      await remember(summary, calls)
      if (calls.length === 0) return result('complete')

      const answers = isCorrecting ? calls.map(notRunAnswer) : await answersOf(calls)
      messages.push(...dialect.answers(answers))
      if (cancelled.aborted) return result('cancelled')
      const uncertain = runs.find(({ settled }) => settled.ran === 'unknown')
      if (uncertain !== undefined && options.onUncertain !== 'answer')
        return result('failed', uncertain.settled.cause as CauseUnknown, 'query-first')
      if (requests >= maxRequests) return result('failed', 'request-limit', 'report')
      pumped = ask(id)
    }
  }

  async function remember({ text }: StreamSummary, calls: readonly SummarisedCall[]): Promise<void> {
    if (text.trim() === '' && calls.length === 0) return
    messages.push(...dialect.reply({ text, calls: calls.map(madeCall), own: await ownForm() }))
  }

  /** The provider's own form of its message; where it is not to be had, the kit's does. */
  async function ownForm(): Promise<unknown> {
    if (own === undefined) return undefined
    try {
      return await Promise.race([own(), whenAborted(cancelled)])
    } catch (error) {
      safely(() => {
        throw error
      })
    }
    return undefined
  }

  /** Runs what may run, waits for people, and says how each call went. */
  async function answersOf(calls: readonly SummarisedCall[]): Promise<readonly Answer[]> {
    const ran = new Map<string, Run>()
    const keys = new Set(calls.map(({ key }) => key))
    const begun = new Set<string>()
    const running: Promise<void>[] = []
    const begin = (): void => {
      const ready = store.dispatchable(id).filter(({ key = '' }) => keys.has(key) && !begun.has(key))
      for (const { key = '' } of ready) begun.add(key)
      running.push(
        dispatcher.dispatch(ready).then((done) => {
          for (const run of done) ran.set(run.call.key ?? '', run)
        }),
      )
    }
    const isAsked = (): boolean =>
      calls.some(({ key }) => {
        const view = store.callByKey(id, key)?.getState()
        return view?.phase === 'waiting' && view.on === 'person'
      })
    store.flush()
    begin()
    while (isAsked()) {
      await nextPublication(store)
      begin()
    }
    await Promise.all(running)
    return Promise.all(
      calls.map(async (call) => {
        const run = ran.get(call.key)
        if (run === undefined) return notRunAnswer({ ...call, settled: settledNow(call) })
        const known = await found(run)
        // It may have been refused at the last moment: cancelled, or its journal could not be written.
        if (known.idempotencyKey !== undefined) runs.push(known)
        return ranAnswer(call, known)
      }),
    )
  }

  function settledNow({ key, settled }: SummarisedCall): SummarisedCall['settled'] {
    const view = store.callByKey(id, key)?.getState()
    return view?.phase === 'settled' ? view.settled : settled
  }

  /** A run of which nobody knows is asked about, where its tool can be asked. */
  async function found(run: Run): Promise<Run> {
    const { call, settled } = run
    if (settled.ran !== 'unknown' || toolOf(store.registry, call.name)?.query === undefined) return run
    await dispatcher.reconcile(call)
    const view = store.callByKey(id, call.key ?? '')?.getState()
    return view?.phase === 'settled' ? { ...run, settled: view.settled, value: undefined } : run
  }

  const ended = loop().finally(() => signal?.removeEventListener('abort', cancel))
  return { id, ended, cancel: () => store.cancel(id, 'user') }
}

function isAsked(asked: Source | Asked): asked is Asked {
  return 'source' in asked && 'own' in asked
}

function madeCall({ callId, hasWireId, name, raw }: SummarisedCall): MadeCall {
  const parsed = parseStrictly(raw)
  return { callId, hasWireId, name: name ?? '', raw, args: parsed.ok && isRecord(parsed.value) ? parsed.value : {} }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined))
  })
}

function nextPublication(store: ToolCallStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      stop()
      resolve()
    })
  })
}

/** Every call has to be answered, and answered by whoever ran it. */
function checkTools({ registry: { tools, defaultExecutor } }: ToolCallStore): void {
  const [elsewhere] =
    Object.entries(tools).find(([, tool]) => tool.executor !== 'local' || tool.run === undefined) ?? []
  if (elsewhere !== undefined) {
    throw new Error(
      `honest-tool-calls: runTurn() cannot answer for the tool ${JSON.stringify(elsewhere)}. It runs all tools in this process: declare it with \`executor: 'local'\` and \`run\`, or leave it out.`,
    )
  }
  if (defaultExecutor !== 'local') {
    throw new Error(
      "honest-tool-calls: runTurn() was given a store that leaves undeclared tools to others. Create it with `defaultExecutor: 'local'`, so that a tool which does not exist is answered as such.",
    )
  }
}
