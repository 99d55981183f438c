import { modelMessageSchema } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aiSdkMessages } from '../../../src/dispatch/index.ts'
import { answerTo, EXCHANGES, made } from './exchange.ts'

const messages = z.array(modelMessageSchema)

test.each(Object.entries(EXCHANGES))("%s is what the AI SDK's own schema takes", (_, exchange) => {
  const { success, error } = messages.safeParse(exchange(aiSdkMessages))
  expect(error).toBeUndefined()
  expect(success).toBe(true)
})

test('the control: its schema refuses a result without its call’s id', () => {
  const { callId: _, ...result } = answerTo(made('call-1', {}), 'Sent.')
  const [message] = aiSdkMessages.answers([{ ...result, callId: undefined as unknown as string }])
  expect(modelMessageSchema.safeParse(message).success).toBe(false)
})

test('every call of a message has its result in the next, and what failed is an error', () => {
  const [reply, answers] = EXCHANGES['text, two calls, a result and an error'](aiSdkMessages)
  expect(reply).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'text' },
      { type: 'tool-call', toolCallId: 'call-1' },
      { type: 'tool-call', toolCallId: 'call-2' },
    ],
  })
  expect(answers).toMatchObject({
    role: 'tool',
    content: [
      { toolCallId: 'call-1', toolName: 'send_mail', output: { type: 'text', value: 'Sent.' } },
      { toolCallId: 'call-2', toolName: 'send_mail', output: { type: 'error-text', value: 'It failed.' } },
    ],
  })
})

test("the SDK's own message goes back as it is", () => {
  const own = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] }
  expect(aiSdkMessages.reply({ text: 'Sure.', calls: [], own })).toEqual([own])
})
