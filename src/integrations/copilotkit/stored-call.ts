import { object } from '../../adapters/wire-values.ts'
import { isErrorText, isMarkedNotRun } from '../../core/marks.ts'
import { parseStrictly } from '../../core/strict-json.ts'
import { executorOf, type Registry } from '../../core/tools.ts'
import type { CallView } from '../../core/view.ts'
import { createToolCallStore } from '../../store/create-store.ts'
import { isPlaceholder } from './placeholders.ts'

/** What CopilotKit gives a renderer of tool calls; each of its hooks adds the arguments by another name. */
export interface CopilotToolCall {
  readonly name: string
  readonly toolCallId: string
  readonly status: string
  readonly result?: string | undefined
}

/** Whether the result is one: a tool's own answer. */
export function isResult(result: string | undefined): boolean {
  return result !== undefined && !isMarkedNotRun(result) && !isErrorText(result) && !isPlaceholder({ content: result })
}

/**
 * Whether a result may be what a person answered to an interrupt, which CopilotKit's `useInterrupt` writes in its place
 * before the server is asked to go on: `{ approved }`, `true` or `false` as the adapter reads them, or the host's own words.
 */
function mayBeAnswer(result: string): boolean {
  if (/^(true|false|\{"status":"(cancelled|resolved)"\})$/.test(result)) return true
  const parsed = parseStrictly(result)
  return parsed.ok && typeof object(parsed.value).approved === 'boolean'
}

/**
 * What a call in the host's messages says by itself, as after a reload. The rules are the ledger's: it is told to a store
 * of its own, with an ending that proves nothing. Its status proves nothing either, nor do arguments, which were repaired.
 */
export function viewOfStored(
  registry: Registry,
  { name, toolCallId: callId, result }: CopilotToolCall,
): CallView | undefined {
  const store = createToolCallStore({ ...registry, frame: () => () => {} })
  const stream = store.openStream()
  const key = 'stored'
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key, callId, name })
  stream.push({ type: 'call-finished', key })
  const isAnswer = executorOf(registry, name) === 'server' && mayBeAnswer(result ?? '')
  if (isResult(result) && !isAnswer) stream.push({ type: 'call-returned', key, callId, ok: true, value: result })
  else if (result !== undefined && !isAnswer && !isPlaceholder({ content: result })) {
    const says = isMarkedNotRun(result) ? ({ ran: 'no' } as const) : ({ ran: 'unknown', cause: 'tool-error' } as const)
    stream.push({ type: 'outcome-reported', report: { callId, name: null, ...says }, stored: true })
  }
  stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' })
  store.flush()
  return store.call({ callId })?.getState()
}
