import { expect, test } from 'vitest'
import { outcomeWord } from '../../src/core/outcome-word.ts'
import type { Settled } from '../../src/core/outcomes.ts'

test('a settled call is one word, whatever its cause', () => {
  const rows: readonly (readonly [Settled, string])[] = [
    [{ ran: 'no', cause: 'connection-lost' }, 'abandoned'],
    [{ ran: 'no', cause: 'filtered' }, 'truncated'],
    [{ ran: 'no', cause: 'unparseable' }, 'unparseable'],
    [{ ran: 'no', cause: 'invalid-arguments' }, 'schema-error'],
    [{ ran: 'no', cause: 'held-back' }, 'dispatchable'],
    [{ ran: 'no', cause: 'cancelled' }, 'cancelled'],
    [{ ran: 'no', cause: 'declined' }, 'cancelled'],
    [{ ran: 'unknown', cause: 'connection-lost' }, 'unknown'],
    [{ ran: 'yes', cause: 'ok' }, 'completed'],
    [{ ran: 'yes', cause: 'unreadable' }, 'completed'],
    [{ ran: 'yes', cause: 'late-not-ok' }, 'failed'],
  ]
  for (const [settled, word] of rows) expect([settled, outcomeWord(settled)]).toEqual([settled, word])
})
