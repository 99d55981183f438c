import type { TurnViewItem } from '../store/turn-view.ts'

/**
 * The items that belong under one message of a host. What has no message id goes with the identified message before it, or
 * with the first one: a host that shows its messages one by one then shows every call once.
 */
export function itemsOfMessage(items: readonly TurnViewItem[], messageId: string): readonly TurnViewItem[] {
  let owner = items.find((item) => item.messageId !== undefined)?.messageId ?? messageId
  return items.filter((item) => {
    owner = item.messageId ?? owner
    return owner === messageId
  })
}

/** Whether nothing of the turn comes after this message, so that the notice has its place there. */
export function isLastMessage(items: readonly TurnViewItem[], messageId: string): boolean {
  const last = items.findLast((item) => item.messageId !== undefined)
  return last === undefined || last.messageId === messageId
}
