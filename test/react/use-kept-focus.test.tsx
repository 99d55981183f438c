import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type CallView, ToolCallBlock } from '../../src/index.ts'
import { announce, openSample } from './sample-stream.ts'

function asking() {
  const { store, stream } = openSample({ tools: { send_payment: { executor: 'local' } } })
  announce(stream, 'a', 'send_payment')
  stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
  stream.push({ type: 'approval-requested', key: 'a' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  store.flush()
  const draw = (call: CallView) =>
    call.phase === 'waiting' && call.on === 'person' ? (
      <button type="button" onClick={() => store.answerApproval({ callId: 'a' }, { granted: true })}>
        Allow
      </button>
    ) : null
  render(
    <>
      <input aria-label="Message" />
      <ToolCallBlock store={store} toolCallId="a" render={draw} />
    </>,
  )
  return store
}

test('the focus of a button that vanishes goes to the label', async () => {
  asking()
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText(/waiting to run/)).toHaveFocus()
})

test('a focus elsewhere is left alone', async () => {
  const store = asking()
  const user = userEvent.setup()
  await user.tab()
  await user.tab()
  expect(screen.getByRole('button', { name: 'Allow' })).toHaveFocus()
  await user.tab({ shift: true })
  expect(screen.getByRole('textbox')).toHaveFocus()
  await act(async () => void store.answerApproval({ callId: 'a' }, { granted: false }))
  expect(screen.getByRole('group', { name: 'send_payment — not run (you declined)' })).toBeVisible()
  expect(screen.getByRole('textbox')).toHaveFocus()
})

test('the label is no tab stop', async () => {
  asking()
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(screen.getByText(/waiting to run/)).toHaveAttribute('tabindex', '-1')
})
