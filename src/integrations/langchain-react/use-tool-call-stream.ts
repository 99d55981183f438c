import { type AnyStream, type Channel, useChannelEffect } from '@langchain/react'
import { useEffect, useMemo, useRef } from 'react'
import type { Ending } from '../../core/events.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { listenTo, type StreamLink } from './stream-link.ts'
import { type Beginning, createThreadTap } from './thread-tap.ts'

const CHANNELS: readonly Channel[] = ['messages', 'tools', 'lifecycle', 'input']

type Heard = Parameters<Parameters<NonNullable<ReturnType<AnyStream['getThread']>>['onEvent']>[0]>[0]

const LAST_WORDS: ReadonlySet<string> = new Set(['completed', 'failed', 'interrupted'])

const STOPPED: Ending = { type: 'cancelled', by: 'user', acknowledged: false }
const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }

/**
 * Tells a store of the runs of a `useStream`. To be called right behind it, in the same component: what came before is
 * not heard. Each run is a turn of the scope that the thread's id names; one that goes on after an interrupt continues it.
 * @param link the one whose members `useStream` was given; without it nobody learns that a lost link is taken up again
 * @example useToolCallStream(stream, store, link)
 */
export function useToolCallStream(stream: AnyStream, store: ToolCallStore, link?: StreamLink): void {
  const { isLoading, error, threadId, messages } = stream
  const latest = useRef(stream)
  const tap = useMemo(() => createThreadTap(store), [store])
  useChannelEffect(stream, CHANNELS, { onEvent: (event) => tap.take(event, beginningOf(latest.current)) })

  // The hook has two connections, and takes a run to be over by the one that is ahead; its events come by the other.
  const thread = stream.getThread()
  useEffect(() => thread?.onEvent((event) => isLastWord(event) && tap.ended()), [thread, tap])

  const { asked } = beginningOf({ threadId, messages })
  useEffect(() => {
    latest.current = stream
    if (isLoading) tap.running({ threadId, asked }, stream)
    else tap.over(error === undefined || error === null ? STOPPED : LOST)
  }, [tap, stream, isLoading, error, threadId, asked])

  useEffect(() => (link === undefined ? undefined : listenTo(link, tap)), [tap, link])

  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      // Under StrictMode the page comes right back. Otherwise nobody listens any more, while the run goes on.
      queueMicrotask(() => {
        if (!isMounted.current) tap.lost()
      })
    }
  }, [tap])
}

function beginningOf({ threadId, messages }: Pick<AnyStream, 'threadId' | 'messages'>): Beginning {
  const last = messages.at(-1)
  return { threadId, asked: last?.type === 'human' ? last.id : undefined }
}

function isLastWord({ method, params }: Heard): boolean {
  return method === 'lifecycle' && params.namespace.length === 0 && LAST_WORDS.has(params.data.event)
}
