import { describe, expect, test } from 'vitest'
import type { Ending } from '../../src/core/events.ts'
import type { Catalogue } from '../../src/core/labels.ts'
import { english } from '../../src/core/labels.ts'
import { stopVerdict } from '../../src/core/message-end.ts'
import { type NoticeFacts, noticeOf, noticeSentences } from '../../src/core/notice.ts'
import type { Settled } from '../../src/core/outcomes.ts'
import type { CallView } from '../../src/core/view.ts'

const NATURAL: Ending = { type: 'complete', speaker: 'model' }
const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }

const NO_CALLS: NoticeFacts = { calls: [], ending: NATURAL, stop: null, nothingRan: false }

function settledCall(name: string, settled: Settled, title?: string): CallView {
  return {
    key: name,
    id: 'c1',
    name,
    ...(title === undefined ? {} : { title }),
    known: true,
    executor: 'local',
    turnId: 'turn',
    phase: 'settled',
    settled,
    confirmed: false,
  }
}

function sentences(facts: Partial<NoticeFacts>): string {
  const notice = noticeOf({ ...NO_CALLS, ...facts })
  return notice === null ? '' : noticeSentences(notice).join(' ')
}

describe('which tools did not run', () => {
  test('nothing is said after a natural end where everything ran', () => {
    expect(noticeOf({ ...NO_CALLS, calls: [settledCall('create_ticket', { ran: 'yes', cause: 'ok' })] })).toBeNull()
    expect(noticeOf(NO_CALLS)).toBeNull()
  })

  test('they are named in order, those that may have run apart', () => {
    expect(
      sentences({
        calls: [
          settledCall('create_ticket', { ran: 'no', cause: 'unparseable' }),
          settledCall('send_payment', { ran: 'unknown', cause: 'no-result' }),
          settledCall('export_report', { ran: 'no', cause: 'held-back' }),
          settledCall('list_tickets', { ran: 'yes', cause: 'ok' }),
          settledCall('close_ticket', { ran: 'yes', cause: 'not-ok' }),
        ],
      }),
    ).toBe('Not run: create_ticket, export_report. May have run: send_payment.')
  })

  test('those that the user declined are left out, those that a policy blocked are not', () => {
    expect(
      sentences({
        calls: [
          settledCall('create_ticket', { ran: 'no', cause: 'declined' }),
          settledCall('send_payment', { ran: 'no', cause: 'declined-by-policy' }),
          settledCall('export_report', { ran: 'no', cause: 'approval-expired' }),
        ],
      }),
    ).toBe('Not run: send_payment, export_report.')
    expect(
      noticeOf({ ...NO_CALLS, calls: [settledCall('create_ticket', { ran: 'no', cause: 'declined' })] }),
    ).toBeNull()
  })

  test('what still waits or runs is not named', () => {
    const base = { key: 'a', id: 'c1', name: 'create_ticket', known: true, executor: 'local', turnId: 'turn' } as const
    expect(
      noticeOf({
        ...NO_CALLS,
        calls: [
          { ...base, phase: 'waiting', on: 'person', asked: [] },
          { ...base, phase: 'running' },
          { ...base, phase: 'preparing', preview: [], received: 0 },
        ],
      }),
    ).toBeNull()
  })

  test('a nameless call is "a tool call", a title stands for its name', () => {
    expect(
      sentences({
        calls: [
          settledCall('', { ran: 'no', cause: 'ended-early' }),
          settledCall('create_ticket', { ran: 'no', cause: 'ended-early' }, 'Create a ticket $&'),
        ],
      }),
    ).toBe('Not run: a tool call, Create a ticket $&.')
  })
})

