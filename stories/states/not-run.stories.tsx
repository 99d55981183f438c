import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import type { CauseNo } from '../../src/index.ts'
import { blockNamed, expectNotice, expectSettled } from '../expectations.ts'
import { notRun } from './not-run.ts'
import { StateTable, StateTurn } from './state-turn.tsx'

const meta = {
  title: 'States/Not run',
  component: StateTurn,
  async play({ canvasElement, args: { state }, name }) {
    const block = await blockNamed(canvasElement, state.words)
    await expectSettled(block)
    await expect(block).toHaveAttribute('data-ran', 'no')
    await expect(block).toHaveAttribute('data-cause', name)
    await expectNotice(canvasElement, state.notice)
  },
} satisfies Meta<typeof StateTurn>

export default meta

type Story = StoryObj<typeof meta>

export const ConnectionLost: Story = { name: 'connection-lost', args: { state: notRun['connection-lost'] } }

export const EndedEarly: Story = { name: 'ended-early', args: { state: notRun['ended-early'] } }

export const Truncated: Story = { name: 'truncated', args: { state: notRun.truncated } }

export const Filtered: Story = { name: 'filtered', args: { state: notRun.filtered } }

export const Unparseable: Story = { name: 'unparseable', args: { state: notRun.unparseable } }

export const InvalidArguments: Story = { name: 'invalid-arguments', args: { state: notRun['invalid-arguments'] } }

export const RejectedByRule: Story = { name: 'rejected-by-rule', args: { state: notRun['rejected-by-rule'] } }

export const UnknownTool: Story = { name: 'unknown-tool', args: { state: notRun['unknown-tool'] } }

export const ProviderError: Story = { name: 'provider-error', args: { state: notRun['provider-error'] } }

export const HeldBack: Story = { name: 'held-back', args: { state: notRun['held-back'] } }

export const Declined: Story = { name: 'declined', args: { state: notRun.declined } }

export const DeclinedByPolicy: Story = { name: 'declined-by-policy', args: { state: notRun['declined-by-policy'] } }

export const ApprovalExpired: Story = { name: 'approval-expired', args: { state: notRun['approval-expired'] } }

export const Withdrawn: Story = { name: 'withdrawn', args: { state: notRun.withdrawn } }

export const NotStarted: Story = { name: 'not-started', args: { state: notRun['not-started'] } }

export const Reloaded: Story = { name: 'reloaded', args: { state: notRun.reloaded } }

export const Unrecognised: Story = { name: 'unrecognised', args: { state: notRun.unrecognised } }

export const Cancelled: Story = { name: 'cancelled', args: { state: notRun.cancelled } }

const table = {
  'connection-lost': ConnectionLost,
  'ended-early': EndedEarly,
  truncated: Truncated,
  filtered: Filtered,
  unparseable: Unparseable,
  'invalid-arguments': InvalidArguments,
  'rejected-by-rule': RejectedByRule,
  'unknown-tool': UnknownTool,
  'provider-error': ProviderError,
  'held-back': HeldBack,
  declined: Declined,
  'declined-by-policy': DeclinedByPolicy,
  'approval-expired': ApprovalExpired,
  withdrawn: Withdrawn,
  'not-started': NotStarted,
  reloaded: Reloaded,
  unrecognised: Unrecognised,
  cancelled: Cancelled,
} satisfies Record<CauseNo, Story>

/** A new cause without a story does not compile; a story that is not in the table is seen here. */
export const All: StoryObj = {
  name: 'all',
  render: () => <StateTable states={Object.values(notRun)} />,
  async play({ canvasElement }) {
    await expect(Object.keys(table)).toEqual(Object.keys(notRun))
    for (const { words } of Object.values(notRun)) await expectSettled(await blockNamed(canvasElement, words))
  },
}
