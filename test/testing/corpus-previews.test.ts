import { describe, expect, test } from 'vitest'
import type { Adapter, CallView, PreviewRow } from '../../src/core.ts'
import { createPlayer, cut, type Player } from '../../src/testing/index.ts'
import { CASES, type PreviewCheck } from './corpus-cases.ts'

describe.for(CASES)('$title', ({ adapter, bytes, tools, expected }) => {
  test('shows nothing wrong after any byte, and nothing as final that is not', async () => {
    const { counting, framesSeen } = countFrames(adapter)
    const player = createPlayer({ adapter: counting, tools })
    const settled = new Map<string, ReadonlyMap<string, string>>()
    // Byte by byte as long as a preview may grow; of the rest of a long payload it reads nothing.
    const places = [...bytes.keys()].filter((place) => place < 30_000 || place % 500 === 0)
    for (const piece of cut(bytes, places)) {
      player.feed(piece)
      for (const view of viewsOf(player)) {
        const wrong = wrongIn(view, expected.preview ?? [], framesSeen() - 1)
        if (wrong !== null) throw new Error(`${view.id}: ${wrong}`)
        const before = settled.get(view.key) ?? new Map()
        const now = new Map([...before, ...settledRows(view)])
        for (const [path, text] of before) if (now.get(path) !== text) throw new Error(`${path} changed once settled`)
        settled.set(view.key, now)
      }
    }
    player.end(expected.ending)

    const { calls } = await player.stream.ended
    for (const { key, outcome } of calls) {
      if (outcome?.type !== 'dispatchable' || typeof outcome.args === 'string') continue
      const shown = Object.fromEntries(settled.get(key) ?? [])
      const { args } = outcome
      const final = Object.fromEntries(Object.keys(shown).map((path) => [path, asShown(args[path])]))
      expect(shown).toEqual(final)
    }
  }, 30_000)
})

/** What of a preview breaks its checks, or a rule that holds for every preview. */
function wrongIn(view: CallView, checks: readonly PreviewCheck[], frame: number): string | null {
  if (view.phase !== 'preparing') return null
  const rows = view.preview
  const shown = rows.flatMap(({ path, text }) => [path, text])
  if (shown.some((text) => /[\ud800-\udfff]/u.test(text))) return 'half a character'
  for (const { id, afterFrame, settled = {}, mustNotSettle = [], mustNotContain = [] } of checks) {
    if (id !== view.id || (afterFrame !== undefined && afterFrame !== frame)) continue
    const unwanted = mustNotContain.find((text) => shown.some((other) => other.includes(text)))
    if (unwanted !== undefined) return `contains ${unwanted}`
    const early = rows.find(({ path, settled: final }) => final && mustNotSettle.includes(path))
    if (early !== undefined) return `${early.path} is shown as final`
    const missing = Object.entries(settled).find(([path, value]) => settledRows(view).get(path) !== asShown(value))
    if (missing !== undefined) return `${missing[0]} is not shown as final`
  }
  return null
}

function settledRows(view: CallView): ReadonlyMap<string, string> {
  const rows: readonly PreviewRow[] = view.phase === 'preparing' ? view.preview : []
  return new Map(rows.filter(({ settled }) => settled).map(({ path, text }) => [path, text]))
}

function asShown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function viewsOf({ store, turnId }: Player): readonly CallView[] {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => (item.type === 'call' ? (store.callByKey(turnId, item.key)?.getState() ?? []) : []))
}

/** The corpus counts events of the payload, of the format or not. */
function countFrames(adapter: Adapter): { readonly counting: Adapter; framesSeen(): number } {
  let frames = 0
  const framer: Adapter['framer'] = (sink) =>
    adapter.framer({
      frame(data, name) {
        frames++
        sink.frame(data, name)
      },
    })
  return { counting: { ...adapter, framer }, framesSeen: () => frames }
}
