import type { ChatCompletionAssistantMessageParam, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Dialect } from './dialect.ts'

/** OpenAI Chat Completions, and what speaks like it: a `tool` message for each call. It knows no error flag. */
export const openaiChatMessages: Dialect<ChatCompletionMessageParam> = {
  reply({ text, calls, own }) {
    const made: ChatCompletionAssistantMessageParam = {
      role: 'assistant',
      content: text === '' ? null : text,
      // An empty list is refused.
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ callId, name, raw }) => ({
              id: callId,
              type: 'function',
              function: { name, arguments: raw === '' ? '{}' : raw },
            })),
          }),
    }
    return [(own as ChatCompletionMessageParam | undefined) ?? made]
  },
  answers: (answers) => answers.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text })),
  note: (text) => [{ role: 'user', content: text }],
}
