import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { blockNamed, expectNotice } from '../expectations.ts'
import { LONG_REPLY, LOST } from './sample-events.ts'
import { Turn } from './turn.tsx'

const meta = {
  title: 'Turn/Surroundings',
  component: Turn,
  args: { events: [...LONG_REPLY, LOST], options: { defaultExecutor: 'server' } },
} satisfies Meta<typeof Turn>

export default meta

type Story = StoryObj<typeof meta>

/** The host has a dark theme, whatever the machine prefers. */
export const Dark: Story = {
  decorators: [
    (Reply) => (
      <div className="story-page" data-theme="dark">
        <Reply />
      </div>
    ),
  ],
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'create_ticket — done')
    await expect(getComputedStyle(block).backgroundColor).toBe('rgb(22, 27, 34)')
  },
}

/** The nearest theme counts. */
export const LightInDark: Story = {
  decorators: [
    (Reply) => (
      <div className="story-page" data-theme="dark">
        <div className="story-page" data-theme="light">
          <Reply />
        </div>
      </div>
    ),
  ],
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'create_ticket — done')
    await expect(getComputedStyle(block).backgroundColor).toBe('rgb(246, 248, 250)')
  },
}

export const DarkWhileStreaming: Story = {
  ...Dark,
  args: { events: LONG_REPLY, options: { defaultExecutor: 'server' } },
  play: async () => {},
}

/** Right-to-left: the icon stands at the right, the note's bar too. */
export const RightToLeft: Story = {
  decorators: [
    (Reply) => (
      <div dir="rtl" lang="ar">
        <Reply />
      </div>
    ),
  ],
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'create_ticket — done')
    const icon = block.querySelector('svg')?.getBoundingClientRect()
    const label = block.querySelector('[data-label]')?.getBoundingClientRect()
    await expect(icon?.left).toBeGreaterThan(label?.right ?? Number.POSITIVE_INFINITY)
  },
}

/** The narrowest phone: everything wraps, nothing is cut and nothing sticks out. */
export const Phone: Story = {
  args: { events: LONG_REPLY, options: { defaultExecutor: 'server' } },
  decorators: [
    (Reply) => (
      <div className="story-phone">
        <Reply />
      </div>
    ),
  ],
  async play({ canvasElement }) {
    const phone = canvasElement.querySelector('.story-phone')
    await expect(phone?.scrollWidth).toBeLessThanOrEqual(phone?.clientWidth ?? 0)
    await blockNamed(canvasElement, 'Preparing send_mail…')
    await expectNotice(canvasElement, null)
  },
}

/** What the host sets on any element around the blocks wins. */
export const OwnColours: Story = {
  decorators: [
    (Reply) => (
      <div className="story-brand">
        <Reply />
      </div>
    ),
  ],
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'create_ticket — done')
    await expect(getComputedStyle(block).backgroundColor).toBe('rgb(255, 247, 237)')
    await expect(getComputedStyle(block).borderRadius).toBe('0px')
  },
}
