import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hydration } from '../../src/adapters/hydration.ts'
import { oneDocument } from '../../src/adapters/hydration-document.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { eventsOf } from './events-of.ts'

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', 'constructor', {}, []),
  fc.jsonValue({ maxDepth: 2 }),
)
const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: junk, weight: 1 })
const one = (...words: readonly unknown[]) => or(fc.constantFrom(...words))
const some = (members: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(members, { requiredKeys: [] }))
const list = (of: fc.Arbitrary<unknown>) => or(fc.array(of, { maxLength: 4 }))

const id = one('a', 'b', undefined)
const part = some({
  type: one('tool-x', 'dynamic-tool', 'text', 'step-start'),
  toolCallId: id,
  toolName: id,
  state: one(
    ...'input-streaming input-available approval-requested approval-responded output-available output-error'.split(' '),
    ...'output-denied streaming'.split(' '),
  ),
  rawInput: one('{'),
  input: one({}),
  output: one(1),
  approval: some({ id, approved: one(true, false), isAutomatic: one(true, false) }),
  preliminary: one(true, false),
  text: one('Hi'),
})
const block = some({
  type: one(
    ...'text tool_use server_tool_use tool_result web_search_tool_result function_call mcp_call'.split(' '),
    ...'function_call_output mcp_approval_request mcp_approval_response message'.split(' '),
  ),
  id,
  call_id: id,
  tool_use_id: id,
  approval_request_id: id,
  name: id,
  input: one({}, '{}'),
  content: one('ok', [{ type: 'text', text: 'ok' }], { error_code: 'x' }),
  output: one('ok'),
  status: one('completed', 'incomplete', 'in_progress', 'failed'),
  is_error: one(true, false),
  approve: one(true, false),
})
const message = fc.oneof(
  some({ id, role: one('assistant', 'user'), parts: list(part) }),
  some({
    id,
    role: one('assistant', 'assistant', 'user', 'tool'),
    content: fc.oneof(list(block), one('Hi')),
    tool_call_id: id,
    tool_calls: list(some({ id, function: some({ name: id, arguments: one('{}') }) })),
  }),
  block,
)
const anything = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
})
const document = fc.oneof({ arbitrary: list(message), weight: 6 }, fc.record({ messages: list(message) }), anything)

test('never throws, and says only what the vocabulary has', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 2 }), (documents) => {
      const keys = new Set<string>()
      let started = 0
      for (const event of eventsOf(hydration, documents)) {
        expect(STREAM_EVENT_TYPES).toContain(event.type)
        expect(Object.values(event)).not.toContain(undefined)
        expect(event.type).not.toBe('message-ended')
        if (event.type === 'message-started') started++
        else if (event.type === 'call-announced') keys.add(event.key)
        else if ('key' in event) expect(keys).toContain(event.key)
        if (event.type === 'call-announced') expect(started).toBeGreaterThan(0)
      }
    }),
    { numRuns: 500 },
  )
})

test('a document is the same however it is cut', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      fc.string(),
      (value, after) => {
        const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n${after}`)
        const frames: unknown[] = []
        const framer = oneDocument({ frame: (data) => frames.push(data) })
        for (const byte of bytes) framer.feed(Uint8Array.of(byte))
        oneDocument({ frame: (data) => frames.push(data) }).feed(bytes)
        const read = JSON.parse(JSON.stringify(value))
        expect(frames).toEqual([read, read])
      },
    ),
  )
})
