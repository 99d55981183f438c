import { afterEach, expect, test, vi } from 'vitest'
import type { SettledCall } from '../../src/core/recorder.ts'
import { type CallRecord, createRecorder, type RawText, type RecorderOptions } from '../../src/record/index.ts'
import { settledCall } from './settled-call.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function recorded(options: RecorderOptions = {}) {
  const records: CallRecord[] = []
  const revisions: CallRecord[] = []
  const raws: RawText[] = []
  const recorder = createRecorder({
    onRecord: (record) => records.push(record),
    onRevision: (record) => revisions.push(record),
    onRaw: (raw) => raws.push(raw),
    ...options,
  })
  return { recorder, records, revisions, raws }
}

/** What is reported instead of thrown. */
function reportedErrors(): unknown[] {
  const errors: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
  return errors
}

const failing = (message: string) => (): never => {
  throw new Error(message)
}

test('a call is written down once, however often it is told of', () => {
  const { recorder, records, raws } = recorded()
  const call = settledCall()
  recorder.announced(call)
  recorder.announced(call)
  recorder.settled(call)
  recorder.settled(call)
  recorder.settled({ ...call, settled: { ran: 'yes', cause: 'ok' } })
  recorder.announced(call)
  recorder.settled({ ...call, key: '1' })
  recorder.settled({ ...call, turnId: 'turn-2' })
  expect(records.map(({ id }) => id)).toEqual(['turn-1/0', 'turn-1/1', 'turn-2/0'])
  expect(raws.map(({ id }) => id)).toEqual(['turn-1/0', 'turn-1/1', 'turn-2/0'])
  // A call that settles without having been announced was announced by that.
  expect(recorder.counters()).toMatchObject({ announced: 3 })
  expect(recorder.counters().outcomes).toEqual([
    { outcome: 'abandoned', cause: 'connection-lost', tool: 'create_ticket', count: 3 },
  ])
})

test('the raw text goes nowhere unless it is asked for, and nowhere else', () => {
  const text = 'Verbatim'
  const call = settledCall({ raw: `{"title":"${text}` })
  const { recorder, records, raws, revisions } = recorded()
  recorder.settled(call)
  recorder.revised({ ...call, raw: '', settled: { ran: 'yes', cause: 'late' } })
  expect(raws).toHaveLength(1)
  expect(JSON.stringify(raws)).toContain(text)
  expect(JSON.stringify([records, revisions, recorder.counters()])).not.toContain(text)
})

test('the raw text comes with its record, cut to the limit; a call without text has none', () => {
  const pairs: [string | null, string][] = []
  const recorder = createRecorder({
    onRaw: (raw, { outcome }) => pairs.push([raw.text, outcome]),
    rawLimit: 5,
  })
  recorder.settled(settledCall())
  recorder.settled(settledCall({ key: '1', raw: '' }))
  recorder.settled(settledCall({ key: '2', raw: '{}', settled: { ran: 'yes', cause: 'ok' } }))
  expect(pairs).toEqual([
    ['{"tit', 'abandoned'],
    ['{}', 'completed'],
  ])
})

test('a settled call that is known better is told again, with what was measured when there was a text', () => {
  const { recorder, records, revisions } = recorded()
  const call = settledCall({ settled: { ran: 'no', cause: 'connection-lost' } })
  const known = (settled: SettledCall['settled']) => recorder.revised({ ...call, raw: '', fragments: 0, settled })
  recorder.settled(call)
  known({ ran: 'unknown', cause: 'no-result' })
  recorder.contradicted(call)
  known({ ran: 'yes', cause: 'late' })
  known({ ran: 'yes', cause: 'late' })
  expect(records).toHaveLength(1)
  expect(revisions.map(({ revision, outcome, cause }) => [revision, outcome, cause])).toEqual([
    [1, 'unknown', 'no-result'],
    [2, 'completed', 'late'],
  ])
  for (const { bytes, digest, fragments } of revisions) {
    expect({ bytes, digest, fragments }).toEqual({ bytes: 15, digest: records[0]?.digest, fragments: 3 })
  }
  // What was counted stays counted.
  expect(recorder.counters()).toEqual({
    announced: 1,
    outcomes: [{ outcome: 'abandoned', cause: 'connection-lost', tool: 'create_ticket', count: 1 }],
    contradictedLabels: 1,
    revised: 2,
    missedRevisions: 0,
  })
})

