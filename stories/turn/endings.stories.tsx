import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, within } from 'storybook/test'
import type { StopWord } from '../../src/core.ts'
import type { StreamEvent } from '../../src/index.ts'
import { blockNamed, expectNotice, expectSettled } from '../expectations.ts'
import { LONG_REPLY, LOST } from './sample-events.ts'
import { Turn } from './turn.tsx'

const meta = { title: 'Turn/Endings', component: Turn } satisfies Meta<typeof Turn>

export default meta

type Story = StoryObj<typeof meta>

const TEXT: StreamEvent = { type: 'text-fragment', text: "I'll create that ticket for you now." }

/** The story of a reply that promised something in its text and ended without any call. */
function stopped(words: string, ...events: readonly StreamEvent[]): Story {
  return {
    args: { events: [TEXT, ...events] },
    async play({ canvasElement }) {
      await expect(within(canvasElement).queryByRole('group')).toBeNull()
      await expectNotice(canvasElement, words)
    },
  }
}

export const ConnectionLost: Story = {
  name: 'connection-lost',
  ...stopped('The reply stopped here (connection lost). No tool was run.', LOST),
}

export const EndedEarly: Story = {
  name: 'ended-early',
  ...stopped('The reply stopped here (it ended early). No tool was run.', {
    type: 'stream-ended',
    ending: { type: 'lost', how: 'ended-early', speaker: 'nobody' },
  }),
}

export const Truncated: Story = {
  name: 'truncated',
  ...stopped(
    'The reply stopped here (the length limit was reached). No tool was run.',
    { type: 'message-ended', reason: 'length', finishesOpenCalls: false },
    { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
  ),
}

export const Filtered: Story = {
  name: 'filtered',
  ...stopped(
    'The reply stopped here (a content filter). No tool was run.',
    { type: 'message-ended', reason: 'filter', finishesOpenCalls: false },
    { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
  ),
}

export const ProviderError: Story = {
  name: 'provider-error',
  ...stopped('The reply stopped here (the service reported an error). No tool was run.', {
    type: 'stream-ended',
    ending: { type: 'lost', how: 'provider-error', speaker: 'model' },
  }),
}

export const Cancelled: Story = {
  name: 'cancelled',
  args: { events: [TEXT], stopped: true },
  async play({ canvasElement }) {
    await expectNotice(canvasElement, 'The reply stopped here (you stopped it). No tool was run.')
  },
}

export const Reloaded: Story = {
  name: 'reloaded',
  ...stopped('The reply stopped here (the page was closed). No tool was run.', {
    type: 'stream-ended',
    ending: { type: 'lost', how: 'reloaded', speaker: 'nobody' },
  }),
}

export const Unnamed: Story = {
  name: 'unnamed',
  ...stopped(
    'The reply stopped here. No tool was run.',
    { type: 'message-ended', reason: 'unknown', finishesOpenCalls: false },
    { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
  ),
}

const table = {
  'connection-lost': ConnectionLost,
  'ended-early': EndedEarly,
  truncated: Truncated,
  filtered: Filtered,
  'provider-error': ProviderError,
  cancelled: Cancelled,
  reloaded: Reloaded,
  unnamed: Unnamed,
} satisfies Record<StopWord, Story>

/** A new reason to stop without a story does not compile. */
export const All: StoryObj = {
  name: 'all',
  render: () => (
    <div className="story-column">
      {Object.entries(table).map(([reason, { args }]) => (
        <Turn key={reason} {...args} />
      ))}
    </div>
  ),
  async play({ canvasElement }) {
    await expect(canvasElement.querySelectorAll('[data-turn-notice]')).toHaveLength(Object.keys(table).length)
  },
}

/** No note: the last word of the model stands. */
export const Natural: Story = {
  args: {
    events: [
      { type: 'text-fragment', text: 'There is nothing to do: that ticket exists already.' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
      { type: 'stream-ended', ending: { type: 'complete', speaker: 'model' } },
    ],
  },
  async play({ canvasElement }) {
    await expectNotice(canvasElement, null)
  },
}

export const WhileStreaming: Story = {
  args: { events: LONG_REPLY, options: { defaultExecutor: 'server' } },
  async play({ canvasElement }) {
    await blockNamed(canvasElement, 'create_ticket — done')
    await blockNamed(canvasElement, 'page_on_call — ran and failed')
    await blockNamed(canvasElement, 'Preparing send_mail…')
    await expectNotice(canvasElement, null)
  },
}

/** One call done, one failed, one lost: the note names what is open. */
export const LostInTheThirdCall: Story = {
  args: { events: [...LONG_REPLY, LOST], options: { defaultExecutor: 'server' } },
  async play({ canvasElement }) {
    await expectSettled(await blockNamed(canvasElement, 'create_ticket — done'))
    await expectSettled(await blockNamed(canvasElement, 'page_on_call — ran and failed'))
    await expectSettled(await blockNamed(canvasElement, 'send_mail — may have run (connection lost)'))
    await expectNotice(canvasElement, 'May have run: send_mail.')
    await expect(canvasElement).not.toHaveTextContent('Dear coll')
  },
}

/** Text goes on after a call that was lost in the text: the note stands below it. */
export const LostInTheText: Story = {
  args: {
    events: [
      TEXT,
      { type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Disk fu' },
      { type: 'call-withdrawn', key: 'a' },
      { type: 'text-fragment', text: 'Done! Your ticket has been created, and' },
      LOST,
    ],
  },
  async play({ canvasElement }) {
    await expectSettled(await blockNamed(canvasElement, 'create_ticket — not run (withdrawn)'))
    await expectNotice(
      canvasElement,
      'Not run: create_ticket. The reply stopped here (connection lost). No tool was run.',
    )
  },
}

const emphasis = /\*\*(.+?)\*\*/

/** The host draws the text; the blocks and the note stay where they are. */
export const OwnText: StoryObj = {
  render: () => (
    <Turn events={[{ type: 'text-fragment', text: 'I will **not** promise.' }, LOST]} renderText={markdown} />
  ),
  async play({ canvasElement }) {
    await expect(canvasElement.querySelector('strong')).toHaveTextContent('not')
    await expectNotice(canvasElement, 'The reply stopped here (connection lost). No tool was run.')
  },
}

function markdown(text: string) {
  const [before, strong, after] = text.split(emphasis)
  return (
    <p>
      {before}
      <strong>{strong}</strong>
      {after}
    </p>
  )
}
