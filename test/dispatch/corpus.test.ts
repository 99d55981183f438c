import { parse } from 'partial-json'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Tools } from '../../src/core/tools.ts'
import { createDispatcher } from '../../src/dispatch/index.ts'
import { type PumpedTurn, pump } from '../../src/pump.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { createPlayer } from '../../src/testing/index.ts'
import { CASES, type CorpusCase } from '../testing/corpus-cases.ts'

// What a case has that belongs nowhere is dropped, and each store would warn of it.
beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
  return () => vi.unstubAllEnvs()
})

/** Every tool that this process runs notes its runs. */
function counting(tools: Tools, runs: { readonly callId: string; readonly args: unknown }[], all: boolean): Tools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      tool.executor === 'local' || all
        ? {
            ...tool,
            executor: 'local' as const,
            run: (args: unknown, { callId }: { readonly callId: string }) => void runs.push({ callId, args }),
          }
        : tool,
    ]),
  )
}

/** The bytes of a case, and behind them what happens after the last one. */
function sourceOf({ bytes, expected }: CorpusCase): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      if (expected.ending === 'error') {
        // What was read must not be lost with the connection.
        queueMicrotask(() => queueMicrotask(() => controller.error(new TypeError('terminated'))))
      } else if (expected.ending === 'done' || expected.ending === 'eof') controller.close()
    },
  })
}

async function ending(turn: PumpedTurn, { ending }: CorpusCase['expected'], clock: FakeClock): Promise<void> {
  let isOpen = true
  void turn.ended.then(() => {
    isOpen = false
  })
  for (let step = 0; isOpen && step < 100; step++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!isOpen) return
    if (ending === 'user-cancel' || ending === 'reload' || step > 90) turn.cancel()
    else clock.advance(10_000)
  }
}

/** Pumps a case and dispatches whatever may be dispatched; the answer: what ran. */
async function play(corpusCase: CorpusCase, all = false) {
  const runs: { readonly callId: string; readonly args: unknown }[] = []
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    tools: counting(corpusCase.tools, runs, all),
    deadlines: { handoff: Number.POSITIVE_INFINITY },
  })
  const turn = pump(sourceOf(corpusCase), corpusCase.adapter, store)
  await ending(turn, corpusCase.expected, clock)
  const { calls } = await turn.ended
  const dispatcher = createDispatcher(store)
  await dispatcher.dispatch(store.dispatchable(turn.id))
  return { runs, calls }
}

const isOurs = ({ expected }: CorpusCase, name: string): boolean =>
  expected.tools.some((tool) => tool.name === name && tool.executor === 'local')
const DAMAGED = ['truncated', 'unparseable', 'abandoned', 'schema-error', 'cancelled']

describe.each(CASES.map((corpusCase) => [corpusCase.title, corpusCase] as const))('%s', (_, corpusCase) => {
  test('what may execute runs once, and nothing else', async () => {
    const { runs } = await play(corpusCase)
    const may = corpusCase.expected.expect.filter(({ mayExecute, name }) => mayExecute && isOurs(corpusCase, name))
    expect(runs).toHaveLength(may.length)
    // Of the large ones the corpus keeps a digest alone.
    for (const { args } of may) if (args !== undefined) expect(runs.map((run) => run.args)).toContainEqual(args)
  })

  test('what is damaged runs no more if all tools are ours', async () => {
    const { runs } = await play(corpusCase, true)
    const damaged = corpusCase.expected.expect.filter(
      ({ outcome, mayExecute }) => !mayExecute && DAMAGED.includes(outcome),
    )
    const ids = damaged.map(({ id }) => id)
    expect(runs.filter(({ callId }) => ids.includes(callId))).toEqual([])
    if (damaged.length > 0 && damaged.length === corpusCase.expected.expect.length) expect(runs).toEqual([])
  })
})

test('the control: a dispatcher that repairs what it is given would have run damaged calls', async () => {
  const wouldRun = new Set<string>()
  for (const corpusCase of CASES) {
    const player = createPlayer({ adapter: corpusCase.adapter, tools: corpusCase.tools })
    player.feed(corpusCase.bytes)
    player.end(corpusCase.expected.ending)
    const damaged = corpusCase.expected.expect.filter(({ mayExecute }) => !mayExecute)
    for (const buffer of player.buffers.values()) {
      if (repaired(buffer.text) && damaged.length > 0) wouldRun.add(corpusCase.title)
    }
  }
  expect(wouldRun.size).toBeGreaterThan(10)
  expect([...wouldRun]).toContain('anthropic/max-tokens-closed-block')
})

/** Whether a tolerant parser makes an object of it. */
function repaired(text: string): boolean {
  try {
    const value: unknown = parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
