import type { Content } from '@google/genai'
import { expect, test } from 'vitest'
import { geminiContents } from '../../../src/dispatch/index.ts'
import { answerTo, EXCHANGES, made } from './exchange.ts'

/** What the service would not take. */
function refusal(contents: readonly Content[]): string | null {
  for (const [place, { role, parts = [] }] of contents.entries()) {
    if (role !== 'user' && role !== 'model') return `the role ${role}`
    if (parts.length === 0) return 'a content without parts'
    if (parts.some((part) => Object.keys(part).length !== 1)) return 'a part with more than one thing, or none'
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    if (calls.some(({ args }) => typeof args !== 'object' || args === null || Array.isArray(args))) return 'no object'
    const answers = contents[place + 1]?.parts?.flatMap(({ functionResponse }) => functionResponse ?? []) ?? []
    const names = (list: readonly { readonly name?: string; readonly id?: string }[]) =>
      JSON.stringify(list.map(({ name, id }) => [name, id]))
    if (calls.length > 0 && names(calls) !== names(answers)) return 'calls and answers that do not go together'
    if (answers.length > 0 && calls.length === 0) return 'answers without calls'
    if (parts.some(({ text }) => text === '')) return 'an empty text'
  }
  return null
}

test.each(Object.entries(EXCHANGES))('%s: every call answered in the next content, in its order', (_, exchange) => {
  expect(refusal(exchange(geminiContents))).toBeNull()
})

test('the controls: what is left out, or in another order, is seen', () => {
  const exchange = EXCHANGES['text, two calls, a result and an error'](geminiContents)
  expect(refusal(exchange.slice(0, 1))).toContain('do not go together')
  const calls = [made('a', {}), made('b', {})]
  const wrong = [
    ...geminiContents.reply({ text: '', calls, own: undefined }),
    ...geminiContents.answers(calls.toReversed().map((call) => answerTo(call, 'Ok.'))),
  ]
  expect(refusal(wrong)).toContain('do not go together')
})

test('an id that the wire gave goes back, one that the kit minted does not', () => {
  const calls = [made('call-1', { title: 'Door' }), made('kit-call-1', {}, false)]
  expect(geminiContents.reply({ text: '', calls, own: undefined })).toEqual([
    {
      role: 'model',
      parts: [
        { functionCall: { id: 'call-1', name: 'send_mail', args: { title: 'Door' } } },
        { functionCall: { name: 'send_mail', args: {} } },
      ],
    },
  ])
  expect(geminiContents.answers(calls.map((call) => answerTo(call, 'Ok.')))).toEqual([
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call-1', name: 'send_mail', response: { output: 'Ok.' } } },
        { functionResponse: { name: 'send_mail', response: { output: 'Ok.' } } },
      ],
    },
  ])
})

test('what failed is said under the name that Gemini has for errors', () => {
  const [content] = geminiContents.answers([answerTo(made('a', {}), 'It failed.', true)])
  expect(content?.parts?.[0]?.functionResponse?.response).toEqual({ error: 'It failed.' })
})

test("the model's own content goes back as it is, with what only the model understands", () => {
  const own = { role: 'model', parts: [{ functionCall: { name: 'send_mail', args: {} }, thoughtSignature: 'c2ln' }] }
  expect(geminiContents.reply({ text: '', calls: [made('a', {})], own })).toEqual([own])
})
