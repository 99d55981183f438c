import {
  type AnyClientTool,
  ChatClient,
  type ConnectConnectionAdapter,
  fetchServerSentEvents,
  type SubscribeConnectionAdapter,
} from '@tanstack/ai-client'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../../src/store/create-store.ts'
import { withToolCalls } from '../../src/tanstack-ai.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'

/** What the user reads of a turn. */
export interface Said {
  readonly labels: readonly string[]
  readonly notice: string
}

/** The chat client of TanStack AI on a connection that a store hears. */
export interface Chat {
  readonly client: ChatClient<readonly AnyClientTool[]>
  readonly store: ToolCallStore
  readonly clock: FakeClock
  /** Resolves when the host has seen so many chunks of a type. */
  seen(type: string, count?: number): Promise<void>
  said(): Said
}

export const THREAD = 'thread-1'

export function chatAt(
  url: string,
  options: StoreOptions = {},
  connect: (fetchClient: typeof fetch) => ConnectConnectionAdapter | SubscribeConnectionAdapter = (fetchClient) =>
    fetchServerSentEvents(url, { fetchClient }),
  tools: readonly AnyClientTool[] = [],
): Chat {
  const clock = createFakeClock()
  const store = createToolCallStore({ clock, frame: () => () => {}, ...options })
  const counts = new Map<string, number>()
  const waiting = new Set<() => void>()
  const client = new ChatClient({
    threadId: THREAD,
    connection: withToolCalls(store, connect, { gate: tools.length > 0 }),
    tools,
    onChunk({ type }) {
      counts.set(type, (counts.get(type) ?? 0) + 1)
      for (const look of waiting) look()
    },
  })
  return {
    client,
    store,
    clock,
    seen: (type, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((counts.get(type) ?? 0) < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    said: () => saidBy(store),
  }
}

export function saidBy(store: ToolCallStore): Said {
  store.flush()
  const turn = store.turnOf(THREAD)?.getState()
  const labels = (turn?.items ?? []).flatMap((item) => {
    const call = item.type === 'call' ? store.callByKey(turn?.id ?? '', item.key)?.getState() : undefined
    return call === undefined ? [] : labelOf(call)
  })
  return { labels, notice: turn?.notice ? noticeSentences(turn.notice).join(' ') : '' }
}
