import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type CallView, ToolCallIcon } from '../../src/index.ts'

const call = { key: 'a', id: 'a', name: 'create_ticket', known: true, executor: 'local', turnId: 'turn-1' } as const

const states: readonly (readonly [string, CallView])[] = [
  ['preparing', { ...call, phase: 'preparing', preview: [], received: 0 }],
  ['running', { ...call, phase: 'running' }],
  ['waiting', { ...call, phase: 'waiting', on: 'result' }],
  ['asking', { ...call, phase: 'waiting', on: 'person', asked: [] }],
  ['not run', { ...call, phase: 'settled', settled: { ran: 'no', cause: 'truncated' }, confirmed: false }],
  ['may have run', { ...call, phase: 'settled', settled: { ran: 'unknown', cause: 'no-result' }, confirmed: false }],
  ['done', { ...call, phase: 'settled', settled: { ran: 'yes', cause: 'ok' }, confirmed: true }],
  ['failed', { ...call, phase: 'settled', settled: { ran: 'yes', cause: 'not-ok' }, confirmed: true }],
]

test('each has a shape of its own, so that colour tells nothing alone', () => {
  const shapes = states.map(([, view]) => {
    const { container, unmount } = render(<ToolCallIcon call={view} />)
    const shape = container.querySelector('svg')?.innerHTML ?? ''
    unmount()
    return shape
  })
  expect(shapes).not.toContain('')
  expect(new Set(shapes).size).toBe(states.length)
})

test.each(states)('the icon of a call that is %s is nothing to assistive technology', (_, view) => {
  const { container } = render(<ToolCallIcon call={view} />)
  const icon = container.querySelector('svg')
  expect(icon).toHaveAttribute('aria-hidden', 'true')
  expect(icon).toHaveAttribute('focusable', 'false')
  expect(icon?.querySelector('title, text')).toBeNull()
})
