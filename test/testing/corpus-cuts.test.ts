import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unaccounted } from '../../src/core.ts'
import { createPlayer, cut, type Player } from '../../src/testing/index.ts'
import { CASES, type CorpusCase } from './corpus-cases.ts'

// Many runs, on machines that may have much else to do.
const patient = { timeout: 30_000 }

const small = CASES.filter(({ bytes }) => bytes.length < 20_000)

test.for(CASES)(
  '$title comes to the same byte by byte, and its balance holds after each event',
  patient,
  async (corpusCase) => {
    let seen = 0
    const stepped = await resultOf(corpusCase, corpusCase.bytes.keys(), ({ store, frames }) => {
      if (frames !== seen && unaccounted(store.balance()) !== 0) throw new Error('A call is not accounted for.')
      seen = frames
    })
    expect(stepped).toEqual(await resultOf(corpusCase, []))
  },
)

test.for(CASES.filter(({ expected }) => expected.feed !== undefined))(
  '$title comes to the same cut where its network cut it',
  async (corpusCase) => {
    const whole = await resultOf(corpusCase, [])
    expect(await resultOf(corpusCase, corpusCase.expected.feed?.cuts ?? [])).toEqual(whole)
  },
)

test.for(small)('$title comes to the same cut in two at any place', patient, async (corpusCase) => {
  const whole = JSON.stringify(await resultOf(corpusCase, []))
  const wrong: number[] = []
  for (const place of corpusCase.bytes.keys()) {
    if (JSON.stringify(await resultOf(corpusCase, [place])) !== whole) wrong.push(place)
  }
  expect(wrong).toEqual([])
})

test.for(CASES)('$title comes to the same cut at random', patient, async (corpusCase) => {
  const { length } = corpusCase.bytes
  const whole = await resultOf(corpusCase, [])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: length }), { maxLength: 40 }), async (places) => {
      expect(await resultOf(corpusCase, places)).toEqual(whole)
    }),
    { numRuns: small.includes(corpusCase) ? 50 : 5 },
  )
})

/** All that a user, a tool or a record could see at the end. */
async function resultOf(
  { adapter, bytes, tools, expected }: CorpusCase,
  places: Iterable<number>,
  look: (player: Player) => void = () => {},
): Promise<unknown> {
  const player = createPlayer({ adapter, tools })
  for (const piece of cut(bytes, places)) {
    player.feed(piece)
    look(player)
  }
  player.end(expected.ending)
  const { outcomes, dispatchable, ending } = await player.stream.ended
  const { store, turnId, frames } = player
  const turn = store.turn(turnId)?.getState()
  const calls = turn?.items.map((item) => (item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : item))
  return { turn, calls, outcomes, dispatchable, ending, frames, counts: store.counts() }
}
