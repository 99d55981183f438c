import { act, render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  CallBlock,
  createToolCallStore,
  type Finding,
  type StreamOptions,
  type ToolCallActions,
  type ToolCallStore,
  type ToolCallStream,
  ToolCallTurn,
  type ToolDeclaration,
} from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

const findsNothing = (): Finding => ({ ran: 'unknown' })

const ALL: ToolCallActions = { answer: vi.fn(), tryAgain: vi.fn(), check: vi.fn() }

function newStore(tool: Partial<ToolDeclaration> = {}): ToolCallStore {
  return openSample({ tools: { create_ticket: { executor: 'local', offersRetry: true, ...tool } } }).store
}

/** A turn that broke off in the middle of a call. */
function broken(store: ToolCallStore, options: StreamOptions = {}): ToolCallStream {
  const stream = store.openStream(options)
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  return stream
}

/** A call whose text is no JSON, so that one more try may help. */
function unreadable(store: ToolCallStore, options: StreamOptions = {}): ToolCallStream {
  const stream = store.openStream(options)
  announce(stream, 'a', 'create_ticket')
  stream.push({ type: 'call-fragment', key: 'a', text: '{"title":' })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  stream.end()
  store.flush()
  return stream
}

/** The names of the buttons of a turn. */
function offered(store: ToolCallStore, turnId: string, actions: ToolCallActions = ALL): readonly (string | null)[] {
  const { unmount } = render(<ToolCallTurn store={store} turnId={turnId} actions={actions} />)
  const names = screen.queryAllByRole('button').map((button) => button.textContent)
  unmount()
  return names
}

