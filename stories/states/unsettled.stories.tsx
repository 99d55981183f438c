import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { blockNamed, expectNotice } from '../expectations.ts'
import { StateTable, StateTurn } from './state-turn.tsx'
import { unsettled } from './unsettled.ts'

const meta = {
  title: 'States/Unsettled',
  component: StateTurn,
  async play({ canvasElement, args: { state } }) {
    const block = await blockNamed(canvasElement, state.words)
    await expect(block).not.toHaveAttribute('data-ran')
    await expect(block).not.toHaveAttribute('data-cause')
    await expectNotice(canvasElement, state.notice)
  },
} satisfies Meta<typeof StateTurn>

export default meta

type Story = StoryObj<typeof meta>

export const Preparing: Story = {
  name: 'preparing',
  args: { state: unsettled.preparing },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'preparing')
    await expect(block.getAnimations({ subtree: true })).toHaveLength(1)
    const preview = block.querySelector('[aria-busy="true"]')
    await expect(preview).toBeVisible()
    await expect([...(preview?.querySelectorAll('dt, dd') ?? [])].map((cell) => cell.textContent)).toEqual([
      'title',
      'Disk full on db-3',
      'priority',
      'urg',
    ])
    await expect(preview).toHaveTextContent('44 characters received')
  },
}

export const WaitingOnGate: Story = {
  name: 'waiting on the gate',
  args: { state: unsettled.gate },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'waiting')
    await expect(block).toHaveAttribute('data-waits-on', 'gate')
    await expect(block.getAnimations({ subtree: true })).toEqual([])
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

export const WaitingOnPerson: Story = {
  name: 'waiting on a person',
  args: { state: unsettled.person },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'waiting')
    await expect(block).toHaveAttribute('data-waits-on', 'person')
    await expect(block.getAnimations({ subtree: true })).toEqual([])
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

export const WaitingOnResult: Story = {
  name: 'waiting on the result',
  args: { state: unsettled.result },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'waiting')
    await expect(block).toHaveAttribute('data-waits-on', 'result')
    await expect(block.getAnimations({ subtree: true })).toEqual([])
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

export const WaitingOnResume: Story = {
  name: 'waiting on a resume',
  args: { state: unsettled.resume },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'waiting')
    await expect(block).toHaveAttribute('data-waits-on', 'resume')
    await expect(block.getAnimations({ subtree: true })).toEqual([])
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

export const Running: Story = {
  name: 'running',
  args: { state: unsettled.running },
  async play(context) {
    await meta.play(context)
    const block = await blockNamed(context.canvasElement, context.args.state.words)
    await expect(block).toHaveAttribute('data-phase', 'running')
    await expect(block.getAnimations({ subtree: true })).toHaveLength(1)
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

const table = {
  preparing: Preparing,
  gate: WaitingOnGate,
  person: WaitingOnPerson,
  result: WaitingOnResult,
  resume: WaitingOnResume,
  running: Running,
} satisfies Record<keyof typeof unsettled, Story>

/** A new phase without a story does not compile. */
export const All: StoryObj = {
  name: 'all',
  render: () => <StateTable states={Object.values(unsettled)} />,
  async play({ canvasElement }) {
    await expect(Object.keys(table)).toEqual(Object.keys(unsettled))
    for (const { words } of Object.values(unsettled)) await blockNamed(canvasElement, words)
  },
}
