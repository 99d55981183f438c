import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import {
  type CallView,
  english,
  ToolCallApproval,
  ToolCallBlock,
  ToolCallProvider,
  type ToolCallStore,
  ToolCallTurn,
} from '../../src/index.ts'
import { ask, openAsking } from './asking.ts'
import { hydrate } from './hydrate.ts'
import { openSample } from './sample-stream.ts'

const ASKING = 'send_payment — waiting for your approval'

/** What a host writes: the answer goes to the store. */
function answering(store: ToolCallStore) {
  return {
    answer: vi.fn(({ id: callId, turnId, key }: CallView, granted: boolean) =>
      store.answerApproval({ callId, turnId, key }, { granted }),
    ),
  }
}

function question(): HTMLElement {
  return screen.getByRole('group', { name: 'Run send_payment?' })
}

test('a call that waits for a person is asked about, under its label, with what would run', () => {
  const { store } = openAsking()
  render(<ToolCallBlock store={store} toolCallId="a" actions={answering(store)} />)
  const block = screen.getByRole('group', { name: ASKING })
  expect(block).toContainElement(question())
  expect([...question().querySelectorAll('dt, dd')].map((cell) => cell.textContent)).toEqual([
    'to',
    'Ann',
    'amount',
    '12',
  ])
  // The safe choice first.
  const buttons = within(question()).getAllByRole('button')
  expect(buttons.map((button) => [button.textContent, button.getAttribute('type')])).toEqual([
    ['Decline', 'button'],
    ['Approve', 'button'],
  ])
})

test.each([
  ['Decline', false, 'send_payment — not run (you declined)'],
  ['Approve', true, 'send_payment — waiting to run'],
])('%s answers once, the question goes, and the focus is on what came of it', async (name, granted, words) => {
  const { store } = openAsking()
  const actions = answering(store)
  render(<ToolCallTurn store={store} turnId={store.turnIds()[0] ?? ''} actions={actions} />)
  await userEvent.click(screen.getByRole('button', { name }))
  expect(actions.answer.mock.calls.map(([call, answer]) => [call.id, answer])).toEqual([['a', granted]])
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('group', { name: 'Run send_payment?' })).toBeNull()
  const block = screen.getByRole('group', { name: words })
  expect(block.querySelector('[data-label]')).toHaveFocus()
})

test('the keyboard does as well', async () => {
  const { store } = openAsking()
  const actions = answering(store)
  render(<ToolCallBlock store={store} toolCallId="a" actions={actions} />)
  const user = userEvent.setup()
  await user.tab()
  expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus()
  await user.tab()
  await user.keyboard(' ')
  expect(actions.answer).toHaveBeenCalledTimes(1)
  expect(screen.getByText(/waiting to run/)).toHaveFocus()
})

test('two clicks before anything is drawn are one answer, also on the other button', async () => {
  const { store } = openAsking()
  const actions = answering(store)
  render(<ToolCallBlock store={store} toolCallId="a" actions={actions} />)
  const [decline, approve] = screen.getAllByRole('button')
  if (decline === undefined || approve === undefined) throw new Error('There are no buttons.')
  await act(async () => {
    decline.click()
    decline.click()
    approve.click()
  })
  expect(actions.answer.mock.calls.map(([, granted]) => granted)).toEqual([false])
  expect(screen.getByRole('group', { name: 'send_payment — not run (you declined)' })).toBeVisible()
})

test('an answer that is on its way keeps the buttons and the focus, and cannot be given again', async () => {
  const { store } = openAsking()
  const answer = vi.fn(() => Promise.resolve())
  render(<ToolCallBlock store={store} toolCallId="a" actions={{ answer }} />)
  const user = userEvent.setup()
  await user.dblClick(screen.getByRole('button', { name: 'Approve' }))
  // The host has taken it; what it says of the call is still to come.
  const buttons = screen.getAllByRole('button')
  expect(buttons.map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true'])
  expect(screen.getByRole('button', { name: 'Approve' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Decline' }))
  expect(answer).toHaveBeenCalledTimes(1)
})

test('an answer that failed can be given again, and the host hears of the failure', async () => {
  const { store } = openAsking()
  const failures: unknown[] = []
  const hear = (reason: unknown): void => void failures.push(reason)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear)
  const failure = new Error('offline')
  const answer = vi.fn().mockRejectedValueOnce(failure).mockResolvedValue(undefined)
  render(<ToolCallBlock store={store} toolCallId="a" actions={{ answer }} />)
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await vi.waitFor(() => expect(failures).toEqual([failure]))
  expect(screen.getByRole('button', { name: 'Approve' })).not.toHaveAttribute('aria-disabled')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  expect(answer).toHaveBeenCalledTimes(2)
  process.removeAllListeners('unhandledRejection')
  for (const other of others) process.on('unhandledRejection', other)
})

test('a question that appears takes no focus', async () => {
  const { store, stream } = openSample({ tools: { send_payment: { executor: 'local', needsApproval: true } } })
  render(
    <>
      <input aria-label="Message" />
      <ToolCallTurn store={store} turnId={stream.turnId} actions={answering(store)} />
    </>,
  )
  const input = screen.getByRole('textbox')
  const user = userEvent.setup()
  await user.type(input, 'half a mess')
  await act(async () => ask(stream))
  expect(question()).toBeVisible()
  expect(input).toHaveFocus()
  await user.keyboard('age{Enter}')
  expect(input).toHaveValue('half a message')
  expect(screen.getByRole('group', { name: ASKING })).toBeVisible()
})

test('what a model wrote is text, and nothing in it is hidden', () => {
  const hostile = {
    '<b>to</b>': '<img src=x onerror=alert(1)>',
    note: 'pay \u202eeve\u202c\u200b',
    html: { nested: '</dd><script>' },
  }
  const { store } = openAsking(JSON.stringify(hostile))
  render(<ToolCallBlock store={store} toolCallId="a" actions={answering(store)} />)
  expect([...question().querySelectorAll('dt, dd')].map((cell) => cell.textContent)).toEqual([
    '<b>to</b>',
    '<img src=x onerror=alert(1)>',
    'note',
    'pay \\u{202e}eve\\u{202c}\\u{200b}',
    'html',
    '{"nested":"</dd><script>"}',
  ])
  expect(question().querySelector('img, b, script')).toBeNull()
})

test('a name that only a model vouches for is set as code in the question, too', () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'pay? No' })
  stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'approval-requested', key: 'a' })
  store.flush()
  render(<ToolCallBlock store={store} toolCallId="a" actions={answering(store)} />)
  const asked = screen.getByRole('group', { name: 'Run pay\\u{3f}\\u{20}No?' })
  expect(asked.querySelector('code')).toHaveTextContent('pay\\u{3f}\\u{20}No')
})

