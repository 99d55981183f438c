import { expect, test } from 'vitest'
import type { StopReason } from '../../src/core/events.ts'
import { type StopVerdict, stopVerdict } from '../../src/core/message-end.ts'

const ROWS = {
  natural: null,
  length: { failure: 'truncated', cause: 'truncated', detail: 'max-tokens', unknownCause: 'truncated' },
  filter: { failure: 'truncated', cause: 'filtered', detail: 'content-filter', unknownCause: 'filtered' },
  malformed: { failure: 'unparseable', cause: 'unparseable', detail: 'malformed', unknownCause: 'unrecognised' },
  error: { failure: 'abandoned', cause: 'provider-error', detail: 'stop-reason', unknownCause: 'provider-error' },
  paused: { failure: 'abandoned', cause: 'unrecognised', detail: 'paused', unknownCause: 'no-result' },
  cancelled: { failure: 'abandoned', cause: 'cancelled', detail: 'stop-reason', unknownCause: 'cancelled' },
  unknown: { failure: 'abandoned', cause: 'unrecognised', detail: 'stop-reason', unknownCause: 'unrecognised' },
} as const satisfies Record<StopReason, StopVerdict | null>

for (const [reason, verdict] of Object.entries(ROWS)) {
  test(`the stop reason "${reason}" ${verdict === null ? 'is the natural one' : `says ${verdict.cause}`}`, () => {
    expect(stopVerdict({ reason: reason as StopReason, finishesOpenCalls: false })).toEqual(verdict)
  })
}

test('an end marker without a reason says nothing against its calls', () => {
  expect(stopVerdict({ reason: null, finishesOpenCalls: true })).toBeNull()
})

test("the wire's own word makes the detail finer, and nothing but the detail", () => {
  expect(
    stopVerdict({ reason: 'length', rawReason: 'model_context_window_exceeded', finishesOpenCalls: false }),
  ).toEqual({ failure: 'truncated', cause: 'truncated', detail: 'context-window', unknownCause: 'truncated' })
  expect(stopVerdict({ reason: 'filter', rawReason: 'refusal', finishesOpenCalls: false })).toEqual({
    failure: 'truncated',
    cause: 'filtered',
    detail: 'refusal',
    unknownCause: 'filtered',
  })
})

test('a word that happens to be a member of every object is no finer word', () => {
  expect(stopVerdict({ reason: 'unknown', rawReason: 'constructor', finishesOpenCalls: false })).toEqual(ROWS.unknown)
})
