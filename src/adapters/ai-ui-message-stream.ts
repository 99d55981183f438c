import type { UIMessageChunk } from 'ai'
import type { CallKey, StopReason, StreamEvent } from '../core/events.ts'
import { isMarkedNotRun } from '../core/marks.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { object, present, table, text, type WireObject } from './wire-values.ts'

/**
 * The UI message stream of the AI SDK, as it comes by server-sent events, or as the chunks that a transport yields.
 *
 * A step is a message: one generation. `finish-step` gives no reason, so a step is ended by the next one, without a
 * reason, or by `finish`, whose reason speaks for the last step. A response may be told again from its `start`: after
 * a resume, or where a recording is replayed from its beginning.
 */
export const aiUiMessageStream: Adapter = { format: 'ai-ui-message-stream', speaker: 'executor', framer: sse, reader }

type ChunkType = Exclude<UIMessageChunk['type'], `data-${string}`>
type FinishReason = NonNullable<Extract<UIMessageChunk, { type: 'finish' }>['finishReason']>

const REASONS = table<StopReason>({
  stop: 'natural',
  'tool-calls': 'natural',
  length: 'length',
  'content-filter': 'filter',
  error: 'error',
  interrupted: 'error',
  other: 'unknown',
} satisfies Record<FinishReason, StopReason>)

/** What says nothing of a call, and is no text either. A type that is new in the SDK must be added, or read. */
type SkippedType =
  | `text-${'start' | 'end'}`
  | `reasoning-${'start' | 'delta' | 'end' | 'file'}`
  | `source-${'url' | 'document'}`
  | 'file'
  | 'custom'
  | 'message-metadata'
  | 'steering-message'

const SKIPPED = /^(data|text|reasoning|source)-|^(file|custom|message-metadata|steering-message)$/

interface Call {
  readonly key: CallKey
  finished?: true
  /** Whether it needs an approval, or how that was answered on the wire; and by whom. */
  approval?: 'asked' | 'granted' | 'refused'
  by: 'person' | 'policy'
}

interface Step {
  readonly calls: Map<unknown, Call>
  /** How far it has been told, this time: a response may be told again. */
  told: 'before' | 'in' | 'past'
  /** Its start is still to be told, not for the first time. */
  again?: boolean
  ended?: true
  /** Its text, and how much of that was told, this time. */
  text: string
  at: number
}

