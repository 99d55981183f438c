import type { Message } from '@langchain/langgraph-sdk'
import { FetchStreamTransport, useStream } from '@langchain/langgraph-sdk/react'
import { createToolCallStore } from 'honest-tool-calls'
import { ToolCallMessage, withToolCalls } from 'honest-tool-calls/langgraph.ts'
import 'honest-tool-calls/styles.css'
import { type ReactNode, useEffect, useState } from 'react'
import { Approval, apiOf, Composer, deadlines, keep, kept, mount, tools } from '../shell/index.ts'

const store = createToolCallStore({ tools, deadlines })
const transport = withToolCalls(store, new FetchStreamTransport({ apiUrl: apiOf('langgraph') }))

function Chat({ id }: { readonly id: string }): ReactNode {
  const [initialValues] = useState(() => ({ messages: kept<Message[]>(id) ?? [] }))
  const stream = useStream({ transport, threadId: id, onThreadId: () => {}, initialValues })
  // Before the first submit a custom transport does not show what the hook was given to begin with.
  const messages = stream.messages.length > 0 ? stream.messages : initialValues.messages
  useEffect(() => keep(id, messages), [id, messages])
  const answer = (type: 'approve' | 'reject') => stream.submit(null, { command: { resume: { decisions: [{ type }] } } })

  return (
    <>
      {messages.map((message) =>
        message.type === 'ai' ? (
          <ToolCallMessage key={message.id} store={store} scope={id} message={message} messages={messages} />
        ) : (
          message.type === 'human' && <p key={message.id}>{String(message.content)}</p>
        ),
      )}
      {stream.interrupt && <Approval answer={(granted) => void answer(granted ? 'approve' : 'reject')} />}
      <Composer
        busy={stream.isLoading}
        send={(text) => {
          const message = { type: 'human' as const, id: crypto.randomUUID(), content: text }
          void stream.submit({ messages: [message] })
        }}
        stop={() => void stream.stop()}
        resume={() => void stream.submit(null)}
      />
    </>
  )
}

mount(Chat)
