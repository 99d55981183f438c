import { type Catalogue, english, type Labelled, labelOf as labelOfCall } from './core/labels.ts'
import type { Tools } from './core/tools.ts'
import { storedView } from './stored-view.ts'

/** A tool part of a stored message of the AI SDK. */
export interface StoredToolPart {
  /** `tool-NAME` or `dynamic-tool`. */
  readonly type: string
  readonly toolCallId: string
  readonly state: string
}

/** What is said of a part that tells neither a tool nor anything else. */
const unread: Labelled = { name: '', phase: 'settled', settled: { ran: 'unknown', cause: 'unrecognised' } }

/**
 * The label of a call as the user reads it: `create_ticket — not run (connection lost)`.
 *
 * A stored part is labelled by what it proves itself, as after a reload: a result, a refusal, that its input was still
 * open. Its state, or an error that the host put there, proves nothing.
 * @param tools who runs what. Default: none, so that every tool counts as a server's, of which the least can be said
 */
export function labelOf(call: Labelled, catalogue?: Catalogue): string
export function labelOf(part: StoredToolPart, tools?: Tools, catalogue?: Catalogue): string
export function labelOf(
  call: Labelled | StoredToolPart,
  second?: Catalogue | Tools,
  catalogue: Catalogue = english,
): string {
  if ('phase' in call) return labelOfCall(call, second as Catalogue | undefined)
  const tools = (second ?? {}) as Tools
  return labelOfCall(storedView({ tools, defaultExecutor: 'server' }, call) ?? unread, catalogue)
}
