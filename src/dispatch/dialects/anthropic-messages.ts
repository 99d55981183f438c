import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Dialect } from './dialect.ts'

/** Anthropic Messages: a `tool_result` for each `tool_use`, all in the next message, before anything else. */
export const anthropicMessages: Dialect<MessageParam> = {
  reply({ text, calls, own }) {
    const content: ContentBlockParam[] = [
      // A blank text block is refused.
      ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
      ...calls.map(({ callId, name, args }) => ({ type: 'tool_use', id: callId, name, input: args }) as const),
    ]
    return [(own as MessageParam | undefined) ?? { role: 'assistant', content }]
  },
  answers: (answers) => [
    {
      role: 'user',
      content: answers.map(({ callId, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: callId,
        content: text,
        ...(isError ? { is_error: true } : {}),
      })),
    },
  ],
  note: (text) => [{ role: 'user', content: text }],
}
