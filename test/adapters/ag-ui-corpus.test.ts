import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { agUi } from '../../src/adapters/ag-ui.ts'
import { langgraph } from '../../src/adapters/langgraph.ts'
import { tanstackAi } from '../../src/adapters/tanstack-ai.ts'
import type { Tools } from '../../src/core/tools.ts'
import { unaccounted } from '../../src/core.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { cut, REPLAY_ENDINGS, type ReplayEnding, replay } from '../../src/testing/index.ts'

interface Expectation {
  readonly payload: string
  readonly ending: ReplayEnding
  readonly tools: readonly { readonly name: string; readonly executor?: string; readonly parameters?: object }[]
  readonly expect: readonly {
    readonly id: string
    readonly name: string
    readonly outcome: string
    readonly cause: string
    readonly mayExecute: boolean
    readonly args?: unknown
    readonly acceptable?: readonly { readonly outcome: string }[]
  }[]
}

/** The corpus's outcome and cause in this kit's words: what test/testing/corpus.test.ts says, as far as it is used here. */
const SAID: Readonly<Record<string, string>> = {
  'dispatchable: complete': 'waiting to run',
  'truncated: max-tokens': 'not run (the request was cut short)',
  'abandoned: incomplete-at-finish': 'not run (the response ended early)',
  'abandoned: provider-error': 'not run (the service reported an error)',
  'completed: result': 'done',
  'failed: tool-error': 'ran and failed',
}

const toolsOf = ({ tools }: Expectation): Tools =>
  Object.fromEntries(
    tools.map(({ name, executor, parameters }) => [
      name,
      {
        executor: executor === 'local' || executor === 'host' ? executor : 'server',
        ...(parameters === undefined ? {} : fromJsonSchema(parameters)),
      },
    ]),
  )

const cases = [agUi, tanstackAi, langgraph].flatMap((adapter) => {
  const folder = new URL(`../corpus/${adapter.format}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.expect.json'))
    .sort()
    .map((file): readonly [title: string, adapter: Adapter, expected: Expectation, bytes: Uint8Array] => {
      const expected: Expectation = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      const bytes = readFileSync(new URL(expected.payload, folder))
      return [`${adapter.format}/${file.slice(0, -'.expect.json'.length)}`, adapter, expected, bytes]
    })
})

test('every case of the three formats is here', () => {
  expect(cases).toHaveLength(6)
})

describe.each(cases)('%s', (_, adapter, expected, bytes) => {
  const tools = toolsOf(expected)
  const play = async (places: Iterable<number>, ending = expected.ending, payload = bytes) => {
    const { calls, notice, player } = await replay({ adapter, tools, pieces: cut(payload, places), ending })
    const balance = player.store.balance()
    return { calls, notice, balance, counts: player.store.counts(), ending: player.stream.ending, player }
  }
  const seen = ({ player: _player, ...rest }: Awaited<ReturnType<typeof play>>) => rest

  test('says of every call what is true, in the right words', async () => {
    const { calls, balance, counts } = await play([])
    expect(calls).toHaveLength(expected.expect.length)
    for (const [place, call] of expected.expect.entries()) {
      const answer = calls[place]
      expect(answer).toMatchObject({ id: call.id, name: call.name, mayDispatch: call.mayExecute })
      if (call.args !== undefined) expect(answer?.args).toEqual(call.args)
      const others = call.acceptable?.map(({ outcome }) => outcome) ?? []
      expect([call.outcome, ...others]).toContain(answer?.outcome)
      if (answer?.outcome === call.outcome)
        expect(answer.label).toBe(`${call.name} — ${SAID[`${call.outcome}: ${call.cause}`]}`)
    }
    expect(balance).toMatchObject({ announced: expected.expect.length, preparing: 0, running: 0 })
    expect(unaccounted(balance)).toBe(0)
    expect(counts.contradictedLabels).toBe(0)
  })

  test('runs exactly what may be run', async () => {
    const { player } = await play([])
    const { dispatchable } = await player.stream.ended
    const runs = dispatchable.filter((call) => player.store.dispatched(call))
    expect(runs.map(({ name }) => name)).toEqual(expected.expect.filter((c) => c.mayExecute).map(({ name }) => name))
  })

  test('comes to the same byte by byte, and cut in two at any place', async () => {
    const whole = seen(await play([]))
    expect(seen(await play(bytes.keys()))).toEqual(whole)
    const text = JSON.stringify(whole)
    const wrong: number[] = []
    for (const place of bytes.keys()) if (JSON.stringify(seen(await play([place]))) !== text) wrong.push(place)
    expect(wrong).toEqual([])
  }, 30_000)

  test('comes to the same cut at random', async () => {
    const whole = seen(await play([]))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), async (places) => {
        expect(seen(await play(places))).toEqual(whole)
      }),
      { numRuns: 25 },
    )
  }, 30_000)

  test('broken off after any frame, in any way, leaves no call open', async () => {
    const text = new TextDecoder('latin1').decode(bytes)
    for (const { index } of text.matchAll(/\n\n|$/g)) {
      for (const ending of REPLAY_ENDINGS) {
        const { balance, counts } = await play([], ending, bytes.subarray(0, index + 2))
        expect([index, ending, unaccounted(balance), balance.preparing, balance.running]).toEqual([
          index,
          ending,
          0,
          0,
          0,
        ])
        expect(counts.contradictedLabels).toBe(0)
      }
    }
  }, 30_000)
})
