import { expect, test } from 'vitest'
import { english } from '../src/core/labels.ts'
import { NOT_RUN_MARK } from '../src/core/marks.ts'
import { labelOf, type StoredToolPart } from '../src/core.ts'

const closed = 'not run (the page was closed)'
const perhaps = 'may have run (the page was closed)'
const reported = 'may have run (an error was reported)'
const declined = 'not run (you declined)'
const asked = 'waiting for your approval'
const cancelled = 'User cancelled tool call by sending a new message.'

const rows: readonly [members: object, local: string, host: string, server: string][] = [
  [{ state: 'input-streaming' }, closed, perhaps, perhaps],
  [{ state: 'input-streaming', rawInput: '{"a' }, closed, perhaps, perhaps],
  [{ state: 'input-available', input: { a: 1 } }, perhaps, perhaps, perhaps],
  [{ state: 'approval-requested', input: {}, approval: { id: 'a1' } }, perhaps, perhaps, asked],
  [{ state: 'approval-responded', input: {}, approval: { id: 'a1', approved: true } }, perhaps, perhaps, perhaps],
  [{ state: 'approval-responded', input: {}, approval: { id: 'a1', approved: false } }, declined, declined, declined],
  [{ state: 'output-denied', input: {}, approval: { id: 'a1', approved: false } }, declined, declined, declined],
  [{ state: 'output-available', input: {}, output: 'made' }, 'done', 'done', 'done'],
  [{ state: 'output-available', input: {}, output: null }, 'done', 'done', 'done'],
  [{ state: 'output-available', input: {}, output: '10 %', preliminary: true }, perhaps, perhaps, perhaps],
  [{ state: 'output-error', input: {}, errorText: 'Boom' }, reported, reported, reported],
  [{ state: 'output-error', input: {}, errorText: cancelled }, reported, reported, reported],
  [{ state: 'output-error', input: {}, errorText: `${NOT_RUN_MARK} x` }, 'not run', 'not run', 'not run'],
  [{ state: 'a-state-of-tomorrow' }, perhaps, perhaps, perhaps],
]

test.each(rows)('a stored part says what it proves: %j: local %s; host %s; server %s', (members, ...words) => {
  const part = { type: 'tool-create_ticket', toolCallId: 'c1', ...members } as StoredToolPart
  const labels = (['local', 'host', 'server'] as const).map((executor) =>
    labelOf(part, { create_ticket: { executor } }),
  )
  expect(labels).toEqual(words.map((word) => `create_ticket — ${word}`))
})

test('a tool that nobody declared counts as a server’s', () => {
  const part = { type: 'tool-create_ticket', toolCallId: 'c1', state: 'input-streaming' }
  expect(labelOf(part)).toBe('create_ticket — may have run (the page was closed)')
  // Control: for one that runs here the same part says more.
  expect(labelOf(part, { create_ticket: { executor: 'local' } })).toBe('create_ticket — not run (the page was closed)')
})

test('a dynamic tool has its name in a member; a declared title stands for it', () => {
  const part = { type: 'dynamic-tool', toolName: 'pay', toolCallId: 'c1', state: 'output-available', output: 1 }
  expect(labelOf(part)).toBe('pay — done')
  expect(labelOf(part, { pay: { executor: 'server', title: 'Send payment' } })).toBe('Send payment — done')
})

test('another catalogue: for a part as the third argument, for a call as the second', () => {
  const catalogue = { ...english, yes: { ...english.yes, ok: '{tool}: fertig' } }
  const part = { type: 'tool-pay', toolCallId: 'c1', state: 'output-available', output: 1 }
  expect(labelOf(part, {}, catalogue)).toBe('pay: fertig')
  expect(labelOf({ name: 'pay', phase: 'settled', settled: { ran: 'yes', cause: 'ok' } }, catalogue)).toBe(
    'pay: fertig',
  )
})

test.each([{}, { type: 'text', text: 'pay' }, { type: 'tool-' }, { type: 7 }])(
  'what is no tool part claims nothing: %j',
  (part) => {
    expect(labelOf(part as StoredToolPart)).toBe('A tool call — may have run')
  },
)
