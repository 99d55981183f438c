import type { UIMessageChunk } from 'ai'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'

/** Lets through what a store was not told before; null for what it was. */
export type News = (chunk: UIMessageChunk) => UIMessageChunk | null

const all: News = (chunk) => chunk

// Where a turn keeps whether the adapter has read it before, and so remembers what was told.
const MEMORY = {}

/** For a stream that is no resume. */
export function noneToldBefore(stream: ToolCallStream): News {
  stream.carry(MEMORY, () => true)
  return all
}

/**
 * A reply that is resumed may have been told before: to an earlier page, which left its snapshot, or in a turn that has
 * ended since. No adapter remembers that, and its calls must not be offered again, nor its text stand there twice.
 * @param replays whether a resume begins with the start of the reply
 */
export function newsOf(store: ToolCallStore, chatId: string, stream: ToolCallStream, replays: boolean): News {
  let remembers = true
  stream.carry(MEMORY, () => {
    remembers = false
    return true
  })
  if (remembers) return all

  const fresh = new Set<string>()
  let told = replays ? textOf(store, stream.turnId) : ''
  let isAnother = false

  function isKnown(callId: string): boolean {
    if (!fresh.has(callId) && store.call({ callId, scope: chatId }) !== undefined) return true
    fresh.add(callId)
    return false
  }

  return (chunk) => {
    if (chunk.type === 'start' && chunk.messageId !== undefined) isAnother = !store.turnOf(chatId, chunk.messageId)
    if (isAnother) return chunk
    if (chunk.type.startsWith('tool-input-') && 'toolCallId' in chunk) return isKnown(chunk.toolCallId) ? null : chunk
    if (chunk.type !== 'text-delta') return chunk
    const { delta } = chunk
    if (told.startsWith(delta)) {
      told = told.slice(delta.length)
      return null
    }
    const news = delta.startsWith(told) ? delta.slice(told.length) : delta
    told = ''
    return { ...chunk, delta: news }
  }
}

function textOf(store: ToolCallStore, turnId: string): string {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.map((item) => (item.type === 'text' ? item.text : '')).join('')
}
