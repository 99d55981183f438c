import type { ConnectConnectionAdapter, SubscribeConnectionAdapter } from '@tanstack/ai-client'
import type { ToolCallStore } from '../../store/create-store.ts'
import { createSession } from './session.ts'
import { subscribed } from './subscribed.ts'
import type { FetchClient } from './tap.ts'

export interface WithToolCallsOptions {
  /**
   * Keeps the calls of tools that are declared `host` or `local` from the chat client until their message has ended well
   * and our gate has passed them all; damaged ones are never run. Default `false`.
   */
  readonly gate?: boolean
}

/**
 * Lets a store hear what a connection brings, before the chat client makes anything of it. The connection stays what it
 * was, and what it yields is handed on untouched but for what a gate keeps back.
 * @param connect makes the connection; give it the `fetchClient`, or keep-alive comments are not heard
 * @example useChat({ threadId, connection: withToolCalls(store, (fetchClient) => fetchServerSentEvents('/api/chat', { fetchClient })) })
 */
export function withToolCalls<Connection extends ConnectConnectionAdapter | SubscribeConnectionAdapter>(
  store: ToolCallStore,
  connect: (fetchClient: FetchClient) => Connection,
  { gate = false }: WithToolCallsOptions = {},
): Connection {
  const session = createSession(store, gate)
  const connection: ConnectConnectionAdapter | SubscribeConnectionAdapter = connect(session.fetchClient)
  const { joinRun, hydrate } = connection
  const heard =
    'connect' in connection
      ? ({
          connect: (messages, data, signal, context) =>
            session.through(
              session.begin(messages, context),
              (inner) => connection.connect(messages, data, inner, context),
              signal,
            ),
        } satisfies ConnectConnectionAdapter)
      : subscribed(session, connection)
  return {
    ...connection,
    ...heard,
    ...(joinRun && {
      joinRun: (runId: string, signal?: AbortSignal) =>
        session.through(session.joined(runId), (inner) => joinRun.call(connection, runId, inner), signal),
    }),
    ...(hydrate && { hydrate: session.hydrate(hydrate.bind(connection)) }),
  } as Connection
}
