import { describe, expect, test, vi } from 'vitest'
import { anthropic } from '../src/adapters/anthropic.ts'
import { openaiChat } from '../src/adapters/openai-chat.ts'
import { openaiResponses } from '../src/adapters/openai-responses.ts'
import { labelOf } from '../src/core/labels.ts'
import { pump } from '../src/pump.ts'
import { createToolCallStore, type ToolCallStore } from '../src/store/create-store.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

const toolUse = { type: 'tool_use', id: 'c1', name: 'create_ticket', input: {} }
const json = (partial_json: string) => ({
  type: 'content_block_delta',
  index: 1,
  delta: { type: 'input_json_delta', partial_json },
})
const ofAnthropic = [
  { type: 'message_start', message: { id: 'm1' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'do it.' } },
  { type: 'content_block_start', index: 1, content_block: toolUse },
  json('{"title":'),
  json('"x"}'),
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
]

const choice = (delta: object, finish_reason: string | null = null) => ({
  id: 'm1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})
const args = (text: string) => choice({ tool_calls: [{ index: 0, function: { arguments: text } }] })
const ofOpenaiChat = [
  choice({ role: 'assistant', content: '' }),
  choice({ content: 'I will ' }),
  choice({ content: 'do it.' }),
  choice({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'create_ticket', arguments: '' } }] }),
  args('{"title":'),
  args('"x"}'),
  choice({}, 'tool_calls'),
  '[DONE]',
]

const response = { id: 'm1', status: 'in_progress', output: [] }
const item = { type: 'function_call', id: 'i1', call_id: 'c1', name: 'create_ticket' }
const inputDelta = (delta: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'i1',
  output_index: 1,
  delta,
})
const ofOpenaiResponses = [
  { type: 'response.created', response },
  { type: 'response.output_text.delta', item_id: 'i0', output_index: 0, delta: 'I will ' },
  { type: 'response.output_text.delta', item_id: 'i0', output_index: 0, delta: 'do it.' },
  { type: 'response.output_item.added', output_index: 1, item: { ...item, arguments: '' } },
  inputDelta('{"title":'),
  inputDelta('"x"}'),
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { ...item, arguments: '{"title":"x"}', status: 'completed' },
  },
  { type: 'response.completed', response: { ...response, status: 'completed' } },
]

/** What comes, and then the link drops; or a clean end. */
async function* answer(events: readonly unknown[], drops: boolean): AsyncGenerator<unknown> {
  yield* events
  if (drops) throw new TypeError('terminated')
}

function newStore() {
  const clock = createFakeClock()
  const tools = { create_ticket: { executor: 'local' } } as const
  return { clock, store: createToolCallStore({ clock, frame: () => () => {}, tools }) }
}

function read(store: ToolCallStore, turnId: string): readonly string[] {
  store.flush()
  return (store.turn(turnId)?.getState().items ?? []).map((one) => {
    if (one.type === 'text') return one.text
    const call = store.callByKey(turnId, one.key)?.getState()
    return call === undefined ? '' : labelOf(call)
  })
}

const wires = [
  ['anthropic', anthropic, ofAnthropic],
  ['openai-chat', openaiChat, ofOpenaiChat],
  ['openai-responses', openaiResponses, ofOpenaiResponses],
] as const

describe.for(wires)('%s: an answer that is told again from its start', ([, adapter, events]) => {
  // Wherever the link drops, also behind the last word.
  test.for(events.map((_, at) => at + 1))('changes nothing twice: dropped after event %i', async (at) => {
    const { store } = newStore()
    const resume = vi.fn(() => answer(events, false))
    const turn = pump(answer(events.slice(0, at), true), adapter, store, { resume })
    const { ending, dispatchable, calls, outcomes, text } = await turn.ended
    expect(resume).toHaveBeenCalledTimes(1)
    expect(ending).toMatchObject({ type: 'complete' })
    expect(text).toBe('I will do it.')
    expect(calls).toHaveLength(1)
    expect(outcomes).toMatchObject([{ type: 'dispatchable', args: { title: 'x' } }])
    expect(read(store, turn.id)).toEqual(['I will do it.', 'create_ticket — waiting to run'])
    let runs = 0
    for (const call of [...dispatchable, ...store.dispatchable()]) if (store.dispatched(call)) runs++
    expect(runs).toBe(1)
    expect(store.balance()).toMatchObject({ announced: 1, running: 1 })
  })

  test('control: without a resume the same loss settles the call', async () => {
    const { store } = newStore()
    const turn = pump(answer(events.slice(0, 5), true), adapter, store)
    expect((await turn.ended).ending).toMatchObject({ type: 'lost', how: 'connection-lost' })
    expect(read(store, turn.id).at(-1)).toBe('create_ticket — not run (connection lost)')
  })
})

