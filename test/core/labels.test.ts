import { describe, expect, test } from 'vitest'
import {
  type Catalogue,
  english,
  ICONS,
  type Icon,
  iconOf,
  type Labelled,
  labelOf,
  labelPieces,
  type StopWord,
  type WaitsOn,
} from '../../src/core/labels.ts'
import type { CauseNo, CauseUnknown, CauseYes, Settled } from '../../src/core/outcomes.ts'

// The words are public API: a change here is a breaking change.
const NOT_RUN = {
  'connection-lost': 'create_ticket — not run (connection lost)',
  'ended-early': 'create_ticket — not run (the response ended early)',
  truncated: 'create_ticket — not run (the request was cut short)',
  filtered: 'create_ticket — not run (stopped by a content filter)',
  unparseable: 'create_ticket — not run (the request was unreadable)',
  'invalid-arguments': 'create_ticket — not run (the details were not valid)',
  'rejected-by-rule': 'create_ticket — not run (rejected by a rule)',
  'unknown-tool': 'create_ticket — not run (no such tool)',
  'provider-error': 'create_ticket — not run (the service reported an error)',
  'held-back': 'create_ticket — not run (another call had a problem)',
  declined: 'create_ticket — not run (you declined)',
  'declined-by-policy': 'create_ticket — not run (blocked by policy)',
  'approval-expired': 'create_ticket — not run (approval timed out)',
  withdrawn: 'create_ticket — not run (withdrawn)',
  'not-started': 'create_ticket — not run (never started)',
  reloaded: 'create_ticket — not run (the page was closed)',
  unrecognised: 'create_ticket — not run',
  cancelled: 'create_ticket — cancelled',
} as const satisfies Record<CauseNo, string>

const MAY_HAVE_RUN = {
  'connection-lost': 'create_ticket — may have run (connection lost)',
  'ended-early': 'create_ticket — may have run (the response ended early)',
  'provider-error': 'create_ticket — may have run (the service reported an error)',
  cancelled: 'create_ticket — may have run (cancelled)',
  truncated: 'create_ticket — may have run (the response was cut short)',
  filtered: 'create_ticket — may have run (stopped by a content filter)',
  withdrawn: 'create_ticket — may have run (withdrawn)',
  reloaded: 'create_ticket — may have run (the page was closed)',
  'no-result': 'create_ticket — may have run (no result received)',
  'timed-out': 'create_ticket — may have run (timed out)',
  'tool-error': 'create_ticket — may have run (an error was reported)',
  unrecognised: 'create_ticket — may have run',
} as const satisfies Record<CauseUnknown, string>

const RAN = {
  ok: 'create_ticket — done',
  'not-ok': 'create_ticket — ran and failed',
  late: 'create_ticket — done (result arrived late)',
  'late-not-ok': 'create_ticket — ran and failed (result arrived late)',
  unreadable: 'create_ticket — ran (result unreadable)',
} as const satisfies Record<CauseYes, string>

const WAITING = {
  gate: 'create_ticket — waiting to run',
  person: 'create_ticket — waiting for your approval',
  result: 'create_ticket — sent, waiting for the result',
  resume: 'create_ticket — reconnecting…',
} as const satisfies Record<WaitsOn, string>

describe('the label of a settled call', () => {
  for (const [cause, label] of Object.entries(NOT_RUN)) {
    test(label, () => {
      const settled: Settled = { ran: 'no', cause: cause as CauseNo }
      expect(labelOf({ name: 'create_ticket', phase: 'settled', settled })).toBe(label)
      expect(iconOf(settled)).toBe('not-run')
    })
  }

  for (const [cause, label] of Object.entries(MAY_HAVE_RUN)) {
    test(label, () => {
      const settled: Settled = { ran: 'unknown', cause: cause as CauseUnknown }
      expect(labelOf({ name: 'create_ticket', phase: 'settled', settled })).toBe(label)
      expect(iconOf(settled)).toBe('may-have-run')
    })
  }

  for (const [cause, label] of Object.entries(RAN)) {
    test(label, () => {
      const settled: Settled = { ran: 'yes', cause: cause as CauseYes }
      expect(labelOf({ name: 'create_ticket', phase: 'settled', settled })).toBe(label)
      const icons = {
        ok: 'done',
        late: 'done',
        'not-ok': 'failed',
        'late-not-ok': 'failed',
        unreadable: 'may-have-run',
      } as const
      expect(iconOf(settled)).toBe(icons[cause as keyof typeof icons])
    })
  }

  test('never shows the detail', () => {
    const settled: Settled = { ran: 'no', cause: 'unrecognised', detail: 'quota_exceeded' }
    expect(labelOf({ name: 'create_ticket', phase: 'settled', settled })).toBe('create_ticket — not run')
  })
})

describe('the label of a call that is not settled', () => {
  test('Preparing create_ticket…', () => {
    expect(labelOf({ name: 'create_ticket', phase: 'preparing' })).toBe('Preparing create_ticket…')
  })

  test('Running create_ticket…', () => {
    expect(labelOf({ name: 'create_ticket', phase: 'running' })).toBe('Running create_ticket…')
  })

  for (const [on, label] of Object.entries(WAITING)) {
    test(label, () => {
      expect(labelOf({ name: 'create_ticket', phase: 'waiting', on: on as WaitsOn })).toBe(label)
    })
  }
})