describe('who has to agree', () => {
  test('to another try: the tool and the host', () => {
    const willing = newStore()
    expect(offered(willing, broken(willing).turnId)).toEqual(['Try again'])
    expect(offered(willing, willing.turnIds().at(-1) ?? '', { check: vi.fn() })).toEqual([])
    for (const offersRetry of [false, undefined]) {
      const store = openSample({
        tools: { create_ticket: { executor: 'local', ...(offersRetry === undefined ? {} : { offersRetry }) } },
      }).store
      expect(offered(store, broken(store).turnId)).toEqual([])
    }
  })

  test.each([
    ['has a query', { query: findsNothing }, ['Check']],
    ['says so', { offersCheck: true }, ['Check']],
    ['says no, query or not', { offersCheck: false, query: findsNothing }, []],
    ['says nothing', {}, []],
  ] as const)('to a check: the tool that %s', (_, tool, buttons) => {
    const store = newStore({ executor: 'server', ...tool })
    const { turnId } = broken(store)
    expect(offered(store, turnId)).toEqual(buttons)
    expect(offered(store, turnId, { tryAgain: vi.fn() })).toEqual([])
  })

  test('a tool that nobody declared agrees to nothing, whatever it is called', () => {
    const store = openSample().store
    const stream = store.openStream()
    announce(stream, 'a', 'constructor')
    drop(stream)
    store.flush()
    expect(offered(store, stream.turnId)).toEqual([])
  })

  test('the cause: what a person declined is not offered again', async () => {
    const store = newStore({ needsApproval: true })
    const stream = store.openStream()
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
    store.answerApproval({ callId: 'a' }, { granted: false })
    store.flush()
    expect(offered(store, stream.turnId)).toEqual([])
  })

  test('a view without a store is offered nothing: nobody knows what came after it', () => {
    const store = newStore()
    const { turnId } = broken(store)
    const call = store.callByKey(turnId, 'a')?.getState()
    if (call === undefined) throw new Error('There is no call.')
    const { rerender } = render(<CallBlock call={call} actions={ALL} />)
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<CallBlock call={call} store={createToolCallStore()} actions={ALL} />)
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<CallBlock call={call} store={store} actions={ALL} />)
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  test('a view of another store, whose turns are called the same, is offered nothing', () => {
    const store = newStore()
    const other = newStore()
    const call = store.callByKey(broken(store).turnId, 'a')?.getState()
    const same = other.callByKey(broken(other).turnId, 'a')?.getState()
    if (call === undefined) throw new Error('There is no call.')
    expect(same).toEqual(call)
    render(<CallBlock call={call} store={other} actions={ALL} />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('until the conversation has moved on', () => {
  test.each([
    ['a later turn of the chat', { scope: 'chat-1' }, { scope: 'chat-1' }, true],
    ['a later turn of another chat', { scope: 'chat-1' }, { scope: 'chat-2' }, false],
    ['a later turn of no chat', { scope: 'chat-1' }, {}, false],
    ['any later turn, for one of no chat', {}, { scope: 'chat-2' }, true],
  ] as const)('by %s', async (_, own, later, moved) => {
    const store = newStore()
    const { turnId } = broken(store, own)
    render(<ToolCallTurn store={store} turnId={turnId} actions={ALL} />)
    const button = screen.getByRole('button', { name: 'Try again' })
    button.focus()
    await act(async () => void store.openStream(later))
    expect(screen.queryAllByRole('button')).toEqual(moved ? [] : [button])
    // What the button held of the focus stays in the block.
    if (moved) expect(screen.getByText(/not run/, { selector: '[data-label]' })).toHaveFocus()
    else expect(button).toHaveFocus()
  })

  test('and comes back with the turn that is forgotten', async () => {
    const store = newStore()
    const { turnId } = broken(store)
    const later = store.openStream()
    render(<ToolCallTurn store={store} turnId={turnId} actions={ALL} />)
    expect(screen.queryByRole('button')).toBeNull()
    await act(async () => {
      later.end()
      store.forget(later.turnId)
    })
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  test('by a later message of the same reply, with or without ids; not by a call beside it', async () => {
    const store = newStore()
    const stream = store.openStream()
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: 'I will.' })
    announce(stream, 'a', 'create_ticket')
    announce(stream, 'b', 'create_ticket')
    stream.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
    stream.end()
    store.flush()
    render(<ToolCallTurn store={store} turnId={stream.turnId} actions={ALL} />)
    expect(screen.getAllByRole('button')).toHaveLength(2)
    await act(async () => {
      const next = store.openStream({ turnId: stream.turnId })
      next.push({ type: 'message-started' })
      next.push({ type: 'text-fragment', text: 'Never mind.' })
      next.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
      next.end()
    })
    expect(screen.getByText('Never mind.')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('not while its own reply is still coming', async () => {
    const store = newStore()
    const stream = store.openStream()
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-withdrawn', key: 'a' })
    announce(stream, 'b', 'create_ticket')
    stream.push({ type: 'message-ended', reason: 'length', finishesOpenCalls: false })
    store.flush()
    render(<ToolCallTurn store={store} turnId={stream.turnId} actions={ALL} />)
    expect(screen.getByRole('group', { name: 'create_ticket — not run (the request was cut short)' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    await act(async () => stream.end())
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

describe('what was unreadable is worth one more try', () => {
  test('and not a second one', () => {
    const store = newStore()
    const first = unreadable(store)
    expect(offered(store, first.turnId)).toEqual(['Try again'])
    const second = unreadable(store, { retryOf: { turnId: first.turnId, key: 'a' } })
    expect(offered(store, second.turnId)).toEqual([])
  })

  test('unless it was another cause that was tried again', () => {
    const store = newStore()
    const first = broken(store)
    const second = unreadable(store, { retryOf: { turnId: first.turnId, key: 'a' } })
    expect(offered(store, second.turnId)).toEqual(['Try again'])
  })

  test('nor where what was tried is not known any more', () => {
    const store = newStore()
    const first = unreadable(store)
    const second = unreadable(store, { retryOf: { turnId: first.turnId, key: 'a' } })
    store.forget(first.turnId)
    expect(offered(store, second.turnId)).toEqual([])
  })

  test('a lost connection may be tried as often as it is lost', () => {
    const store = newStore()
    const first = broken(store)
    const second = broken(store, { retryOf: { turnId: first.turnId, key: 'a' } })
    expect(offered(store, second.turnId)).toEqual(['Try again'])
  })
})

test('a settled block is not drawn again by what streams elsewhere', async () => {
  const store = newStore()
  const { turnId } = broken(store, { scope: 'chat-1' })
  const call = store.callByKey(turnId, 'a')?.getState()
  if (call === undefined) throw new Error('There is no call.')
  const draw = vi.fn(() => null)
  render(<CallBlock call={call} store={store} actions={ALL} render={draw} />)
  const other = store.openStream({ scope: 'chat-2' })
  for (let fragment = 0; fragment < 10; fragment++) {
    await act(async () => {
      announce(other, `b${fragment}`, 'create_ticket')
      store.flush()
    })
  }
  expect(draw).toHaveBeenCalledTimes(1)
  // Control: what moves its own conversation on does.
  await act(async () => void store.openStream({ scope: 'chat-1' }))
  expect(draw).toHaveBeenCalledTimes(2)
})
