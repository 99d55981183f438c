import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, within } from 'storybook/test'
import { blockNamed, expectNotice, expectSettled } from '../expectations.ts'
import { ReplayDesk } from './replay-desk.tsx'

const meta = { title: 'Replay', component: ReplayDesk } satisfies Meta<typeof ReplayDesk>

export default meta

type Story = StoryObj<typeof meta>

/** A recorded stream, stepped through by keyboard; then the same one again, cut in the middle and broken off. */
export const Capture: Story = {
  args: { initial: 'anthropic/max-tokens-closed-block' },
  async play({ canvasElement }) {
    const canvas = within(canvasElement)
    const oneFrame = await canvas.findByRole('button', { name: 'One frame' })
    oneFrame.focus()
    for (let step = 0; step < 6; step++) await userEvent.keyboard('{Enter}')
    await blockNamed(canvasElement, 'Preparing create_ticket…')
    await userEvent.tab()
    await userEvent.tab()
    await expect(canvas.getByRole('button', { name: 'To the end' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expectSettled(await blockNamed(canvasElement, 'create_ticket — not run (the request was cut short)'))
    await expectNotice(canvasElement, 'Not run: create_ticket.')

    await userEvent.selectOptions(canvas.getByRole('combobox', { name: 'Then' }), 'the connection breaks')
    const cut = canvas.getByRole('spinbutton', { name: 'Cut after byte' })
    await userEvent.clear(cut)
    await userEvent.type(cut, '900')
    await expect(canvas.queryByRole('group', { name: /create_ticket/ })).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'To the end' }))
    await expectSettled(await blockNamed(canvasElement, 'create_ticket — not run (connection lost)'))
    await expect(canvas.getByText(/^900 of 900 bytes read/)).toBeVisible()

    await userEvent.click(canvas.getByRole('button', { name: 'Restart' }))
    await expect(canvas.queryByRole('group', { name: /create_ticket/ })).toBeNull()
  },
}
