import { expect, test } from 'vitest'
import { mayHaveRun } from '../../stories/states/may-have-run.ts'
import { notRun } from '../../stories/states/not-run.ts'
import { ran } from '../../stories/states/ran.ts'
import { StateTable } from '../../stories/states/state-turn.tsx'
import { unsettled } from '../../stories/states/unsettled.ts'
import { preferring } from './chromium.ts'
import { show } from './page.tsx'

test('only what prepares or runs moves', async () => {
  const container = await show(<StateTable states={Object.values(unsettled)} />)
  const moving = document.getAnimations().map(({ effect }) => {
    const target = (effect as KeyframeEffect).target
    return target?.closest('[data-phase]')?.getAttribute('data-phase')
  })
  expect(moving.sort()).toEqual(['preparing', 'running'])
  expect(container.querySelectorAll('[data-phase]')).toHaveLength(6)
})

test('nothing that has settled moves', async () => {
  await show(<StateTable states={[notRun, mayHaveRun, ran].flatMap((table) => Object.values(table))} />)
  expect(document.getAnimations()).toEqual([])
})

test('nothing moves for who prefers that; the words say it', async () => {
  const states = [unsettled.preparing, unsettled.running]
  const container = await show(<StateTable states={states} />)
  expect(document.getAnimations()).toHaveLength(2)
  await preferring({ 'prefers-reduced-motion': 'reduce' }, async () => {
    expect(document.getAnimations()).toEqual([])
    expect([...container.querySelectorAll('[data-label]')].map((label) => label.textContent)).toEqual(
      states.map(({ words }) => words),
    )
  })
})
