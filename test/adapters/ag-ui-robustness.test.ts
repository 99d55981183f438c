import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { agUi } from '../../src/adapters/ag-ui.ts'
import { langgraph } from '../../src/adapters/langgraph.ts'
import { tanstackAi } from '../../src/adapters/tanstack-ai.ts'
import { STREAM_EVENT_TYPES, type StreamEvent } from '../../src/core/events.ts'
import { eventsOf } from './events-of.ts'

// As in robustness.test.ts, for the wires of agents, where a message is named and its end may come in another stream.
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', 'constructor', {}, []),
  fc.jsonValue({ maxDepth: 2 }),
)
/** A member that mostly is what it should be. */
const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
const one = (...words: readonly unknown[]) => or(fc.constantFrom(...words))
/** An object of some of these members. */
const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
const list = (of: fc.Arbitrary<unknown>) => or(fc.array(of, { maxLength: 3 }))
const words = (text: string) => one(...text.split(' '))

const id = one('a', 'b', 'c')
const piece = one('{', '}', '{}', '')

const interrupt = some({ id, toolCallId: id, metadata: some({ kind: one('client_tool', 'approval') }) })
const tanstack = {
  state: one('output-error'),
  finishReason: words('stop length tool_calls x'),
  input: one({}, { a: 1 }),
}
const agUiEvent = some({
  type: words(
    'RUN_STARTED RUN_FINISHED RUN_FINISHED TOOL_CALL_START TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_ARGS TOOL_CALL_END ' +
      'TOOL_CALL_CHUNK TOOL_CALL_CHUNK TOOL_CALL_RESULT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CHUNK ' +
      'MESSAGES_SNAPSHOT MESSAGES_SNAPSHOT STATE_DELTA RAW CUSTOM CUSTOM',
  ),
  runId: one('r1', 'r2'),
  toolCallId: id,
  toolCallName: id,
  parentMessageId: one('m1', 'm2', undefined),
  messageId: one('m1', 'm2', undefined),
  role: one('assistant', 'user', undefined),
  delta: piece,
  content: piece,
  ...tanstack,
  metadata: some({ providerExecuted: one(true), tanstack: some(tanstack) }),
  name: words('approval-requested tool-input-available approval.resolved x'),
  value: some({
    toolCallId: id,
    toolName: id,
    input: one({}),
    approval: some({ id }),
    approvalId: id,
    granted: one(true),
  }),
  input: some({ resume: list(some({ interruptId: id, status: words('resolved cancelled') })) }),
  outcome: some({ type: words('success interrupt interrupt x'), interrupts: list(interrupt) }),
  messages: list(
    some({
      id: one('m1', 'm2'),
      role: words('assistant user tool'),
      toolCallId: id,
      content: piece,
      toolCalls: list(some({ id, function: some({ name: id, arguments: piece }) })),
    }),
  ),
})
/** What ends the stream, and is rare. */
const agUiEnd = fc.oneof(
  some({ type: one('RUN_ERROR'), code: id }),
  some({ type: one('RUN_FINISHED'), outcome: one({ type: 'cancelled' }) }),
)

const entry = some({
  id,
  name: id,
  index: one(0, 1, undefined),
  args: fc.oneof(piece, one({}, { a: 1 })),
  function: some({ name: id, arguments: piece }),
  type: words('tool_call tool_call_chunk server_tool_call'),
})
const message = some({
  type: words('ai AIMessageChunk AIMessageChunk human tool ToolMessage system'),
  id: one('m1', 'm2', undefined),
  content: fc.oneof(piece, list(some({ type: one('text'), text: piece }))),
  tool_call_chunks: list(entry),
  tool_calls: list(entry),
  invalid_tool_calls: list(entry),
  additional_kwargs: some({ tool_calls: list(entry), stop_reason: one('end_turn', null) }),
  response_metadata: one({}, {}, { finish_reason: 'stop' }, { finish_reason: 'length' }, { messageStop: {} }),
  tool_call_id: id,
  status: words('error success'),
})
const state = some({
  messages: list(message),
  __interrupt__: list(some({ id, value: some({ action_requests: list(some({ name: id })) }) })),
})
const blockData = some({
  event: words('message-start content-block-start content-block-delta content-block-finish message-finish error'),
  id: one('m1', 'm2'),
  role: words('ai ai human'),
  index: one(0, 1),
  content: entry,
  delta: some({ type: words('text-delta tool-call-delta block-delta'), text: piece, args: piece, fields: entry }),
  reason: words('stop length'),
})
const tools = some({
  event: words('on_tool_start on_tool_end on_tool_error tool-finished'),
  toolCallId: id,
  output: message,
  error: entry,
})
const namespace = list(id)
const langgraphEvent = fc.oneof(
  some({ event: words('messages messages messages|a'), data: or(fc.tuple(message, some({ langgraph_node: id }))) }),
  some({ event: words('messages/partial messages/complete'), data: list(message) }),
  some({ event: words('values values|a'), data: state }),
  some({ event: words('updates'), data: some({ a: state, b: list(state) }) }),
  some({ event: words('tools'), data: tools }),
  some({
    event: words('metadata lifecycle|a custom x'),
    data: some({ run_id: id, event: words('started completed') }),
  }),
  some({
    type: one('event'),
    method: one('messages'),
    event_id: or(fc.uuid()),
    params: some({ namespace, node: id, data: blockData }),
  }),
  some({
    type: one('event'),
    method: words('input.requested input.answered'),
    params: some({ data: some({ interrupt_id: id, interrupt_ids: list(id) }) }),
  }),
)
const langgraphEnd = some({
  event: words('end error'),
  data: some({ status: words('success interrupted error x'), error: id }),
})

