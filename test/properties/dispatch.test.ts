import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { unaccounted } from '../../src/core/balance.ts'
import { openaiChatRules } from '../wire/strict-rules.ts'
import { isSound, passes, schedules } from './dispatch-schedules.ts'
import { type Outcome, play } from './dispatch-world.ts'
import { runs } from './runs.ts'

// The host's mistakes that are made here on purpose are told by the thousand.
beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.spyOn(console, 'error').mockReturnValue()
})

const USER = { role: 'user', content: 'Please.' }

test('whatever goes wrong, nothing damaged runs, nothing runs twice, nothing that ran is denied, and every turn ends', async () => {
  const counted = {
    entered: 0,
    held: 0,
    corrected: 0,
    regenerated: 0,
    asked: 0,
    unknown: 0,
    late: 0,
    refused: 0,
    cancelled: 0,
  }
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { result, store, entered, enteredWhenJudged, requests, views, labels, asked } = await play(schedule)
      const roundOf = new Map(schedule.rounds.flatMap((round) => round.calls.map(({ callId }) => [callId, round])))
      const callOf = new Map(schedule.rounds.flatMap(({ calls }) => calls.map((call) => [call.callId, call])))

      // Nothing runs but what passed all three checks, in a message that ended naturally, beside siblings that passed too.
      for (const { callId, name, args, wasWritten } of entered) {
        const call = callOf.get(callId)
        const round = roundOf.get(callId)
        if (call === undefined || round === undefined) expect.unreachable('a call of nobody ran')
        expect(isSound(round)).toBe(true)
        expect([name, args]).toEqual([call.tool.name, passes(call)])
        if (name === 'asks') expect(call.person.says).toBe('yes')
        // It was written down first.
        expect(wasWritten).toBe(true)
        expect(call.journal).not.toBe('fails')
      }
      // Each once.
      expect(new Set(entered.map(({ callId }) => callId)).size).toBe(entered.length)
      expect(new Set(entered.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(entered.length)
      // While a message was judged nothing of it had begun.
      for (const [number, count] of enteredWhenJudged) {
        const earlier = new Set(
          schedule.rounds.slice(0, number - 1).flatMap(({ calls }) => calls.map((call) => call.callId)),
        )
        expect(entered.slice(0, count).every(({ callId }) => earlier.has(callId))).toBe(true)
      }

      // What is said at the end is what happened.
      const ran = new Set(entered.map(({ callId }) => callId))
      for (const view of views) {
        if (view.phase !== 'settled') expect.unreachable(`${view.id} never settled`)
        expect([view.id, view.settled.ran === 'no']).toEqual([view.id, !ran.has(view.id)])
        // Whose tool can be asked is known to have run, whatever its own end; of the others it is their own word.
        const does = callOf.get(view.id)?.tool.does
        if (view.settled.ran === 'yes' && view.name !== 'queried')
          expect([view.id, view.settled.cause]).toEqual([
            view.id,
            expect.stringMatching(does === 'throws' ? /^(late-)?not-ok$/ : /^(late|ok)$/),
          ])
        if (does === 'hangs' || does === 'is uncertain')
          expect([view.id, view.settled.ran === 'yes' && view.name !== 'queried']).toEqual([view.id, false])
      }
      const seen = new Set(views.map(({ id }) => id))
      for (const callId of ran) expect(seen.has(callId)).toBe(true)
      const balance = store.balance()
      expect(unaccounted(balance)).toBe(0)
      expect([balance.preparing, balance.running, ...Object.values(balance.waiting)]).toEqual([0, 0, 0, 0, 0, 0])
      expect(store.counts().contradictedLabels).toBe(0)
      expect(labels.filter((label) => /Preparing|Running|waiting/.test(label))).toEqual([])

      // What it says of itself is true as well.
      expect(new Set(result.runs.map(({ call }) => call.callId)).size).toBe(result.runs.length)
      for (const { call } of result.runs) expect(ran.has(call.callId)).toBe(true)
      expect(result.requests).toBe(requests.length)
      expect(requests.length).toBeLessThanOrEqual(schedule.maxRequests)
      expect(result.regenerated).toBeLessThanOrEqual(schedule.regenerate)
      if (result.status === 'failed') expect(result.failure).toBeDefined()
      // No request, nor what is left at the end, has a call without its answer.
      for (const messages of [...requests, result.messages])
        expect(openaiChatRules({ messages: [USER, ...messages] })).toBeNull()

      count({ result, entered, views, asked }, counted, callOf.size)
    }),
    runs(3_000),
  )
  // The controls: all of it happened, and often.
  expect(Object.entries(counted).filter(([, often]) => often < 30)).toEqual([])
})

function count(
  { result, entered, views, asked }: Pick<Outcome, 'result' | 'entered' | 'views' | 'asked'>,
  counted: Record<string, number>,
  calls: number,
): void {
  const add = (what: string, more: number): void => {
    counted[what] = (counted[what] ?? 0) + more
  }
  const facts = new Map(views.map((view) => [view.id, view.phase === 'settled' ? view.settled.ran : null]))
  add('entered', entered.length)
  add('held', calls - entered.length)
  add(
    'corrected',
    result.corrections.reduce((sum, { recovered }) => sum + recovered, 0),
  )
  add('regenerated', result.regenerated)
  add('asked', asked)
  add('unknown', [...facts.values()].filter((ran) => ran === 'unknown').length)
  // Nobody waited any more, and it came all the same.
  add(
    'late',
    result.runs.filter(({ call, settled }) => settled.ran === 'unknown' && facts.get(call.callId) === 'yes').length,
  )
  add('cancelled', result.status === 'cancelled' ? 1 : 0)
  add('refused', result.rejection === undefined ? 0 : 1)
}
