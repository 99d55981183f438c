import { openaiChat } from 'honest-tool-calls/adapters/openai-chat.ts'
import { openaiChatMessages, runTurn } from 'honest-tool-calls/dispatch/index.ts'
import OpenAI from 'openai'
import { store } from './store.ts'

const client = new OpenAI()

type Message = OpenAI.ChatCompletionMessageParam

export function reply(history: readonly Message[], tools: OpenAI.ChatCompletionTool[]) {
  return runTurn<Message>({
    store,
    adapter: openaiChat,
    dialect: openaiChatMessages,
    request: ({ messages, signal }) =>
      client.chat.completions.create(
        { model: 'gpt-5', stream: true, tools, messages: [...history, ...messages] },
        { signal },
      ),
  })
}
