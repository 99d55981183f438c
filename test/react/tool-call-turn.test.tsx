import { act, render, screen } from '@testing-library/react'
import { Profiler, type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { createToolCallStore, type RenderCall, ToolCallTurn } from '../../src/index.ts'
import { labelsOf } from '../../src/testing/index.ts'
import { hydrate } from './hydrate.ts'
import { announce, drop, HALF, openSample } from './sample-stream.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The text, labels and note of a turn, in reading order. */
function lines(container: Element): readonly (string | null)[] {
  return [...(container.querySelector('[data-turn]')?.children ?? [])].map((child) => child.textContent)
}

test('a call whose connection drops says so under the preamble, and is announced once', async () => {
  const { store, stream } = openSample()
  const { container } = render(
    <StrictMode>
      <ToolCallTurn store={store} turnId={stream.turnId} />
    </StrictMode>,
  )
  await act(async () => {
    stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: HALF })
    store.flush()
  })
  const block = screen.getByRole('group', { name: 'Preparing create_ticket…' })
  expect(block.querySelector('[aria-busy="true"]')).toHaveTextContent('Disk full')
  expect(container.querySelector('[data-turn-notice]')).toBeNull()

  await act(async () => drop(stream))
  expect(lines(container)).toEqual([
    "I'll create that ticket for you now.",
    'create_ticket — not run (connection lost)',
    'Not run: create_ticket.',
  ])
  expect(screen.getByRole('group', { name: 'create_ticket — not run (connection lost)' })).toBe(block)
  expect(block.querySelector('[aria-busy]')).toBeNull()
  expect(screen.getByRole('status').textContent?.trim()).toBe('create_ticket — not run (connection lost)')
})

test('text and calls stand in the order in which they came', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} className="of-the-host" />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'First I look. ' })
    announce(stream, 'a', 'search')
    stream.push({ type: 'call-returned', key: 'a', ok: true })
    stream.push({ type: 'text-fragment', text: 'Then ' })
    stream.push({ type: 'text-fragment', text: 'I write.' })
    announce(stream, 'b', 'create_ticket')
    drop(stream)
  })
  expect(lines(container)).toEqual([
    'First I look. ',
    'search — done',
    'Then I write.',
    'create_ticket — may have run (connection lost)',
    'May have run: create_ticket.',
  ])
  expect(labelsOf(container)).toEqual(['search — done', 'create_ticket — may have run (connection lost)'])
  expect(container.querySelector('[data-turn]')).toHaveClass('htc-turn', 'of-the-host')
})

test('a turn that is not there yet is nothing; then it appears', async () => {
  const { store } = openSample()
  const { container } = render(<ToolCallTurn store={store} turnId="later" />)
  expect(container).toBeEmptyDOMElement()
  await act(async () => {
    const stream = store.openStream({ turnId: 'later' })
    stream.push({ type: 'text-fragment', text: 'Hello.' })
    store.flush()
  })
  expect(lines(container)).toEqual(['Hello.'])
})

test('a host that shows messages shows each call once, and the note once, at the end', () => {
  const { store } = openSample()
  const stream = store.openStream({ scope: 'chat' })
  stream.push({ type: 'message-started', messageId: 'msg-1' })
  stream.push({ type: 'text-fragment', text: 'One.' })
  announce(stream, 'a', 'first')
  stream.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
  stream.push({ type: 'message-started', messageId: 'msg-2' })
  stream.push({ type: 'text-fragment', text: 'Two.' })
  announce(stream, 'b', 'second')
  drop(stream)
  store.flush()
  const first = render(<ToolCallTurn store={store} scope="chat" messageId="msg-1" />)
  const second = render(<ToolCallTurn store={store} scope="chat" messageId="msg-2" />)
  expect(lines(first.container)).toEqual(['One.', 'first — not run (the request was cut short)'])
  expect(lines(second.container)).toEqual(['Two.', 'second — not run (connection lost)', 'Not run: first, second.'])
  const whole = render(<ToolCallTurn store={store} scope="chat" />)
  expect(lines(whole.container)).toHaveLength(5)
})

test('a report of a call that was never announced is shown under the last message', async () => {
  const { store } = openSample({ defaultExecutor: 'server' })
  const stream = store.openStream({ scope: 'chat' })
  stream.push({ type: 'message-started', messageId: 'msg-1' })
  stream.push({ type: 'text-fragment', text: 'One.' })
  const { container } = render(<ToolCallTurn store={store} scope="chat" messageId="msg-1" />)
  await act(async () => {
    store.settle({ callId: 'x', name: 'send_payment', ran: 'yes', ok: true })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
  })
  expect(lines(container)).toEqual(['One.', 'send_payment — done'])
})

test('renderText draws the text and nothing else', async () => {
  const { store, stream } = openSample()
  const { container } = render(
    <ToolCallTurn store={store} turnId={stream.turnId} renderText={(text) => <em>{text.toUpperCase()}</em>} />,
  )
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'I will not promise.' })
    announce(stream, 'a', 'create_ticket')
    drop(stream)
  })
  expect(lines(container)).toEqual([
    'I WILL NOT PROMISE.',
    'create_ticket — not run (connection lost)',
    'Not run: create_ticket.',
  ])
})

