import { act, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import {
  createToolCallStore,
  english,
  ToolCallBlock,
  ToolCallProvider,
  ToolCallTurn,
  TurnNotice,
} from '../../src/index.ts'
import { announce, drop, HALF, openSample } from './sample-stream.ts'

/** What was said so far, an array of sentences for each announcement. */
function said(role: 'status' | 'alert' = 'status'): readonly (readonly (string | null)[])[] {
  return [...screen.getByRole(role).children].map((announcement) =>
    [...announcement.children].map((sentence) => sentence.textContent),
  )
}

test('one region per store, whoever shows it: many blocks, many roots, StrictMode', () => {
  const { store, stream } = openSample()
  const other = openSample().store
  announce(stream, 'a', 'create_ticket')
  store.flush()
  const first = render(
    <StrictMode>
      <ToolCallProvider store={store}>
        <ToolCallTurn turnId={stream.turnId} />
        <ToolCallBlock toolCallId="a" />
        <TurnNotice turnId={stream.turnId} />
      </ToolCallProvider>
    </StrictMode>,
  )
  const second = render(<ToolCallBlock store={store} toolCallId="a" />)
  expect(screen.getAllByRole('status')).toHaveLength(1)
  const region = screen.getByRole('status')

  const third = render(<ToolCallBlock store={other} toolCallId="a" />)
  expect(screen.getAllByRole('status')).toHaveLength(2)
  third.unmount()

  first.unmount()
  expect(screen.getByRole('status')).toBe(region)
  second.unmount()
  expect(screen.queryByRole('status')).toBeNull()
})

test('the region is polite, outside the host’s tree, and there before it says anything', () => {
  const { store, stream } = openSample()
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  const region = screen.getByRole('status')
  expect(region).toBeEmptyDOMElement()
  expect(region).not.toHaveAttribute('aria-live')
  expect(region).toHaveClass('htc-announcer')
  expect(container).not.toContainElement(region)
})

test('a region that comes late does not tell what was there before', () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  expect(said()).toEqual([])
})

test('transitions are spoken, fragments are not', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'I will create that ticket.' })
    announce(stream, 'a', 'create_ticket')
    store.flush()
  })
  for (const text of HALF) {
    await act(async () => {
      stream.push({ type: 'call-fragment', key: 'a', text })
      store.flush()
    })
  }
  expect(said()).toEqual([])
  await act(async () => drop(stream))
  expect(said()).toEqual([['create_ticket — not run (connection lost)']])
})

test('what settles together is one announcement', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    for (const key of ['a', 'b', 'c']) announce(stream, key, `tool_${key}`)
    drop(stream)
  })
  expect(said()).toEqual([
    ['tool_a — not run (connection lost)', 'tool_b — not run (connection lost)', 'tool_c — not run (connection lost)'],
  ])
})

test('more than three at once are summed up, and nothing bad is left out', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server', tools: { local_one: { executor: 'local' } } })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    for (const key of ['a', 'b', 'c', 'd']) announce(stream, key, `tool_${key}`)
    announce(stream, 'e', 'local_one')
    stream.push({ type: 'call-returned', key: 'a', ok: true })
    stream.push({ type: 'call-returned', key: 'b', ok: true })
    stream.push({ type: 'call-returned', key: 'c', ok: false })
    drop(stream)
  })
  expect(said()).toEqual([['5 tool calls: 2 done, 1 ran and failed, 1 not run, 1 may have run.']])
})

test('the same sentence twice is spoken twice, by a new node', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'search')
    stream.push({ type: 'call-returned', key: 'a', ok: true })
  })
  const first = screen.getByRole('status').lastElementChild
  expect(first).toHaveTextContent('search — done')
  await act(async () => {
    announce(stream, 'b', 'search')
    stream.push({ type: 'call-returned', key: 'b', ok: true })
  })
  const second = screen.getByRole('status').lastElementChild
  expect(second).toHaveTextContent('search — done')
  expect(second).not.toBe(first)
})

