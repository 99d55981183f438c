import { expect, test } from 'vitest'
import type { TurnViewItem } from '../../src/index.ts'
import { isLastMessage, itemsOfMessage } from '../../src/react/items-of-message.ts'

function items(...messageIds: readonly (string | undefined)[]): readonly TurnViewItem[] {
  return messageIds.map((messageId, place) => ({
    type: 'call',
    key: String(place),
    message: place,
    ...(messageId === undefined ? {} : { messageId }),
  }))
}

function keys(all: readonly TurnViewItem[], messageId: string): string {
  return itemsOfMessage(all, messageId)
    .map(({ key }) => key)
    .join(' ')
}

test('each message has its own items', () => {
  expect(keys(items('m1', 'm2', 'm1'), 'm1')).toBe('0 2')
  expect(keys(items('m1', 'm2', 'm1'), 'm2')).toBe('1')
  expect(keys(items('m1'), 'm2')).toBe('')
})

test('what has no message goes with the one before it, else with the first: nothing is left out, nothing doubled', () => {
  const all = items(undefined, 'm1', undefined, 'm2', undefined)
  expect(keys(all, 'm1')).toBe('0 1 2')
  expect(keys(all, 'm2')).toBe('3 4')
})

test('where no item tells its message, all belong to the one asked for', () => {
  expect(keys(items(undefined, undefined), 'm1')).toBe('0 1')
})

test('the notice belongs under the last message', () => {
  const all = items('m1', 'm2', undefined)
  expect(isLastMessage(all, 'm1')).toBe(false)
  expect(isLastMessage(all, 'm2')).toBe(true)
  expect(isLastMessage(items(), 'm1')).toBe(true)
})
