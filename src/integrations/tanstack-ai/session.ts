import type { ConnectConnectionAdapter } from '@tanstack/ai-client'
import { tanstackAi } from '../../adapters/tanstack-ai.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { messagesStand, replyBegan } from '../replies.ts'
import type { Chunk } from './chunks.ts'
import { reportMessages } from './evidence.ts'
import { gated } from './gated.ts'
import { createHold, type Hold, noHold } from './hold.ts'
import { type FetchClient, openTap, type Run, type Tap } from './tap.ts'

type Connect = Parameters<ConnectConnectionAdapter['connect']>
type Messages = Connect[0]
type RunContext = Connect[3]
type Hydrate = NonNullable<ConnectConnectionAdapter['hydrate']>

/** One stream that is heard, and what is kept back of it. */
export interface Hearing {
  readonly tap: Tap
  readonly hold: Hold
}

/** What is known of the runs of a connection, whichever its shape. */
export interface Session {
  /** For the connection in place of the global one, so that bytes are heard. */
  readonly fetchClient: FetchClient
  /** A run that the chat client asks for with these messages. */
  begin(messages: Messages, context: RunContext): Run
  /** A run that is joined: one that this page began, or one that its thread was said to have. */
  joined(runId: string): Run
  hear(run: Run, hostSignal: AbortSignal | undefined): Hearing
  /** Hears one stream from its beginning to its end. */
  through(
    run: Run,
    open: (signal: AbortSignal) => AsyncIterable<Chunk>,
    hostSignal: AbortSignal | undefined,
  ): AsyncIterable<Chunk>
  hydrate(hydrate: Hydrate): Hydrate
}

export function createSession(store: ToolCallStore, gate: boolean): Session {
  const adapter = gate ? gated.of(store) : tanstackAi
  const taps = new WeakMap<AbortSignal, Tap>()
  const runs = new Map<string, Run>()

  function hear(run: Run, hostSignal: AbortSignal | undefined): Hearing {
    const tap = openTap(store, adapter, run, hostSignal)
    taps.set(tap.signal, tap)
    if (run.scope !== undefined) replyBegan(store, run.scope, tap.turnId)
    return { tap, hold: gate ? createHold(store, tap.turnId, () => !tap.signal.aborted) : noHold }
  }

  return {
    hear,
    async fetchClient(input, init) {
      const response = await fetch(input, init)
      return (init?.signal && taps.get(init.signal)?.hear(response)) ?? response
    },
    begin(messages, context) {
      const scope = context?.threadId
      // What does not begin with a person's message goes on with the reply: a client's result, an approval, a resume.
      const goesOn = scope !== undefined && (messages.at(-1)?.role !== 'user' || context?.resume !== undefined)
      const turnId = goesOn ? store.turnOf(scope)?.getState().id : undefined
      // The last one is the reply itself, where that goes on.
      if (scope !== undefined) messagesStand(store, scope, idsOf(goesOn ? messages.slice(0, -1) : messages), turnId)
      reportMessages(store, messages, context)
      const run: Run = { scope, turnId }
      if (context) runs.set(context.runId, run)
      return run
    },
    joined: (runId) => runs.get(runId) ?? {},
    async *through(run, open, hostSignal) {
      const { tap, hold } = hear(run, hostSignal)
      try {
        for await (const chunk of open(tap.signal)) {
          tap.take(chunk)
          yield* await hold.pass(chunk)
        }
        tap.end()
        yield* await hold.release()
      } catch (error) {
        tap.fail(error)
        yield* await hold.release()
        throw error
      } finally {
        tap.leave()
      }
    },
    hydrate: (hydrate) => async (threadId, options) => {
      const stored = await hydrate(threadId, options)
      const { activeRun } = stored
      // The only place where a run that this page did not begin is named together with its thread.
      if (activeRun && !runs.has(activeRun.runId)) runs.set(activeRun.runId, { scope: threadId })
      return stored
    },
  }
}

function idsOf(messages: Messages): string[] {
  return messages.flatMap((message) => ('id' in message ? [message.id] : []))
}