describe('why the reply stopped', () => {
  const lost = (how: Extract<Ending, { type: 'lost' }>['how']): Ending => ({ type: 'lost', how, speaker: 'nobody' })
  const cases: readonly { what: string; facts: Partial<NoticeFacts>; says: string }[] = [
    { what: 'a natural end', facts: {}, says: '' },
    {
      what: 'a lost connection',
      facts: { ending: lost('connection-lost') },
      says: 'The reply stopped here (connection lost).',
    },
    { what: 'silence', facts: { ending: lost('idle') }, says: 'The reply stopped here (connection lost).' },
    { what: 'an early end', facts: { ending: lost('ended-early') }, says: 'The reply stopped here (it ended early).' },
    {
      what: 'an error of the service',
      facts: { ending: lost('provider-error') },
      says: 'The reply stopped here (the service reported an error).',
    },
    { what: 'a reload', facts: { ending: lost('reloaded') }, says: 'The reply stopped here (the page was closed).' },
    {
      what: 'the user',
      facts: { ending: { type: 'cancelled', by: 'user', acknowledged: false } },
      says: 'The reply stopped here (you stopped it).',
    },
    {
      what: 'the host',
      facts: { ending: { type: 'cancelled', by: 'host', acknowledged: true } },
      says: 'The reply stopped here.',
    },
    {
      what: 'the length limit',
      facts: { stop: stopVerdict({ reason: 'length', finishesOpenCalls: true }) },
      says: 'The reply stopped here (the length limit was reached).',
    },
    {
      what: 'a content filter',
      facts: { stop: stopVerdict({ reason: 'filter', finishesOpenCalls: true }) },
      says: 'The reply stopped here (a content filter).',
    },
    {
      what: 'a stop reason that says error',
      facts: { stop: stopVerdict({ reason: 'error', finishesOpenCalls: true }) },
      says: 'The reply stopped here (the service reported an error).',
    },
    {
      what: 'a malformed call',
      facts: { stop: stopVerdict({ reason: 'malformed', finishesOpenCalls: true }) },
      says: 'The reply stopped here.',
    },
    {
      what: 'a pause',
      facts: { stop: stopVerdict({ reason: 'paused', finishesOpenCalls: true }) },
      says: 'The reply stopped here.',
    },
    {
      what: 'a stop reason that says cancelled',
      facts: { stop: stopVerdict({ reason: 'cancelled', finishesOpenCalls: true }) },
      says: 'The reply stopped here.',
    },
    {
      what: 'an unknown word',
      facts: { stop: stopVerdict({ reason: 'unknown', finishesOpenCalls: true }) },
      says: 'The reply stopped here.',
    },
    {
      what: 'a lost connection after the length limit: the later counts',
      facts: { ending: LOST, stop: stopVerdict({ reason: 'length', finishesOpenCalls: true }) },
      says: 'The reply stopped here (connection lost).',
    },
  ]
  for (const { what, facts, says } of cases) {
    test(what, () => {
      expect(sentences(facts)).toBe(says)
    })
  }
})

describe("the last call's own label may already name the cause", () => {
  const cut = stopVerdict({ reason: 'length', finishesOpenCalls: true })

  test('then the notice does not repeat it', () => {
    expect(
      sentences({ calls: [settledCall('create_ticket', { ran: 'no', cause: 'connection-lost' })], ending: LOST }),
    ).toBe('Not run: create_ticket.')
    expect(
      sentences({ calls: [settledCall('create_ticket', { ran: 'unknown', cause: 'truncated' })], stop: cut }),
    ).toBe('May have run: create_ticket.')
  })

  test('an earlier call does not count', () => {
    expect(
      sentences({
        calls: [
          settledCall('create_ticket', { ran: 'no', cause: 'connection-lost' }),
          settledCall('list_tickets', { ran: 'yes', cause: 'ok' }),
        ],
        ending: LOST,
      }),
    ).toBe('Not run: create_ticket. The reply stopped here (connection lost).')
  })

  test('another cause does not count', () => {
    expect(sentences({ calls: [settledCall('create_ticket', { ran: 'no', cause: 'held-back' })], stop: cut })).toBe(
      'Not run: create_ticket. The reply stopped here (the length limit was reached).',
    )
  })

  test('a call that waits names no cause', () => {
    const waiting: CallView = {
      key: 'a',
      id: 'c1',
      name: 'create_ticket',
      known: true,
      executor: 'server',
      turnId: 'turn',
      phase: 'waiting',
      on: 'person',
      asked: [],
    }
    expect(sentences({ calls: [waiting], ending: LOST })).toBe('The reply stopped here (connection lost).')
  })
})

describe('"No tool was run."', () => {
  test('is said behind the reason for the stop, where it is certain', () => {
    expect(sentences({ ending: LOST, nothingRan: true })).toBe(
      'The reply stopped here (connection lost). No tool was run.',
    )
  })

  test('is not said where it is not certain', () => {
    expect(sentences({ ending: LOST, nothingRan: false })).toBe('The reply stopped here (connection lost).')
  })

  test('is not said after a natural end, nor where the label of the last call says why it stopped', () => {
    expect(sentences({ nothingRan: true })).toBe('')
    expect(
      sentences({
        calls: [settledCall('create_ticket', { ran: 'no', cause: 'connection-lost' })],
        ending: LOST,
        nothingRan: true,
      }),
    ).toBe('Not run: create_ticket.')
  })
})

test('the sentences are those of the catalogue', () => {
  const catalogue: Catalogue = {
    ...english,
    notice: { ...english.notice, notRun: '{tools}: not run.', noToolRun: 'Nothing ran.' },
  }
  expect(
    noticeSentences({ notRun: ['a', ''], mayHaveRun: [], stopped: 'unnamed', noToolRun: true }, catalogue),
  ).toEqual(['a, a tool call: not run.', 'The reply stopped here.', 'Nothing ran.'])
})
