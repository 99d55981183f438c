import { render, renderHook, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ToolCallBlock, ToolCallProvider, ToolCallTurn, TurnNotice, useToolCallStore } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

test('without any store every part says what to do', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const help = 'Pass `store`, or put a <ToolCallProvider store={store}> around this.'
  expect(() => render(<ToolCallBlock toolCallId="a" />)).toThrow(help)
  expect(() => render(<ToolCallTurn turnId="kit-turn-1" />)).toThrow(help)
  expect(() => render(<TurnNotice turnId="kit-turn-1" />)).toThrow(help)
  error.mockRestore()
})

test('the provider’s store is read; the one given beats it', () => {
  const provided = openSample()
  announce(provided.stream, 'a', 'provided')
  drop(provided.stream)
  const given = openSample()
  announce(given.stream, 'a', 'given')
  drop(given.stream)
  provided.store.flush()
  given.store.flush()
  render(
    <ToolCallProvider store={provided.store}>
      <ToolCallBlock toolCallId="a" />
      <ToolCallBlock toolCallId="a" store={given.store} />
    </ToolCallProvider>,
  )
  expect(screen.getAllByRole('group').map((group) => group.textContent)).toEqual([
    'provided — not run (connection lost)',
    'given — not run (connection lost)',
  ])
})

test('the hook gives the store to a host’s own parts', () => {
  const { store } = openSample()
  const { result } = renderHook(() => useToolCallStore(), {
    wrapper: ({ children }) => <ToolCallProvider store={store}>{children}</ToolCallProvider>,
  })
  expect(result.current).toBe(store)
})