test('it remembers as many records as it was told to, and counts the revisions it cannot tell', () => {
  const { recorder, records, revisions } = recorded({ keep: 2 })
  const calls = ['0', '1', '2'].map((key) => settledCall({ key }))
  for (const call of calls) recorder.settled(call)
  for (const call of calls) recorder.revised({ ...call, settled: { ran: 'yes', cause: 'late' } })
  expect(records).toHaveLength(3)
  expect(revisions.map(({ id }) => id)).toEqual(['turn-1/1', 'turn-1/2'])
  expect(recorder.counters()).toMatchObject({ announced: 3, revised: 2, missedRevisions: 1 })
})

test('a secret leaves by no callback and no counter, wherever its text was cut', () => {
  const secret = 'HUNTER2HUNTER2'
  const text = `{"user":"ann","password":"${secret}","note":"hi"}`
  const { recorder, records, revisions, raws } = recorded()
  for (let length = 1; length <= text.length; length++) {
    const call = settledCall({ key: `${length}`, raw: text.slice(0, length), sensitive: ['password'] })
    recorder.settled(call)
    recorder.revised({ ...call, settled: { ran: 'yes', cause: 'late' } })
    recorder.settled({ ...call, key: `${length}, unknown`, known: false, name: 'made_up' })
  }
  const told = JSON.stringify([records, revisions, raws, recorder.counters()])
  for (let at = 0; at + 4 <= secret.length; at++) expect(told).not.toContain(secret.slice(at, at + 4))
  expect([records.length, revisions.length, raws.length]).toEqual([2 * text.length, text.length, 2 * text.length])
  // Control: the rest of the text was told.
  expect(told).toContain('ann')
})

test('a request id comes from the store, else from the host', () => {
  const { recorder, records } = recorded({ requestId: ({ turnId }) => `trace-of-${turnId}` })
  recorder.settled(settledCall())
  recorder.settled(settledCall({ key: '1', requestId: 'req_1' }))
  expect(records.map(({ requestId }) => requestId)).toEqual(['trace-of-turn-1', 'req_1'])
})

test('a callback that throws is reported and stops no other', () => {
  const errors = reportedErrors()
  const raws: RawText[] = []
  const recorder = createRecorder({
    requestId: failing('requestId'),
    onRecord: failing('onRecord'),
    onRevision: failing('onRevision'),
    onRaw(raw) {
      raws.push(raw)
      throw new Error('onRaw')
    },
  })
  recorder.settled(settledCall())
  recorder.revised(settledCall({ settled: { ran: 'yes', cause: 'late' } }))
  expect(errors.map(String)).toEqual(['Error: requestId', 'Error: onRecord', 'Error: onRaw', 'Error: onRevision'])
  expect(raws).toHaveLength(1)
  expect(recorder.counters()).toMatchObject({ announced: 1, revised: 1 })
})

test('a callback that rejects is reported: nothing is left to end the process', async () => {
  const errors = reportedErrors()
  const recorder = createRecorder({ onRecord: async () => failing('rejected')() })
  recorder.settled(settledCall())
  await vi.waitFor(() => expect(errors.map(String)).toEqual(['Error: rejected']))
})

test('without callbacks it counts', () => {
  const recorder = createRecorder({ now: () => 0 })
  recorder.announced(settledCall())
  recorder.settled(settledCall())
  expect(recorder.ratio(60_000)).toMatchObject({ ratio: 1, lost: 1, announced: 1 })
})

test('a limit with which nothing could be kept is a mistake of the program', () => {
  for (const options of [{ rawLimit: 0 }, { keep: 0.5 }, { longestWindow: Number.NaN }])
    expect(() => createRecorder(options)).toThrow(/^honest-tool-calls: `/)
})
