import { expect, test } from 'vitest'
import { recoveryFor } from '../../src/dispatch/recovery.ts'

const failed = (
  reason: 'abandoned' | 'truncated' | 'unparseable',
  cause: 'connection-lost' | 'truncated' | 'unparseable' | 'cancelled' | 'filtered',
) => ({ type: 'failed', callId: 'c', name: 'pay', reason, cause, raw: '' }) as const

test.for([
  [{ type: 'schema-error', callId: 'c', name: 'pay', args: {}, issues: [], detail: 'enum', raw: '{}' }, 'correct'],
  [failed('abandoned', 'connection-lost'), 'regenerate'],
  [failed('truncated', 'truncated'), 'regenerate'],
  [failed('unparseable', 'unparseable'), 'regenerate'],
  [failed('truncated', 'filtered'), 'stop'],
  [failed('abandoned', 'cancelled'), 'stop'],
  [{ type: 'dispatchable', callId: 'c', name: 'pay', args: {} }, 'report'],
  [{ ran: 'no', cause: 'rejected-by-rule' }, 'report'],
  [{ ran: 'no', cause: 'declined' }, 'stop'],
  [{ ran: 'unknown', cause: 'timed-out' }, 'query-first'],
  [{ ran: 'unknown', cause: 'connection-lost' }, 'query-first'],
  [{ ran: 'yes', cause: 'not-ok' }, 'report'],
] as const)('%o: %s', ([outcome, recovery]) => {
  expect(recoveryFor(outcome)).toBe(recovery)
})
