import { render } from '@testing-library/react'
import { type ReactNode, useEffect, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HostDrawn } from '../../src/react/host-drawn.tsx'

// React 18 throws in an event once more, which jsdom would print.
const quiet = (event: Event): void => event.preventDefault()

beforeEach(() => {
  window.addEventListener('error', quiet)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  window.removeEventListener('error', quiet)
  vi.restoreAllMocks()
})

function Throws(): ReactNode {
  throw new Error('in a child')
}

function ThrowsInEffect(): ReactNode {
  useEffect(() => {
    throw new Error('in an effect')
  }, [])
  return 'drawn'
}

function useFirst(input: number): ReactNode {
  const [first] = useState(input)
  return `first ${first}, now ${input}`
}

const drawings: readonly (readonly [string, () => ReactNode])[] = [
  [
    'throws while rendering',
    () => {
      throw new Error('at once')
    },
  ],
  ['throws in a child', () => <Throws />],
  ['throws in an effect', () => <ThrowsInEffect />],
  [
    'waits for ever',
    () => {
      throw new Promise(() => {})
    },
  ],
  ['returns what cannot be drawn', () => ({ not: 'a node' }) as unknown as ReactNode],
]

test.each(drawings)('a drawing that %s is replaced by the fallback; what is around it stays', (_, draw) => {
  const { container } = render(
    <p>
      label <HostDrawn draw={draw} input={1} resetKey={1} fallback="fallback" />
    </p>,
  )
  expect(container.textContent).toBe('label fallback')
})

test.each([
  ['null', null],
  ['undefined', undefined],
  ['false', false],
])('a drawing that returns %s draws nothing, which is no failure', (_, nothing) => {
  const { container } = render(
    <p>
      label <HostDrawn draw={() => nothing} input={1} resetKey={1} fallback="fallback" />
    </p>,
  )
  expect(container.textContent).toBe('label ')
})

test('the input is handed on, and the drawing may use hooks', () => {
  const { container, rerender } = render(<HostDrawn draw={useFirst} input={1} resetKey={1} />)
  rerender(<HostDrawn draw={useFirst} input={2} resetKey={1} />)
  expect(container.textContent).toBe('first 1, now 2')
})

test('a failed drawing is tried again when the reset key changes, and not before', () => {
  const draw = vi.fn((input: string): ReactNode => {
    if (input === 'bad') throw new Error('bad input')
    return input
  })
  const { container, rerender } = render(<HostDrawn draw={draw} input="bad" resetKey={1} fallback="fallback" />)
  const asked = draw.mock.calls.length
  rerender(<HostDrawn draw={draw} input="good" resetKey={1} fallback="fallback" />)
  expect(container.textContent).toBe('fallback')
  expect(draw).toHaveBeenCalledTimes(asked)
  rerender(<HostDrawn draw={draw} input="good" resetKey={2} fallback="fallback" />)
  expect(container.textContent).toBe('good')
  rerender(<HostDrawn draw={draw} input="bad" resetKey={3} fallback="fallback" />)
  expect(container.textContent).toBe('fallback')
})

test.each(drawings.filter(([name]) => name !== 'throws in an effect'))(
  'on the server, too: a drawing that %s takes nothing along',
  (_, draw) => {
    const markup = renderToString(
      <p>
        label <HostDrawn draw={draw} input={1} resetKey={1} fallback="fallback" />
      </p>,
    )
    expect(markup).toMatch(/^<p>label .*fallback.*<\/p>$/s)
  },
)
