import { describe, expect, test } from 'vitest'
import { unaccounted } from '../../src/core.ts'
import { cut, replay } from '../../src/testing/index.ts'
import { CASES, type ExpectedCall } from './corpus-cases.ts'

/** Stands for any detail: the wire's own words are kept there. */
const ANY = Symbol('any')

type Said = readonly [ran: string | null, cause: string | null, detail: string | null | typeof ANY, label: string]

/** What the corpus calls an outcome and a cause, in this kit's facts and words. */
const SAID: Readonly<Record<string, Said>> = {
  'dispatchable: complete': [null, null, null, 'waiting to run'],
  'dispatchable: awaiting-approval': [null, null, null, 'waiting for your approval'],
  'dispatchable: held-by-batch': ['no', 'held-back', null, 'not run (another call had a problem)'],
  'truncated: max-tokens': ['no', 'truncated', 'max-tokens', 'not run (the request was cut short)'],
  'truncated: context-window': ['no', 'truncated', 'context-window', 'not run (the request was cut short)'],
  'truncated: content-filter': ['no', 'filtered', 'content-filter', 'not run (stopped by a content filter)'],
  'truncated: refusal': ['no', 'filtered', 'refusal', 'not run (stopped by a content filter)'],
  'unparseable: not-json': ['no', 'unparseable', 'not-json', 'not run (the request was unreadable)'],
  'schema-error: wrong-type': ['no', 'invalid-arguments', 'wrong-type', 'not run (the details were not valid)'],
  'schema-error: missing-required': [
    'no',
    'invalid-arguments',
    'missing-required',
    'not run (the details were not valid)',
  ],
  'schema-error: extra-properties': [
    'no',
    'invalid-arguments',
    'extra-properties',
    'not run (the details were not valid)',
  ],
  'schema-error: enum': ['no', 'invalid-arguments', ANY, 'not run (the details were not valid)'],
  'abandoned: connection-lost': ['no', 'connection-lost', 'dropped', 'not run (connection lost)'],
  'abandoned: stalled': ['no', 'connection-lost', 'idle', 'not run (connection lost)'],
  'abandoned: ended-early': ['no', 'ended-early', 'no-terminal', 'not run (the response ended early)'],
  'abandoned: incomplete-at-finish': ['no', 'ended-early', ANY, 'not run (the response ended early)'],
  'abandoned: provider-error': ['no', 'provider-error', ANY, 'not run (the service reported an error)'],
  'abandoned: reloaded': ['no', 'reloaded', null, 'not run (the page was closed)'],
  'abandoned: withdrawn': ['no', 'withdrawn', null, 'not run (withdrawn)'],
  'abandoned: unrecognised': ['no', 'unrecognised', ANY, 'not run'],
  'abandoned: paused': ['no', 'unrecognised', 'paused', 'not run'],
  'cancelled: user': ['no', 'cancelled', ANY, 'cancelled'],
  'cancelled: denied': ['no', 'declined', null, 'not run (you declined)'],
  'completed: result': ['yes', 'ok', null, 'done'],
  'failed: tool-error': ['yes', 'not-ok', null, 'ran and failed'],
  'unknown: no-result': ['unknown', 'no-result', ANY, 'may have run (no result received)'],
  'unknown: paused': ['unknown', 'no-result', 'paused', 'may have run (no result received)'],
  'unknown: connection-lost': ['unknown', 'connection-lost', 'dropped', 'may have run (connection lost)'],
  'unknown: stalled': ['unknown', 'connection-lost', 'idle', 'may have run (connection lost)'],
  'unknown: ended-early': ['unknown', 'ended-early', 'no-terminal', 'may have run (the response ended early)'],
  'unknown: provider-error': ['unknown', 'provider-error', ANY, 'may have run (the service reported an error)'],
  'unknown: max-tokens': ['unknown', 'truncated', 'max-tokens', 'may have run (the response was cut short)'],
  'unknown: content-filter': ['unknown', 'filtered', 'content-filter', 'may have run (stopped by a content filter)'],
  'unknown: user': ['unknown', 'cancelled', ANY, 'may have run (cancelled)'],
  'unknown: reloaded': ['unknown', 'reloaded', null, 'may have run (the page was closed)'],
  'unknown: withdrawn': ['unknown', 'withdrawn', null, 'may have run (withdrawn)'],
  'unknown: unrecognised': ['unknown', 'unrecognised', ANY, 'may have run'],
}

