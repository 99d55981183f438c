import { act, render, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ToolCallTurn } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

function rows(): readonly (readonly (string | null)[])[] {
  return [...document.querySelectorAll('dl > div')].map((row) => [...row.children].map((cell) => cell.textContent))
}

test('the arguments appear as they come, and how much has come', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    store.flush()
  })
  expect(document.querySelector('.htc-preview')).toBeNull()
  await act(async () => {
    stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"Disk full","count":12' })
    store.flush()
  })
  // A number may go on: 12 can become 1204.5.
  expect(rows()).toEqual([['title', 'Disk full']])
  await act(async () => {
    stream.push({ type: 'call-fragment', key: 'a', text: '04,"tags":["disk","db' })
    store.flush()
  })
  expect(rows()).toEqual([
    ['title', 'Disk full'],
    ['count', '1204'],
    ['tags', '["disk","db"]'],
  ])
  expect([...document.querySelectorAll('dl > div')].map((row) => row.getAttribute('data-settled'))).toEqual([
    'true',
    'true',
    'false',
  ])
  expect(screen.getByText('52 characters received')).toBeVisible()
})

test('it is busy and silent to assistive technology while it grows', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"D' })
    store.flush()
  })
  const preview = document.querySelector('.htc-preview')
  expect(preview).toHaveAttribute('aria-busy', 'true')
  expect(preview).toHaveAttribute('aria-live', 'off')
  await act(async () => drop(stream))
  expect(document.querySelector('[aria-busy]')).toBeNull()
})

test('nothing of the buffer is in what has settled; while preparing it is', async () => {
  const { store, stream } = openSample()
  const { container } = render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: '{"MARKER":"MARKER' })
    store.flush()
  })
  expect(container.outerHTML).toContain('MARKER')
  await act(async () => drop(stream))
  expect(document.documentElement.outerHTML).not.toContain('MARKER')
})

test('two names that look the same once neutralised are two rows', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({ type: 'call-fragment', key: 'a', text: '{"to":"one","t\u202eo":"two","' })
    store.flush()
  })
  expect(rows()).toEqual([
    ['to', 'one'],
    ['to', 'two'],
  ])
  expect(error).not.toHaveBeenCalled()
  error.mockRestore()
})

test('markup in the arguments stays text', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({
      type: 'call-fragment',
      key: 'a',
      text: JSON.stringify({ '<b>title</b>': '<img src=x onerror=alert(1)> [link](javascript:alert(1))' }),
    })
    store.flush()
  })
  const block = screen.getByRole('group')
  expect(block.querySelector('img, b, a')).toBeNull()
  expect(block).toHaveTextContent('<img src=x onerror=alert(1)> [link](javascript:alert(1))')
})

test('terminal escapes, bidi controls and half characters are taken out', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'create_ticket')
    stream.push({
      type: 'call-fragment',
      key: 'a',
      text: '{"title":"\\u001b[31mred\\u001b[0m \\u202eexe.gpj\\u202c🙂\ud83d',
    })
    store.flush()
  })
  expect(rows()).toEqual([['title', 'red exe.gpj🙂']])
})

test('free text, and a document that is no object, have no names', async () => {
  const { store, stream } = openSample()
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    stream.push({ type: 'call-announced', key: 'a', callId: 'a', name: 'run_sql', encoding: 'text' })
    stream.push({ type: 'call-fragment', key: 'a', text: 'select 1' })
    announce(stream, 'b', 'set_tags')
    stream.push({ type: 'call-fragment', key: 'b', text: '["disk' })
    store.flush()
  })
  expect(within(screen.getByRole('group', { name: /run_sql/ })).getByText('select 1')).toBeVisible()
  expect(within(screen.getByRole('group', { name: /set_tags/ })).getByText('["disk"]')).toBeVisible()
  expect(document.querySelector('dl')).toBeNull()
})

test('what the host keeps back is not shown', async () => {
  const { store, stream } = openSample({
    tools: {
      pay: { executor: 'local', sensitive: ['card'] },
      mail: { executor: 'local', display: ['subject'] },
    },
  })
  render(<ToolCallTurn store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'pay')
    stream.push({ type: 'call-fragment', key: 'a', text: '{"card":"4111","amount":"5 EUR"' })
    announce(stream, 'b', 'mail')
    stream.push({ type: 'call-fragment', key: 'b', text: '{"subject":"Hello","body":"secret"' })
    store.flush()
  })
  expect(rows()).toEqual([
    ['amount', '5 EUR'],
    ['subject', 'Hello'],
  ])
})
