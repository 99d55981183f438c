import type { TanStackRunMetadata } from '@tanstack/ai'
import type { CallKey, StopReason, StreamEvent } from '../core/events.ts'
import type { Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { agUi } from './ag-ui.ts'
import { object, present, table, text, type WireObject } from './wire-values.ts'

/**
 * TanStack AI: the events of AG-UI with more said in them, at the top level or, as they cross a wire, in
 * `metadata.tanstack`. Also the chunks that `chat()` or a connection yields.
 *
 * A finished run states the model's reason, and a result whether the tool threw (TanStack/ai#718). Whole inputs are
 * handed on as what they are; that they were parsed does not make them whole.
 */
export const tanstackAi: Adapter = { ...agUi, format: 'tanstack-ai', reader }

type FinishReason = NonNullable<TanStackRunMetadata['finishReason']>

const REASONS = table<StopReason>({
  stop: 'natural',
  tool_calls: 'natural',
  length: 'length',
  content_filter: 'filter',
} satisfies Record<FinishReason, StopReason>)

/** How a person's answer stands in the history of `chat()`, in the place of a result. */
const ANSWER = /^\{"approved":(true,"pendingExecution"|false,"message":"User denied)/

function reader(): WireReader {
  const inner = agUi.reader()
  let event: WireObject
  let emit: Emit
  let over = false
  const keys = new Map<unknown, CallKey>() // by call id, the last one of each
  const open = new Set<CallKey>()

  /** Takes what an event of AG-UI means, and tells what it means here. */
  function say(told: StreamEvent): void {
    let known = told
    if (told.type === 'call-announced') {
      keys.set(told.callId, told.key)
      open.add(told.key)
      if (object(event.metadata).providerExecuted === true) known = { ...told, executor: 'provider' }
    } else if (told.type === 'call-returned') {
      const answer = ANSWER.exec(text(told.value) ?? '')?.[1]
      if (event.state === 'output-error') known = { ...told, ok: false }
      else if (answer && told.key) {
        known = { type: 'approval-answered', key: told.key, granted: answer.startsWith('t'), by: 'person' }
      }
    } else if (told.type === 'approval-requested') {
      // A tool of the client is not asked about, but asked for.
      const { interrupts = [] } = object(event.outcome) as { readonly interrupts?: readonly unknown[] }
      const asked = interrupts.map(object).find(({ id }) => id === told.approvalId)
      if (object(asked?.metadata).kind === 'client_tool') return
    } else if (told.type === 'message-ended' && told.reason === null) {
      const rawReason = text(event.finishReason)
      const reason = rawReason === undefined ? null : (REASONS.get(rawReason) ?? 'unknown')
      // Without a run: a client wrote it, where nothing but `[DONE]` came.
      known = { ...told, reason: event.runId || reason !== 'natural' ? reason : null, ...present({ rawReason }) }
    } else if (told.type === 'stream-ended') {
      over = true
      if (event.code === 'aborted') known = { ...told, ending: { type: 'cancelled', by: 'host', acknowledged: true } }
    }
    emit(known)
  }

  /** A call that ends, perhaps with its whole input. */
  function end({ toolCallId, input }: WireObject): CallKey | undefined {
    const key = keys.get(toolCallId)
    if (key && open.delete(key) && input !== undefined) emit({ type: 'call-snapshot', key, value: input as Json })
    inner.read({ type: 'TOOL_CALL_END', toolCallId }, say)
    return key
  }

  function readCustom(name: unknown, value: WireObject): void {
    const { toolCallId, toolName, granted } = value
    const approvalId = text(object(value.approval).id) ?? text(value.approvalId)
    if (name === 'approval.resolved' && typeof granted === 'boolean')
      emit({ type: 'approval-answered', ...present({ approvalId }), granted, by: 'person' })
    // These tell of a call as a whole.
    if (name !== 'tool-input-available' && name !== 'approval-requested') return
    if (!keys.has(toolCallId)) inner.read({ type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName }, say)
    const key = end(value)
    if (key && name === 'approval-requested') emit({ type: name, key, ...present({ approvalId }) })
  }

  return {
    open() {
      over = false
      inner.open()
    },
    read(wire, to) {
      if (over) return true
      emit = to
      const chunk = wire === '[DONE]' ? { type: 'RUN_FINISHED' } : object(wire)
      event = { ...object(object(chunk.metadata).tanstack), ...present(chunk) }
      const { type, toolCallId, result } = event
      if (type === 'CUSTOM') readCustom(event.name, object(event.value))
      if (type !== 'TOOL_CALL_END') return inner.read(event, say)
      end(event)
      // Where chunks do not cross a wire, the result may stand here.
      if (result !== undefined) inner.read({ type: 'TOOL_CALL_RESULT', toolCallId, content: result }, say)
      return true
    },
  }
}
