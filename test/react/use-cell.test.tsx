import { act, render, renderHook } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useCell } from '../../src/react/use-cell.ts'

interface OursProps {
  readonly structure: StoreApi<number>
  readonly find: () => StoreApi<string> | undefined
}

function Ours({ structure, find }: OursProps): string | undefined {
  return useCell(structure, find)
}

function Zustands({ cell }: { readonly cell: StoreApi<string> }): string {
  return useStore(cell)
}

function counting() {
  const cell = createStore(() => ({ count: 0 }))
  let listeners = 0
  const counted: StoreApi<{ count: number }> = {
    ...cell,
    subscribe(listener) {
      listeners++
      const unsubscribe = cell.subscribe(listener)
      return () => {
        listeners--
        unsubscribe()
      }
    },
  }
  return { cell: counted, listeners: () => listeners }
}

test('the server shows the present state, not the first one as zustand’s own hook does', () => {
  const cell = createStore(() => 'first')
  cell.setState('present', true)
  const structure = createStore(() => 0)
  const find = () => cell
  expect(renderToString(<Ours structure={structure} find={find} />)).toBe('present')
  expect(renderToString(<Zustands cell={cell} />)).toBe('first')
})

test('a cell may come, be another one, and go', async () => {
  const structure = createStore(() => 0)
  const one = counting()
  const two = counting()
  let present: StoreApi<{ count: number }> | undefined
  const find = () => present
  const { result, unmount } = renderHook(() => useCell(structure, find))
  expect(result.current).toBeUndefined()
  const put = (cell: StoreApi<{ count: number }> | undefined) =>
    act(async () => {
      present = cell
      structure.setState(structure.getState() + 1, true)
    })

  await put(one.cell)
  expect(result.current).toEqual({ count: 0 })
  await act(async () => one.cell.setState({ count: 1 }, true))
  expect(result.current).toEqual({ count: 1 })

  await put(two.cell)
  expect(result.current).toEqual({ count: 0 })
  expect(one.listeners()).toBe(0)
  await act(async () => two.cell.setState({ count: 2 }, true))
  expect(result.current).toEqual({ count: 2 })

  await put(undefined)
  expect(result.current).toBeUndefined()
  await put(two.cell)
  expect(two.listeners()).toBe(1)
  unmount()
  expect(two.listeners()).toBe(0)
})

test('a structure that changes around the same cell renders nothing', async () => {
  const structure = createStore(() => 0)
  const { cell } = counting()
  const find = () => cell
  let renders = 0
  renderHook(() => {
    renders++
    return useCell(structure, find)
  })
  await act(async () => structure.setState(1, true))
  expect(renders).toBe(1)
})

test('what changed between rendering and subscribing is not missed', () => {
  const structure = createStore(() => 0)
  const cell = createStore(() => 'old')
  const find = () => cell
  // A sibling's ref is set after rendering and before subscribing.
  const { container } = render(
    <>
      <Ours structure={structure} find={find} />
      <i ref={() => cell.setState('new', true)} />
    </>,
  )
  expect(container).toHaveTextContent('new')
})
