import { useStream } from '@langchain/react'
import { createToolCallStore } from 'honest-tool-calls'
import { createStreamLink, ToolCallMessage, useToolCallStream } from 'honest-tool-calls/langchain-react.ts'
import 'honest-tool-calls/styles.css'
import { type ReactNode, useEffect, useState } from 'react'
import { Approval, apiOf, Composer, deadlines, keep, kept, mount, tools } from '../shell/index.ts'
import { callsOf, plain } from './plain.ts'

const store = createToolCallStore({ tools, deadlines })

function Chat({ id }: { readonly id: string }): ReactNode {
  const [link] = useState(createStreamLink)
  const [threadId, onThreadId] = useState<string | null>(null)
  const [initialValues] = useState<Record<string, unknown>>(() => ({ messages: kept(id) ?? [] }))
  const stream = useStream({
    // The hook names its threads by itself; the address tells the server which chat of the page this is.
    apiUrl: new URL(`${apiOf('langchain-react')}/${id}`, location.href).href,
    assistantId: 'agent',
    threadId,
    onThreadId,
    initialValues,
    reconnectDelayMs: () => 50,
    ...link,
  })
  useToolCallStream(stream, store, link)
  const { messages } = stream
  const scope = stream.threadId ?? id
  useEffect(() => keep(id, messages.map(plain)), [id, messages])

  function answer(granted: boolean): void {
    for (const { id: callId = '' } of messages.flatMap(callsOf))
      if (!granted && isAsked(callId)) store.answerApproval({ callId, scope }, { granted })
    void stream.respond({ decisions: [{ type: granted ? 'approve' : 'reject' }] })
  }

  function isAsked(callId: string): boolean {
    const call = store.call({ callId, scope })?.getState()
    return call?.phase === 'waiting' && call.on === 'person'
  }

  return (
    <>
      {messages.map((message) =>
        message.type === 'ai' ? (
          <ToolCallMessage key={message.id} store={store} scope={scope} message={message} messages={messages} />
        ) : (
          message.type === 'human' && <p key={message.id}>{message.text}</p>
        ),
      )}
      {stream.interrupt && <Approval answer={answer} />}
      <Composer
        busy={stream.isLoading}
        send={(text) => void stream.submit({ messages: [{ type: 'human', content: text }] })}
        stop={() => void stream.stop()}
      />
    </>
  )
}

mount(Chat)
