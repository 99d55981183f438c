import type { ModelMessage } from 'ai'
import type { Dialect } from './dialect.ts'

/** AI SDK Core: model messages, with `error-text` for what did not go well. */
export const aiSdkMessages: Dialect<ModelMessage> = {
  reply({ text, calls, own }) {
    const made: ModelMessage = {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text', text } as const]),
        ...calls.map(
          ({ callId, name, args }) => ({ type: 'tool-call', toolCallId: callId, toolName: name, input: args }) as const,
        ),
      ],
    }
    return [(own as ModelMessage | undefined) ?? made]
  },
  answers: (answers) => [
    {
      role: 'tool',
      content: answers.map(({ callId, name, text, isError }) => ({
        type: 'tool-result',
        toolCallId: callId,
        toolName: name,
        output: { type: isError ? 'error-text' : 'text', value: text },
      })),
    },
  ],
  note: (text) => [{ role: 'user', content: text }],
}
