import {
  AssistantRuntimeProvider,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
  useAui,
  useAuiState,
} from '@assistant-ui/react'
import { AssistantChatTransport, useAISDKChat, useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { createToolCallStore } from 'honest-tool-calls'
import { AssistantTurnNotice, assistantToolCall, withToolCalls } from 'honest-tool-calls/assistant-ui.ts'
import 'honest-tool-calls/styles.css'
import { type ReactNode, useEffect, useState } from 'react'
import { Approval, apiOf, Composer, deadlines, gate, keep, kept, mount, tools } from '../shell/index.ts'
import { ClientTools } from './client-tools.tsx'

const store = createToolCallStore({ tools, deadlines })
const ask = ({ respondToApproval }: ToolCallMessagePartProps) => (
  <Approval answer={(approved) => void respondToApproval({ approved })} />
)
const toolCall = assistantToolCall(store, { approval: ask })
const paragraph = ({ text }: { readonly text: string }) => <p>{text}</p>

function Chat({ id }: { readonly id: string }): ReactNode {
  // The host names its threads by itself; the address tells the server which chat of the page this is.
  const api = `${apiOf('assistant-ui')}/${id}`
  const [transport] = useState(() =>
    withToolCalls(store, (fetch) => new AssistantChatTransport({ api, fetch }), { gate }),
  )
  const [messages] = useState(() => kept<UIMessage[]>(id) ?? [])
  const runtime = useChatRuntime({
    transport,
    messages,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ClientTools />
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages>
          {() => <MessagePrimitive.Parts components={{ Text: paragraph, tools: { Override: toolCall } }} />}
        </ThreadPrimitive.Messages>
        <AssistantTurnNotice store={store} />
      </ThreadPrimitive.Root>
      <ChatComposer id={id} />
    </AssistantRuntimeProvider>
  )
}

function ChatComposer({ id }: { readonly id: string }): ReactNode {
  const aui = useAui()
  const isRunning = useAuiState(({ thread }) => thread.isRunning)
  const count = useAuiState(({ thread }) => thread.messages.length)
  const chat = useAISDKChat()
  const messages = chat?.messages
  useEffect(() => {
    if (messages !== undefined) keep(id, messages)
  }, [id, messages])
  return (
    <Composer
      busy={isRunning}
      send={(text) => aui.thread().append(text)}
      stop={() => aui.thread().cancelRun()}
      regenerate={() =>
        aui
          .thread()
          .message({ index: count - 1 })
          .reload()
      }
      resume={() => void chat?.resumeStream()}
    />
  )
}

mount(Chat)
