import type { AssistantChatTransport } from '@assistant-ui/react-ai-sdk'
import type { UIMessage } from 'ai'
import type { ToolCallStore } from '../../store/create-store.ts'
import { withToolCalls as heardBy, type WithToolCallsOptions } from '../ai-sdk/with-tool-calls.ts'

/**
 * A transport of assistant-ui that tells the store what its chats receive.
 * @param make makes it with our `fetch`, so that pings and comments count as signs of life; called again for each thread
 * where the runtime wants a transport of its own for each
 * @example withToolCalls(store, (fetch) => new AssistantChatTransport({ api: '/api/chat', fetch }), { gate: true })
 */
export function withToolCalls<Message extends UIMessage = UIMessage>(
  store: ToolCallStore,
  make: (fetch: typeof globalThis.fetch) => AssistantChatTransport<Message>,
  options?: WithToolCallsOptions,
): AssistantChatTransport<Message> {
  let inner!: AssistantChatTransport<Message>
  const heard = heardBy<Message>(
    store,
    (fetch) => {
      inner = make(fetch)
      return inner
    },
    options,
  )
  const own = { ...heard, __internal_clone: () => withToolCalls(store, make, options) }
  // The runtime gives its tools and its system text only to what is an instance of the class.
  return new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
