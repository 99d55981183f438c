import axe from 'axe-core'
import { expect, test } from 'vitest'
import { ToolCallTurn } from '../../src/index.ts'
import { labelsOf } from '../../src/testing/index.ts'
import { mayHaveRun } from '../../stories/states/may-have-run.ts'
import { notRun } from '../../stories/states/not-run.ts'
import { ran } from '../../stories/states/ran.ts'
import { StateTable } from '../../stories/states/state-turn.tsx'
import { unsettled } from '../../stories/states/unsettled.ts'
import { announce, drop, openSample } from '../react/sample-stream.ts'
import { accessibilityTree, preferring } from './chromium.ts'
import { painted, show } from './page.tsx'

const states = [notRun, mayHaveRun, ran, unsettled].flatMap((table) => Object.values(table))

/** The groups that Chromium tells assistive technology of, by name. */
async function groups(): Promise<readonly string[]> {
  return (await accessibilityTree()).filter(({ role }) => role === 'group').map(({ name }) => name)
}

test('in the browser’s own accessibility tree every block is a group named by its visible sentence', async () => {
  const container = await show(<StateTable states={states} />)
  const visible = labelsOf(container)
  expect(await groups()).toEqual(visible)
  expect(new Set(visible)).toEqual(
    new Set([...states.map(({ words }) => words), 'set_tags — not run (the request was unreadable)']),
  )
})

test('the icons are not in it, and the region is', async () => {
  await show(<StateTable states={[notRun.truncated]} />)
  const roles = (await accessibilityTree()).map(({ role }) => role)
  expect(roles).toContain('status')
  expect(roles.filter((role) => /image|graphic|svg/i.test(role))).toEqual([])
})

test('a name that changes is a name that changes there', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  store.flush()
  await show(<ToolCallTurn store={store} turnId={stream.turnId} />)
  expect(await groups()).toEqual(['Preparing create_ticket…'])
  drop(stream)
  await painted()
  expect(await groups()).toEqual(['create_ticket — not run (connection lost)'])
})

const themes = [
  ['light', '#ffffff', 'light', 'light'],
  ['dark', '#0d1117', 'dark', 'light'],
  ['dark as the machine prefers', '#0d1117', null, 'dark'],
  ['light on a machine that prefers dark', '#ffffff', 'light', 'dark'],
] as const

test.each(themes)('axe finds nothing to complain of: %s', async (_, background, theme, preferred) => {
  await preferring({ 'prefers-color-scheme': preferred, 'prefers-reduced-motion': 'reduce' }, async () => {
    if (theme !== null) document.documentElement.setAttribute('data-theme', theme)
    document.body.setAttribute('bgcolor', background)
    const container = await show(<StateTable states={states} />)
    const { violations, incomplete, passes } = await axe.run(container, {
      resultTypes: ['violations', 'incomplete', 'passes'],
    })
    document.body.removeAttribute('bgcolor')
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    // Control: contrast was looked at, and what axe could not tell is nothing.
    expect(passes.map(({ id }) => id)).toContain('color-contrast')
    expect(incomplete.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

test('control: axe sees a contrast that is too low', async () => {
  const container = await show(<StateTable states={[notRun.truncated]} />)
  for (const block of container.querySelectorAll<HTMLElement>('.htc-call'))
    block.style.setProperty('--htc-text', '#bbb')
  const { violations } = await axe.run(container)
  expect(violations.map(({ id }) => id)).toEqual(['color-contrast'])
})

/** WCAG 1.4.11: the contrast of two computed colours. */
function contrast(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [first, second].map(luminance).sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(['light', 'dark'])('every icon stands out from its block: %s', async (theme) => {
  document.documentElement.setAttribute('data-theme', theme)
  const container = await show(<StateTable states={states} />)
  for (const icon of container.querySelectorAll('.htc-icon')) {
    const { backgroundColor } = getComputedStyle(icon.closest('.htc-call') ?? icon)
    expect(contrast(getComputedStyle(icon).color, backgroundColor)).toBeGreaterThanOrEqual(4.5)
  }
})

test('in forced colours the icons, the border and the note’s bar are the user’s colours', async () => {
  await preferring({ 'forced-colors': 'active' }, async () => {
    const container = await show(<StateTable states={[notRun.truncated, ran.ok]} />)
    const text = getComputedStyle(document.body).color
    for (const icon of container.querySelectorAll('.htc-icon')) expect(getComputedStyle(icon).color).toBe(text)
    for (const block of container.querySelectorAll('.htc-call')) {
      expect(getComputedStyle(block).borderTopColor).toBe(text)
      expect(getComputedStyle(block).borderTopWidth).not.toBe('0px')
    }
    const notice = container.querySelector('.htc-notice')
    expect(notice && getComputedStyle(notice).borderInlineStartColor).toBe(text)
  })
})

test('the announcer is heard, not seen, and takes no room', async () => {
  const { store, stream } = openSample()
  await show(<ToolCallTurn store={store} turnId={stream.turnId} />)
  announce(stream, 'a', 'a_tool_with_quite_a_long_name_'.repeat(2))
  drop(stream)
  await painted()
  const region = document.querySelector<HTMLElement>('[role="status"]')
  expect(region?.textContent).toContain('not run (connection lost)')
  const box = region?.getBoundingClientRect()
  expect([box?.width, box?.height]).toEqual([1, 1])
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
  expect((await accessibilityTree()).some(({ name }) => name.includes('not run (connection lost)'))).toBe(true)
})
