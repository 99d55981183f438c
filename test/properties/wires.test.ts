import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { unaccounted } from '../../src/core/balance.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import { createPlayer, cut, REPLAY_ENDINGS } from '../../src/testing/index.ts'
import { eventsOfBytes } from '../adapters/events-of.ts'
import { CASES, type CorpusCase } from '../testing/corpus-cases.ts'
import { MARKER } from './actions.ts'
import { runs } from './runs.ts'

beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
})

// The others are too long to be played hundreds of times.
const small = CASES.filter(({ bytes }) => bytes.length < 20_000)
const corpusCase = fc.constantFrom(...small)

test('a wire gives the same events, wherever the network cuts it', () => {
  const whole = new Map(small.map(({ title, adapter, bytes }) => [title, eventsOfBytes(adapter, [bytes])]))
  fc.assert(
    fc.property(corpusCase, fc.array(fc.nat(20_000), { maxLength: 40 }), ({ title, adapter, bytes }, places) => {
      const pieces = cut(
        bytes,
        places.map((place) => place % bytes.length),
      )
      expect(eventsOfBytes(adapter, pieces)).toEqual(whole.get(title))
    }),
    runs(300),
  )
})

const junk = fc.oneof(
  fc.constantFrom(
    '',
    '[DONE]',
    '{',
    'null',
    '[]',
    '{"type":null}',
    `{"error":{"message":"${MARKER}"}}`,
    `{"type":"error","error":{"type":"overloaded_error","message":"${MARKER}"}}`,
    `{"type":"response.failed","response":{"error":{"code":"server_error","message":"${MARKER}"}}}`,
  ),
  fc.json({ maxDepth: 3 }),
  fc.string(),
)
const bytes = fc.oneof(
  junk.map((data) => `data: ${data}\n\n`),
  junk.map((data) => `event: tool-call-outcome\ndata: ${data}\n\n`),
  fc.constantFrom(': comment\n\n', '\n\n', 'data', 'event: ping\n', '\r', '\u0000', '\ufeff'),
)

test('a wire broken anywhere in any way, with anything in between, leaves nothing open and shows nothing of it', () => {
  fc.assert(
    fc.property(
      corpusCase,
      fc.array(
        fc.record({ place: fc.nat(20_000), lost: fc.nat(60), put: fc.oneof(bytes, fc.uint8Array({ maxLength: 8 })) }),
        {
          maxLength: 4,
        },
      ),
      fc.option(fc.nat(20_000)),
      fc.constantFrom(...REPLAY_ENDINGS),
      ({ adapter, tools, bytes }, wounds, end, ending) => {
        const player = createPlayer({ adapter, tools })
        let wire = bytes.subarray(0, end ?? bytes.length)
        for (const { place, lost, put } of wounds) {
          const at = place % (wire.length + 1)
          player.feed(wire.subarray(0, at))
          player.feed(put)
          wire = wire.subarray(at + lost)
        }
        player.feed(wire)
        player.end(ending)
        check(player)
      },
    ),
    runs(1_000),
  )
})

const anything = fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withSparseArray: true })

test("nothing that a provider's own SDK yields, or fails to yield, throws", () => {
  fc.assert(
    fc.property(
      corpusCase,
      fc.array(fc.oneof(anything, fc.constant('next')), { maxLength: 20 }),
      ({ adapter, tools, bytes }, items) => {
        const frames = framesOf(adapter, bytes)
        const player = createPlayer({ adapter, tools })
        // Whatever is not bytes is taken for an event.
        for (const item of items) player.feed((item === 'next' ? frames.shift() : item) as string)
        player.end('eof')
        check(player)
      },
    ),
    runs(500),
  )
})

function framesOf(adapter: CorpusCase['adapter'], bytes: Uint8Array): unknown[] {
  const frames: unknown[] = []
  adapter.framer({ frame: (data) => frames.push(data) }).feed(bytes)
  return frames
}

function check({ store, turnId }: ReturnType<typeof createPlayer>): void {
  const balance = store.balance()
  expect(unaccounted(balance)).toBe(0)
  const turn = store.turn(turnId)?.getState()
  // No silence ends a stream while a person is asked.
  if (turn?.open === true) expect(balance.waiting.person).toBeGreaterThan(0)
  else expect(balance.preparing).toBe(0)
  const shown = (turn?.items ?? []).map(({ key }) => store.callByKey(turnId, key)?.getState())
  const labels = shown.flatMap((view) => (view === undefined ? [] : labelOf(view)))
  const notice = turn?.notice
  const words = notice === undefined || notice === null ? [] : noticeSentences(notice)
  expect(JSON.stringify([shown, labels, words, store.snapshot()])).not.toContain(MARKER)
}
