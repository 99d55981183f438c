import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'

/** The replies of one chat, oldest first: the turns of each, as a reply that is taken up again may have several. */
interface Chat {
  readonly replies: string[][]
  /** By the id of a message: the first reply that found it there when it began. */
  readonly foundBy: Map<string, number>
}

const chats = new WeakMap<ToolCallStore, Map<string, Chat>>()

/**
 * Tells that a turn answers these messages, or goes on with the last reply where none are given. A host may make the ids
 * of its messages itself, and the calls of two replies may have the same id: what stood there before a reply is an
 * earlier one's.
 */
export function replyBegan(store: ToolCallStore, scope: string, turnId: string, before?: Iterable<string>): void {
  const { replies, foundBy } = chatOf(store, scope)
  const last = replies.at(-1)
  if (before === undefined && last !== undefined) {
    if (!last.includes(turnId)) last.push(turnId)
    return
  }
  for (const messageId of before ?? []) if (!foundBy.has(messageId)) foundBy.set(messageId, replies.length)
  replies.push([turnId])
}

/** Names no turn: to be asked for where a message has none, as otherwise any turn would do. */
export const NO_TURN = ''

/** The turn of a message: the latest that has this call, else the latest of its reply. Undefined where none is known. */
export function turnOfReply(
  store: ToolCallStore,
  scope: string,
  messageId: string,
  callId?: string,
): string | undefined {
  const { replies, foundBy } = chatOf(store, scope)
  const next = foundBy.get(messageId)
  const reply = next === undefined ? replies.at(-1) : replies[next - 1]
  const turnIds = reply ?? restored(store, scope, replies)
  const has = (turnId: string): boolean => callId !== undefined && store.call({ callId, turnId }) !== undefined
  // By the server's own word, where it names its messages.
  const named = store.turnOf(scope, messageId)?.getState().id
  return named !== undefined && has(named) ? named : (turnIds.findLast(has) ?? named ?? turnIds.at(-1))
}

/** Whether several replies of a chat have a call of this id. The host itself may then take one for the other. */
export function repeats(store: ToolCallStore, { id: callId, turnId }: CallView): boolean {
  const scope = store.turn(turnId)?.getState().scope
  return store.turnIds().some((id) => id !== turnId && store.call({ callId, scope, turnId: id }) !== undefined)
}

/** What an earlier page left. */
function restored(store: ToolCallStore, scope: string, replies: readonly (readonly string[])[]): readonly string[] {
  const begun = new Set(replies.flat())
  return store.turnIds().filter((id) => !begun.has(id) && store.turn(id)?.getState().scope === scope)
}

function chatOf(store: ToolCallStore, scope: string): Chat {
  const ofStore = chats.get(store) ?? new Map<string, Chat>()
  chats.set(store, ofStore)
  const chat = ofStore.get(scope) ?? { replies: [], foundBy: new Map<string, number>() }
  ofStore.set(scope, chat)
  return chat
}