test('without anybody to take the answer nothing is asked, and what would run is shown', () => {
  const { store } = openAsking()
  render(<ToolCallBlock store={store} toolCallId="a" />)
  const block = screen.getByRole('group', { name: ASKING })
  expect(screen.getAllByRole('group')).toEqual([block])
  expect(block).toHaveTextContent('Ann')
  expect(screen.queryByRole('button')).toBeNull()
})

test('a call that is settled, or not asked about yet, has no buttons', async () => {
  const { store, stream } = openSample({ tools: { send_payment: { executor: 'local', needsApproval: true } } })
  render(<ToolCallTurn store={store} turnId={stream.turnId} actions={answering(store)} />)
  await act(async () => {
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'send_payment' })
    stream.push({ type: 'call-fragment', key: 'a', text: '{"to":"Ann"}' })
    store.flush()
  })
  expect(screen.queryByRole('button')).toBeNull()
  await act(async () => {
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  })
  expect(screen.getAllByRole('button')).toHaveLength(2)
  await act(async () => void store.answerApproval({ callId: 'a' }, { granted: false, by: 'expiry' }))
  expect(screen.getByRole('group', { name: 'send_payment — not run (approval timed out)' })).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a host’s renderer replaces the question, and can ask it by itself in its own place', async () => {
  const { store } = openAsking()
  const actions = answering(store)
  const { rerender } = render(
    <ToolCallProvider store={store} actions={actions} renderers={{ send_payment: () => 'a payment' }}>
      <ToolCallBlock toolCallId="a" />
    </ToolCallProvider>,
  )
  expect(screen.getByRole('group', { name: ASKING })).toHaveTextContent('a payment')
  expect(screen.queryByRole('button')).toBeNull()
  const own = {
    send_payment: (call: CallView) => (
      <section aria-label="Payment">
        <ToolCallApproval call={call} />
      </section>
    ),
  }
  rerender(
    <ToolCallProvider store={store} actions={actions} renderers={own}>
      <ToolCallBlock toolCallId="a" />
    </ToolCallProvider>,
  )
  expect(screen.getByRole('region', { name: 'Payment' })).toContainElement(question())
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  expect(actions.answer).toHaveBeenCalledTimes(1)
})

test('the catalogue’s words are asked', () => {
  const { store } = openAsking()
  const approval = { question: '{tool} ausführen?', decline: 'Ablehnen', approve: 'Freigeben' }
  render(
    <ToolCallProvider store={store} actions={answering(store)} catalogue={{ ...english, approval }}>
      <ToolCallBlock toolCallId="a" />
    </ToolCallProvider>,
  )
  const asked = screen.getByRole('group', { name: 'send_payment ausführen?' })
  expect(
    within(asked)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Ablehnen', 'Freigeben'])
})

test('it is on the server what it is in the browser, and answers once hydrated', async () => {
  const { store } = openAsking()
  const actions = answering(store)
  const error = vi.spyOn(console, 'error')
  const block = <ToolCallBlock store={store} toolCallId="a" actions={actions} />
  const container = document.createElement('div')
  container.innerHTML = renderToString(block)
  expect([...container.querySelectorAll('button')].map((button) => button.textContent)).toEqual(['Decline', 'Approve'])
  await hydrate(container, block)
  expect(error).not.toHaveBeenCalled()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Approve' })))
  expect(actions.answer).toHaveBeenCalledTimes(1)
  error.mockRestore()
})
