import { expect, test } from 'vitest'
import { hydration } from '../../src/adapters/hydration.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { REPLAY_ENDINGS, replay } from '../../src/testing/index.ts'

// What a user reads of a stored part, by who would run its tool.
const labelsOf = async (part: object, executor: ToolDeclaration['executor'] | 'provider') => {
  const byProvider = executor === 'provider' ? { providerExecuted: true } : {}
  const parts = [{ type: 'tool-pay', toolCallId: 'c1', input: {}, ...byProvider, ...part }]
  const tools = { pay: { executor: executor === 'provider' ? 'server' : executor } } as const
  const pieces = [JSON.stringify([{ id: 'm1', role: 'assistant', parts }])]
  const played = await replay({ adapter: hydration, tools, pieces, ending: 'reload' })
  expect(played.player.store.counts()).toMatchObject({ contradictedLabels: 0 })
  expect(played.player.store.balance()).toMatchObject({
    announced: 1,
    preparing: 0,
    running: 0,
    waiting: { gate: 0, result: 0 },
  })
  expect(played.calls.map(({ mayDispatch }) => mayDispatch)).toEqual([false])
  return played.calls.map(({ label }) => label).join()
}

const closed = 'pay — may have run (the page was closed)'
const asked = { approval: { id: 'ap1' } }

test.each<[string, object, string]>([
  ['input-streaming', { rawInput: '{"to"' }, closed],
  ['input-available', {}, closed],
  ['approval-responded', { approval: { id: 'ap1', approved: true } }, closed],
  ['approval-responded', { approval: { id: 'ap1', approved: false } }, 'pay — not run (you declined)'],
  ['output-available', { output: 1 }, 'pay — done'],
  ['output-available', { output: 1, preliminary: true }, closed],
  ['output-error', { errorText: 'no' }, 'pay — may have run (an error was reported)'],
  ['output-error', { errorText: `${NOT_RUN_MARK} held back` }, 'pay — not run'],
  ['output-denied', asked, 'pay — not run (you declined)'],
  ['output-denied', { approval: { id: 'ap1', isAutomatic: true } }, 'pay — not run (blocked by policy)'],
  ['a-state-of-tomorrow', {}, closed],
])('of others: %s %j: %s', async (state, part, label) => {
  for (const executor of ['server', 'host', 'provider'] as const)
    expect([executor, await labelsOf({ state, ...part }, executor)]).toEqual([executor, label])
})

test('a server call that waits for a person goes on waiting', async () => {
  expect(await labelsOf({ state: 'approval-requested', ...asked }, 'server')).toBe('pay — waiting for your approval')
  expect(await labelsOf({ state: 'approval-requested', ...asked }, 'provider')).toBe(closed)
})

test.each<[string, object, string]>([
  ['input-streaming', { rawInput: '{"to"' }, 'pay — not run (the page was closed)'],
  ['approval-responded', { approval: { id: 'ap1', approved: false } }, 'pay — not run (you declined)'],
  ['output-available', { output: 1 }, 'pay — done'],
  ['output-denied', asked, 'pay — not run (you declined)'],
])('of ours: %s %j: %s', async (state, part, label) => {
  expect(await labelsOf({ state, ...part }, 'local')).toBe(label)
})

// Truth rule 13: "after a reload, a local call is 'not run' only if its stored buffer was still open, or the journal
// shows no dispatch". The core says "not run (the page was closed)" of each: see `settledByEnding`.
test.each<[string, object, string]>([
  ['input-available', {}, closed],
  ['approval-responded', { approval: { id: 'ap1', approved: true } }, closed],
  ['output-available', { output: 1, preliminary: true }, closed],
  ['a-state-of-tomorrow', {}, closed],
])('of ours, and it may have been run before the reload: %s %j: %s', async (state, part, label) => {
  expect(await labelsOf({ state, ...part }, 'local')).toBe(label)
})

// Truth rule 12: what this host itself stored counts for its own calls too. The ledger takes it for a wire's word.
test.each<[string, object, string]>([
  ['output-error', { errorText: 'no' }, 'pay — may have run (an error was reported)'],
  ['output-error', { errorText: `${NOT_RUN_MARK} held back` }, 'pay — not run'],
])('of ours, and it was stored how it went: %s %j: %s', async (state, part, label) => {
  expect(await labelsOf({ state, ...part }, 'local')).toBe(label)
})

test('what is stored whole has no notice of a break; what was open has one', async () => {
  const noticeOf = async (...parts: readonly object[]) => {
    const pieces = [JSON.stringify([{ role: 'assistant', parts }])]
    return (await replay({ adapter: hydration, pieces, ending: 'reload' })).notice
  }
  expect(await noticeOf({ type: 'text', text: 'Hi', state: 'done' })).toEqual([])
  expect(await noticeOf({ type: 'text', text: 'Hi', state: 'streaming' })).toEqual([
    'The reply stopped here (the page was closed).',
  ])
})

test.each(REPLAY_ENDINGS)('the document alone says how it ended: %s', async (ending) => {
  const part = { type: 'tool-pay', toolCallId: 'c1', state: 'input-available', input: {} }
  const pieces = [JSON.stringify({ messages: [{ role: 'assistant', parts: [part] }] })]
  const { calls } = await replay({ adapter: hydration, pieces, ending })
  expect(calls.map(({ label }) => label)).toEqual([closed])
})

test('half a document announces nothing', async () => {
  const { calls } = await replay({ adapter: hydration, pieces: ['{"messages":[{"role":"assistant"'], ending: 'eof' })
  expect(calls).toEqual([])
})
