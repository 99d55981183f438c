import type { Meta, StoryObj } from '@storybook/react-vite'
import { type ReactNode, useEffect, useState } from 'react'
import { expect, userEvent, within } from 'storybook/test'
import {
  type CallView,
  type StreamEvent,
  ToolCallProvider,
  type ToolCallStore,
  ToolCallTurn,
  useToolCallStore,
} from '../../src/index.ts'
import { blockNamed, expectSettled } from '../expectations.ts'
import { Block, filledStore } from './block.tsx'

const LOST = { type: 'stream-ended', ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' } } as const

const PREPARING: readonly StreamEvent[] = [
  { type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' },
  { type: 'call-fragment', key: 'a', text: '{"title":"Disk full on db-3","priority":"urg' },
]

const meta = {
  title: 'Block/Custom renderers',
  component: Block,
  args: { events: [...PREPARING, LOST], options: { tools: { create_ticket: { executor: 'local' } } } },
} satisfies Meta<typeof Block>

export default meta

type Story = StoryObj<typeof meta>

const WORDS = 'create_ticket — not run (connection lost)'

/** What a host draws stands under the label, in line with it. */
export const Drawn: Story = {
  args: {
    events: PREPARING,
    render: (call: CallView) => (
      <p>A ticket about {call.phase === 'preparing' ? call.preview[0]?.text : 'something'}</p>
    ),
  },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'Preparing create_ticket…')
    const drawn = within(block).getByText('A ticket about Disk full on db-3')
    const label = block.querySelector('[data-label]')
    await expect(label?.compareDocumentPosition(drawn)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await expect(drawn.getBoundingClientRect().left).toBe(label?.getBoundingClientRect().left)
    await expect(block.querySelector('dl')).toBeNull()
  },
}

/** It throws: the label stays. */
export const Throwing: Story = {
  args: {
    render() {
      throw new Error('This renderer has a bug.')
    },
  },
  async play({ canvasElement }) {
    await expectSettled(await blockNamed(canvasElement, WORDS))
  },
}

function ThrowsLater(): ReactNode {
  useEffect(() => {
    throw new Error('This renderer has a bug in an effect.')
  })
  return <p>Drawn, for a moment.</p>
}

export const ThrowingInAnEffect: Story = {
  args: { render: () => <ThrowsLater /> },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, WORDS)
    await expectSettled(block)
    await expect(block).not.toHaveTextContent('Drawn, for a moment.')
  },
}

export const ReturningNothing: Story = {
  args: { render: () => undefined },
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, WORDS)
    await expectSettled(block)
    await expect(block).toHaveTextContent(WORDS)
  },
}

const never = new Promise<never>(() => {})

export const WaitingForEver: Story = {
  args: {
    render() {
      throw never
    },
  },
  async play({ canvasElement }) {
    await expectSettled(await blockNamed(canvasElement, WORDS))
  },
}

function askingStore(): ToolCallStore {
  return filledStore(
    [
      { type: 'text-fragment', text: 'I can file that ticket for you.' },
      { type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Disk full on db-3"}' },
      { type: 'approval-requested', key: 'a' },
      { type: 'call-finished', key: 'a' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
    ],
    { tools: { create_ticket: { executor: 'local' } } },
  )
}

function Question({ call }: { readonly call: CallView }): ReactNode {
  const store = useToolCallStore()
  if (call.phase !== 'waiting' || call.on !== 'person') return null
  const answer = (granted: boolean) => () => store.answerApproval({ callId: call.id }, { granted })
  return (
    <div className="story-buttons">
      <button type="button" onClick={answer(false)}>
        Decline
      </button>
      <button type="button" onClick={answer(true)}>
        Allow
      </button>
    </div>
  )
}

const renderers = { create_ticket: (call: CallView) => <Question call={call} /> }

function AskingTurn(): ReactNode {
  const [store] = useState(askingStore)
  return (
    <ToolCallProvider store={store} renderers={renderers}>
      <ToolCallTurn turnId={store.turnIds()[0] ?? ''} />
    </ToolCallProvider>
  )
}

/** A host's own buttons. They vanish with the answer; the focus goes to the label, which says what came of it. */
export const AskingForApproval: StoryObj = {
  render: () => <AskingTurn />,
  async play({ canvasElement }) {
    const block = await blockNamed(canvasElement, 'create_ticket — waiting for your approval')
    within(block).getByRole('button', { name: 'Decline' }).focus()
    await userEvent.keyboard('{Enter}')
    const label = (await blockNamed(canvasElement, 'create_ticket — not run (you declined)')).querySelector(
      '[data-label]',
    )
    await expect(label).toHaveFocus()
  },
}
