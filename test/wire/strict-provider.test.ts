import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StrictProvider, startStrictProvider } from './strict-provider.ts'

let provider: StrictProvider
beforeAll(async () => {
  provider = await startStrictProvider()
})
afterAll(() => provider.close())

/** Why the provider refuses a conversation; null where it answers. */
async function refusal(path: string, body: object): Promise<string | null> {
  const conversation = provider.converse([{ text: 'Yes?' }])
  const response = await fetch(conversation.url + path, { method: 'POST', body: JSON.stringify(body) })
  const answer = await response.text()
  const [seen] = conversation.requests
  expect(response.status).toBe(seen?.refused === null ? 200 : 400)
  if (response.status === 400) expect(JSON.parse(answer).error).toMatchObject({ type: 'invalid_request_error' })
  return seen?.refused ?? null
}

const user = { role: 'user', content: 'Please.' }

describe('Anthropic Messages', () => {
  const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'send_mail', input })
  const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'Ok.', ...more })
  const text = (text: string) => ({ type: 'text', text })
  const uses = (...content: object[]) => ({ role: 'assistant', content })
  const says = (...content: object[]) => ({ role: 'user', content })

  test.each([
    ['a call that is answered', [user, uses(text('Sure.'), use('a')), says(result('a'), text('And now?'))]],
    ['two calls, answered in another order', [user, uses(use('a'), use('b')), says(result('b'), result('a'))]],
    ['two messages of one role, as the service joins them', [user, uses(use('a')), says(result('a')), user]],
  ])('takes %s', async (_, messages) => {
    expect(await refusal('/v1/messages', { messages })).toBeNull()
  })

  test.each([
    ['a call without its result', [user, uses(use('a')), user], 'without a tool_result'],
    ['a call that is the last word', [user, uses(use('a'))], 'without a tool_result'],
    ['one of two results missing', [user, uses(use('a'), use('b')), says(result('a'))], 'b without a tool_result'],
    [
      'a result one message late',
      [user, uses(use('a')), user, uses(text('Hm.')), says(result('a'))],
      'without a tool_result',
    ],
    ['a result of no call', [user, uses(text('Hm.')), says(result('a'))], 'without its tool_use'],
    ['two results of one call', [user, uses(use('a')), says(result('a'), result('a'))], 'two results'],
    ['text before the results', [user, uses(use('a')), says(text('Well,'), result('a'))], 'not first'],
    ['an id used twice', [user, uses(use('a')), says(result('a')), uses(use('a')), says(result('a'))], 'twice'],
    ['an empty text', [user, uses(text('')), user], 'without text'],
    ['a blank text', [user, uses(text(' \n'), use('a')), says(result('a'))], 'without text'],
    ['no content', [user, uses(), user], 'without content'],
    ['arguments that are no object', [user, uses(use('a', ['x'])), says(result('a'))], 'no object'],
    [
      'an error without a word',
      [user, uses(use('a')), says(result('a', { content: '', is_error: true }))],
      'without a word',
    ],
    ['a beginning that is not the user’s', [uses(text('Hello.')), user], 'first message'],
    ['a role of another wire', [user, { role: 'tool', content: 'Ok.' }], 'role'],
  ])('refuses %s', async (_, messages, why) => {
    expect(await refusal('/v1/messages', { messages })).toContain(why)
  })
})

describe('OpenAI Chat Completions', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'send_mail', arguments: '{}' } })
  const makes = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
  const told = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'Ok.' })

  test('takes calls that are answered, in any order', async () => {
    const messages = [
      user,
      makes(call('a'), call('b')),
      told('b'),
      told('a'),
      { role: 'assistant', content: 'Done.' },
      user,
    ]
    expect(await refusal('/chat/completions', { messages })).toBeNull()
  })

  test.each([
    ['a call without its answer', [user, makes(call('a')), user], 'not answered'],
    ['a call that is the last word', [user, makes(call('a'))], 'not answered'],
    ['one of two answers missing', [user, makes(call('a'), call('b')), told('a')], 'not answered'],
    ['something else before the answer', [user, makes(call('a')), user, told('a')], 'not answered directly'],
    ['an answer to no call', [user, told('a')], 'without its call'],
    ['two answers to one call', [user, makes(call('a')), told('a'), told('a')], 'without its call'],
    ['an empty list of calls', [user, makes(), user], 'empty list'],
    ['two calls of one id', [user, makes(call('a'), call('a')), told('a')], 'of one id'],
    ['neither content nor calls', [user, { role: 'assistant', content: null }, user], 'neither'],
    ['an answer without content', [user, makes(call('a')), { ...told('a'), content: null }], 'without content'],
  ])('refuses %s', async (_, messages, why) => {
    expect(await refusal('/chat/completions', { messages })).toContain(why)
  })
})

describe('OpenAI Responses', () => {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'send_mail', arguments: '{}' })
  const told = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'Ok.' })

  test('takes calls that have their outputs', async () => {
    expect(await refusal('/responses', { input: [user, call('a'), call('b'), told('a'), told('b'), user] })).toBeNull()
  })

  test.each([
    ['a call without its output', [user, call('a')], 'without its output'],
    ['the user before the output', [user, call('a'), user, told('a')], 'not answered'],
    ['an output without its call', [user, told('a')], 'without its call'],
    ['two outputs of one call', [user, call('a'), told('a'), told('a')], 'without its call'],
    ['a call twice', [user, call('a'), call('a'), told('a')], 'twice'],
    ['an output without a word', [user, call('a'), { ...told('a'), output: null }], 'without output'],
  ])('refuses %s', async (_, input, why) => {
    expect(await refusal('/responses', { input })).toContain(why)
  })
})
