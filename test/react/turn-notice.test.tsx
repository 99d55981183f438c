import { act, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { noticeSentences, type ToolCallStore, TurnNotice } from '../../src/index.ts'
import { announce, drop, openSample } from './sample-stream.ts'

function noticed(container: HTMLElement): string | null | undefined {
  return container.querySelector('[data-turn-notice]')?.textContent
}

function notRun(name: string, scope: string, messageId: string, store: ToolCallStore): string {
  const stream = store.openStream({ scope })
  stream.push({ type: 'message-started', messageId })
  announce(stream, 'a', name)
  drop(stream)
  store.flush()
  return stream.turnId
}

test('a turn is named by its id, by its scope, or by scope and message', () => {
  const { store } = openSample()
  const turnId = notRun('first', 'chat-1', 'msg-1', store)
  notRun('second', 'chat-1', 'msg-2', store)
  expect(noticed(render(<TurnNotice store={store} turnId={turnId} />).container)).toBe('Not run: first.')
  expect(noticed(render(<TurnNotice store={store} scope="chat-1" />).container)).toBe('Not run: second.')
  expect(noticed(render(<TurnNotice store={store} scope="chat-1" messageId="msg-1" />).container)).toBe(
    'Not run: first.',
  )
  expect(render(<TurnNotice store={store} turnId="none" />).container).toBeEmptyDOMElement()
})

test('there is none while the reply goes on, and none after a natural end', async () => {
  const { store, stream } = openSample()
  const { container } = render(<TurnNotice store={store} turnId={stream.turnId} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'Hello.' })
    store.flush()
  })
  expect(container).toBeEmptyDOMElement()
  await act(async () => {
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end()
  })
  expect(container).toBeEmptyDOMElement()
})

test('its words are those of noticeSentences, with the names set apart', async () => {
  const { store, stream } = openSample({
    defaultExecutor: 'server',
    tools: { local_one: { executor: 'local' }, local_two: { executor: 'local' } },
  })
  const { container } = render(<TurnNotice store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'local_one')
    announce(stream, 'b', 'local_two')
    announce(stream, 'c', 'send_payment')
    announce(stream, 'd', '')
    stream.push({ type: 'call-returned', key: 'd', ok: true })
    announce(stream, 'e', '')
    announce(stream, 'f', 'search')
    stream.push({ type: 'call-returned', key: 'f', ok: true })
    drop(stream)
  })
  const words =
    'Not run: local_one, local_two. May have run: send_payment, a tool call. The reply stopped here (connection lost).'
  expect(noticed(container)).toBe(words)
  const notice = store.turn(stream.turnId)?.getState().notice
  expect(notice && noticeSentences(notice).join(' ')).toBe(words)
  expect([...container.querySelectorAll('bdi[translate="no"]')].map((name) => name.textContent)).toEqual([
    'local_one',
    'local_two',
    'send_payment',
  ])
})

test('that no tool was run is said where it is certain', async () => {
  const { store, stream } = openSample()
  const { container } = render(<TurnNotice store={store} turnId={stream.turnId} />)
  await act(async () => {
    stream.push({ type: 'text-fragment', text: 'I will create that ticket' })
    drop(stream)
  })
  expect(noticed(container)).toBe('The reply stopped here (connection lost). No tool was run.')
})

test('a name that a model chose cannot write into it', async () => {
  const { store, stream } = openSample()
  const { container } = render(<TurnNotice store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'x. All done.\u202e <b>{tools}</b>')
    drop(stream)
  })
  const text = noticed(container) ?? ''
  expect(text).toMatch(/^Not run: x\.\\u\{20\}All\\u\{20\}done\.\\u\{202e\}/)
  expect(container.querySelector('b')).toBeNull()
  expect(text).not.toMatch(/[\u202a-\u202e ]All/)
})

test('it changes with what becomes known', async () => {
  const { store, stream } = openSample({ defaultExecutor: 'server' })
  const { container } = render(<TurnNotice store={store} turnId={stream.turnId} />)
  await act(async () => {
    announce(stream, 'a', 'send_payment')
    drop(stream)
  })
  expect(noticed(container)).toBe('May have run: send_payment.')
  await act(async () => store.settle({ callId: 'a', name: null, ran: 'yes', ok: true }))
  expect(noticed(container)).toBe('The reply stopped here (connection lost).')
})
