import type { ConnectConnectionAdapter } from '@tanstack/ai-client'
import type { ToolCallStore } from '../../store/create-store.ts'
import { type FetchClient, openTap, type Run, type Tap } from './tap.ts'

/**
 * Lets a store hear what a connection brings, before the chat client makes anything of it. The connection stays what it
 * was, and what it yields is handed on untouched.
 * @param connect makes the connection; give it the `fetchClient`, or keep-alive comments are not heard
 * @example useChat({ threadId, connection: withToolCalls(store, (fetchClient) => fetchServerSentEvents('/api/chat', { fetchClient })) })
 */
export function withToolCalls<Connection extends ConnectConnectionAdapter>(
  store: ToolCallStore,
  connect: (fetchClient: FetchClient) => Connection,
): Connection {
  const taps = new WeakMap<AbortSignal, Tap>()
  const connection = connect(async (input, init) => {
    const response = await fetch(input, init)
    return (init?.signal && taps.get(init.signal)?.hear(response)) ?? response
  })
  const runs = new Map<string, Run>()

  async function* tapped<Chunk>(
    run: Run,
    open: (signal: AbortSignal) => AsyncIterable<Chunk>,
    hostSignal: AbortSignal | undefined,
  ): AsyncIterable<Chunk> {
    const tap = openTap(store, run, hostSignal)
    taps.set(tap.signal, tap)
    try {
      for await (const chunk of open(tap.signal)) {
        tap.take(chunk)
        yield chunk
      }
      tap.end()
    } catch (error) {
      tap.fail(error)
      throw error
    } finally {
      tap.leave()
    }
  }

  const { joinRun, hydrate } = connection
  return {
    ...connection,
    connect(messages, data, signal, context) {
      const scope = context?.threadId
      // What does not begin with a person's message goes on with the reply: a client's result, an approval, a resume.
      const goesOn = scope !== undefined && messages.at(-1)?.role !== 'user'
      const run: Run = { scope, turnId: goesOn ? store.turnOf(scope)?.getState().id : undefined }
      if (context) runs.set(context.runId, run)
      return tapped(run, (inner) => connection.connect(messages, data, inner, context), signal)
    },
    ...(joinRun && {
      joinRun: (runId, signal) =>
        tapped(runs.get(runId) ?? {}, (inner) => joinRun.call(connection, runId, inner), signal),
    }),
    ...(hydrate && {
      // The only place where a run that this page did not begin is named together with its thread.
      async hydrate(threadId, options) {
        const stored = await hydrate.call(connection, threadId, options)
        const { activeRun } = stored
        if (activeRun && !runs.has(activeRun.runId)) runs.set(activeRun.runId, { scope: threadId })
        return stored
      },
    }),
  } satisfies ConnectConnectionAdapter as Connection
}