test('of two announcements in quick succession none is lost; old ones go', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  expect(screen.getByRole('status')).toHaveAttribute('aria-atomic', 'false')
  await act(async () => {
    for (const key of ['a', 'b', 'c', 'd']) {
      announce(stream, key, `tool_${key}`)
      stream.push({ type: 'call-returned', key, ok: true })
      store.flush()
    }
  })
  expect(said()).toEqual([['tool_b — done'], ['tool_c — done'], ['tool_d — done']])
})

test('a request for approval is spoken once, and at once: it holds everything up', async () => {
  const { store, stream } = openSample({ tools: { send_payment: { executor: 'local' } } })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'send_payment')
    stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
    stream.push({ type: 'approval-requested', key: 'a' })
    stream.push({ type: 'call-finished', key: 'a' })
  })
  await act(async () => {
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
  })
  expect(said('alert')).toEqual([['send_payment — waiting for your approval']])
  expect(said()).toEqual([])
})

test('the region for questions is there before there is one, and goes with the other', () => {
  const { store, stream } = openSample()
  const { container, unmount } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  const region = screen.getByRole('alert')
  expect(region).toBeEmptyDOMElement()
  expect(region).toHaveClass('htc-announcer')
  expect(region).toHaveAttribute('aria-atomic', 'false')
  expect(container).not.toContainElement(region)
  unmount()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('status')).toBeNull()
})

test('why the reply stopped is spoken once, without the names again', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-withdrawn', key: 'a' })
    stream.push({ type: 'text-fragment', text: 'Or rather' })
    drop(stream)
  })
  expect(said()).toEqual([
    ['create_ticket — not run (withdrawn)', 'The reply stopped here (connection lost).', 'No tool was run.'],
  ])
  await act(async () => {
    store.settle({ callId: 'a', name: 'create_ticket', ran: 'no', cause: 'withdrawn' })
  })
  expect(said()).toHaveLength(1)
})

test('"may have run" that becomes known is spoken again; the same words are not', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    drop(stream)
  })
  await act(async () => store.settle({ callId: 'a', name: null, ran: 'yes', ok: true }))
  await act(async () => store.settle({ callId: 'a', name: null, ran: 'yes', ok: true }))
  expect(said()).toEqual([['create_ticket — may have run (connection lost)'], ['create_ticket — done']])
})

test('restored calls are silent; what happens to them afterwards is not', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  announce(stream, 'a', 'create_ticket')
  announce(stream, 'b', 'send_payment')
  store.flush()
  const restored = createToolCallStore({ defaultExecutor: 'server' })
  render(
    <ToolCallProvider store={restored}>
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  await act(async () => restored.restore(store.snapshot()))
  expect(screen.getByRole('group', { name: 'create_ticket — may have run (the page was closed)' })).toBeVisible()
  expect(said()).toEqual([])
  await act(async () => restored.settle({ callId: 'a', name: null, ran: 'yes', ok: true }))
  expect(said()).toEqual([['create_ticket — done']])
})

test('announce="none" leaves it to the host', () => {
  const { store, stream } = openSample()
  const { rerender } = render(
    <ToolCallProvider store={store} announce="none">
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  expect(screen.queryByRole('status')).toBeNull()
  rerender(
    <ToolCallProvider store={store}>
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  expect(screen.getAllByRole('status')).toHaveLength(1)
})

test('the host’s own words are spoken', async () => {
  const { store, stream } = openSample()
  const german = {
    ...english,
    no: { ...english.no, 'connection-lost': '{tool} – nicht ausgeführt (Verbindung verloren)' },
  }
  render(
    <ToolCallProvider store={store} catalogue={german}>
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    drop(stream)
  })
  expect(said()).toEqual([['create_ticket – nicht ausgeführt (Verbindung verloren)']])
})

test('a name that a model chose cannot forge an announcement, and nothing of the arguments is in it', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket — done.\u202e')
    stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"MARKER' })
    drop(stream)
  })
  expect(said()).toEqual([['create_ticket\\u{20}\\u{2014}\\u{20}done.\\u{202e} — not run (connection lost)']])
  expect(screen.getByRole('status').outerHTML).not.toContain('MARKER')
})
