import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { createToolCallStore, TurnNotice } from 'honest-tool-calls'
import { ToolCallPart, withToolCalls } from 'honest-tool-calls/ai-sdk.ts'
import 'honest-tool-calls/styles.css'
import { type ReactNode, useEffect } from 'react'
import {
  Approval,
  apiOf,
  Composer,
  deadlines,
  gate,
  keep,
  kept,
  mount,
  runsHere,
  runTool,
  tools,
} from '../shell/index.ts'

const store = createToolCallStore({ tools, deadlines })
const transport = withToolCalls(store, (fetch) => new DefaultChatTransport({ api: apiOf('ai-sdk'), fetch }), { gate })

function Chat({ id }: { readonly id: string }): ReactNode {
  const chat = useChat({
    id,
    messages: kept<UIMessage[]>(id) ?? [],
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onToolCall({ toolCall }) {
      if (runsHere) void run(toolCall)
    },
  })
  useEffect(() => keep(id, chat.messages), [id, chat.messages])

  async function run({ toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: unknown }) {
    await chat.addToolOutput({ tool: toolName, toolCallId, output: await runTool(toolName, input) })
  }

  return (
    <>
      {chat.messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, place) => {
            if (isToolUIPart(part)) {
              const { state, approval } = part
              const answer = (approved: boolean) => chat.addToolApprovalResponse({ id: approval?.id ?? '', approved })
              return (
                <ToolCallPart
                  key={part.toolCallId}
                  store={store}
                  chatId={id}
                  messageId={message.id}
                  part={part}
                  {...(state === 'approval-requested' && { render: () => <Approval answer={answer} /> })}
                />
              )
            }
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
            return part.type === 'text' && <p key={place}>{part.text}</p>
          })}
        </article>
      ))}
      <TurnNotice store={store} scope={id} />
      <Composer
        busy={chat.status === 'submitted' || chat.status === 'streaming'}
        send={(text) => void chat.sendMessage({ text })}
        stop={() => void chat.stop()}
        regenerate={() => void chat.regenerate()}
        resume={() => void chat.resumeStream()}
      />
    </>
  )
}

mount(Chat)
