import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import type { CauseUnknown } from '../../src/index.ts'
import { blockNamed, expectNotice, expectSettled } from '../expectations.ts'
import { mayHaveRun } from './may-have-run.ts'
import { StateTable, StateTurn } from './state-turn.tsx'

const meta = {
  title: 'States/May have run',
  component: StateTurn,
  async play({ canvasElement, args: { state }, name }) {
    const block = await blockNamed(canvasElement, state.words)
    await expectSettled(block)
    await expect(block).toHaveAttribute('data-ran', 'unknown')
    await expect(block).toHaveAttribute('data-cause', name)
    await expectNotice(canvasElement, state.notice)
  },
} satisfies Meta<typeof StateTurn>

export default meta

type Story = StoryObj<typeof meta>

export const ConnectionLost: Story = { name: 'connection-lost', args: { state: mayHaveRun['connection-lost'] } }

export const EndedEarly: Story = { name: 'ended-early', args: { state: mayHaveRun['ended-early'] } }

export const ProviderError: Story = { name: 'provider-error', args: { state: mayHaveRun['provider-error'] } }

export const Cancelled: Story = { name: 'cancelled', args: { state: mayHaveRun.cancelled } }

export const Truncated: Story = { name: 'truncated', args: { state: mayHaveRun.truncated } }

export const Filtered: Story = { name: 'filtered', args: { state: mayHaveRun.filtered } }

export const Withdrawn: Story = { name: 'withdrawn', args: { state: mayHaveRun.withdrawn } }

export const Reloaded: Story = { name: 'reloaded', args: { state: mayHaveRun.reloaded } }

export const NoResult: Story = { name: 'no-result', args: { state: mayHaveRun['no-result'] } }

export const TimedOut: Story = { name: 'timed-out', args: { state: mayHaveRun['timed-out'] } }

export const ToolError: Story = { name: 'tool-error', args: { state: mayHaveRun['tool-error'] } }

export const Unrecognised: Story = { name: 'unrecognised', args: { state: mayHaveRun.unrecognised } }

const table = {
  'connection-lost': ConnectionLost,
  'ended-early': EndedEarly,
  'provider-error': ProviderError,
  cancelled: Cancelled,
  truncated: Truncated,
  filtered: Filtered,
  withdrawn: Withdrawn,
  reloaded: Reloaded,
  'no-result': NoResult,
  'timed-out': TimedOut,
  'tool-error': ToolError,
  unrecognised: Unrecognised,
} satisfies Record<CauseUnknown, Story>

/** A new cause without a story does not compile; a story that is not in the table is seen here. */
export const All: StoryObj = {
  name: 'all',
  render: () => <StateTable states={Object.values(mayHaveRun)} />,
  async play({ canvasElement }) {
    await expect(Object.keys(table)).toEqual(Object.keys(mayHaveRun))
    for (const { words } of Object.values(mayHaveRun)) await expectSettled(await blockNamed(canvasElement, words))
  },
}
