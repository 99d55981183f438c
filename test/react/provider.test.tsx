import { act, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { english, type RenderCall, ToolCallBlock, ToolCallProvider, ToolCallTurn } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

test('renderers are taken by the tool’s name', async () => {
  const { store, stream } = openSample()
  const renderers = { create_ticket: (call) => <b>a ticket, {call.phase}</b> } satisfies Record<string, RenderCall>
  render(
    <ToolCallProvider store={store} renderers={renderers}>
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    announce(stream, 'b', 'send_payment')
    drop(stream)
  })
  expect(screen.getByRole('group', { name: /^create_ticket/ })).toHaveTextContent('a ticket, settled')
  expect(screen.getByRole('group', { name: /^send_payment/ })).not.toHaveTextContent('a ticket')
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a tool called %s is no member of every object',
  async (name) => {
    const { store, stream } = openSample()
    render(
      <ToolCallProvider store={store} renderers={{}}>
        <ToolCallTurn turnId={stream.turnId} />
      </ToolCallProvider>,
    )
    await act(async () => {
      announce(stream, 'a', name)
      stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"Disk full"' })
      store.flush()
    })
    expect(screen.getByRole('group', { name: `Preparing ${name}…` })).toHaveTextContent('Disk full')
  },
)

test('a block’s own renderer beats the provider’s', () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  store.flush()
  render(
    <ToolCallProvider store={store} renderers={{ create_ticket: () => 'the provider’s' }}>
      <ToolCallBlock toolCallId="a" render={() => 'its own'} />
    </ToolCallProvider>,
  )
  expect(screen.getByRole('group')).toHaveTextContent('its own')
})

test('a block’s own actions beat the provider’s one by one', async () => {
  const { store, stream } = openSample({
    tools: {
      create_ticket: { executor: 'local', offersRetry: true },
      send_payment: { executor: 'server', offersCheck: true },
    },
  })
  announce(stream, 'a', 'create_ticket')
  announce(stream, 'b', 'send_payment')
  drop(stream)
  store.flush()
  const theirs = { tryAgain: vi.fn(), check: vi.fn() }
  const own = { check: vi.fn() }
  render(
    <ToolCallProvider store={store} actions={theirs}>
      <ToolCallTurn turnId={stream.turnId} actions={own} />
    </ToolCallProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(theirs.tryAgain.mock.calls.map(([call]) => call.id)).toEqual(['a'])
  expect(own.check.mock.calls.map(([call]) => call.id)).toEqual(['b'])
  expect(theirs.check).not.toHaveBeenCalled()
})

test('a catalogue changes the words and no attribute', () => {
  const { store, stream } = openSample()
  announce(stream, 'a', 'create_ticket')
  drop(stream)
  store.flush()
  const japanese = {
    ...english,
    no: { ...english.no, 'connection-lost': '{tool} — 未実行（接続が切れました）' },
    notice: { ...english.notice, notRun: '未実行：{tools}。' },
  }
  render(
    <ToolCallProvider store={store} catalogue={japanese}>
      <ToolCallTurn turnId={stream.turnId} />
    </ToolCallProvider>,
  )
  const block = screen.getByRole('group', { name: 'create_ticket — 未実行（接続が切れました）' })
  expect(block).toHaveAttribute('data-cause', 'connection-lost')
  expect(screen.getByText(/^未実行：/)).toHaveTextContent('未実行：create_ticket。')
})

test('a host’s parts inside a provider are not rendered again by what streams', async () => {
  const { store, stream } = openSample()
  let renders = 0
  renderHook(() => renders++, {
    wrapper: ({ children }) => <ToolCallProvider store={store}>{children}</ToolCallProvider>,
  })
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    drop(stream)
  })
  expect(renders).toBe(1)
})
