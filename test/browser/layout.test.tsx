import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CallBlock, type CallView, ToolCallTurn, type TurnView } from '../../src/index.ts'
import { mayHaveRun } from '../../stories/states/may-have-run.ts'
import { notRun } from '../../stories/states/not-run.ts'
import { ran } from '../../stories/states/ran.ts'
import { StateTable } from '../../stories/states/state-turn.tsx'
import { unsettled } from '../../stories/states/unsettled.ts'
import { announce, drop, openSample } from '../react/sample-stream.ts'
import { isReadable, painted, show } from './page.tsx'

afterEach(() => page.viewport(800, 600))

const states = [notRun, mayHaveRun, ran, unsettled].flatMap((table) => Object.values(table))

function expectNoOverflow(): void {
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
}

/** Its text wraps inside its block: nothing is cut, nothing sticks out. */
function expectWhole(element: Element, block: Element): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  const text = range.getBoundingClientRect()
  const around = block.getBoundingClientRect()
  expect(text.width).toBeGreaterThan(0)
  expect(text.left).toBeGreaterThanOrEqual(around.left)
  expect(text.right).toBeLessThanOrEqual(around.right)
  expect(text.bottom).toBeLessThanOrEqual(around.bottom)
}

test('320 pixels are enough for every label, note and preview', async () => {
  await page.viewport(320, 640)
  const container = await show(<StateTable states={states} />)
  expect(innerWidth).toBe(320)
  expectNoOverflow()
  for (const block of container.querySelectorAll('[data-tool-call]')) {
    const label = block.querySelector('[data-label]')
    if (label !== null) expectWhole(label, block)
  }
})

test('so do letters, words and lines that the user has set apart', async () => {
  await page.viewport(320, 640)
  const container = await show(<StateTable states={states} />)
  // WCAG 1.4.12
  for (const element of container.querySelectorAll<HTMLElement>('*')) {
    element.style.letterSpacing = '0.12em'
    element.style.wordSpacing = '0.16em'
    element.style.lineHeight = '1.5'
  }
  expectNoOverflow()
  for (const block of container.querySelectorAll('[data-tool-call]')) {
    const label = block.querySelector('[data-label]')
    if (label !== null) expectWhole(label, block)
  }
})

test('a long unbroken name wraps, in the label and in the note', async () => {
  await page.viewport(320, 640)
  const { store, stream } = openSample()
  announce(stream, 'a', 'x'.repeat(64))
  announce(stream, 'b', 'create_ticket')
  drop(stream)
  store.flush()
  const container = await show(<ToolCallTurn store={store} turnId={stream.turnId} />)
  expectNoOverflow()
  const [block] = container.querySelectorAll('[data-tool-call]')
  const label = block?.querySelector('[data-label]')
  if (block === undefined || label === null || label === undefined) throw new Error('There is no block.')
  expectWhole(label, block)
  expect(label.getBoundingClientRect().height).toBeGreaterThan(
    2 * Number.parseFloat(getComputedStyle(label).lineHeight),
  )
  expect(isReadable(container.querySelector('[data-turn-notice]'))).toBe(true)
})

test('right-to-left: the icon is on the right, the sentence keeps its own order', async () => {
  document.documentElement.setAttribute('dir', 'rtl')
  const container = await show(<StateTable states={[notRun.truncated]} />)
  const block = container.querySelector('[data-tool-call]')
  const label = block?.querySelector('[data-label]')
  const icon = block?.querySelector('svg')?.getBoundingClientRect()
  expect(icon?.left).toBeGreaterThan(label?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY)
  const name = label?.querySelector('bdi')?.getBoundingClientRect()
  // An English sentence: its first word is its leftmost.
  expect(name?.left).toBe(label?.getBoundingClientRect().left)
  const notice = container.querySelector('[data-turn-notice]')
  expect(notice && getComputedStyle(notice).borderRightWidth).toBe('3px')
  expectNoOverflow()
})

const base = {
  key: 'a',
  id: 'a',
  name: 'write_file',
  known: true,
  executor: 'local',
  turnId: 'turn-1',
  phase: 'preparing',
} as const

test.each([
  ['spaces', 'word '.repeat(820)],
  ['no spaces', 'x'.repeat(4096)],
  ['line breaks', 'line\n'.repeat(820)],
  ['an other script', '日本語'.repeat(1366)],
])('a preview of 4,096 characters stays small: %s', async (_, text) => {
  const call: CallView = {
    ...base,
    preview: [
      { path: 'path', text: 'notes.md', settled: true },
      { path: 'content', text, settled: false },
    ],
    received: 1_000_000,
  }
  const container = await show(<CallBlock call={call} />)
  const block = container.querySelector('[data-tool-call]')
  expect(block?.getBoundingClientRect().height).toBeLessThan(160)
  expectNoOverflow()
  expect(isReadable(container.querySelector('[data-label]'))).toBe(true)
  expect(isReadable(container.querySelector('.htc-received'))).toBe(true)
})

test.each([320, 800])('nothing jumps while a value grows: %i pixels', async (width) => {
  await page.viewport(width, 640)
  const { store, stream } = openSample()
  announce(stream, 'a', 'write_file')
  stream.push({ type: 'call-fragment', key: 'a', text: '{"path":"notes.md","content":"' })
  store.flush()
  const container = await show(<ToolCallTurn store={store} turnId={stream.turnId} />)
  stream.push({ type: 'call-fragment', key: 'a', text: 'a' })
  store.flush()
  await painted()
  const places = () =>
    [...container.querySelectorAll('[data-label], dt, dd')].map((cell) => {
      const { left, top } = cell.getBoundingClientRect()
      return [Math.round(left), Math.round(top)]
    })
  const before = places()
  let height = 0
  for (let fragment = 0; fragment < 30; fragment++) {
    stream.push({ type: 'call-fragment', key: 'a', text: ' more of the content' })
    store.flush()
    await painted()
    expect(places()).toEqual(before)
    const now = container.getBoundingClientRect().height
    expect(now).toBeGreaterThanOrEqual(height)
    height = now
  }
})

test('a host’s unlayered rules win without any effort', async () => {
  const sheet = document.createElement('style')
  sheet.textContent = '.htc-call { padding: 0; border-radius: 1px } p { margin: 7px }'
  document.head.append(sheet)
  const container = await show(<StateTable states={[notRun.truncated]} />)
  const block = container.querySelector('.htc-call')
  expect(block && getComputedStyle(block).padding).toBe('0px')
  expect(block && getComputedStyle(block).borderRadius).toBe('1px')
  const notice = container.querySelector('.htc-notice')
  expect(notice && getComputedStyle(notice).marginTop).toBe('7px')
  // But the announcer is not to be seen, whatever the host resets.
  sheet.textContent = 'div { position: static; width: auto; height: auto; clip-path: none; overflow: visible }'
  const region = document.querySelector('[role="status"]')?.getBoundingClientRect()
  expect([region?.width, region?.height]).toEqual([1, 1])
  sheet.remove()
})

test('a turn that only broke off is its note', async () => {
  const { store, stream } = openSample()
  drop(stream)
  store.flush()
  const container = await show(<ToolCallTurn store={store} turnId={stream.turnId} />)
  const turn: TurnView | undefined = store.turn(stream.turnId)?.getState()
  expect(turn?.items).toEqual([])
  expect(isReadable(container.querySelector('[data-turn-notice]'))).toBe(true)
})
