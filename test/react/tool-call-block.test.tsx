import { act, render, screen } from '@testing-library/react'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallBlock, type CallView, type RenderCall, ToolCallBlock, ToolCallProvider } from '../../src/index.ts'
import { hydrate } from './hydrate.ts'
import { announce, drop, HALF, openSample } from './sample-stream.ts'

const LOST = 'create_ticket — not run (connection lost)'

const error = vi.spyOn(console, 'error')

// React 18 throws in an event once more, which jsdom would print.
const quiet = (event: Event): void => event.preventDefault()

beforeEach(() => {
  window.addEventListener('error', quiet)
  error.mockImplementation(() => {})
})

afterEach(() => {
  window.removeEventListener('error', quiet)
  error.mockReset()
})

test('a block follows its call from the first fragment to the end', async () => {
  const { store, stream } = openSample()
  render(
    <StrictMode>
      <ToolCallBlock store={store} toolCallId="a" className="of-the-host" />
    </StrictMode>,
  )
  expect(screen.queryByRole('group')).toBeNull()
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: HALF })
    store.flush()
  })
  const block = screen.getByRole('group', { name: 'Preparing create_ticket…' })
  expect(block).toHaveClass('htc-call', 'of-the-host')
  expect(block).toHaveTextContent('Disk full')
  await act(async () => drop(stream))
  expect(screen.getByRole('group', { name: LOST })).toBe(block)
  expect(block).toHaveTextContent(LOST)
  expect(error).not.toHaveBeenCalled()
})

test('blocks with the same id in two chats, two messages or twice in one turn stay apart', () => {
  const { store } = openSample()
  const first = store.openStream({ scope: 'chat-1' })
  first.push({ type: 'message-started', messageId: 'msg-1' })
  first.push({ type: 'call-announced', key: '1', callId: 'a', name: 'one' })
  first.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
  first.push({ type: 'message-started', messageId: 'msg-2' })
  first.push({ type: 'call-announced', key: '2', callId: 'a', name: 'two' })
  drop(first)
  const second = store.openStream({ scope: 'chat-2' })
  second.push({ type: 'call-announced', key: '1', callId: 'a', name: 'three' })
  drop(second)
  store.flush()
  render(
    <ToolCallProvider store={store}>
      <ToolCallBlock toolCallId="a" scope="chat-1" messageId="msg-1" />
      <ToolCallBlock toolCallId="a" scope="chat-1" messageId="msg-2" />
      <ToolCallBlock toolCallId="a" scope="chat-2" />
      <ToolCallBlock toolCallId="a" turnId={first.turnId} occurrence={0} />
    </ToolCallProvider>,
  )
  expect(screen.getAllByRole('group').map((block) => block.textContent)).toEqual([
    'one — not run (the request was cut short)',
    'two — not run (connection lost)',
    'three — not run (connection lost)',
    'one — not run (the request was cut short)',
  ])
})

test('a block renders only when its own call changes, and not at all once it has settled', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'settled_one')
  stream.push({ type: 'call-withdrawn', key: 'a' })
  announce(stream, 'b', 'growing_one')
  store.flush()
  const renders: Record<string, number> = { settled_one: 0, growing_one: 0 }
  const count: RenderCall = ({ name }) => {
    renders[name] = (renders[name] ?? 0) + 1
    return null
  }
  render(
    <ToolCallProvider store={store}>
      <ToolCallBlock toolCallId="a" render={count} />
      <ToolCallBlock toolCallId="b" render={count} />
    </ToolCallProvider>,
  )
  for (let fragment = 0; fragment < 10; fragment++) {
    await act(async () => {
      stream.push({ type: 'call-fragment', key: 'b', text: 'x' })
      store.flush()
    })
  }
  await act(async () => drop(stream))
  expect(renders).toEqual({ settled_one: 1, growing_one: 12 })
})

test('the same view is not drawn twice', () => {
  const call: CallView = {
    key: 'a',
    id: 'a',
    name: 'create_ticket',
    known: true,
    executor: 'local',
    turnId: 'turn-1',
    phase: 'running',
  }
  const draw = vi.fn(() => null)
  const { rerender } = render(<CallBlock call={call} render={draw} />)
  rerender(<CallBlock call={call} render={draw} />)
  expect(draw).toHaveBeenCalledTimes(1)
  rerender(<CallBlock call={{ ...call }} render={draw} />)
  expect(draw).toHaveBeenCalledTimes(2)
})

