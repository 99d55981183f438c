import type { AgentServerOptions } from '@langchain/react'

type Options = AgentServerOptions<Record<string, unknown>>

/** Options for `useStream` that tell how its connection stands. */
export interface StreamLink {
  readonly onReconnect: NonNullable<Options['onReconnect']>
  readonly onConnected: NonNullable<Options['onConnected']>
}

/** Told when the connection is lost and taken up again, and when it is there again. */
export interface LinkListener {
  lost(): void
  restored(): void
}

const listeners = new WeakMap<StreamLink, Set<LinkListener>>()

/**
 * Makes what `useStream` reports its reconnects to; one for each `useStream`, and outside of the component.
 * @example useStream({ apiUrl, assistantId, ...link })
 */
export function createStreamLink(): StreamLink {
  const heard = new Set<LinkListener>()
  const link: StreamLink = {
    onReconnect() {
      for (const listener of heard) listener.lost()
    },
    onConnected({ kind }) {
      if (kind === 'reconnected') for (const listener of heard) listener.restored()
    },
  }
  listeners.set(link, heard)
  return link
}

/** Listens to a link; gives back what ends that. */
export function listenTo(link: StreamLink, listener: LinkListener): () => void {
  const heard = listeners.get(link)
  if (heard === undefined)
    throw new Error(
      'honest-tool-calls: useToolCallStream() was given a link that createStreamLink() did not make, so that it would hear nothing of reconnects. Give it the very object whose members useStream() has.',
    )
  heard.add(listener)
  return () => heard.delete(listener)
}
