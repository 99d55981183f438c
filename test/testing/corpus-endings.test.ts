import { expect, test } from 'vitest'
import { unaccounted } from '../../src/core.ts'
import { createPlayer, REPLAY_ENDINGS, type ReplayEnding } from '../../src/testing/index.ts'
import { CASES, type CorpusCase } from './corpus-cases.ts'

const small = CASES.filter(({ bytes }) => bytes.length < 20_000)

test.for(small)('$title broken off after any frame, in any way, leaves no call open', async (corpusCase) => {
  for (const length of frameEnds(corpusCase.bytes)) {
    for (const ending of REPLAY_ENDINGS) await expectClosed(corpusCase, length, ending)
  }
})

async function expectClosed(
  { adapter, tools, bytes }: CorpusCase,
  length: number,
  ending: ReplayEnding,
): Promise<void> {
  const player = createPlayer({ adapter, tools })
  player.feed(bytes.subarray(0, length))
  player.end(ending)
  // No silence ends a stream while a person is asked.
  if (player.stream.ending === null) {
    expect(ending).toBe('stall')
    expect(player.store.balance().waiting.person).toBeGreaterThan(0)
    return
  }
  const { dispatchable } = await player.stream.ended
  const balance = player.store.balance()
  const where = `after ${length} bytes, ${ending}`
  expect(unaccounted(balance), where).toBe(0)
  expect(balance, where).toMatchObject({ preparing: 0, running: 0, waiting: { result: 0, resume: 0 } })
  // After a reload nothing is offered any more: its arguments are gone.
  if (!player.stream.whole && ending === 'reload') expect(balance.waiting.gate, where).toBe(0)
  else expect(balance.waiting.gate, where).toBe(dispatchable.length)
}

function frameEnds(bytes: Uint8Array): readonly number[] {
  const text = new TextDecoder('latin1').decode(bytes)
  return [0, ...[...text.matchAll(/\r?\n(?:\r?\n)?/g)].map(({ index, 0: gap }) => index + gap.length)]
}
