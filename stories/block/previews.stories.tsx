import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, within } from 'storybook/test'
import type { StreamEvent } from '../../src/index.ts'
import { blockNamed } from '../expectations.ts'
import { Block } from './block.tsx'

const meta = {
  title: 'Block/Previews',
  component: Block,
  args: { events: [], options: { tools: { send_mail: { executor: 'local' } } } },
} satisfies Meta<typeof Block>

export default meta

type Story = StoryObj<typeof meta>

function preparing(text: string, encoding: 'json' | 'text' = 'json'): readonly StreamEvent[] {
  return [
    { type: 'call-announced', key: 'a', callId: 'call_1', name: 'send_mail', encoding },
    { type: 'call-fragment', key: 'a', text },
  ]
}

async function rowsOf(canvasElement: HTMLElement): Promise<readonly (readonly (string | null)[])[]> {
  const block = await blockNamed(canvasElement, 'Preparing send_mail…')
  return [...block.querySelectorAll('dl > div')].map((row) => [...row.children].map((cell) => cell.textContent))
}

/** The last member is still being written; a number is not shown until it cannot grow any more. */
export const SomeRows: Story = {
  args: {
    events: preparing('{"to":["ops@example.com","lead@example.com"],"copies":2,"subject":"Disk full on db-3","in'),
  },
  async play({ canvasElement }) {
    await expect(await rowsOf(canvasElement)).toEqual([
      ['to', '["ops@example.com","lead@example.com"]'],
      ['copies', '2'],
      ['subject', 'Disk full on db-3'],
    ])
  },
}

/** Nothing has come yet: the label alone. */
export const NothingYet: Story = {
  args: { events: [{ type: 'call-announced', key: 'a', callId: 'call_1', name: 'send_mail' }] },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    await expect(block.querySelector('[aria-busy]')).toBeNull()
  },
}

/** A brace and nothing to show: the count alone. */
export const NoRowsYet: Story = {
  args: { events: preparing('{"su') },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    await expect(within(block).getByText('4 characters received')).toBeVisible()
    await expect(block.querySelector('dl')).toBeNull()
  },
}

const LETTER = `Dear colleagues,\n\n${'the disk of db-3 is nearly full, and the nightly job will not finish. '.repeat(60)}`

/** Three lines of a long value are shown, and how much has come. */
export const LongValue: Story = {
  args: { events: preparing(JSON.stringify({ subject: 'Disk full on db-3', body: LETTER }).slice(0, -2)) },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    await expect(block.clientHeight).toBeLessThan(200)
    await expect(within(block).getByText(/^4,\d{3} characters received$/)).toBeVisible()
  },
}

/** Eight of many rows are shown. */
export const ManyRows: Story = {
  args: {
    events: preparing(
      JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, row) => [`member_${row}`, `value ${row}`]))),
    ),
  },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    const shown = [...block.querySelectorAll<HTMLElement>('dl > div')].filter((row) => row.offsetHeight > 0)
    await expect(shown).toHaveLength(8)
  },
}

/** No space to break at, in a name and in a value. */
export const Unbroken: Story = {
  args: { events: preparing(JSON.stringify({ ['key'.repeat(40)]: 'value'.repeat(200) }).slice(0, -2)) },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    await expect(block.scrollWidth).toBeLessThanOrEqual(block.clientWidth)
  },
}

/** A free-text tool: no JSON, no names. */
export const FreeText: Story = {
  args: { events: preparing("select *\n  from tickets\n where priority = 'urgent'", 'text') },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing send_mail…')
    await expect(within(block).getByText(/^select \*/)).toBeVisible()
    await expect(block.querySelector('dl')).toBeNull()
  },
}

/** Terminal escapes, bidi controls and half a character. */
export const Hostile: Story = {
  args: { events: preparing('{"subject":"\\u001b[31mred\\u001b[0m \\u202egnp.exe\\u202c 💾\ud83d') },
  async play({ canvasElement }) {
    await expect(await rowsOf(canvasElement)).toEqual([['subject', 'red gnp.exe 💾']])
  },
}

/** The host names the members that may be seen. */
export const AllowedMembersOnly: Story = {
  args: {
    events: preparing('{"subject":"Disk full","card":"4111 1111 1111 1111","body":"…'),
    options: { tools: { send_mail: { executor: 'local', sensitive: ['card'] } } },
  },
  async play({ canvasElement }) {
    await expect(await rowsOf(canvasElement)).toEqual([
      ['subject', 'Disk full'],
      ['body', '…'],
    ])
    await expect(canvasElement).not.toHaveTextContent('4111')
  },
}
