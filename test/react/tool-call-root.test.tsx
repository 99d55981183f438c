import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  type CallView,
  type CauseNo,
  type CauseUnknown,
  type CauseYes,
  english,
  labelOf,
  ToolCallRoot,
} from '../../src/index.ts'

const call = {
  key: 'a',
  id: 'toolu_1',
  name: 'create_ticket',
  known: true,
  executor: 'local',
  turnId: 'turn-1',
} as const

/** Every state a block can show, with the attributes it must carry. */
const unsettled: readonly (readonly [CallView, Readonly<Record<string, string>>])[] = [
  [{ ...call, phase: 'preparing', preview: [], received: 0 }, { 'data-phase': 'preparing' }],
  [
    { ...call, phase: 'waiting', on: 'gate' },
    { 'data-phase': 'waiting', 'data-waits-on': 'gate' },
  ],
  [
    { ...call, phase: 'waiting', on: 'person', asked: [] },
    { 'data-phase': 'waiting', 'data-waits-on': 'person' },
  ],
  [
    { ...call, phase: 'waiting', on: 'result' },
    { 'data-phase': 'waiting', 'data-waits-on': 'result' },
  ],
  [
    { ...call, phase: 'waiting', on: 'resume' },
    { 'data-phase': 'waiting', 'data-waits-on': 'resume' },
  ],
  [{ ...call, phase: 'running' }, { 'data-phase': 'running' }],
]

const settled = [
  ...(Object.keys(english.no) as CauseNo[]).map((cause) => ({ ran: 'no', cause }) as const),
  ...(Object.keys(english.unknown) as CauseUnknown[]).map((cause) => ({ ran: 'unknown', cause }) as const),
  ...(Object.keys(english.yes) as CauseYes[]).map((cause) => ({ ran: 'yes', cause }) as const),
].map(
  (facts) =>
    [
      { ...call, phase: 'settled', settled: facts, confirmed: false } satisfies CallView,
      { 'data-phase': 'settled', 'data-ran': facts.ran, 'data-cause': facts.cause },
    ] as const,
)

const table = [...unsettled, ...settled].map(([view, attributes]) => [labelOf(view), view, attributes] as const)

test.each(table)('%s', (words, view, attributes) => {
  render(<ToolCallRoot call={view} />)
  const block = screen.getByRole('group', { name: words })
  const found = Object.fromEntries([...block.attributes].map(({ name, value }) => [name, value]))
  expect(
    Object.keys(found)
      .filter((name) => name.startsWith('data-'))
      .sort(),
  ).toEqual(['data-tool-call', ...Object.keys(attributes)].sort())
  expect(found).toMatchObject({ 'data-tool-call': 'toolu_1', ...attributes })
  expect(block.querySelector('[data-label]')?.textContent).toBe(words)
  expect(block.querySelector('svg')).toHaveAttribute('aria-hidden', 'true')
})

test('a detail is for records: it is nowhere in the block', () => {
  const view: CallView = {
    ...call,
    phase: 'settled',
    settled: { ran: 'no', cause: 'unparseable', detail: 'MARKER' },
    confirmed: false,
  }
  const { container } = render(<ToolCallRoot call={view} />)
  expect(container.innerHTML).not.toContain('MARKER')
})

test('what is put inside comes after the label', () => {
  render(
    <ToolCallRoot call={{ ...call, phase: 'running' }} className="of-the-host">
      <button type="button">Stop</button>
    </ToolCallRoot>,
  )
  const block = screen.getByRole('group', { name: 'Running create_ticket…' })
  expect(block).toHaveClass('htc-call', 'of-the-host')
  expect([...block.children].map((child) => child.tagName)).toEqual(['P', 'BUTTON'])
})

test('a declared name is set apart; an undeclared one is set as code, as only a model vouches for it', () => {
  const { container, rerender } = render(<ToolCallRoot call={{ ...call, phase: 'running' }} />)
  const name = () => container.querySelector('bdi')
  expect(name()?.innerHTML).toBe('create_ticket')
  expect(name()).toHaveAttribute('translate', 'no')
  rerender(<ToolCallRoot call={{ ...call, phase: 'running', known: false }} />)
  expect(name()?.innerHTML).toBe('<code>create_ticket</code>')
})

test('a title stands in for the name', () => {
  render(<ToolCallRoot call={{ ...call, phase: 'running', title: 'Create a ticket' }} />)
  expect(screen.getByRole('group', { name: 'Running Create a ticket…' })).toBeVisible()
})

test('a nameless call is named in the kit’s words, which are not set as code', () => {
  const { container } = render(
    <>
      <ToolCallRoot call={{ ...call, name: '', known: false, phase: 'running' }} />
      <ToolCallRoot call={{ ...call, name: '', known: false, phase: 'waiting', on: 'gate' }} />
    </>,
  )
  expect(screen.getByRole('group', { name: 'Running a tool call…' })).toBeVisible()
  expect(screen.getByRole('group', { name: 'A tool call — waiting to run' })).toBeVisible()
  expect(container.querySelector('code')).toBeNull()
})

test('blocks of the same call, side by side, have labels of their own', () => {
  render(
    <>
      <ToolCallRoot call={{ ...call, phase: 'running' }} />
      <ToolCallRoot call={{ ...call, phase: 'running' }} />
    </>,
  )
  const [first, second] = screen.getAllByRole('group', { name: 'Running create_ticket…' })
  expect(first?.getAttribute('aria-labelledby')).not.toBe(second?.getAttribute('aria-labelledby'))
})
