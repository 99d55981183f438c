import {
  CopilotChatMessageView,
  type CopilotChatViewProps,
  useAgent,
  useCopilotChatConfiguration,
  useCopilotKit,
  useInterrupt,
} from '@copilotkit/react-core/v2'
import { type ReactNode, useEffect, useState } from 'react'
import { Approval, Composer, keep, kept } from '../shell/index.ts'

type Messages = NonNullable<CopilotChatViewProps['messages']>

/** CopilotKit's own messages, and the composer of these examples in the place of its own. */
export function ChatView({ messages = [], isRunning = false, isConnecting, ...on }: CopilotChatViewProps): ReactNode {
  const id = useCopilotChatConfiguration()?.threadId ?? ''
  const { agent } = useAgent({ agentId: id })
  const { copilotkit } = useCopilotKit()
  const asked = useInterrupt({
    agentId: id,
    renderInChat: false,
    render: ({ resolve }) => <Approval answer={(approved) => void resolve({ approved })} />,
  })

  // Once it is connected, as that empties it: an agent without a runtime remembers nothing.
  const [before] = useState(() => kept<Messages>(id))
  useEffect(() => {
    if (!isConnecting && before !== undefined) agent.setMessages(before)
  }, [agent, isConnecting, before])
  useEffect(() => {
    if (messages.length > 0) keep(id, messages)
  }, [id, messages])

  /** Another reply to the last message of the person. */
  function regenerate(): void {
    const place = agent.messages.findLastIndex(({ role }) => role === 'user')
    agent.setMessages(agent.messages.slice(0, place + 1))
    void copilotkit.runAgent({ agent })
  }

  return (
    <>
      <CopilotChatMessageView messages={messages} isRunning={isRunning} />
      {asked}
      <Composer
        busy={agent.isRunning}
        send={(text) => on.onSubmitMessage?.(text)}
        stop={() => on.onStop?.()}
        regenerate={regenerate}
        resume={() => void copilotkit.runAgent({ agent })}
      />
    </>
  )
}
