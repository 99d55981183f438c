import { AIMessage, ToolMessage } from '@langchain/core/messages'
import type { Message } from '@langchain/langgraph-sdk'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { ToolCallMessage } from '../../src/langgraph.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'

const human: Message = { type: 'human', id: 'human-1', content: 'Do it' }

function ai(members: object = {}): Message {
  const tool_calls = [{ id: 'call_1', name: 'create_ticket', args: { title: 'MARKER' } }]
  return { type: 'ai', id: 'run-1', content: 'I will.', tool_calls, ...members }
}

function tool(members: object = {}): Message {
  return { type: 'tool', id: 'tool-1', tool_call_id: 'call_1', content: 'T-1', ...members }
}

const store = (executor: 'local' | 'server' = 'server'): ToolCallStore =>
  createToolCallStore({ tools: { create_ticket: { executor } }, defaultExecutor: executor })

/** The labels that a reader of the page reads, in order. */
function labels(message: Message, rest: readonly Message[], to = store()): readonly string[] {
  const messages = [human, message, ...rest]
  const html = renderToString(<ToolCallMessage store={to} scope="t1" message={message} messages={messages} />)
  expect(html).toContain('I will.')
  expect(html).not.toMatch(/MARKER|Preparing|aria-busy/)
  const found = html.matchAll(/data-label=""[^>]*>(.*?)<\/span>/g)
  return Array.from(found, ([, words = '']) => words.replaceAll(/<!-- -->|<[^>]+>/g, ''))
}

test.each([
  ['a result', [tool()], 'done'],
  ['an error, which need not be of a run', [tool({ status: 'error' })], 'may have run (an error was reported)'],
  ['a refusal of this kit', [tool({ status: 'error', content: `${NOT_RUN_MARK} x` })], 'not run'],
  ['the answer to another call', [tool({ tool_call_id: 'call_2' })], 'may have run (the page was closed)'],
  ['nothing', [], 'may have run (the page was closed)'],
] as const)('a kept call with %s', (_, rest, label) => {
  expect(labels(ai(), rest)).toEqual([`create_ticket — ${label}`])
})

test('a kept call of a local tool is never offered, nor said not to have run', () => {
  const to = store('local')
  expect(labels(ai(), [], to)).toEqual(['create_ticket — may have run (the page was closed)'])
  expect(to.turnIds()).toEqual([])
  expect(to.dispatchable()).toEqual([])
})

test('calls in the content and beside it are one; damaged ones are shown too', () => {
  const content = [
    { type: 'text', text: 'I will.' },
    { type: 'tool_use', id: 'call_1', name: 'create_ticket', input: {} },
  ]
  const invalid_tool_calls = [{ id: 'call_2', name: 'send_payment', args: '{"amount', type: 'invalid_tool_call' }]
  const both = labels(ai({ content, invalid_tool_calls }), [tool()])
  expect(both).toEqual(['create_ticket — done', 'send_payment — may have run (the page was closed)'])
})

test('a message that the store saw is told as the store saw it', () => {
  const to = store()
  const stream = to.openStream({ scope: 't1' })
  stream.push({ type: 'message-started', messageId: 'run-1' })
  stream.push({ type: 'text-fragment', text: 'I will.' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' })
  stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  expect(labels(ai(), [], to)).toEqual(['create_ticket — may have run (connection lost)'])
})

test('a message without calls is its text', () => {
  expect(labels(ai({ tool_calls: [] }), [])).toEqual([])
})

test('messages that are objects of LangChain are drawn as the same', () => {
  const tool_calls = [{ id: 'call_1', name: 'create_ticket', args: { title: 'MARKER' } }]
  const message = new AIMessage({ id: 'run-1', content: 'I will.', tool_calls })
  const answer = new ToolMessage({ id: 'tool-1', tool_call_id: 'call_1', content: 'T-1' })
  const drawn = (...answers: readonly ToolMessage[]): string =>
    renderToString(<ToolCallMessage scope="t1" store={store()} message={message} messages={[message, ...answers]} />)
  expect(drawn(answer)).toContain('done')
  expect(drawn()).toContain('may have run')
  expect(drawn(answer)).not.toContain('MARKER')
})
