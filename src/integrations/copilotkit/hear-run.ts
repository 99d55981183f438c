import type { BaseEvent, RunAgentInput } from '@copilotkit/react-core/v2'
import { Observable } from 'rxjs'
import { agUi } from '../../adapters/ag-ui.ts'
import { object } from '../../adapters/wire-values.ts'
import type { Ending } from '../../core/events.ts'
import { feedOf } from '../../feed.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'
import { asGated } from '../host-calls.ts'
import { type Answer, createHold, noHold } from './hold.ts'
import { withoutPlaceholders } from './placeholders.ts'

export interface HeardRun {
  readonly input: RunAgentInput
  readonly gate: boolean
  /** Begins the run. */
  readonly begin: () => Observable<BaseEvent>
  /** Told of its stream before it begins. */
  readonly opened: (stream: ToolCallStream) => void
  /** Whether it is the person who stops it, right now. */
  readonly stopping: () => boolean
  /** What has to stand in the messages of a host that no longer listens. */
  readonly letGo: (answers: readonly Answer[]) => void
  /** Lets go of its connection, which unsubscribing alone does not. */
  readonly abort: () => void
}

/** A run that tells a store what it brings, and its host all but the calls that are not fit to be run. */
export function hearRun(store: ToolCallStore, run: HeardRun): Observable<BaseEvent> {
  const { input, gate } = run
  return new Observable((host) => {
    const stream = store.openStream({
      scope: input.threadId,
      turnId: continuedBy(store, input),
      liveness: 'events',
      speaker: agUi.speaker,
    })
    run.opened(stream)
    const hold = gate ? createHold(store, stream.turnId, input) : noHold
    const push: ToolCallStream['push'] = (event, at) => stream.push(gate ? asGated(store, event) : event, at)
    const feed = feedOf(agUi, { ...stream, push }, 'kept')
    let said = false // that the run is over
    let over = false
    let listening = false // to the source: what ends the stream now is its own word
    let busy: Promise<void> | undefined

    /** While our gate checks, what comes later waits; otherwise nothing does. */
    const inTurn = (work: () => Promise<void> | undefined): void => {
      busy = busy === undefined ? work() : busy.then(work)
    }
    const tell = (events: readonly BaseEvent[]): void => {
      for (const event of events) host.next(event)
    }
    const afterRefusals = (last: () => void): Promise<void> | undefined => {
      const refuseFirst = (): void => {
        if (over) return
        if (!said) tell(hold.refuse())
        last()
      }
      const checks = hold.judged()
      if (checks !== undefined) return checks.then(refuseFirst)
      refuseFirst()
      return undefined
    }
    const finish = (last: () => void): void => {
      over = true
      stream.signal.removeEventListener('abort', endByKit)
      last()
    }

    /** A deadline passed, or the store was told to cancel: the host has to hear of it, by a road on which it runs nothing. */
    function endByKit(): void {
      const { ending } = stream
      if (over || listening || !isOurs(ending) || run.stopping()) return
      if (!said) tell([...hold.refuse(), errorOf(ending)])
      finish(() => host.complete())
      source.unsubscribe()
      run.abort()
    }

    const hear = (tellStore: () => void): void => {
      listening = true
      try {
        if (stream.ending === null) tellStore()
      } catch {
        // Whatever a listener of the store does must not cost the host its reply.
      }
      listening = false
    }

    stream.signal.addEventListener('abort', endByKit)
    const source = subscribe(run.begin, {
      next(event) {
        hold.saw(event)
        hear(() => {
          feed(withAnswers(withoutPlaceholders(event), input))
          // Its block is drawn with the host's next rendering, which may come before the next frame.
          if ((event.type as string) === 'TOOL_CALL_START') store.flush()
        })
        inTurn(() => {
          const type = event.type as string
          if (type !== 'RUN_FINISHED' && type !== 'RUN_ERROR') {
            said &&= type !== 'RUN_STARTED'
            host.next(event)
            return undefined
          }
          return afterRefusals(() => {
            said = true
            host.next(event)
          })
        })
      },
      error(error) {
        hear(() => stream.end(lossOf(error)))
        inTurn(() => {
          if (!over) finish(() => host.error(error))
          return undefined
        })
      },
      complete() {
        hear(() => stream.end())
        inTurn(() =>
          afterRefusals(() => {
            hold.release()
            finish(() => host.complete())
          }),
        )
      },
    })

    return () => {
      source.unsubscribe()
      if (over) return
      // The host has let go, as it does when another run begins, or at a run that ends with a call still open.
      finish(() => stream.end(said ? undefined : { type: 'cancelled', by: 'host', acknowledged: false }))
      // What it has of this run it would run all the same.
      run.letGo(hold.answers())
    }
  })
}

interface Listener {
  next(event: BaseEvent): void
  error(error: unknown): void
  complete(): void
}

/** An agent that throws at once has failed like any other. */
function subscribe(begin: () => Observable<BaseEvent>, listener: Listener): { unsubscribe(): void } {
  return new Observable<BaseEvent>((subscriber) => begin().subscribe(subscriber)).subscribe(listener)
}

/** What does not begin with a person's message goes on with the reply: a client's result, or an answer to a question. */
function continuedBy(store: ToolCallStore, { threadId, messages, resume }: RunAgentInput): string | undefined {
  const goesOn = resume !== undefined || messages.at(-1)?.role !== 'user'
  return goesOn ? store.turnOf(threadId)?.getState().id : undefined
}

/** The answers a run brings to its server. Most servers do not tell them again; once it has begun, they have arrived. */
function withAnswers(event: unknown, { resume }: RunAgentInput): unknown {
  const { type, input } = object(event)
  if (type !== 'RUN_STARTED' || resume === undefined) return event
  return { ...object(event), input: { ...object(input), resume } }
}

/** Whether the store itself ended the stream: by a deadline, or as its own `cancel` was called. */
function isOurs(ending: Ending | null): boolean {
  return ending?.type === 'cancelled' ? !ending.acknowledged : ending?.type === 'lost' && ending.how === 'idle'
}

function errorOf(ending: Ending | null): BaseEvent {
  const event =
    ending?.type === 'cancelled'
      ? { code: 'abort', message: 'honest-tool-calls: the run was cancelled.' }
      : { code: 'idle', message: 'honest-tool-calls: nothing came for too long, so the connection counts as lost.' }
  return { type: 'RUN_ERROR', ...event } as unknown as BaseEvent
}

/** What an agent fails with says by its name; the words of its message may be any. */
export function lossOf(error: unknown): Ending {
  const { name, status } = object(error)
  if (name === 'AbortError') return { type: 'cancelled', by: 'user', acknowledged: false }
  if (typeof status === 'number' && status >= 300)
    return { type: 'lost', how: 'provider-error', speaker: 'relay', detail: `http-${status}` }
  // The agent does not read on behind a frame that it cannot read, as the last one is where a body was cut off.
  const unreadable = name === 'SyntaxError' || name === 'ZodError'
  return { type: 'lost', how: unreadable ? 'ended-early' : 'connection-lost', speaker: 'nobody' }
}