function reader(): WireReader {
  let emit: Emit
  let over = false
  // Nothing of this stream was read yet that belongs to a step or begins a response.
  let fresh = true
  // This stream may tell again a response that had its last word, too.
  let resuming = false
  // The response has had its last word.
  let answered = false
  let messageId: string | undefined
  let minted = 0
  const steps: Step[] = []
  let first = 0 // of the steps of the response
  let now = -1
  const approvals = new Map<unknown, Call>()

  function tell(call: Call, type: StreamEvent['type'], members: object = {}): void {
    emit({ type, key: call.key, ...present(members) } as StreamEvent)
  }

  function report(callId: string | undefined, ran: 'no' | 'unknown', cause?: string): void {
    if (callId) emit({ type: 'outcome-reported', report: { callId, name: null, ran, ...present({ cause }) } })
  }

  function begin(): Step {
    const step: Step = { calls: new Map(), told: 'before', text: '', at: 0 }
    now = steps.push(step) - 1
    emit({ type: 'message-started', ...present({ messageId }) })
    return step
  }

  function end(rawReason?: string): void {
    const step = steps.at(-1)
    if (!step || step.ended) return
    step.ended = true
    const reason = rawReason ? (REASONS.get(rawReason) ?? 'unknown') : null
    emit({ type: 'message-ended', reason, ...present({ rawReason }), finishesOpenCalls: false })
  }

  /** The step that a chunk belongs to. After the end of a step only another stream begins one unasked. */
  function current(): Step {
    const step = steps[now]
    const begins = !step || (fresh && step.ended)
    fresh = false
    return begins ? begin() : step
  }

  function start(id: string | undefined): void {
    const step = steps[now]
    const same = !id || !messageId || id === messageId
    // Beside an open step it is a replay, or another stream merged into this one, which begins nothing either.
    const goesOn =
      step && (!answered || (resuming && fresh)) && (fresh ? same : same ? step.told !== 'past' : step.told === 'in')
    if (!goesOn) {
      if (!fresh) end()
      messageId = id
      first = steps.length
      begin()
    } else if (same) {
      now = first
      for (const again of steps.slice(first)) Object.assign(again, { told: 'before', again: true, at: 0 })
    }
    fresh = answered = false
  }

  function startStep(): void {
    fresh = false
    let step = steps[now]
    const next = steps[now + 1]
    if (next && step?.told === 'past') {
      step = next
      now++
    } else if (!step || step.told === 'past' || (step.ended && !next && !step.again)) {
      end()
      step = begin()
    }
    step.told = 'in'
    step.again = false
  }

  /** Ids are unique within a step; results and answers may also speak of an earlier one. */
  function find(id: unknown): Call | undefined {
    return steps[now]?.calls.get(id) ?? steps.findLast(({ calls }) => calls.has(id))?.calls.get(id)
  }

  /** The call of a chunk that gives its name; announced if it is new, or begins anew. */
  function see(chunk: WireObject, callId: string | undefined, anew: boolean): Call {
    const { calls } = current()
    const known = calls.get(callId)
    // Without an id only a call that is still open can be the same one.
    const again = known?.finished && !callId ? undefined : known
    if (again && (again.finished || !anew)) return again
    const call: Call = again ?? { key: `call-${++minted}`, by: 'person' }
    calls.set(callId, call)
    const executor = chunk.providerExecuted === true ? 'provider' : undefined
    const encoding = chunk.inputEncoding === 'text' ? 'text' : undefined
    tell(call, 'call-announced', { callId, name: text(chunk.toolName), executor, encoding })
    return call
  }

  function finish(call: Call, value: unknown, status?: 'rejected'): void {
    if (call.finished) return
    if (value !== undefined) tell(call, 'call-snapshot', { value })
    tell(call, 'call-finished', { status })
    call.finished = true
  }

  /** Text that is told again is left out. */
  function tellText(words: string): void {
    const step = current()
    const rest = step.text.slice(step.at)
    step.at += words.length
    if (rest.startsWith(words)) return
    const more = words.startsWith(rest) ? words.slice(rest.length) : words
    step.text += more
    step.at = step.text.length
    emit({ type: 'text-fragment', text: more })
  }

  function giveBack(call: Call | undefined, callId: string | undefined, ok: boolean, value: unknown): void {
    if (call ?? callId) emit({ type: 'call-returned', ...present({ key: call?.key, callId, value }), ok })
  }

  function answer(call: Call, granted: boolean, approvalId?: string): void {
    call.approval = granted ? 'granted' : 'refused'
    tell(call, 'approval-answered', { approvalId, granted, by: call.by })
  }

  function deny(call: Call | undefined, callId: string | undefined): void {
    if (call?.approval === 'refused') return
    if (call && !call.approval) tell(call, 'approval-requested')
    if (call && call.approval !== 'granted') answer(call, false)
    // The last word where a person granted it, here or on the wire, and the server then thought better of it.
    report(callId, 'no', call && 'declined-by-policy')
  }

  /** @returns whether the chunk is of the format. */
  function readChunk(chunk: WireObject): boolean {
    const name = chunk.type as ChunkType
    const step = steps[now]
    const callId = text(chunk.toolCallId)
    const call = find(callId)
    const approvalId = text(chunk.approvalId)
    switch (name) {
      case 'start':
        start(text(chunk.messageId))
        break
      case 'start-step':
        startStep()
        break
      case 'finish-step':
        if (step) step.told = 'past'
        break
      case 'reset-step':
        for (const withdrawn of step?.calls.values() ?? []) tell(withdrawn, 'call-withdrawn')
        step?.calls.clear()
        break
      case 'finish':
        current()
        end(text(chunk.finishReason))
        answered = true
        break
      case 'error':
        // It ends the message, not the stream: the SDK goes on after it, and may still run a call that was open.
        current()
        end('error')
        break
      case 'abort':
        emit({ type: 'stream-ended', ending: { type: 'cancelled', by: 'host', acknowledged: true } })
        over = answered = true
        break
      case 'text-delta':
        if (text(chunk.delta)) tellText(chunk.delta as string)
        break
      case 'tool-input-start':
        see(chunk, callId, true)
        break
      case 'tool-input-delta':
        if (call && !call.finished && text(chunk.inputTextDelta))
          tell(call, 'call-fragment', { text: chunk.inputTextDelta })
        break
      case 'tool-input-available':
      case 'tool-input-error':
        finish(see(chunk, callId, false), chunk.input, name === 'tool-input-error' ? 'rejected' : undefined)
        break
      case 'tool-approval-request':
        if (!call) break
        approvals.set(approvalId, call)
        if (call.approval) break
        call.approval = 'asked'
        if (chunk.isAutomatic === true) call.by = 'policy'
        tell(call, 'approval-requested', { approvalId })
        break
      case 'tool-approval-response': {
        const asked = approvals.get(approvalId)
        if (asked?.approval === 'asked' && typeof chunk.approved === 'boolean')
          answer(asked, chunk.approved, approvalId)
        break
      }
      case 'tool-output-available':
        if (chunk.preliminary !== true) giveBack(call, callId, true, chunk.output)
        else if (call) tell(call, 'call-progress', { value: chunk.output })
        break
      case 'tool-output-error':
        if (isMarkedNotRun(chunk.errorText)) report(callId, 'no')
        // Before its first step a stream tells of the calls that were approved: they were run and failed, or their
        // stored input was no longer valid and they were not run.
        else if (!step || step.ended || (step.told === 'before' && !step.calls.has(callId)))
          report(callId, 'unknown', 'tool-error')
        else giveBack(call, callId, false, chunk.errorText)
        break
      case 'tool-output-denied':
        deny(call, callId)
        break
      default:
        name satisfies SkippedType
        return SKIPPED.test(text(name) ?? '')
    }
    return true
  }

  return {
    open(resumes = false) {
      over = false
      fresh = true
      resuming = resumes
    },
    read(event, to) {
      emit = to
      if (over) return true
      if (event !== '[DONE]') return readChunk(object(event))
      // Alone in a stream it says nothing of what an earlier one left open.
      if (!fresh) end()
      over = answered = true
      return true
    },
  }
}
