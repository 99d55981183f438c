import { fetchServerSentEvents, type UIMessage, useChat } from '@tanstack/ai-react'
import { ChatMessage } from '@tanstack/ai-react/ui'
import { createToolCallStore, TurnNotice } from 'honest-tool-calls'
import { tanstackToolCall, withToolCalls } from 'honest-tool-calls/tanstack-ai.ts'
import 'honest-tool-calls/styles.css'
import { type ReactNode, useEffect } from 'react'
import {
  Approval,
  apiOf,
  Composer,
  deadlines,
  fetchResults,
  gate,
  keep,
  kept,
  mount,
  runsHere,
  tools,
  withKit,
} from '../shell/index.ts'
import { clientTools } from './client-tools.ts'

const store = createToolCallStore({ tools, deadlines })
const connect = (fetchClient: typeof fetch) => fetchServerSentEvents(apiOf('tanstack-ai'), { fetchClient })
const connection = withKit ? withToolCalls(store, connect, { gate }) : fetchServerSentEvents(apiOf('tanstack-ai'))
const noResult = () => null

type MessagePart = UIMessage['parts'][number]

/** JSON has no dates. */
function dated(message: UIMessage): UIMessage {
  return { ...message, createdAt: new Date(message.createdAt ?? 0) }
}

function Chat({ id }: { readonly id: string }): ReactNode {
  const chat = useChat({
    threadId: id,
    initialMessages: kept<UIMessage[]>(id)?.map(dated) ?? [],
    connection,
    queue: 'interrupt',
    tools: runsHere ? clientTools : [],
  })
  useEffect(() => keep(id, chat.messages), [id, chat.messages])

  /** Fetches again what a lost connection has kept from this page; an application would fetch the messages. */
  async function resume(): Promise<void> {
    const results = await fetchResults('tanstack-ai')
    const told = (part: MessagePart) =>
      part.type === 'tool-call' && results.has(part.id)
        ? { ...part, state: 'complete' as const, output: results.get(part.id) }
        : part
    chat.setMessages(chat.messages.map((message) => ({ ...message, parts: message.parts.map(told) })))
  }

  const asked = chat.messages
    .flatMap(({ parts }) => parts)
    .find((part) => part.type === 'tool-call' && part.state === 'approval-requested')

  return (
    <>
      {chat.messages.map((message) => (
        <ChatMessage
          key={message.id}
          message={message}
          {...(withKit && {
            defaultToolRenderer: tanstackToolCall(store, id, message.id),
            toolResultRenderer: noResult,
          })}
        />
      ))}
      {asked?.type === 'tool-call' && (
        <Approval
          answer={(approved) => void chat.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved })}
        />
      )}
      {withKit && <TurnNotice store={store} scope={id} />}
      <Composer
        busy={chat.isLoading}
        send={(text) => void chat.sendMessage(text)}
        stop={chat.stop}
        regenerate={() => void chat.reload()}
        resume={() => void resume()}
      />
    </>
  )
}

mount(Chat)
