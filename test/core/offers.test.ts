import { describe, expect, test } from 'vitest'
import { type Offer, offerOf } from '../../src/core/offers.ts'
import type { CauseNo, CauseUnknown, CauseYes, Settled } from '../../src/core/outcomes.ts'

const TRY_AGAIN: Offer = { action: 'try-again' }

const NOT_RUN = {
  'connection-lost': TRY_AGAIN,
  'ended-early': TRY_AGAIN,
  truncated: { action: 'try-again', hint: 'ask-for-less' },
  filtered: null,
  unparseable: { action: 'try-again', once: true },
  'invalid-arguments': { action: null, hint: 'add-detail' },
  'rejected-by-rule': null,
  'unknown-tool': null,
  'provider-error': TRY_AGAIN,
  'held-back': TRY_AGAIN,
  declined: null,
  'declined-by-policy': null,
  'approval-expired': null,
  withdrawn: null,
  'not-started': TRY_AGAIN,
  reloaded: TRY_AGAIN,
  unrecognised: null,
  cancelled: TRY_AGAIN,
} satisfies Record<CauseNo, Offer | null>

const MAY_HAVE_RUN: Record<CauseUnknown, true> = {
  'connection-lost': true,
  'ended-early': true,
  'provider-error': true,
  cancelled: true,
  truncated: true,
  filtered: true,
  withdrawn: true,
  reloaded: true,
  'no-result': true,
  'timed-out': true,
  'tool-error': true,
  unrecognised: true,
}

const RAN: Record<CauseYes, true> = { ok: true, 'not-ok': true, late: true, 'late-not-ok': true, unreadable: true }

function offered(settled: Settled): Offer | null {
  return offerOf({ name: 'send_payment', phase: 'settled', settled })
}

describe('a call that did not run', () => {
  test.each(Object.entries(NOT_RUN))('%s', (cause, offer) => {
    expect(offered({ ran: 'no', cause: cause as CauseNo })).toEqual(offer)
  })
})

describe('a call that may have run is never tried again', () => {
  test.each(Object.keys(MAY_HAVE_RUN))('%s', (cause) => {
    expect(offered({ ran: 'unknown', cause: cause as CauseUnknown })).toEqual({ action: 'check' })
  })
})

describe('on a call that ran nothing is offered', () => {
  test.each(Object.keys(RAN))('%s', (cause) => {
    expect(offered({ ran: 'yes', cause: cause as CauseYes })).toBeNull()
  })
})

test('on a call that is not settled nothing is offered', () => {
  const phases = [
    { phase: 'preparing' },
    { phase: 'running' },
    ...(['gate', 'person', 'result', 'resume'] as const).map((on) => ({ phase: 'waiting', on }) as const),
  ] as const
  for (const phase of phases) expect(offerOf({ name: 'send_payment', ...phase })).toBeNull()
})
