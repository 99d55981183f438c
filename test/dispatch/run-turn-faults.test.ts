import { expect, onTestFinished, test, vi } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { createDispatcher, openaiChatMessages, runTurn } from '../../src/dispatch/index.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { eventsAdapter, messageOf } from './events-adapter.ts'

// What the tests over real connections and the random schedules found, each as small as it gets.

function newStore(more: Partial<ToolDeclaration> = {}) {
  const clock = createFakeClock()
  const runs: unknown[] = []
  const run = (args: unknown) => {
    runs.push(args)
    return 'Sent.'
  }
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    defaultExecutor: 'local',
    tools: { send_mail: { executor: 'local', run, ...more } },
  })
  const labels = (turnId: string) => {
    store.flush()
    const items = store.turn(turnId)?.getState().items ?? []
    return items.flatMap(({ type, key }) => {
      const view = type === 'call' ? store.callByKey(turnId, key)?.getState() : undefined
      return view === undefined ? [] : [labelOf(view)]
    })
  }
  return { store, clock, runs, labels, options: { store, adapter: eventsAdapter, dialect: openaiChatMessages } }
}

const MAIL = { a: ['send_mail', '{"title":"Door"}'] } as const
const MADE = { id: 'id-a', type: 'function', function: { name: 'send_mail', arguments: '{"title":"Door"}' } }

test("the provider's own form that is not to be had is made by the kit; whoever watches for errors hears of it", async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => told.mockRestore())
  const { options, runs } = newStore()
  const error = new Error('stream ended without a message')
  const { ended } = runTurn({
    ...options,
    request: ({ number }) =>
      number > 1 ? messageOf({}) : { source: messageOf(MAIL), own: () => Promise.reject(error) },
  })
  const result = await ended
  expect(result.status).toBe('complete')
  expect(result.messages[0]).toEqual({ role: 'assistant', content: null, tool_calls: [MADE] })
  expect(runs).toEqual([{ title: 'Door' }])
  expect(told).toHaveBeenCalledWith(error)
})

test('a turn that waits for the own form of a message can be cancelled, and its calls are answered all the same', async () => {
  const { options, runs, labels } = newStore()
  let isAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const own = () => {
    isAsked()
    return new Promise(() => {})
  }
  const turn = runTurn({ ...options, request: () => ({ source: messageOf(MAIL), own }) })
  await asked
  turn.cancel()
  const { status, messages } = await turn.ended
  expect(status).toBe('cancelled')
  expect(messages).toMatchObject([{ tool_calls: [MADE] }, { role: 'tool', tool_call_id: 'id-a' }])
  expect(runs).toEqual([])
  expect(labels(turn.id)).toEqual(['send_mail — cancelled'])
})

test('a call that was refused at the last moment is no run', async () => {
  const { options, store, runs, labels } = newStore()
  const journal = {
    append({ type }: { readonly type: string }) {
      if (type === 'call-dispatched') throw new Error('The disk is full.')
    },
  }
  const turn = runTurn({
    ...options,
    dispatcher: createDispatcher(store, { journal }),
    request: ({ number }) => messageOf(number > 1 ? {} : MAIL),
  })
  const result = await turn.ended
  expect(result.runs).toEqual([])
  expect(result.messages[1]).toMatchObject({ role: 'tool', tool_call_id: 'id-a' })
  expect(runs).toEqual([])
  expect(labels(turn.id)).toEqual(['send_mail — not run (never started)'])
})

test.each([
  ['lost', new TypeError('terminated'), 'complete', 1, 'send_mail — done'],
  ['stopped by its host', new DOMException('Stop.', 'AbortError'), 'failed', 0, 'send_mail — not run (never started)'],
])('behind the end of its message a stream is %s', async (_, error, status, count, label) => {
  const { options, runs, labels, clock } = newStore()
  async function* stream() {
    yield* messageOf(MAIL)
    throw error
  }
  const turn = runTurn({ ...options, regenerate: 1, request: ({ number }) => (number > 1 ? messageOf({}) : stream()) })
  expect((await turn.ended).status).toBe(status)
  clock.advance(10_000)
  expect(runs).toHaveLength(count)
  expect(labels(turn.id)).toEqual([label])
})

test('a person who declines before the stream has ended lets the turn go on, as one who takes longer does', async () => {
  const { options, runs, labels, store } = newStore({ needsApproval: true })
  async function* stream() {
    yield* messageOf(MAIL)
    expect(store.answerApproval({ callId: 'id-a', turnId: 'turn' }, { granted: false })).toBe(true)
  }
  const turn = runTurn({ ...options, turnId: 'turn', request: ({ number }) => (number > 1 ? messageOf({}) : stream()) })
  const { status, messages } = await turn.ended
  expect(status).toBe('complete')
  expect(messages[1]).toMatchObject({ role: 'tool', content: expect.stringContaining('the user declined') })
  expect(runs).toEqual([])
  expect(labels(turn.id)).toEqual(['send_mail — not run (you declined)'])
})
