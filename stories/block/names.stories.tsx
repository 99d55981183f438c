import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import type { StreamEvent } from '../../src/index.ts'
import { blockNamed } from '../expectations.ts'
import { Block } from './block.tsx'

const meta = { title: 'Block/Names', component: Block } satisfies Meta<typeof Block>

export default meta

type Story = StoryObj<typeof meta>

/** A call of this name that was lost on the way. */
function lost(name: string): readonly StreamEvent[] {
  return [
    { type: 'call-announced', key: 'a', callId: 'call_1', name },
    { type: 'stream-ended', ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' } },
  ]
}

/** A declared tool may carry a title for people. */
export const Titled: Story = {
  args: {
    events: lost('create_ticket'),
    options: { tools: { create_ticket: { executor: 'local', title: 'Create a ticket' } } },
  },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Create a ticket — not run (connection lost)')
    await expect(block.querySelector('code')).toBeNull()
  },
}

/** A right-to-left title stays in its place in a left-to-right sentence. */
export const RightToLeftTitle: Story = {
  args: {
    events: lost('create_ticket'),
    options: { tools: { create_ticket: { executor: 'local', title: 'إنشاء تذكرة (عاجل)' } } },
  },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'إنشاء تذكرة (عاجل) — not run (connection lost)')
    await expect(block.querySelector('bdi')).toHaveTextContent('إنشاء تذكرة (عاجل)')
  },
}

/** A name that nobody declared is a model's word: it is set as code. */
export const Undeclared: Story = {
  args: { events: lost('delete_everything') },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'delete_everything — may have run (connection lost)')
    await expect(block.querySelector('code')).toHaveTextContent('delete_everything')
  },
}

/** The whole label in the place of a name. */
export const ForgedLabel: Story = {
  args: { events: lost('create_ticket — done') },
  async play({ canvasElement }) {
    const block = await blockNamed(
      canvasElement,
      'create_ticket\\u{20}\\u{2014}\\u{20}done — may have run (connection lost)',
    )
    await expect(block).not.toHaveTextContent('— done')
  },
}

/** Characters that turn the reading order around. */
export const ForgedByDirection: Story = {
  args: { events: lost('\u202eenod — tekcit_etaerc\u202c') },
  async play({ canvasElement }) {
    const block = await blockNamed(
      canvasElement,
      '\\u{202e}enod\\u{20}\\u{2014}\\u{20}tekcit_etaerc\\u{202c} — may have run (connection lost)',
    )
    await expect(block.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  },
}

/** A picture that looks like an icon of the kit. */
export const ForgedIcon: Story = {
  args: { events: lost('✅create_ticket') },
  async play({ canvasElement }) {
    await blockNamed(canvasElement, '\\u{2705}create_ticket — may have run (connection lost)')
  },
}

export const Long: Story = {
  args: {
    events: lost('mcp.internal-tools.example-organisation.ticketing.v2.create_ticket'.slice(0, 64)),
    options: { defaultExecutor: 'local' },
  },
  async play({ canvasElement }) {
    const name = 'mcp.internal-tools.example-organisation.ticketing.v2.create_tick'
    const block = await blockNamed(canvasElement, `${name} — not run (connection lost)`)
    await expect(block.scrollWidth).toBeLessThanOrEqual(block.clientWidth)
  },
}

export const TooLong: Story = {
  args: { events: lost('x'.repeat(5000)) },
  async play({ canvasElement }) {
    await blockNamed(canvasElement, `${'x'.repeat(63)}… — may have run (connection lost)`)
  },
}

/** The connection broke before the name came. */
export const Nameless: Story = {
  args: { events: lost('') },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'A tool call — may have run (connection lost)')
    await expect(block.querySelector('code')).toBeNull()
  },
}

export const NamelessWhilePreparing: Story = {
  args: { events: [{ type: 'call-announced', key: 'a', callId: 'call_1' }] },
  async play({ canvasElement }) {
    await blockNamed(canvasElement, 'Preparing a tool call…')
  },
}