describe.for(CASES)('$title', (corpusCase) => {
  const { adapter, bytes, tools, expected } = corpusCase
  const play = () => replay({ adapter, tools, ending: expected.ending, pieces: cut(bytes, expected.feed?.cuts ?? []) })

  test('says of every call what is true, in the right words', async () => {
    const { calls, player } = await play()
    const announced = calls.filter(({ id }) => expected.orphans?.includes(id) !== true)
    expect(announced).toHaveLength(expected.count ?? expected.expect.length)
    for (const [place, call] of expected.expect.entries()) {
      const answer = announced[place]
      const truth = candidates(call).find(({ outcome }) => outcome === answer?.outcome) ?? call
      if (call.id === null) expect(answer?.id).toMatch(/^kit-call-\d+$/)
      else expect(answer?.id).toBe(call.id)
      expect(answer).toMatchObject({ name: call.name, outcome: truth.outcome, mayDispatch: truth.mayExecute })
      expectWords(call.name, truth, answer)
      if (truth.args !== undefined) expect(answer?.args).toEqual(truth.args)
      if (call.rawLength !== undefined) expect(answer?.rawLength).toBe(call.rawLength)
      if (call.rawSha256 !== undefined) expect(answer?.rawSha256).toBe(call.rawSha256)
    }
    expect(new Set(announced.map(({ id }) => id)).size).toBe(announced.length)
    expect(player.store.counts().contradictedLabels).toBe(0)
  })

  test('leaves nothing preparing or running, and every call accounted for', async () => {
    const { player } = await play()
    const balance = player.store.balance()
    expect(balance).toMatchObject({ announced: expected.count ?? expected.expect.length, preparing: 0, running: 0 })
    expect(unaccounted(balance)).toBe(0)
    expect(player.store.turn(player.turnId)?.getState().open).toBe(false)
  })

  test('runs exactly what may be run, with the arguments as they were meant', async () => {
    const { player } = await play()
    const { dispatchable } = await player.stream.ended
    const runs = dispatchable.filter((call) => player.store.dispatched(call))
    const mayRun = expected.expect.filter(({ mayExecute }) => mayExecute)
    expect(runs.map(({ name }) => name)).toEqual(mayRun.map(({ name }) => name))
    for (const [place, { args }] of mayRun.entries()) if (args !== undefined) expect(runs[place]?.args).toEqual(args)

    // What was taken once is taken, and a result settles it.
    expect(dispatchable.filter((call) => player.store.dispatched(call))).toEqual([])
    player.store.settle(runs.map(({ callId, name }) => ({ callId, name, ran: 'yes', ok: true })))
    expect(player.store.balance()).toMatchObject({ preparing: 0, running: 0 })
    expect(player.store.counts().contradictedLabels).toBe(0)
  })

  test('leaves the prototypes alone', async () => {
    await play()
    const polluted = expected.noPollution?.filter((name) => name in Object.prototype || name in {})
    expect(polluted ?? []).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

test('every case of the corpus is here', () => {
  const counts = new Map<string, number>()
  for (const { adapter } of CASES) counts.set(adapter.format, (counts.get(adapter.format) ?? 0) + 1)
  expect(Object.fromEntries(counts)).toEqual({
    'ag-ui': 4,
    'ai-ui-message-stream': 15,
    anthropic: 10,
    'bedrock-converse': 1,
    'cohere-v2': 1,
    gemini: 1,
    hydration: 1,
    langgraph: 1,
    mistral: 1,
    ollama: 1,
    'openai-chat': 12,
    'openai-responses': 3,
    'tanstack-ai': 1,
  })
})

/** The expected answer, then the other truthful ones. */
function candidates(call: ExpectedCall): readonly ExpectedCall[] {
  const { args: _, ...rest } = call
  return [call, ...(call.acceptable ?? []).map((other): ExpectedCall => ({ ...rest, cause: '', ...other }))]
}

function expectWords(
  name: string,
  { outcome, cause }: ExpectedCall,
  answer: Awaited<ReturnType<typeof replay>>['calls'][number] | undefined,
): void {
  // Another truthful outcome comes without a cause.
  if (cause === '') return
  const said = SAID[`${outcome}: ${cause}`]
  if (said === undefined) throw new Error(`There is no line for ${outcome}: ${cause}`)
  const [ran, settledBy, detail, label] = said
  expect(answer).toMatchObject({ ran, cause: settledBy, label: `${name} — ${label}` })
  if (detail !== ANY) expect(answer?.detail).toBe(detail)
}