test.for(wires)('%s: the rest alone goes on where it was lost', async ([, adapter, events]) => {
  for (let at = 1; at < events.length; at++) {
    const { store } = newStore()
    const resume = () => answer(events.slice(at), false)
    const turn = pump(answer(events.slice(0, at), true), adapter, store, { resume })
    const { text, outcomes } = await turn.ended
    expect([at, text]).toEqual([at, 'I will do it.'])
    expect(outcomes).toMatchObject([{ type: 'dispatchable', args: { title: 'x' } }])
  }
})

describe('a resume', () => {
  const part = ofAnthropic.slice(0, 6)
  const partAgain = (): AsyncGenerator<unknown> => answer(part, true)

  test('is waited for: the block says so, and the summary too is told afterwards', async () => {
    const { store } = newStore()
    let give = (_source: AsyncIterable<unknown>): void => {}
    const resume = () => new Promise<AsyncIterable<unknown>>((resolve) => (give = resolve))
    const turn = pump(answer(part, true), anthropic, store, { resume })
    await vi.waitFor(() => expect(read(store, turn.id).at(-1)).toBe('create_ticket — reconnecting…'))
    give(answer(ofAnthropic, false))
    expect((await turn.ended).dispatchable).toHaveLength(1)
  })

  test('that never comes is waited for no longer than its deadline', async () => {
    const { store, clock } = newStore()
    let signal: AbortSignal | undefined
    const resume = (given: AbortSignal) => {
      signal = given
      return new Promise<never>(() => {})
    }
    const turn = pump(answer(part, true), anthropic, store, { resume })
    await vi.waitFor(() => expect(signal).toBeDefined())
    clock.advance(29_999)
    expect(read(store, turn.id).at(-1)).toBe('create_ticket — reconnecting…')
    expect(signal?.aborted).toBe(false)
    clock.advance(1)
    const { ending, outcomes } = await turn.ended
    expect(read(store, turn.id).at(-1)).toBe('create_ticket — not run (connection lost)')
    expect(ending).toMatchObject({ type: 'lost', how: 'connection-lost' })
    expect(outcomes).toMatchObject([{ type: 'failed', cause: 'connection-lost' }])
    await vi.waitFor(() => expect(signal?.aborted).toBe(true))
  })

  test.for([
    ['null', (): Response | null => null],
    ['204', () => new Response(null, { status: 204 })],
    ['404', () => new Response('none', { status: 404 })],
    [
      'a throw',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ] as const)('that finds nothing settles at once: %s', async ([, resume]) => {
    const { store } = newStore()
    const turn = pump(answer(part, true), anthropic, store, { resume })
    expect((await turn.ended).outcomes).toMatchObject([{ type: 'failed', cause: 'connection-lost' }])
    expect(read(store, turn.id).at(-1)).toBe('create_ticket — not run (connection lost)')
  })

  test('is tried once for each loss, five times at most', async () => {
    const { store } = newStore()
    const resume = vi.fn(partAgain)
    const turn = pump(answer(part, true), anthropic, store, { resume })
    await turn.ended
    expect(resume).toHaveBeenCalledTimes(5)
    expect(read(store, turn.id)).toEqual(['I will do it.', 'create_ticket — not run (connection lost)'])
  })

  test('is not asked for what the user stopped, nor after the service’s own error', async () => {
    const { store } = newStore()
    const resume = vi.fn(() => null)
    const failed = pump(
      answer([...part, { type: 'error', error: { type: 'overloaded_error' } }], false),
      anthropic,
      store,
      { resume },
    )
    await failed.ended
    const stopped = pump(() => new Promise<never>(() => {}), anthropic, store, { resume })
    stopped.cancel()
    await stopped.ended
    expect(resume).not.toHaveBeenCalled()
  })

  test('that comes after the user stopped is let go', async () => {
    const { store } = newStore()
    const late = vi.fn()
    let give = (_source: ReadableStream<unknown>): void => {}
    const resume = () => new Promise<ReadableStream<unknown>>((resolve) => (give = resolve))
    const turn = pump(answer(part, true), anthropic, store, { resume })
    await vi.waitFor(() => expect(read(store, turn.id).at(-1)).toContain('reconnecting'))
    turn.cancel()
    await turn.ended
    give(new ReadableStream({ cancel: late }))
    await vi.waitFor(() => expect(late).toHaveBeenCalledTimes(1))
    expect(read(store, turn.id).at(-1)).toBe('create_ticket — cancelled')
  })
})
