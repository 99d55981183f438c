import type { ResponseOutputItem } from 'openai/resources/responses/responses'
import { table, type WireObject } from './wire-values.ts'

/** The output items that are calls. */
type CallType =
  | Extract<ResponseOutputItem['type'], `${string}_call`>
  | Extract<ResponseOutputItem['type'], 'mcp_list_tools' | 'mcp_approval_request' | 'program'>

/** What a type of item means for its call. */
export interface ItemKind {
  /** The provider runs it, whatever the item says. */
  readonly provider?: true
  /** The item gives the tool's name. Else the call is named after the item's type, without `_call`. */
  readonly named?: true
  /** The member that holds the input. Where it streams, its events are named after the item's type and this. */
  readonly input?: string
  /** The input is free text. */
  readonly encoding?: 'text'
}

/** Who runs what, and where its input stands (OpenAI's `ResponseOutputItem`). */
export const CALL_ITEMS: ReadonlyMap<unknown, ItemKind> = table({
  function_call: { input: 'arguments', named: true },
  custom_tool_call: { input: 'input', named: true, encoding: 'text' },
  computer_call: { input: 'action' },
  local_shell_call: { input: 'action' },
  shell_call: { input: 'action' },
  apply_patch_call: { input: 'operation' },
  tool_search_call: { input: 'arguments' },
  mcp_call: { input: 'arguments', named: true, provider: true },
  mcp_approval_request: { input: 'arguments', named: true, provider: true },
  mcp_list_tools: { provider: true },
  code_interpreter_call: { input: 'code', encoding: 'text', provider: true },
  web_search_call: { provider: true },
  file_search_call: { provider: true },
  image_generation_call: { provider: true },
  program: { provider: true },
} satisfies Record<CallType, ItemKind>)

/** The result that an item holds, its own or as an item of results; `undefined`: none that is known. */
export function resultOf(item: WireObject): { readonly ok: boolean; readonly value: unknown } | undefined {
  const { status, error } = item
  const value = error ?? item.output ?? item.outputs ?? item.result ?? item.results ?? item.tools
  const failed = status === 'failed' || error != null
  // Lists of tools have no status, and pictures may come whole as still "generating" (Wei-Shaw/sub2api#4051).
  if (failed || status === 'completed' || (status !== 'incomplete' && value != null)) return { ok: !failed, value }
  return undefined
}
