import type { TanStackRunMetadata } from '@tanstack/ai'
import type { CallKey, StopReason, StreamEvent } from '../core/events.ts'
import type { Json } from '../core/json.ts'
import { isMarkedNotRun } from '../core/marks.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { agUi } from './ag-ui.ts'
import { object, present, table, text, type WireObject } from './wire-values.ts'

/**
 * TanStack AI: the events of AG-UI with more said in them, at the top level or, as they cross a wire, in
 * `metadata.tanstack`. Also the chunks that `chat()` or a connection yields.
 *
 * A finished run states the model's reason, and a result whether it is an error (TanStack/ai#718); it may be one without
 * a run. Whole inputs are handed on as what they are; that they were parsed does not make them whole.
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
const ANSWER =
  /^\{"(?:approved":(true,"pendingExecution"|false,"message":"User denied)|error":"User declined tool execution"\}$)/

/** A result that is an error and nothing else. */
const ERROR = /^\{"error":"((?:[^"\\]|\\.)*)"\}$/

/**
 * How `chat()` itself begins an error in place of a run. A tool may throw the same words, so that they prove no more
 * than that it need not have run.
 */
const REFUSED =
  /^(Unknown tool: |Failed to parse tool arguments as JSON: |Input validation failed for tool |(Tool execution cancelled|User declined tool execution)$)/

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
      known = returned(told)
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

  /** A result, or what stands in the place of one. */
  function returned(told: Extract<StreamEvent, { type: 'call-returned' }>): StreamEvent {
    const words = text(told.value) ?? ''
    const answer = ANSWER.exec(words)
    if (answer && told.key)
      return { type: 'approval-answered', key: told.key, granted: answer[1]?.startsWith('t') ?? false, by: 'person' }
    const error = ERROR.exec(words)?.[1]
    const report = { callId: told.callId ?? null, name: null }
    if (isMarkedNotRun(error)) return { type: 'outcome-reported', report: { ...report, ran: 'no' } }
    const failed = event.state === 'output-error'
    // The executor runs also what was never ended, if it can be read; and history does not tell an error from a value.
    const unclear = failed
      ? REFUSED.test(error ?? '') || (told.key !== undefined && open.has(told.key))
      : error !== undefined && event.type === 'MESSAGES_SNAPSHOT'
    if (unclear) return { type: 'outcome-reported', report: { ...report, ran: 'unknown', cause: 'tool-error' } }
    return failed ? { ...told, ok: false } : told
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
