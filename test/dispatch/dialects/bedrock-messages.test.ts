import type { Message } from '@aws-sdk/client-bedrock-runtime'
import { expect, test } from 'vitest'
import { bedrockMessages } from '../../../src/dispatch/index.ts'
import { answerTo, EXCHANGES, made } from './exchange.ts'

const USER: Message = { role: 'user', content: [{ text: 'Please.' }] }

/** What the service would not take. */
function refusal(messages: readonly Message[]): string | null {
  for (const [place, { role, content = [] }] of messages.entries()) {
    if (role !== (place % 2 === 0 ? 'user' : 'assistant')) return 'roles that do not alternate'
    if (content.length === 0) return 'a message without content'
    if (content.some(({ text }) => text?.trim() === '')) return 'a blank text'
    const uses = content.flatMap(({ toolUse }) => toolUse ?? [])
    if (uses.some(({ input }) => typeof input !== 'object' || input === null || Array.isArray(input)))
      return 'no object'
    const answered = messages[place + 1]?.content?.flatMap(({ toolResult }) => toolResult ?? []) ?? []
    const ids = (list: readonly { readonly toolUseId: string | undefined }[]) =>
      list.map(({ toolUseId }) => toolUseId).join()
    if (ids(uses) !== ids(answered)) return 'calls and results that do not go together'
    if (answered.some(({ content = [] }) => content.length === 0)) return 'a result without content'
  }
  return null
}

test.each(Object.entries(EXCHANGES))(
  '%s: every call has its result in the next message, and roles alternate',
  (_, exchange) => {
    const messages = exchange(bedrockMessages)
    expect(refusal([USER, ...messages])).toBeNull()
  },
)

test('the controls: what is left out, and a role twice, is seen', () => {
  const exchange = EXCHANGES['text, two calls, a result and an error'](bedrockMessages)
  expect(refusal([USER, ...exchange.slice(0, 1)])).toContain('do not go together')
  expect(refusal([USER, USER])).toContain('alternate')
  expect(refusal([USER, { role: 'assistant', content: [{ text: ' ' }] }])).toContain('blank')
})

test('what failed has its status', () => {
  const [message] = bedrockMessages.answers([answerTo(made('a', {}), 'Ok.'), answerTo(made('b', {}), 'No.', true)])
  expect(message?.content?.map(({ toolResult }) => toolResult)).toEqual([
    { toolUseId: 'a', content: [{ text: 'Ok.' }], status: 'success' },
    { toolUseId: 'b', content: [{ text: 'No.' }], status: 'error' },
  ])
})

test("the model's own message goes back as it is", () => {
  const own = { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }] }
  expect(bedrockMessages.reply({ text: 'Sure.', calls: [], own })).toEqual([own])
})
