import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime'
import type { Dialect } from './dialect.ts'

/** Bedrock Converse: a `toolResult` for each `toolUse`, all in the next message. */
export const bedrockMessages: Dialect<Message> = {
  reply({ text, calls, own }) {
    const content = [
      // Blank text is refused.
      ...(text.trim() === '' ? [] : [{ text }]),
      ...calls.map(({ callId, name, args }) => ({ toolUse: { toolUseId: callId, name, input: args } })),
    ] as ContentBlock[]
    return [(own as Message | undefined) ?? { role: 'assistant', content }]
  },
  answers: (answers) => [
    {
      role: 'user',
      content: answers.map(({ callId, text, isError }): ContentBlock => {
        const status = isError ? 'error' : 'success'
        return { toolResult: { toolUseId: callId, content: [{ text }], status } }
      }),
    },
  ],
  // Roles have to alternate, and what stands before a note is the user's: the reply that broke off gets its place.
  note: (text) => [
    { role: 'assistant', content: [{ text: '…' }] },
    { role: 'user', content: [{ text }] },
  ],
}
