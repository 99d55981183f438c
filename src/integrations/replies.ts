import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'

// Calls of two replies may have the same id, and a host may make the ids of its messages itself. So what is known is the
// order: a message that stood there before a reply began is an earlier one's.

interface Chat {
  /** The replies that began in this page, by their turns, counted from 0. */
  readonly replyOf: Map<string, number>
  /** By the id of a message: the first reply before which it stood. */
  readonly stoodBefore: Map<string, number>
  /** The turns whose calls were shown, by message and call. */
  readonly shown: Map<string, string>
}

const chats = new WeakMap<ToolCallStore, Map<string, Chat>>()

/** Tells that these messages, in their order, stand in a chat before the reply of this turn; without one, before the next. */
export function messagesStand(store: ToolCallStore, scope: string, messageIds: readonly string[], turnId = ''): void {
  const { replyOf, stoodBefore } = chatOf(store, scope)
  let reply = replyOf.get(turnId) ?? replyOf.size
  for (const messageId of messageIds.toReversed()) {
    // What stands before an old message is older still, though it may have been fetched just now.
    reply = Math.min(reply, stoodBefore.get(messageId) ?? reply)
    stoodBefore.set(messageId, reply)
  }
}

/** Tells that a reply began in this turn, if it is no more of one that did. */
export function replyBegan(store: ToolCallStore, scope: string, turnId: string): void {
  const { replyOf } = chatOf(store, scope)
  if (!replyOf.has(turnId)) replyOf.set(turnId, replyOf.size)
}

/** The turn in which the call of a message is, as far as that can be told. */
export function turnOfReply(
  store: ToolCallStore,
  scope: string,
  messageId: string,
  callId: string,
): string | undefined {
  const { replyOf, stoodBefore, shown } = chatOf(store, scope)
  const before = stoodBefore.get(messageId)
  const turnIds = turnsWith(store, scope, callId).filter((turnId) => {
    const reply = replyOf.get(turnId)
    const isLater = before !== undefined && reply !== undefined && reply >= before
    return !isLater && names(store, turnId, messageId) !== false
  })
  if (turnIds.length < 2) return turnIds[0]
  const named = turnIds.findLast((turnId) => names(store, turnId, messageId))
  if (named !== undefined) return named
  const known = shown.get(placeOf(messageId, callId))
  if (known !== undefined && turnIds.includes(known)) return known
  const last = turnIds.at(-1)
  const reply = last === undefined ? undefined : replyOf.get(last)
  // Of what an earlier page left nobody knows which message was which.
  if (reply === undefined) return undefined
  return before === undefined || reply === before - 1 ? last : undefined
}

/** Tells which call a message is shown with: it stays so where a later reply uses the id again. */
export function callShown(
  store: ToolCallStore,
  scope: string,
  messageId: string,
  call: Pick<CallView, 'id' | 'turnId'>,
): void {
  chatOf(store, scope).shown.set(placeOf(messageId, call.id), call.turnId)
}

/**
 * Whether a result that a host has with this call may be another call's: hosts look for the part that a result belongs to
 * by the id alone, and where several replies have it, write into the first or into all of them.
 */
export function mayBeOfAnother(store: ToolCallStore, call: CallView): boolean {
  return call.phase === 'settled' && repeats(store, call)
}

/** Whether several replies of a chat have a call of this id. */
export function repeats(store: ToolCallStore, { id, turnId }: CallView): boolean {
  const scope = store.turn(turnId)?.getState().scope
  return scope !== undefined && turnsWith(store, scope, id).length > 1
}

/** Oldest first. */
function turnsWith(store: ToolCallStore, scope: string, callId: string): readonly string[] {
  const isOfChat = (turnId: string): boolean => store.turn(turnId)?.getState().scope === scope
  return store.turnIds().filter((turnId) => isOfChat(turnId) && store.call({ callId, turnId }) !== undefined)
}

/** Whether the wire of a turn said that it has this message; undefined where it names none. */
function names(store: ToolCallStore, turnId: string, messageId: string): boolean | undefined {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.every((item) => item.messageId === undefined)
    ? undefined
    : items.some((item) => item.messageId === messageId)
}

function placeOf(messageId: string, callId: string): string {
  return JSON.stringify([messageId, callId])
}

function chatOf(store: ToolCallStore, scope: string): Chat {
  const ofStore = chats.get(store) ?? new Map<string, Chat>()
  chats.set(store, ofStore)
  const chat = ofStore.get(scope) ?? { replyOf: new Map(), stoodBefore: new Map(), shown: new Map() }
  ofStore.set(scope, chat)
  return chat
}
