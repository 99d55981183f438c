import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, within } from 'storybook/test'
import type { CauseNo, StreamOptions, ToolCallActions, ToolCallStore } from '../../src/index.ts'
import { blockNamed, expectSettled } from '../expectations.ts'
import { mayHaveRun } from '../states/may-have-run.ts'
import { notRun } from '../states/not-run.ts'
import { agreeing } from './agreeing.ts'
import { Chat, type ChatProps } from './chat.tsx'

/** A reply whose call is unreadable, as a model sends it that has lost its way. */
function unreadable(store: ToolCallStore, options: StreamOptions): void {
  const stream = store.openStream(options)
  stream.push({ type: 'text-fragment', text: 'Let me try that again.' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'toolu_2', name: 'create_ticket' })
  stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"Disk' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  stream.end()
}

const nothing: ToolCallActions = { tryAgain: () => {}, check: () => {} }
const act: NonNullable<ChatProps['act']> = () => nothing

const meta = {
  title: 'Block/Offers',
  component: Chat,
  args: { begin: agreeing(notRun['connection-lost']), act },
} satisfies Meta<typeof Chat>

export default meta

type Story = StoryObj<typeof meta>

async function expectOffer(canvasElement: HTMLElement, words: string, offer: readonly string[]): Promise<void> {
  const block = await blockNamed(canvasElement, words)
  await expectSettled(block)
  await expect([...block.querySelectorAll('.htc-offer > *')].map((part) => part.textContent)).toEqual(offer)
  for (const button of within(block).queryAllByRole('button')) {
    const { width, height } = button.getBoundingClientRect()
    await expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  }
}

export const TryAgain: Story = {
  play: ({ canvasElement }) => expectOffer(canvasElement, notRun['connection-lost'].words, ['Try again']),
}

export const AskForLess: Story = {
  args: { begin: agreeing(notRun.truncated) },
  play: ({ canvasElement }) =>
    expectOffer(canvasElement, notRun.truncated.words, ['Ask for less at once.', 'Try again']),
}

/** The information is missing: trying again would only fail again. */
export const AddDetail: Story = {
  args: { begin: agreeing(notRun['invalid-arguments']) },
  play: ({ canvasElement }) =>
    expectOffer(canvasElement, notRun['invalid-arguments'].words, ['Add the missing detail.']),
}

/** What may have run is never tried again. */
export const Check: Story = {
  args: { begin: agreeing(mayHaveRun['connection-lost']) },
  play: ({ canvasElement }) => expectOffer(canvasElement, mayHaveRun['connection-lost'].words, ['Check']),
}

export const Nothing: Story = {
  args: { begin: agreeing(notRun.declined) },
  play: ({ canvasElement }) => expectOffer(canvasElement, notRun.declined.words, []),
}

/** A later turn has begun: the old block says what happened, and offers nothing. */
export const MovedOn: Story = {
  args: {
    begin() {
      const store = agreeing(notRun['connection-lost'])()
      const later = store.openStream()
      later.push({ type: 'text-fragment', text: 'What else can I do for you?' })
      store.flush()
      return store
    },
  },
  play: ({ canvasElement }) => expectOffer(canvasElement, notRun['connection-lost'].words, []),
}

/** What was unreadable is worth one more try. The second block, of the same words, offers none. */
export const TriedAgainOnce: Story = {
  args: {
    begin: agreeing(notRun.unparseable),
    act: (store) => ({ tryAgain: ({ turnId, key }) => unreadable(store, { retryOf: { turnId, key } }) }),
  },
  async play({ canvasElement }) {
    await expectOffer(canvasElement, notRun.unparseable.words, ['Try again'])
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Try again' }))
    const [first, second] = await within(canvasElement).findAllByRole('group', { name: notRun.unparseable.words })
    await expect(second).toBeVisible()
    await expect(within(canvasElement).queryByRole('button')).toBeNull()
    await expect(first?.querySelector('[data-label]')).toHaveFocus()
  },
}

/** The host found out: the label says so, the button goes, and the focus is on the label. */
export const CheckedAndDone: Story = {
  args: {
    begin: agreeing(mayHaveRun['connection-lost']),
    act: (store) => ({
      async check({ id, name }) {
        await Promise.resolve()
        store.settle({ callId: id, name, ran: 'yes', ok: true })
      },
    }),
  },
  async play({ canvasElement }) {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Check' }))
    await within(canvasElement).findByRole('group', { name: 'create_ticket — done' })
    const block = await blockNamed(canvasElement, 'create_ticket — done')
    await expect(within(block).queryByRole('button')).toBeNull()
    await expect(block.querySelector('[data-label]')).toHaveFocus()
  },
}

/** It is being found out: the button keeps its place and the focus, and cannot be pressed again. */
export const BeingChecked: Story = {
  args: { begin: agreeing(mayHaveRun['connection-lost']), act: () => ({ check: () => new Promise(() => {}) }) },
  async play({ canvasElement }) {
    const check = within(canvasElement).getByRole('button', { name: 'Check' })
    await userEvent.click(check)
    await expect(check).toHaveAttribute('aria-disabled', 'true')
    await expect(check).toHaveFocus()
  },
}

const tried = new Set<CauseNo>([
  'connection-lost',
  'ended-early',
  'truncated',
  'unparseable',
  'provider-error',
  'held-back',
  'not-started',
  'reloaded',
  'cancelled',
])

/** Every cause for which a call did not run, or may have, with what is offered about it. */
export const All: StoryObj = {
  name: 'all',
  render: () => (
    <div className="story-column">
      {[...Object.values(notRun), ...Object.values(mayHaveRun)].map((state) => (
        <Chat key={state.words} begin={agreeing(state)} act={act} />
      ))}
    </div>
  ),
  async play({ canvasElement }) {
    const blocks = canvasElement.querySelectorAll<HTMLElement>('[data-tool-call]')
    await expect(blocks.length).toBeGreaterThan(Object.keys(notRun).length + Object.keys(mayHaveRun).length)
    for (const block of blocks) {
      const offered = within(block)
        .queryAllByRole('button')
        .map((button) => button.textContent)
      const isTried = tried.has(block.dataset['cause'] as CauseNo) && block.textContent.startsWith('create_ticket')
      await expect([block.textContent, offered]).toEqual([
        block.textContent,
        block.dataset['ran'] === 'unknown' ? ['Check'] : isTried ? ['Try again'] : [],
      ])
    }
  },
}