describe('what stands for the tool', () => {
  const cases: readonly { call: Labelled; label: string }[] = [
    { call: { name: '', phase: 'preparing' }, label: 'Preparing a tool call…' },
    { call: { name: '', phase: 'running' }, label: 'Running a tool call…' },
    { call: { name: '', phase: 'waiting', on: 'person' }, label: 'A tool call — waiting for your approval' },
    {
      call: { name: '', phase: 'settled', settled: { ran: 'no', cause: 'ended-early' } },
      label: 'A tool call — not run (the response ended early)',
    },
    {
      call: { name: 'create_ticket', title: 'Create a ticket', phase: 'preparing' },
      label: 'Preparing Create a ticket…',
    },
    {
      call: { name: 'x', title: 'Pay {tool} $& $1', phase: 'settled', settled: { ran: 'yes', cause: 'ok' } },
      label: 'Pay {tool} $& $1 — done',
    },
  ]
  for (const { call, label } of cases) {
    test(label, () => {
      expect(labelOf(call)).toBe(label)
    })
  }

  test('is a piece of its own, and the pieces are the label', () => {
    const call: Labelled = { name: 'create_ticket', phase: 'running' }
    expect(labelPieces(call)).toEqual({ before: 'Running ', tool: 'create_ticket', after: '…' })
    expect(labelPieces({ name: '', phase: 'waiting', on: 'gate' })).toEqual({
      before: '',
      tool: 'A tool call',
      after: ' — waiting to run',
    })
  })
})

test('icons are shapes of their own, apart from the label', () => {
  expect(ICONS).toEqual({ 'not-run': '⊘', 'may-have-run': '?', done: '✓', failed: '✕' } satisfies Record<Icon, string>)
  const labels = [...Object.values(NOT_RUN), ...Object.values(MAY_HAVE_RUN), ...Object.values(RAN)]
  expect(labels.filter((label) => Object.values(ICONS).some((icon) => label.includes(icon)))).toEqual([])
})

describe('the English catalogue', () => {
  const sentences = (part: object): string[] =>
    Object.values(part).flatMap((value) => (typeof value === 'string' ? [value] : sentences(value)))

  test('has exactly the causes that there are words for here', () => {
    expect(Object.keys(english.no).sort()).toEqual(Object.keys(NOT_RUN).sort())
    expect(Object.keys(english.unknown).sort()).toEqual(Object.keys(MAY_HAVE_RUN).sort())
    expect(Object.keys(english.yes).sort()).toEqual(Object.keys(RAN).sort())
    expect(Object.keys(english.waiting).sort()).toEqual(Object.keys(WAITING).sort())
  })

  test('names the tool exactly once in every sentence about a call', () => {
    const { no, unknown, yes, waiting, preparing, running } = english
    const wrong = sentences([no, unknown, yes, waiting, preparing, running]).filter(
      (sentence) => sentence.split('{tool}').length !== 2,
    )
    expect(wrong).toEqual([])
  })

  test('says "not run" only where it is known, and "may have run" only where it is not', () => {
    expect(sentences(english.no).filter((sentence) => /may have run|done|ran/.test(sentence))).toEqual([])
    expect(sentences(english.unknown).filter((sentence) => !sentence.includes('may have run'))).toEqual([])
    expect(sentences(english.yes).filter((sentence) => /not run|may have/.test(sentence))).toEqual([])
  })

  test('has no two causes of one kind with the same words', () => {
    for (const kind of [english.no, english.unknown, english.yes]) {
      expect(new Set(Object.values(kind)).size).toBe(Object.keys(kind).length)
    }
  })

  test('of the notice and the announcer', () => {
    expect(english.notice).toEqual({
      notRun: 'Not run: {tools}.',
      mayHaveRun: 'May have run: {tools}.',
      stopped: {
        'connection-lost': 'The reply stopped here (connection lost).',
        'ended-early': 'The reply stopped here (it ended early).',
        truncated: 'The reply stopped here (the length limit was reached).',
        filtered: 'The reply stopped here (a content filter).',
        'provider-error': 'The reply stopped here (the service reported an error).',
        cancelled: 'The reply stopped here (you stopped it).',
        reloaded: 'The reply stopped here (the page was closed).',
        unnamed: 'The reply stopped here.',
      } satisfies Record<StopWord, string>,
      noToolRun: 'No tool was run.',
    })
    expect(Object.values(english.announcer).every((sentence) => sentence.includes('{count}'))).toBe(true)
  })

  test('another catalogue takes its place, word order and all', () => {
    const german: Catalogue = {
      ...english,
      nameless: { first: 'Ein Aufruf', inside: 'einen Aufruf' },
      preparing: '{tool} wird vorbereitet…',
    }
    expect(labelOf({ name: 'create_ticket', phase: 'preparing' }, german)).toBe('create_ticket wird vorbereitet…')
    expect(labelOf({ name: '', phase: 'preparing' }, german)).toBe('Ein Aufruf wird vorbereitet…')
  })
})

test('the words on buttons, of the question before them and of the hints beside them', () => {
  const { approval, offers, hints } = english
  expect({ approval, offers, hints }).toEqual({
    approval: { question: 'Run {tool}?', decline: 'Decline', approve: 'Approve' },
    offers: { 'try-again': 'Try again', check: 'Check' },
    hints: { 'ask-for-less': 'Ask for less at once.', 'add-detail': 'Add the missing detail.' },
  })
})
