import type { Content, Part } from '@google/genai'
import { isRecord } from '../../core/json.ts'
import type { Dialect } from './dialect.ts'

/** Gemini: a `functionResponse` for each `functionCall`, in their order, as not every model gives them ids. */
export const geminiContents: Dialect<Content> = {
  reply({ text, calls, own }) {
    const parts: Part[] = [
      ...(text === '' ? [] : [{ text }]),
      ...calls.map(({ name, args, ...call }): Part => {
        return { functionCall: { ...idOf(call), name, args: isRecord(args) ? { ...args } : {} } }
      }),
    ]
    return [(own as Content | undefined) ?? { role: 'model', parts }]
  },
  answers: (answers) => [
    {
      role: 'user',
      parts: answers.map(({ name, text, isError, ...call }): Part => {
        return { functionResponse: { ...idOf(call), name, response: isError ? { error: text } : { output: text } } }
      }),
    },
  ],
  note: (text) => [{ role: 'user', parts: [{ text }] }],
}

/** An id that we minted means nothing to the model. */
function idOf({ callId, hasWireId }: { readonly callId: string; readonly hasWireId: boolean }): { id?: string } {
  return hasWireId ? { id: callId } : {}
}
