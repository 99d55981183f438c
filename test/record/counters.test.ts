import { expect, test } from 'vitest'
import type { Settled } from '../../src/core/outcomes.ts'
import { recordOf } from '../../src/record/call-record.ts'
import { CallCounts } from '../../src/record/counters.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { settledCall } from './settled-call.ts'

const MINUTE = 60_000

function counts() {
  const clock = createFakeClock(1_000_000)
  const counts = new CallCounts(clock.now, 60 * MINUTE)
  const settle = (settled: Settled, name = 'create_ticket', known = true) =>
    counts.settled(recordOf(settledCall({ settled, name, known }), undefined))
  return { clock, counts, settle }
}

test('outcomes are counted by outcome, cause and tool; all undeclared tools are one', () => {
  const { counts: counted, settle } = counts()
  settle({ ran: 'no', cause: 'connection-lost' })
  settle({ ran: 'no', cause: 'connection-lost' })
  settle({ ran: 'unknown', cause: 'connection-lost' }, 'send_payment')
  for (let made = 0; made < 1000; made++) settle({ ran: 'no', cause: 'unknown-tool' }, `made_up_${made}`, false)
  expect(counted.read().outcomes).toEqual([
    { outcome: 'abandoned', cause: 'connection-lost', tool: 'create_ticket', count: 2 },
    { outcome: 'unknown', cause: 'connection-lost', tool: 'send_payment', count: 1 },
    { outcome: 'abandoned', cause: 'unknown-tool', tool: '(undeclared)', count: 1000 },
  ])
})

test('what is read does not change afterwards', () => {
  const { counts: counted, settle } = counts()
  settle({ ran: 'yes', cause: 'ok' })
  const before = counted.read()
  settle({ ran: 'yes', cause: 'ok' })
  expect([before, counted.read()].map(({ outcomes }) => outcomes[0]?.count)).toEqual([1, 2])
})

test('the ratio is abandoned and unparseable over announced; cancelled and truncated are not in it', () => {
  const { counts: counted, settle } = counts()
  for (let call = 0; call < 8; call++) counted.announced()
  settle({ ran: 'no', cause: 'connection-lost' })
  settle({ ran: 'no', cause: 'unparseable' })
  settle({ ran: 'no', cause: 'cancelled' })
  settle({ ran: 'no', cause: 'declined' })
  settle({ ran: 'no', cause: 'truncated' })
  settle({ ran: 'unknown', cause: 'no-result' })
  settle({ ran: 'yes', cause: 'ok' })
  expect(counted.ratio(MINUTE)).toEqual({
    ratio: 0.25,
    lost: 2,
    announced: 8,
    abandoned: 1,
    unparseable: 1,
    truncated: 1,
    unknown: 1,
  })
})

test('where nothing was announced there is no ratio', () => {
  expect(counts().counts.ratio(MINUTE)).toMatchObject({ ratio: null, lost: 0, announced: 0 })
})

test('what is older than the window is not in it', () => {
  const { clock, counts: counted, settle } = counts()
  counted.announced()
  settle({ ran: 'no', cause: 'unparseable' })
  clock.advance(2 * MINUTE)
  counted.announced()
  expect(counted.ratio(MINUTE)).toMatchObject({ lost: 0, announced: 1 })
  expect(counted.ratio(5 * MINUTE)).toMatchObject({ ratio: 0.5, lost: 1, announced: 2 })
  clock.advance(61 * MINUTE)
  expect(counted.ratio(60 * MINUTE)).toMatchObject({ ratio: null, announced: 0 })
  // The totals have no window.
  expect(counted.read().announced).toBe(2)
})
