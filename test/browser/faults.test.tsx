import { expect, test } from 'vitest'
import { ToolCallTurn } from '../../src/index.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { createPlayer, labelsOf, type Player } from '../../src/testing/index.ts'
import { captureOf } from '../../stories/replay/captures.ts'
import { framesOf } from '../../stories/replay/frames.ts'
import { FAULTS, type FaultCase } from './faults.ts'
import { isReadable, painted, show } from './page.tsx'

const rows = Object.entries(FAULTS).flatMap(([wire, faults]) =>
  Object.entries<FaultCase>(faults).map(([fault, entry]) => [wire, fault, entry] as const),
)

async function playerOf({ capture, edit, required }: FaultCase): Promise<{
  readonly player: Player
  readonly frames: readonly Uint8Array[]
}> {
  const { adapter, bytes, tools } = await captureOf(capture).load()
  const demanding = required === undefined ? {} : fromJsonSchema({ type: 'object', required: [required] })
  const local = Object.keys(tools).map((name) => [name, { ...tools[name], executor: 'local', ...demanding }])
  const player = createPlayer({ adapter, tools: Object.fromEntries(local), defaultExecutor: 'local' })
  const edited = new TextEncoder().encode(edit(new TextDecoder().decode(bytes)))
  return { player, frames: framesOf(edited) }
}

/** Every sentence that is added to the polite region from now on. */
function listen(): readonly string[] {
  const heard: string[] = []
  const region = document.querySelector('[role="status"]')
  if (region === null) throw new Error('There is no polite region on the page.')
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const announcement of addedNodes)
        heard.push(...[...announcement.childNodes].flatMap((node) => node.textContent?.trim() || []))
  }).observe(region, { childList: true })
  return heard
}

function isUnderWay(player: Player): boolean {
  const { items } = player.store.turn(player.turnId)?.getState() ?? { items: [] }
  return items.some((item) => {
    const call = item.type === 'call' ? player.store.callByKey(player.turnId, item.key)?.getState() : undefined
    return call?.phase === 'preparing' && call.preview.length > 0
  })
}

test.each(rows)('%s, %s: the page says what is true, and nothing goes on', async (_, fault, entry) => {
  const { player, frames } = await playerOf(entry)
  const { turnId } = player
  let container = await show(<ToolCallTurn store={player.store} turnId={turnId} />)
  const heard = listen()

  // Control: while it streams, all that must be gone at the end is there.
  const rest = [...frames]
  while (rest.length > 0 && !isUnderWay(player)) player.feed(rest.shift() ?? '')
  await painted()
  if (entry.labels.length > 0) {
    expect(document.getAnimations().length).toBeGreaterThan(0)
    expect(container.querySelector('[aria-busy="true"]')).not.toBeNull()
    expect(container.textContent).toContain('Preparing')
  } else {
    expect(container.textContent).not.toBe('')
  }
  expect(container.querySelector('[data-turn-notice]')).toBeNull()
  expect(heard).toEqual([])

  for (const frame of rest) player.feed(frame)
  player.end(entry.ending)
  // After a reload nothing of the old page is there.
  if (entry.ending === 'reload') container = await show(<ToolCallTurn store={player.store} turnId={turnId} />)
  await painted()

  expect(labelsOf(container)).toEqual(entry.labels)
  expect(container.querySelector('[data-turn-notice]')?.textContent).toBe(entry.notice)
  expect(document.body.textContent).not.toContain('MARKER')
  expect(document.getAnimations()).toEqual([])
  expect(document.querySelector('[aria-busy]')).toBeNull()
  expect(container.textContent).not.toMatch(/Preparing|Running/)
  for (const label of container.querySelectorAll('[data-label]')) expect(isReadable(label)).toBe(true)
  expect(isReadable(container.querySelector('[data-turn-notice]'))).toBe(true)

  // What was there before a page was opened is not news.
  if (fault === 'end after preamble')
    expect(heard).toEqual([entry.notice.replace(/\. (?=No)/, '.\n')].flatMap((words) => words.split('\n')))
  else if (entry.ending !== 'reload') expect(heard).toEqual(entry.labels)
})

test('control: what is not on the screen does not pass for readable', async () => {
  const { player, frames } = await playerOf(FAULTS.anthropic.drop)
  for (const frame of frames) player.feed(frame)
  player.end('error')
  const container = await show(<ToolCallTurn store={player.store} turnId={player.turnId} />)
  const label = container.querySelector('[data-label]')
  expect(isReadable(label)).toBe(true)
  container.hidden = true
  expect(isReadable(label)).toBe(false)
  container.hidden = false
  container.className = 'htc-announcer'
  expect(isReadable(label)).toBe(false)
})
