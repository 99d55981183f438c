import type { DynamicToolUIPart } from 'ai'
import type { CallKey, StreamEvent } from '../core/events.ts'
import { isMarkedNotRun } from '../core/marks.ts'
import type { Emit } from './adapter.ts'
import { object, present, text } from './wire-values.ts'

/**
 * Tells what a stored tool part of the AI SDK (`tool-NAME`, `dynamic-tool`) says of its call.
 * What it leaves open is for the ending of a reload to settle.
 * @returns whether it was a tool part.
 */
export function readToolPart(stored: unknown, key: CallKey, emit: Emit): boolean {
  const part = object(stored)
  const kind = text(part.type)?.match(/^(tool-(.+)|dynamic-tool)$/s)
  if (!kind) return false

  const name = kind[2] ?? text(part.toolName)
  const callId = text(part.toolCallId)
  const executor = part.providerExecuted === true ? 'provider' : undefined
  const encoding = part.inputEncoding === 'text' ? 'text' : undefined
  tellOf(emit, key, 'call-announced', { callId, name, executor, encoding })

  const state = part.state as DynamicToolUIPart['state']
  if (state === 'input-streaming') {
    // The text as it came; `input` beside it was repaired, and is none of the call's.
    if (text(part.rawInput)) tellOf(emit, key, 'call-fragment', { text: part.rawInput })
    return true
  }
  if (part.input !== undefined) tellOf(emit, key, 'call-snapshot', { value: part.input })
  tellOf(emit, key, 'call-finished')

  const { id, isAutomatic, approved } = object(part.approval)
  const approvalId = text(id)
  const by = isAutomatic === true ? 'policy' : 'person'
  const granted = state === 'approval-responded' ? approved : state === 'output-denied' ? false : undefined
  const answered = typeof granted === 'boolean'
  // What a rule is about to answer waits for nobody.
  if (answered || (state === 'approval-requested' && by === 'person'))
    tellOf(emit, key, 'approval-requested', { approvalId })
  if (answered) tellOf(emit, key, 'approval-answered', { approvalId, granted, by })

  // A preliminary output is no result, and shows nothing running any more.
  if (state === 'output-available' && part.preliminary !== true)
    tellOf(emit, key, 'call-returned', { callId, value: part.output, ok: true })
  // Hosts also write it for calls that never ran, and the state does not tell which.
  if (state === 'output-error' && callId) emit(reportOfError(callId, part.errorText))
  return true
}

/** What a stored error says: the kit's own, that nothing ran; any other, that nobody knows. */
export function reportOfError(callId: string, error: unknown): StreamEvent {
  const says = isMarkedNotRun(error) ? { ran: 'no' as const } : { ran: 'unknown' as const, cause: 'tool-error' }
  return { type: 'outcome-reported', report: { callId, name: null, ...says }, stored: true }
}

/** Tells something of a call; members that are not there are left out. */
export function tellOf(emit: Emit, key: CallKey, type: StreamEvent['type'], members: object = {}): void {
  emit({ type, key, ...present(members) } as StreamEvent)
}
