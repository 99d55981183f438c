import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { Dialect } from './dialect.ts'

/**
 * OpenAI Responses: a `function_call_output` for each call. As the model's own word an array of output items is taken
 * (reasoning items have to be sent back with their calls), or an empty one where `previous_response_id` stands for it.
 */
export const openaiResponsesInput: Dialect<ResponseInputItem> = {
  reply({ text, calls, own }) {
    const made: readonly ResponseInputItem[] = [
      ...(text === '' ? [] : [{ role: 'assistant', content: text } as const]),
      ...calls.map(({ callId, name, raw }): ResponseInputItem => {
        return { type: 'function_call', call_id: callId, name, arguments: raw === '' ? '{}' : raw }
      }),
    ]
    return (own as readonly ResponseInputItem[] | undefined) ?? made
  },
  answers: (answers) =>
    answers.map(({ callId, text }) => ({ type: 'function_call_output', call_id: callId, output: text })),
  note: (text) => [{ role: 'user', content: text }],
}
