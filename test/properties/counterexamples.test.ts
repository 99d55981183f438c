import { expect, test } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import type { Tools } from '../../src/core/tools.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

// What the properties beside this file found, each as small as it shrank to.

const tools: Tools = {
  local: { executor: 'local' },
  hosted: { executor: 'host' },
  served: { executor: 'server' },
}

function label(store: ToolCallStore, callId: string): string {
  store.flush()
  const view = store.call({ callId })?.getState()
  return view === undefined ? 'no call' : labelOf(view)
}

test('a call that a host runs gets a deadline of its own when its stream ends', () => {
  const clock = createFakeClock()
  const store = createToolCallStore({ tools, clock })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'hosted' })
  stream.push({ type: 'call-progress', key: 'key' })
  stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  expect(label(store, 'call')).toBe('Running hosted…')
  clock.advance(300_000)
  expect(label(store, 'call')).toBe('hosted — may have run (timed out)')
})

test('a name that comes when its call is settled changes nothing of what was read', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call' })
  stream.push({ type: 'call-withdrawn', key: 'key' })
  const before = label(store, 'call')
  stream.push({ type: 'call-identified', key: 'key', name: 'local' })
  expect(label(store, 'call')).toBe(before)
  expect(store.counts().dropped).toEqual({ 'not-open': 1 })
})

test('a host that asks whether it may run what a person declined is told no', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'hosted' })
  stream.push({ type: 'call-finished', key: 'key' })
  stream.push({ type: 'approval-requested', key: 'key' })
  store.answerApproval({ callId: 'call' }, { granted: false })
  expect(store.dispatched({ callId: 'call' })).toBe(false)
  expect(label(store, 'call')).toBe('hosted — not run (you declined)')
  expect(store.counts().contradictedLabels).toBe(0)
})

test('a refusal that comes when the call has begun makes nothing undone', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'hosted' })
  stream.push({ type: 'approval-requested', key: 'key' })
  stream.push({ type: 'call-dispatched', key: 'key' })
  expect(store.answerApproval({ callId: 'call' }, { granted: false })).toBe(false)
  expect(label(store, 'call')).toBe('Running hosted…')
})

test('a wire that asks for and is refused an approval of what runs here already makes nothing undone either', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'local' })
  stream.push({ type: 'call-fragment', key: 'key', text: '{}' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  expect(store.dispatched({ callId: 'call' })).toBe(true)
  stream.push({ type: 'approval-requested', key: 'key' })
  stream.push({ type: 'approval-answered', key: 'key', granted: false, by: 'policy' })
  expect(label(store, 'call')).toBe('Running local…')
})

test('a call whose name never came may have been a server tool, even where tools are local by default', () => {
  const store = createToolCallStore({ tools: { served: { executor: 'server' } }, defaultExecutor: 'local' })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call' })
  stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  expect(label(store, 'call')).toBe('A tool call — may have run (connection lost)')
})

test('an error that answers a rejected input is no execution, also where the rejection came after the label', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const first = store.openStream({ turnId: 'turn' })
  first.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'served' })
  first.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  const second = store.openStream({ turnId: 'turn' })
  second.push({ type: 'call-finished', key: 'key', status: 'rejected' })
  second.push({ type: 'call-returned', key: 'key', ok: false })
  expect(label(store, 'call')).toBe('served — not run (the details were not valid)')
})

test('an error of a call that was seen to run is an execution, whatever was said of its input', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'served' })
  stream.push({ type: 'call-dispatched', key: 'key' })
  stream.push({ type: 'call-finished', key: 'key', status: 'rejected' })
  stream.push({ type: 'call-returned', key: 'key', ok: false })
  expect(label(store, 'call')).toBe('served — ran and failed')
})

test('a natural stop reason hands a server its call without arguments, too', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'served' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  stream.end({ type: 'complete', speaker: 'executor' })
  expect(label(store, 'call')).toBe('served — may have run (no result received)')
})

test('a natural stop reason hands a provider its call without arguments, too', () => {
  const store = createToolCallStore({ tools, clock: createFakeClock() })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'search', executor: 'provider' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
  stream.end({ type: 'complete', speaker: 'model' })
  expect(label(store, 'call')).toBe('search — may have run (no result received)')
})

test('what a tool hides is hidden as soon as it is known whose arguments these are', () => {
  const store = createToolCallStore({
    tools: { pay: { executor: 'local', sensitive: ['card'] } },
    clock: createFakeClock(),
  })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call' })
  stream.push({ type: 'call-fragment', key: 'key', text: '{"card":"4111","amount":' })
  store.flush()
  const before = store.call({ callId: 'call' })?.getState()
  expect(before?.phase === 'preparing' && before.preview.map(({ path }) => path)).toEqual(['card'])
  stream.push({ type: 'call-identified', key: 'key', name: 'pay' })
  store.flush()
  const after = store.call({ callId: 'call' })?.getState()
  expect(after?.phase === 'preparing' && after.preview).toEqual([])
})

test('what settles is told without a frame, as a hidden tab gets none, also while its stream goes on', async () => {
  const store = createToolCallStore({ tools, clock: createFakeClock(), frame: () => () => {} })
  const stream = store.openStream()
  stream.push({ type: 'call-announced', key: 'key', callId: 'call', name: 'served' })
  store.flush()
  stream.push({ type: 'call-returned', key: 'key', ok: true })
  await Promise.resolve()
  const view = store.call({ callId: 'call' })?.getState()
  expect(view === undefined ? 'no call' : labelOf(view)).toBe('served — done')
})
