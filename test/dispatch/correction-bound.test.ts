import { describe, expect, test } from 'vitest'
import { createCorrectionBound } from '../../src/dispatch/correction-bound.ts'
import type { SummarisedCall } from '../../src/store/summary.ts'

interface Failure {
  readonly path: string
  readonly keyword: string
}

/** A call whose arguments failed here, by these rules; a sound one where they failed nowhere. */
function call(key: string, attempt: number, ...failures: readonly Failure[]): SummarisedCall {
  const args = { priority: 'P1', due: 'soon' }
  const common = { callId: key, name: 'create_ticket' } as const
  return {
    ...common,
    key,
    attempt,
    hasWireId: true,
    executor: 'local',
    correcting: failures.length > 0,
    settled: null,
    raw: '{}',
    outcome:
      failures.length === 0
        ? { ...common, type: 'dispatchable', args }
        : {
            ...common,
            type: 'schema-error',
            args,
            detail: 'other',
            raw: '{}',
            issues: failures.map(({ path, keyword }) => ({ message: 'no', path: [path], keyword })),
          },
  }
}

const ENUM = { path: 'priority', keyword: 'enum' }
const FORMAT = { path: 'due', keyword: 'format' }
const TYPE = { path: 'priority', keyword: 'type' }
const MISSING = { path: 'project', keyword: 'required' }
const MISSING_TOO = { path: 'owner', keyword: 'required' }

/** Which of these batches, one after the other, are sent back. */
function sent(most: number, ...batches: readonly (readonly Failure[])[]): boolean[] {
  const bound = createCorrectionBound(most)
  return batches.map((failures, place) => {
    const calls = [call('a', place + 1, ...failures)]
    if (place > 0) bound.answered(calls)
    return failures.length > 0 && bound.allows(calls)
  })
}

describe('a batch is sent back', () => {
  test.for([
    ['twice, where it fails differently each time', 2, [[ENUM], [FORMAT], [TYPE]], [true, true, false]],
    ['once, where it fails at the same path for the same rule', 2, [[ENUM], [ENUM]], [true, false]],
    ['once, where one failure of several stays', 2, [[ENUM, FORMAT], [FORMAT]], [true, false]],
    ['again, where the path is the same and the rule is another', 2, [[TYPE], [ENUM]], [true, true]],
    ['once, where a required member is missing', 2, [[MISSING], [MISSING]], [true, false]],
    ['once, where then another one is missing', 2, [[MISSING], [MISSING_TOO]], [true, false]],
    ['again for a missing member that was not asked for yet', 2, [[ENUM], [MISSING]], [true, true]],
    ['as often as the host wants', 4, [[ENUM], [FORMAT], [TYPE], [MISSING], [ENUM]], [true, true, true, true, false]],
    ['never, if the host wants none', 0, [[ENUM]], [false]],
  ] as const)('%s', ([, most, batches, expected]) => {
    expect(sent(most, ...batches)).toEqual(expected)
  })

  test('with a bound of its own for each batch', () => {
    expect(sent(1, [ENUM], [], [ENUM], [])).toEqual([true, false, true, false])
  })
})

test('what each attempt was good for is counted by call', () => {
  const bound = createCorrectionBound(2)
  bound.allows([call('a', 1, ENUM), call('b', 1, MISSING), call('c', 1)])
  const second = [call('a', 2), call('b', 2, FORMAT), call('c', 2)]
  bound.answered(second)
  bound.allows(second)
  bound.answered([call('b', 3), call('a', 3)])
  expect(bound.counts()).toEqual([
    { asked: 2, recovered: 1 },
    { asked: 1, recovered: 1 },
  ])
})