test.each<readonly [string, (text: string) => ReactNode]>([
  [
    'throws',
    () => {
      throw new Error('bad Markdown')
    },
  ],
  [
    'suspends for ever',
    () => {
      throw new Promise(() => {})
    },
  ],
])('a renderText that %s leaves the text as it came, the labels and the note', async (_, renderText) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { store, stream } = openSample()
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} renderText={renderText} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'I will file it.' })
    announce(stream, 'a', 'create_ticket')
    drop(stream)
  })
  expect(lines(container)).toEqual([
    'I will file it.',
    'create_ticket — not run (connection lost)',
    'Not run: create_ticket.',
  ])
  const onServer = document.createElement('div')
  onServer.innerHTML = renderToString(<ToolCallTurn store={store} turnId={stream.turnId} renderText={renderText} />)
  expect(onServer).toHaveTextContent('I will file it.')
  expect(onServer).toHaveTextContent('Not run: create_ticket.')
})

test('markup in the text stays text', async () => {
  const { store, stream } = openSample()
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: '<b>Done!</b> <img src=x onerror=alert(1)>' })
    store.flush()
  })
  expect(container.querySelector('b, img')).toBeNull()
  expect(lines(container)).toEqual(['<b>Done!</b> <img src=x onerror=alert(1)>'])
})

test('what has settled, and text that is whole, are not drawn again while others stream', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  const drawn: Record<string, number> = {}
  const count = (what: string) => {
    drawn[what] = (drawn[what] ?? 0) + 1
    return null
  }
  const render_: RenderCall = ({ name }) => count(name)
  const renderText = (text: string) => count(text.slice(0, 5))
  render(<ToolCallTurn store={store} turnId={stream.turnId} render={render_} renderText={renderText} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'first text' })
    announce(stream, 'a', 'settled_one')
    stream.push({ type: 'call-returned', key: 'a', ok: true })
    stream.push({ type: 'text-fragment', text: 'other text' })
    announce(stream, 'b', 'growing_one')
    store.flush()
  })
  for (let fragment = 0; fragment < 10; fragment++) {
    await act(async () => {
      stream.push({ type: 'call-fragment', key: 'b', text: 'x' })
      store.flush()
    })
  }
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'third text' })
    store.flush()
  })
  expect(drawn).toEqual({ first: 1, settled_one: 1, other: 1, growing_one: 11, third: 1 })
})

test('one commit per publication, whatever it changed', async () => {
  // Within act React would put all of them into one commit.
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
  const { store, stream } = openSample()
  let commits = 0
  const { container } = render(
    <Profiler id="turn" onRender={() => commits++}>
      <ToolCallTurn store={store} turnId={stream.turnId} />
    </Profiler>,
  )
  environment.IS_REACT_ACT_ENVIRONMENT = false
  try {
    const settle = () => new Promise((resolve) => setTimeout(resolve))
    commits = 0
    for (let call = 0; call < 20; call++) announce(stream, String(call), `tool_${call}`)
    store.flush()
    await settle()
    expect(labelsOf(container)).toHaveLength(20)
    expect(commits).toBe(1)
    for (let frame = 0; frame < 5; frame++) {
      for (let call = 0; call < 20; call++) stream.push({ type: 'call-fragment', key: String(call), text: 'x' })
      stream.push({ type: 'text-fragment', text: 'and ' })
      store.flush()
      await settle()
    }
    expect(commits).toBe(6)
    drop(stream)
    await settle()
    expect(labelsOf(container).filter((label) => label.endsWith('not run (connection lost)'))).toHaveLength(20)
    expect(commits).toBe(7)
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = true
  }
})

test('the server shows a filled store, and the browser takes it over without a complaint', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { store, stream } = openSample()
  stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  const kept = JSON.parse(JSON.stringify(store.snapshot())) as ReturnType<typeof store.snapshot>

  const container = document.createElement('div')
  container.innerHTML = renderToString(<ToolCallTurn store={store} turnId={stream.turnId} />)
  const shown = [
    "I'll create that ticket for you now.",
    'create_ticket — not run (connection lost)',
    'Not run: create_ticket.',
  ]
  expect(lines(container)).toEqual(shown)

  // The browser has a store of its own, filled from what the server sent along.
  const inBrowser = createToolCallStore({ defaultExecutor: 'local' })
  inBrowser.restore(kept)
  const block = container.querySelector('[data-tool-call]')
  await hydrate(container, <ToolCallTurn store={inBrowser} turnId={stream.turnId} />)
  expect(lines(container)).toEqual(shown)
  expect(container.querySelector('[data-tool-call]')).toBe(block)
  expect(error).not.toHaveBeenCalled()
})

test('control: a browser whose store says something else is a mismatch, and React says so', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  const container = document.createElement('div')
  container.innerHTML = renderToString(<ToolCallTurn store={store} turnId={stream.turnId} />)
  const other = openSample()
  announce(other.stream, 'a', 'another_tool')
  other.store.flush()
  await hydrate(container, <ToolCallTurn store={other.store} turnId={other.stream.turnId} />, {
    onRecoverableError: (caught) => console.error(caught),
  })
  expect(error).toHaveBeenCalled()
})

test('a page that goes away ends nothing', async () => {
  const { store, stream } = openSample()
  const { unmount } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    store.flush()
  })
  unmount()
  expect(stream.ending).toBeNull()
  stream.push({ type: 'call-fragment', key: 'a', text: HALF })
  drop(stream)
  store.flush()
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  expect(labelsOf(container)).toEqual(['create_ticket — not run (connection lost)'])
})