const anything = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
})

/** Frames of one format, most of them; every seventh of any other or no format. */
const framesOf = (own: fc.Arbitrary<unknown>, ending: fc.Arbitrary<unknown>) =>
  fc.array(
    fc.oneof(
      { arbitrary: own, weight: 30 },
      { arbitrary: ending, weight: 1 },
      { arbitrary: fc.oneof(agUiEvent, langgraphEvent, anything), weight: 5 },
      { arbitrary: fc.constant('[DONE]'), weight: 1 },
    ),
    { maxLength: 25 },
  )

/** What holds of the events of any turn, whatever was on the wire. */
function checkEvents(events: readonly StreamEvent[]): void {
  const keys = new Set<string>()
  const messages = new Set<string | undefined>()
  const ended = new Set<string | undefined>()
  for (const event of events) {
    expect(STREAM_EVENT_TYPES).toContain(event.type)
    expect(Object.values(event)).not.toContain(undefined)
    if (event.type === 'message-started') {
      expect(messages).not.toContain(event.message)
      messages.add(event.message)
    } else if (event.type === 'message-ended') {
      expect(ended).not.toContain(event.message)
      ended.add(event.message)
    } else if (event.type === 'call-announced') keys.add(event.key)
    else if ('key' in event) expect(keys).toContain(event.key)
    if ('message' in event) expect(messages).toContain(event.message)
    if (event.type === 'text-fragment' || event.type === 'call-fragment') expect(event.text).not.toBe('')
  }
}

describe.each<{
  readonly adapter: Adapter
  readonly own: fc.Arbitrary<unknown>
  readonly ending: fc.Arbitrary<unknown>
}>([
  { adapter: agUi, own: agUiEvent, ending: agUiEnd },
  { adapter: tanstackAi, own: agUiEvent, ending: agUiEnd },
  { adapter: langgraph, own: langgraphEvent, ending: langgraphEnd },
])('$adapter.format', ({ adapter, own, ending }) => {
  test('never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(fc.array(framesOf(own, ending), { maxLength: 3 }), (streams) =>
        checkEvents(eventsOf(adapter, ...streams)),
      ),
      { numRuns: 500 },
    )
  })

  test('ends each stream at most once, and says nothing of it afterwards', () => {
    fc.assert(
      fc.property(framesOf(own, ending), (frames) => {
        const types = eventsOf(adapter, frames).map(({ type }) => type)
        if (types.includes('stream-ended')) expect(types.indexOf('stream-ended')).toBe(types.length - 1)
      }),
    )
  })

  test('reads a fragment in constant time', () => {
    const agUiFragments = [
      { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 't' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: 'x' },
    ]
    const fragments = {
      'ag-ui': agUiFragments,
      'tanstack-ai': agUiFragments,
      langgraph: [
        {
          event: 'messages',
          data: [{ type: 'ai', id: 'm', tool_call_chunks: [{ index: 0, id: 'a', name: 't', args: '' }] }],
        },
        { event: 'messages', data: [{ type: 'ai', id: 'm', tool_call_chunks: [{ index: 0, args: 'x' }] }] },
      ],
    }[adapter.format]
    const [first, fragment] = fragments ?? []
    const reader = adapter.reader()
    reader.open()
    reader.read(first, () => {})
    const time = (count: number) => {
      const from = performance.now()
      for (let n = 0; n < count; n += 1) reader.read(fragment, () => {})
      return performance.now() - from
    }
    // The best of three, as a machine at work may pause in any one of them.
    const best = () => Math.min(time(5_000), time(5_000), time(5_000))
    best()
    const early = best()
    time(50_000)
    // Work that grows with what came before would make this about four times as long.
    expect(best()).toBeLessThan(early * 3 + 10)
  })
})
