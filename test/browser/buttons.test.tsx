import axe from 'axe-core'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreeing } from '../../stories/block/agreeing.ts'
import { Chat, type ChatProps } from '../../stories/block/chat.tsx'
import { mayHaveRun } from '../../stories/states/may-have-run.ts'
import { notRun } from '../../stories/states/not-run.ts'
import { unsettled } from '../../stories/states/unsettled.ts'
import { preferring } from './chromium.ts'
import { painted, show } from './page.tsx'

afterEach(() => page.viewport(800, 600))

const never = (): Promise<never> => new Promise(() => {})
const act: NonNullable<ChatProps['act']> = () => ({ answer: never, tryAgain: never, check: never })

const states = [unsettled.person, notRun.truncated, notRun['invalid-arguments'], mayHaveRun['no-result']]

/** A block with each of the buttons. */
const chats: ReactNode = states.map((state) => <Chat key={state.words} begin={agreeing(state)} act={act} />)

async function buttons(): Promise<readonly HTMLButtonElement[]> {
  const container = await show(chats)
  const all = [...container.querySelectorAll('button')]
  expect(all.map((button) => button.textContent)).toEqual(['Decline', 'Approve', 'Try again', 'Check'])
  return all
}

test.each(['light', 'dark'])('axe finds nothing to complain of, pressed or not: %s', async (theme) => {
  await preferring({ 'prefers-color-scheme': theme, 'prefers-reduced-motion': 'reduce' }, async () => {
    document.documentElement.setAttribute('data-theme', theme)
    document.body.setAttribute('bgcolor', theme === 'dark' ? '#0d1117' : '#ffffff')
    const all = await buttons()
    for (const pressed of [false, true]) {
      if (pressed) for (const button of all) button.click()
      await painted()
      expect(all.filter((button) => button.ariaDisabled === 'true')).toHaveLength(pressed ? 4 : 0)
      const { violations, incomplete, passes } = await axe.run('.htc-turn', {
        rules: { 'target-size': { enabled: true } },
      })
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      expect(incomplete.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      // Control: contrast and targets were looked at.
      expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'target-size']))
    }
    document.body.removeAttribute('bgcolor')
  })
})

test('on 320 pixels every button is large enough and inside its block', async () => {
  await page.viewport(320, 640)
  for (const button of await buttons()) {
    const box = button.getBoundingClientRect()
    const block = button.closest('[data-tool-call]')?.getBoundingClientRect()
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24)
    expect(box.right).toBeLessThanOrEqual(block?.right ?? 0)
    expect(box.bottom).toBeLessThanOrEqual(block?.bottom ?? 0)
  }
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
})

test('each is reached by the keyboard, in order, with a ring that is seen', async () => {
  for (const button of await buttons()) {
    await userEvent.tab()
    expect(document.activeElement).toBe(button)
    expect(getComputedStyle(button).outlineStyle).toBe('solid')
    expect(getComputedStyle(button).outlineWidth).toBe('2px')
  }
})

test('in forced colours they have the user’s border, and a pressed one the user’s grey', async () => {
  await preferring({ 'forced-colors': 'active' }, async () => {
    const [first] = await buttons()
    if (first === undefined) throw new Error('There is no button.')
    const colour = (name: string): string => {
      const probe = document.createElement('i')
      probe.style.color = name
      document.body.append(probe)
      return getComputedStyle(probe).color
    }
    expect(getComputedStyle(first).borderTopWidth).toBe('1px')
    expect(getComputedStyle(first).borderTopColor).toBe(colour('ButtonText'))
    first.click()
    await painted()
    expect(getComputedStyle(first).color).toBe(colour('GrayText'))
  })
})
