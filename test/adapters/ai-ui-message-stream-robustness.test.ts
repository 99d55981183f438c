import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aiUiMessageStream } from '../../src/adapters/ai-ui-message-stream.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { eventsOf } from './events-of.ts'

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 'null', 0, true, '__proto__', 'constructor', {}, []),
  fc.jsonValue({ maxDepth: 2 }),
)
/** A member that mostly is what it should be. */
const one = (...words: readonly unknown[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...words), weight: 9 }, { arbitrary: junk, weight: 1 })

const names = 'available error start delta'.split(' ').map((word) => `tool-input-${word}`)
const chunk = fc.record(
  {
    type: one(
      ...'start start-step finish-step finish text-delta reset-step data-x tool-approval-request'.split(' '),
      ...'tool-approval-response tool-output-available tool-output-error tool-output-denied'.split(' '),
      ...names.flatMap((name) => [name, name]),
    ),
    messageId: one('m1', 'm2', undefined),
    toolCallId: one('a', 'b'),
    toolName: one('x'),
    inputTextDelta: one('{', '}', ''),
    input: one({}, '{', undefined),
    output: one(1, undefined),
    delta: one('Hi', ''),
    errorText: one('no', NOT_RUN_MARK),
    approvalId: one('p', 'q'),
    approved: one(true, false),
    preliminary: one(true, false),
    providerExecuted: one(true, false),
    isAutomatic: one(true, false),
    inputEncoding: one('text', 'json'),
    finishReason: one('stop', 'length', undefined),
  },
  { requiredKeys: ['type'] },
)
const last = fc.constantFrom<unknown>('[DONE]', { type: 'error' }, { type: 'abort' })
const anything = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
})
const frames = fc.array(
  fc.oneof({ arbitrary: chunk, weight: 30 }, { arbitrary: last, weight: 1 }, { arbitrary: anything, weight: 3 }),
  { maxLength: 25 },
)

test('never throws, and says only what the vocabulary has', () => {
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 3 }), (streams) => {
      const keys = new Set<string>()
      let started = 0
      let ended = 0
      for (const event of eventsOf(aiUiMessageStream, ...streams)) {
        expect(STREAM_EVENT_TYPES).toContain(event.type)
        expect(Object.values(event)).not.toContain(undefined)
        if (event.type === 'message-started') started++
        else if (event.type === 'message-ended') ended++
        else if (event.type === 'call-announced') keys.add(event.key)
        else if ('key' in event) expect(keys).toContain(event.key)
        if (event.type === 'text-fragment' || event.type === 'call-fragment') expect(event.text).not.toBe('')
        if (event.type === 'call-announced' || event.type === 'message-ended') expect(started).toBeGreaterThan(0)
      }
      expect(ended).toBeLessThanOrEqual(started)
    }),
    { numRuns: 500 },
  )
})

test('ends each stream at most once by itself, and then says no more', () => {
  fc.assert(
    fc.property(frames, (stream) => {
      const types = eventsOf(aiUiMessageStream, stream).map(({ type }) => type)
      const end = types.indexOf('stream-ended')
      expect(end === -1 || end === types.length - 1).toBe(true)
    }),
  )
})

test('a response that is told again from its start announces no call twice under another key', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 15 }), fc.nat({ max: 15 }), (chunks, length) => {
      const told = [
        { type: 'start', messageId: 'm1' },
        ...chunks
          .filter(({ type }) => type !== 'start' && type !== 'finish' && type !== 'reset-step')
          // Nothing but its id tells a call that comes again.
          .map((entry) => ({ ...entry, toolCallId: entry.toolCallId === 'a' ? 'a' : 'b' })),
      ]
      const keysOf = (...streams: readonly (readonly unknown[])[]) =>
        new Set(eventsOf(aiUiMessageStream, ...streams).flatMap((e) => (e.type === 'call-announced' ? e.key : [])))
      expect(keysOf(told.slice(0, length + 1), told)).toEqual(keysOf(told))
    }),
    { numRuns: 300 },
  )
})

test('reads a fragment in constant time', () => {
  const reader = aiUiMessageStream.reader()
  reader.open()
  reader.read({ type: 'tool-input-start', toolCallId: 'a', toolName: 't' }, () => {})
  const fragment = { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: 'x' }
  const text = { type: 'text-delta', id: 't', delta: 'x' }
  const time = (count: number) => {
    const from = performance.now()
    for (let n = 0; n < count; n += 1) {
      reader.read(fragment, () => {})
      reader.read(text, () => {})
    }
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
