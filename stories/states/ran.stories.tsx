import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import type { CauseYes } from '../../src/index.ts'
import { blockNamed, expectNotice, expectSettled } from '../expectations.ts'
import { ran } from './ran.ts'
import { StateTable, StateTurn } from './state-turn.tsx'

const meta = {
  title: 'States/Ran',
  component: StateTurn,
  async play({ canvasElement, args: { state }, name }) {
    const block = await blockNamed(canvasElement, state.words)
    await expectSettled(block)
    await expect(block).toHaveAttribute('data-ran', 'yes')
    await expect(block).toHaveAttribute('data-cause', name)
    await expectNotice(canvasElement, state.notice)
  },
} satisfies Meta<typeof StateTurn>

export default meta

type Story = StoryObj<typeof meta>

export const Ok: Story = { name: 'ok', args: { state: ran.ok } }

export const NotOk: Story = { name: 'not-ok', args: { state: ran['not-ok'] } }

export const Late: Story = { name: 'late', args: { state: ran.late } }

export const LateNotOk: Story = { name: 'late-not-ok', args: { state: ran['late-not-ok'] } }

export const Unreadable: Story = { name: 'unreadable', args: { state: ran.unreadable } }

const table = {
  ok: Ok,
  'not-ok': NotOk,
  late: Late,
  'late-not-ok': LateNotOk,
  unreadable: Unreadable,
} satisfies Record<CauseYes, Story>

/** A new cause without a story does not compile; a story that is not in the table is seen here. */
export const All: StoryObj = {
  name: 'all',
  render: () => <StateTable states={Object.values(ran)} />,
  async play({ canvasElement }) {
    await expect(Object.keys(table)).toEqual(Object.keys(ran))
    for (const { words } of Object.values(ran)) await expectSettled(await blockNamed(canvasElement, words))
  },
}