function ThrowsInEffect(): ReactNode {
  useEffect(() => {
    throw new Error('in an effect')
  }, [])
  return 'drawn'
}

function Throws(): ReactNode {
  throw new Error('in a child')
}

const renderers: readonly (readonly [string, RenderCall])[] = [
  [
    'throws',
    () => {
      throw new Error('at once')
    },
  ],
  ['throws in a child', () => <Throws />],
  ['throws in an effect', () => <ThrowsInEffect />],
  [
    'suspends for ever',
    () => {
      throw new Promise(() => {})
    },
  ],
  ['returns null', () => null],
  ['returns undefined', () => undefined],
  ['returns what cannot be drawn', () => ({}) as unknown as ReactNode],
  ['draws a label of its own', () => <p data-label="">create_ticket — done</p>],
]

test.each(renderers)('a renderer that %s cannot take away or precede the terminal label', async (_, draw) => {
  const { store, stream } = openSample()
  render(<ToolCallBlock store={store} toolCallId="a" render={draw} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: HALF })
    store.flush()
  })
  expect(screen.getByRole('group', { name: 'Preparing create_ticket…' })).toBeVisible()
  await act(async () => drop(stream))
  const block = screen.getByRole('group', { name: LOST })
  expect(block.querySelector('[data-label]')?.textContent).toBe(LOST)
  expect(block.firstElementChild).toHaveTextContent(LOST)
})

test.each(renderers)('on the server, too: a renderer that %s leaves the label, and it hydrates', async (_, draw) => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  const block = <ToolCallBlock store={store} toolCallId="a" render={draw} />
  const container = document.createElement('div')
  container.innerHTML = renderToString(block)
  expect(container.querySelector('[data-label]')?.textContent).toBe(LOST)
  await hydrate(container, block, { onRecoverableError: () => {} })
  expect(container.querySelectorAll('[data-tool-call]')).toHaveLength(1)
  expect(container.querySelector('[data-label]')?.textContent).toBe(LOST)
})

test('a renderer that throws in one state is asked again in the next', async () => {
  const { store, stream } = openSample()
  const draw = vi.fn((call: CallView): ReactNode => {
    if (call.phase === 'preparing') throw new Error('not yet')
    return 'drawn'
  })
  render(<ToolCallBlock store={store} toolCallId="a" render={draw} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    store.flush()
  })
  const asked = draw.mock.calls.length
  for (const text of HALF) {
    await act(async () => {
      stream.push({ type: 'call-fragment', key: 'a', text })
      store.flush()
    })
  }
  // Not with every fragment: that would be an error in the console each frame.
  expect(draw).toHaveBeenCalledTimes(asked)
  await act(async () => drop(stream))
  expect(screen.getByRole('group', { name: LOST })).toHaveTextContent('drawn')
})

test('a renderer that fails in one block leaves the others', async () => {
  const { store, stream } = openSample()
  const renderersByName = {
    bad: () => {
      throw new Error('bad')
    },
    good: () => 'drawn',
  }
  render(
    <ToolCallProvider store={store} renderers={renderersByName}>
      <ToolCallBlock toolCallId="a" />
      <ToolCallBlock toolCallId="b" />
    </ToolCallProvider>,
  )
  await act(async () => {
    announce(stream, 'a', 'bad')
    announce(stream, 'b', 'good')
    drop(stream)
  })
  expect(screen.getAllByRole('group').map((block) => block.textContent)).toEqual([
    'bad — not run (connection lost)',
    'good — not run (connection lost)drawn',
  ])
})

test('a filled store is on the server what it is in the browser, and hydrates without a complaint', async () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  stream.push({ type: 'call-fragment', key: 'a', text: HALF })
  store.flush()
  const block = <ToolCallBlock store={store} toolCallId="a" />
  const container = document.createElement('div')
  container.innerHTML = renderToString(block)
  expect(container).toHaveTextContent('Preparing create_ticket…')
  expect(container).toHaveTextContent('Disk full')
  await hydrate(container, block)
  expect(error).not.toHaveBeenCalled()
  await act(async () => drop(stream))
  expect(container.querySelector('[data-label]')?.textContent).toBe(LOST)
})
