import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, within } from 'storybook/test'
import type { ToolCallStore } from '../../src/index.ts'
import { blockNamed, expectSettled } from '../expectations.ts'
import { filledStore } from './block.tsx'
import { Chat, type ChatProps } from './chat.tsx'

/** A model that wants this paid, and a tool that asks first. */
function asking(args: unknown): () => ToolCallStore {
  return () =>
    filledStore(
      [
        { type: 'text-fragment', text: "I'll send that payment for you now." },
        { type: 'call-announced', key: 'a', callId: 'call_1', name: 'send_payment' },
        { type: 'call-fragment', key: 'a', text: JSON.stringify(args) },
        { type: 'call-finished', key: 'a' },
        { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
        { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
      ],
      { tools: { send_payment: { executor: 'local', needsApproval: true, sensitive: ['iban'] } } },
    )
}

const answering: NonNullable<ChatProps['act']> = (store) => ({
  answer: ({ id: callId, turnId, key }, granted) => store.answerApproval({ callId, turnId, key }, { granted }),
})

const meta = {
  title: 'Block/Approval',
  component: Chat,
  args: {
    begin: asking({ to: 'Ann Smith', amount: 120, currency: 'EUR', iban: 'DE89370400440532013000' }),
    act: answering,
  },
} satisfies Meta<typeof Chat>

export default meta

type Story = StoryObj<typeof meta>

const ASKING = 'send_payment — waiting for your approval'

async function question(canvasElement: HTMLElement): Promise<HTMLElement> {
  const block = await blockNamed(canvasElement, ASKING)
  return within(block).getByRole('group', { name: 'Run send_payment?' })
}

/** What would run stands there whole, but for what the tool hides; the safe answer comes first; no focus is taken. */
export const Asking: Story = {
  async play({ canvasElement }) {
    const asked = await question(canvasElement)
    await expect(
      [...asked.querySelectorAll('.htc-row')].map((row) => [...row.children].map((cell) => cell.textContent)),
    ).toEqual([
      ['to', 'Ann Smith'],
      ['amount', '120'],
      ['currency', 'EUR'],
    ])
    const buttons = within(asked).getAllByRole('button')
    await expect(buttons.map((button) => button.textContent)).toEqual(['Decline', 'Approve'])
    for (const button of buttons) {
      const { width, height } = button.getBoundingClientRect()
      await expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    }
    await expect(document.body).toHaveFocus()
  },
}

/** The buttons go with the answer; the focus is on the label, which says what came of it. */
export const ApprovedByKeyboard: Story = {
  async play({ canvasElement }) {
    within(await question(canvasElement))
      .getByRole('button', { name: 'Decline' })
      .focus()
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    const block = await blockNamed(canvasElement, 'send_payment — waiting to run')
    await expect(within(block).queryByRole('button')).toBeNull()
    await expect(block.querySelector('[data-label]')).toHaveFocus()
  },
}

export const Declined: Story = {
  async play({ canvasElement }) {
    await userEvent.click(within(await question(canvasElement)).getByRole('button', { name: 'Decline' }))
    const block = await blockNamed(canvasElement, 'send_payment — not run (you declined)')
    await expectSettled(block)
    await expect(within(block).queryByRole('button')).toBeNull()
  },
}

/** The answer is on its way: it cannot be given again, and the buttons stay where they are. */
export const OnItsWay: Story = {
  args: { act: () => ({ answer: () => new Promise(() => {}) }) },
  async play({ canvasElement }) {
    const approve = within(await question(canvasElement)).getByRole('button', { name: 'Approve' })
    await userEvent.click(approve)
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await expect(approve).toHaveFocus()
  },
}

/** Nobody takes an answer: nothing is asked, and what would run is shown all the same. */
export const NotAsked: Story = {
  args: { act: () => ({}) },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, ASKING)
    await expect(within(block).getByText('Ann Smith')).toBeVisible()
    await expect(within(block).queryByRole('button')).toBeNull()
  },
}

const long = Object.fromEntries(
  Array.from({ length: 12 }, (_, place) => [`detail_${place + 1}`, 'All of it has to be read. '.repeat(12).trim()]),
)

/** Nothing of what would run is cut: the buttons come after all of it. */
export const Long: Story = {
  args: { begin: asking(long) },
  async play({ canvasElement }) {
    const asked = await question(canvasElement)
    const values = [...asked.querySelectorAll('dd')]
    await expect(values).toHaveLength(12)
    for (const value of values) {
      await expect(value).toBeVisible()
      await expect(value.scrollHeight).toBeLessThanOrEqual(value.clientHeight + 1)
    }
  },
}

/** What a model wrote is text, and what cannot be seen is written out. */
export const Hostile: Story = {
  args: { begin: asking({ to: 'Ann\u202ehtimS\u202c\u200b', note: '<img src=x onerror=alert(1)> **now**' }) },
  async play({ canvasElement }) {
    const asked = await question(canvasElement)
    await expect(within(asked).getByText('Ann\\u{202e}htimS\\u{202c}\\u{200b}')).toBeVisible()
    await expect(within(asked).getByText('<img src=x onerror=alert(1)> **now**')).toBeVisible()
    await expect(asked.querySelector('img')).toBeNull()
  },
}
