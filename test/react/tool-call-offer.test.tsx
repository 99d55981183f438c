import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { type StoreOptions, ToolCallBlock, type ToolCallStore, ToolCallTurn } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

const TOOLS = {
  create_ticket: { executor: 'local', offersRetry: true },
  send_payment: { executor: 'server', offersCheck: true },
} as const satisfies StoreOptions['tools']

/** A turn that broke off in the middle of a call. */
function broken(name: keyof typeof TOOLS): { store: ToolCallStore; turnId: string } {
  const { store, stream } = openSample({ tools: TOOLS })
  announce(stream, 'a', name)
  drop(stream)
  store.flush()
  return { store, turnId: stream.turnId }
}

/** A promise to be settled by hand. */
function deferred(): { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } {
  let resolve = (): void => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

test('a call that did not run is tried again in a turn of its own, and the focus stays in its block', async () => {
  const { store, turnId } = broken('create_ticket')
  const tryAgain = vi.fn(({ turnId: id, key }: { turnId: string; key: string }) => {
    store.openStream({ retryOf: { turnId: id, key } })
  })
  render(<ToolCallTurn store={store} turnId={turnId} actions={{ tryAgain }} />)
  const block = screen.getByRole('group', { name: 'create_ticket — not run (connection lost)' })
  expect(block.querySelector('[data-offer="try-again"]')).toBeVisible()
  await userEvent.dblClick(screen.getByRole('button', { name: 'Try again' }))
  expect(tryAgain).toHaveBeenCalledTimes(1)
  expect(store.turn(store.turnIds().at(-1) ?? '')?.getState().retryOf).toEqual({ turnId, key: 'a' })
  expect(screen.queryByRole('button')).toBeNull()
  expect(block.querySelector('[data-label]')).toHaveFocus()
})

test('two clicks before anything is drawn are one try', async () => {
  const { store, turnId } = broken('create_ticket')
  const tryAgain = vi.fn()
  render(<ToolCallTurn store={store} turnId={turnId} actions={{ tryAgain }} />)
  const button = screen.getByRole('button', { name: 'Try again' })
  await act(async () => {
    button.click()
    button.click()
  })
  expect(tryAgain).toHaveBeenCalledTimes(1)
})

test('while it is being found out the button stays, keeps the focus and cannot be pressed; afterwards it can', async () => {
  const { store, turnId } = broken('send_payment')
  const { promise, resolve } = deferred()
  const check = vi.fn(() => promise)
  render(<ToolCallTurn store={store} turnId={turnId} actions={{ check }} />)
  const button = screen.getByRole('button', { name: 'Check' })
  await userEvent.click(button)
  await userEvent.click(button)
  expect(check).toHaveBeenCalledTimes(1)
  expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(button).toBeEnabled()
  expect(button).toHaveFocus()
  await act(async () => resolve())
  // Nobody knew: it can be asked again.
  expect(button).not.toHaveAttribute('aria-disabled')
  await userEvent.click(button)
  expect(check).toHaveBeenCalledTimes(2)
})

test('a check that finds out changes the label; the button goes and leaves the focus there', async () => {
  const { store, turnId } = broken('send_payment')
  const check = vi.fn(async (call: { id: string; name: string }) => {
    await Promise.resolve()
    store.settle({ callId: call.id, name: call.name, ran: 'yes', ok: true })
  })
  render(<ToolCallTurn store={store} turnId={turnId} actions={{ check }} />)
  expect(screen.getByRole('group', { name: 'send_payment — may have run (connection lost)' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  const block = await screen.findByRole('group', { name: 'send_payment — done' })
  expect(screen.queryByRole('button')).toBeNull()
  expect(block.querySelector('[data-offer]')).toBeNull()
  expect(block.querySelector('[data-label]')).toHaveFocus()
})

test('a check that finds that nothing ran leaves another try to be offered, where the tool allows it', async () => {
  const tools = { send_payment: { executor: 'server', offersCheck: true, offersRetry: true } } as const
  const { store, stream } = openSample({ tools })
  announce(stream, 'a', 'send_payment')
  drop(stream)
  store.flush()
  const check = vi.fn(() => store.settle({ callId: 'a', name: null, ran: 'no', cause: 'connection-lost' }))
  render(<ToolCallTurn store={store} turnId={stream.turnId} actions={{ check, tryAgain: vi.fn() }} />)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Check' })).toBeNull()
})

test('a hint stands beside the button, or alone where trying again would only fail again', () => {
  const issues = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) },
  } as const
  const { store, stream } = openSample({
    tools: {
      cut: { executor: 'local', offersRetry: true },
      wrong: { executor: 'local', offersRetry: true, schema: issues },
    },
  })
  announce(stream, 'a', 'wrong')
  stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  stream.end()
  const cut = store.openStream({ scope: 'another chat' })
  announce(cut, 'b', 'cut')
  cut.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
  cut.end()
  store.flush()
  const { rerender } = render(<ToolCallBlock store={store} toolCallId="b" actions={{ tryAgain: vi.fn() }} />)
  expect(screen.getByRole('group', { name: 'cut — not run (the request was cut short)' })).toHaveTextContent(
    'Ask for less at once.Try again',
  )
  store.forget(cut.turnId)
  rerender(<ToolCallBlock store={store} toolCallId="a" actions={{ tryAgain: vi.fn() }} />)
  expect(screen.getByRole('group', { name: 'wrong — not run (the details were not valid)' })).toHaveTextContent(
    'Add the missing detail.',
  )
  expect(screen.queryByRole('button')).toBeNull()
})

test('it is on the server what it is in the browser', () => {
  const { store, turnId } = broken('create_ticket')
  const html = renderToString(<ToolCallTurn store={store} turnId={turnId} actions={{ tryAgain: vi.fn() }} />)
  expect(html).toContain('Try again</button>')
})
