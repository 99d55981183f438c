import type { CallKey } from '../core/events.ts'

/** A call of one choice, as far as the wire has named it. */
interface ChatCall {
  readonly key: CallKey
  id: string | undefined
  name: string | undefined
}

/** What one entry of `delta.tool_calls` says about whose it is. */
export interface ChatPart {
  /** The entry's `index`: a key, not a count (pipecat-ai/pipecat#4987); or the one place of the legacy `function_call`. */
  readonly slot: number | 'function_call' | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  /** Where the entry stands in its chunk. */
  readonly position: number
}

/** Tells the calls of one choice apart, whatever a compatible server leaves out or repeats. */
export interface ChatIdentity {
  /** The call this part belongs to, or `undefined`: it is the first sight of a new one. */
  find(part: ChatPart): ChatCall | undefined
  /** Remembers where and under which id a call was seen. */
  keep(call: ChatCall, part: ChatPart): void
}

/**
 * By id, else by index, else the call that was spoken of last. A new id at a known index is a new call, as some
 * servers give every parallel call the index 0 (ollama/ollama#15457); an id for a call that has none comes late
 * (pipecat-ai/pipecat#4987). Equal names are no identity, and a repeated one is not a new call (ggml-org/llama.cpp#13774).
 */
export function chatIdentity(): ChatIdentity {
  const byId = new Map<string, ChatCall>()
  const bySlot = new Map<ChatPart['slot'], ChatCall>()
  let last: ChatCall | undefined

  return {
    find({ slot, id, name, position }) {
      const known = id === undefined ? undefined : byId.get(id)
      if (known !== undefined) return known
      const here = slot === undefined ? last : bySlot.get(slot)
      if (here === undefined || (id !== undefined && here.id !== undefined)) return undefined
      if (name === undefined || here.name === undefined) return here
      // Both have a name. At a known index it is the same call, unless a late id comes with quite another name.
      if (slot !== undefined) return id !== undefined && name !== here.name ? undefined : here
      // Without an index a repeated name goes on with the last call; another name, a new id, or a second entry of
      // the same chunk does not.
      return id === undefined && name === here.name && position === 0 ? here : undefined
    },
    keep(call, { slot, id }) {
      if (id !== undefined) byId.set(id, call)
      if (slot !== undefined) bySlot.set(slot, call)
      last = call
    },
  }
}
