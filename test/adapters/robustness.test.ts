import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import { STREAM_EVENT_TYPES, type StreamEvent } from '../../src/core/events.ts'
import { eventsOf } from './events-of.ts'

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', 'constructor', {}, []),
  fc.jsonValue({ maxDepth: 2 }),
)
/** A member that mostly is what it should be. */
const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
const one = (...words: readonly unknown[]) => or(fc.constantFrom(...words))
/** An object of some of these members. */
const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))

const id = one('a', 'b', 'c')
const index = one(0, 1, undefined)
const piece = one('{', '}', '{}', '')
const error = fc.oneof(
  { arbitrary: fc.constant(null), weight: 30 },
  { arbitrary: some({ type: id, code: one(1, 'x') }), weight: 1 },
)

const anthropicBlock = some({
  type: one('text', 'tool_use', 'server_tool_use', 'mcp_tool_use', 'web_search_tool_result', 'mcp_tool_result'),
  id,
  name: id,
  text: piece,
  tool_use_id: id,
  is_error: one(true, false),
  content: some({ type: one('web_search_tool_result_error', 'x') }),
})
const anthropicNames = ['start', 'delta', 'stop'].flatMap((word) => [`message_${word}`, `content_block_${word}`])
const anthropicEvent = some({
  type: one(...anthropicNames, 'ping', 'content_block_start', 'content_block_delta'),
  index,
  message: some({ id }),
  content_block: anthropicBlock,
  delta: some({
    type: one('input_json_delta', 'text_delta', 'thinking_delta'),
    partial_json: piece,
    text: piece,
    stop_reason: one('tool_use', 'max_tokens', null),
  }),
  error,
})

const chatFunction = some({ id, name: id, arguments: or(fc.oneof(piece, junk)) })
const chatPart = some({ index, id, function: chatFunction, custom: one(undefined, { name: 'a', input: 'x' }) })
const chatChoice = some({
  index,
  delta: some({
    content: piece,
    refusal: piece,
    function_call: chatFunction,
    tool_calls: or(fc.array(chatPart, { maxLength: 3 })),
  }),
  finish_reason: one(null, null, null, 'stop', 'length', ''),
})
const chatEvent = fc.oneof(
  {
    arbitrary: some({
      id,
      object: one('chat.completion.chunk'),
      choices: or(fc.array(chatChoice, { maxLength: 2 })),
      error,
    }),
    weight: 15,
  },
  { arbitrary: fc.constant('[DONE]'), weight: 1 },
)

const item = some({
  type: one(
    ...'function_call function_call custom_tool_call computer_call shell_call shell_call_output message'.split(' '),
    ...'tool_search_call tool_search_output program program_output mcp_call mcp_approval_request'.split(' '),
    ...'web_search_call code_interpreter_call image_generation_call mcp_list_tools'.split(' '),
  ),
  id,
  call_id: id,
  name: id,
  arguments: piece,
  input: piece,
  action: some({ x: id }),
  actions: or(fc.array(id)),
  environment: some({ container_id: id }),
  execution: one('server', 'client'),
  approval_request_id: id,
  status: one('completed', 'incomplete', 'failed', 'in_progress'),
  output: piece,
  error,
})
const often = 'output_item.added output_item.done function_call_arguments.delta function_call_arguments.done'.split(' ')
const responseNames = [
  ...'created in_progress queued completed incomplete failed output_text.delta'.split(' '),
  ...'function_call mcp_call web_search_call shell_call'
    .split(' ')
    .flatMap((type) => [`${type}.in_progress`, `${type}.x`]),
  ...'custom_tool_call_input.delta mcp_call_arguments.delta mcp_call_arguments.done'.split(' '),
  ...often.flatMap((name) => [name, name, name]),
]
const responsesEvent = some({
  type: one(...responseNames.map((name) => `response.${name}`)),
  output_index: index,
  item_id: id,
  name: id,
  delta: piece,
  arguments: piece,
  item,
  response: some({
    id,
    status: one('completed', 'in_progress', 'incomplete', 'cancelled'),
    incomplete_details: some({ reason: one('max_output_tokens', 'completed') }),
    output: or(fc.array(item, { maxLength: 3 })),
    error,
  }),
  error,
})

const anything = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
})
const shaped = fc.oneof(anthropicEvent, chatEvent, responsesEvent)

/** Frames of one format, most of them; every seventh of any other or no format. */
const framesOf = (own: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ arbitrary: own, weight: 6 }, shaped, anything), { maxLength: 25 })

/** What holds of the events of any turn, whatever was on the wire. */
function checkEvents(events: readonly StreamEvent[]): void {
  const keys = new Set<string>()
  const messages: (string | undefined)[] = []
  let ended = 0
  for (const event of events) {
    expect(STREAM_EVENT_TYPES).toContain(event.type)
    expect(Object.values(event)).not.toContain(undefined)
    if (event.type === 'message-started') messages.push(event.message)
    else if (event.type === 'call-announced') keys.add(event.key)
    else if (event.type === 'message-ended') ended += 1
    else if ('key' in event) expect(keys).toContain(event.key)
    if ('message' in event) expect(messages).toContain(event.message)
    if (event.type === 'text-fragment' || event.type === 'call-fragment') expect(event.text).not.toBe('')
    if (event.type === 'call-announced' || event.type === 'message-ended') expect(messages).not.toHaveLength(0)
  }
  expect(ended).toBeLessThanOrEqual(messages.length)
}

describe.each<{ readonly adapter: Adapter; readonly own: fc.Arbitrary<unknown> }>([
  { adapter: anthropic, own: anthropicEvent },
  { adapter: openaiChat, own: chatEvent },
  { adapter: openaiResponses, own: responsesEvent },
])('$adapter.format', ({ adapter, own }) => {
  test('never throws, and says only what the vocabulary has', () => {
    fc.assert(
      fc.property(fc.array(framesOf(own), { maxLength: 3 }), (streams) => checkEvents(eventsOf(adapter, ...streams))),
      { numRuns: 500 },
    )
  })

  test('ends each stream at most once by an error', () => {
    fc.assert(
      fc.property(framesOf(own), (frames) => {
        const endings = eventsOf(adapter, frames).filter(({ type }) => type === 'stream-ended')
        expect(endings.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('reads a fragment in constant time', () => {
    const fragments = {
      anthropic: [
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 't' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 'x' } },
      ],
      'openai-chat': [
        { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 't' } }] } }] },
        { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'x' } }] } }] },
      ],
      'openai-responses': [
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', id: 'a', call_id: 'c', name: 't' },
        },
        { type: 'response.function_call_arguments.delta', item_id: 'a', output_index: 0, delta: 'x' },
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
    const best = () => Math.min(time(10_000), time(10_000), time(10_000))
    best()
    const early = best()
    time(150_000)
    // Work that grows with what came before would make this about four times as long.
    expect(best()).toBeLessThan(early * 3 + 10)
  })
})
