import { parse } from 'partial-json'
import { beforeEach, expect, test, vi } from 'vitest'
import { createPlayer, type Player } from '../../src/testing/index.ts'
import { CASES } from './corpus-cases.ts'

// Counted, not timed: how much text the two parsers are given does not depend on the machine.
vi.mock('partial-json', async (importOriginal) => {
  const original = await importOriginal<typeof import('partial-json')>()
  return { ...original, parse: vi.fn(original.parse) }
})

const huge = CASES.find(({ title }) => title === 'anthropic/huge-arguments')
const tolerant = vi.mocked(parse)
const strict = vi.spyOn(JSON, 'parse')

beforeEach(() => {
  tolerant.mockClear()
  strict.mockClear()
})

/** Frame by frame, with a look at the preview after each, as a frame of the browser would. */
async function ingest(payload: string): Promise<{ readonly args: unknown; readonly fragments: number }> {
  if (huge === undefined) throw new Error('The case is missing.')
  const player = createPlayer({ adapter: huge.adapter, tools: huge.tools })
  const frames = payload.split(/(?<=\n\n)/)
  for (const frame of frames) {
    player.feed(frame)
    lookAtPreview(player)
  }
  player.end('done')
  const { dispatchable } = await player.stream.ended
  return { args: dispatchable[0]?.args, fragments: frames.length }
}

function lookAtPreview({ store, turnId }: Player): void {
  const item = store.turn(turnId)?.getState().items[0]
  const view = item?.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
  if (view?.phase === 'preparing') expect(view.preview.length).toBeLessThanOrEqual(2)
}

/** How many characters a parser was given, in all and at most at once. */
function given(parser: typeof tolerant | typeof strict): { readonly sum: number; readonly most: number } {
  const lengths = parser.mock.calls.map(([text]) => text.length)
  return { sum: lengths.reduce((sum, length) => sum + length, 0), most: Math.max(...lengths) }
}

/** The same call with its document at `times` the length, in fragments of the same size. */
function lengthen(payload: string, content: string, times: number): string {
  const text = JSON.stringify({ path: 'a.txt', content: content.repeat(times) })
  const fragments = text.match(/[\s\S]{1,24}/g) ?? []
  const frames = payload.split(/(?<=\n\n)/)
  const isFragment = (frame: string) => frame.includes('input_json_delta')
  const first = frames.findIndex(isFragment)
  const last = frames.findLastIndex(isFragment)
  return [
    ...frames.slice(0, first),
    ...fragments.map((fragment) => {
      const delta = { type: 'input_json_delta', partial_json: fragment }
      return `data: ${JSON.stringify({ type: 'content_block_delta', index: indexOf(frames[first] ?? ''), delta })}\n\n`
    }),
    ...frames.slice(last + 1),
  ].join('')
}

function indexOf(frame: string): number {
  return Number(/"index":\s*(\d+)/.exec(frame)?.[1])
}

test('the tolerant parser reads the head only, however long the arguments grow; the strict one reads them once', async () => {
  const payload = new TextDecoder().decode(huge?.bytes)
  const content = ((await ingest(payload)).args as { readonly content: string }).content
  expect(content.length).toBeGreaterThan(40_000)

  tolerant.mockClear()
  strict.mockClear()
  const once = lengthen(payload, content, 1)
  const { fragments } = await ingest(once)
  const tolerantOnce = given(tolerant)
  const strictOnce = given(strict)
  expect(tolerantOnce.most).toBeLessThanOrEqual(4096)
  expect(tolerant.mock.calls.length).toBeLessThan(fragments / 5)
  // One parse of the whole document; what else is parsed are frames, and keys in the head.
  expect(strict.mock.calls.filter(([text]) => text.length > 4096).map(([text]) => text.length)).toEqual([
    strictOnce.most,
  ])

  tolerant.mockClear()
  strict.mockClear()
  const twice = await ingest(lengthen(payload, content, 2))
  expect(twice.args).toEqual({ path: 'a.txt', content: content + content })
  expect(given(tolerant).most).toBeLessThanOrEqual(4096)
  expect(given(tolerant).sum).toBe(tolerantOnce.sum)
  expect(given(strict).sum).toBeLessThan(3 * strictOnce.sum)
})
