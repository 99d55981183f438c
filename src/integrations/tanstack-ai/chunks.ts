import type { ConnectConnectionAdapter } from '@tanstack/ai-client'
import { object, text, type WireObject } from '../../adapters/wire-values.ts'

type Chunks = ReturnType<ConnectConnectionAdapter['connect']>

/** What a connection yields. */
export type Chunk = Chunks extends AsyncIterable<infer Each> ? Each : never

/** A call that the chat client is asked to run. */
export interface Request {
  readonly callId: string
  readonly toolName: string | undefined
}

/** What a chunk by itself makes the chat client run. */
export function requestOf(chunk: Chunk): Request | undefined {
  const { type, name, value } = object(chunk)
  const { toolCallId, toolName } = object(value)
  const callId = text(toolCallId)
  if (type !== 'CUSTOM' || name !== 'tool-input-available' || callId === undefined) return undefined
  return { callId, toolName: text(toolName) }
}

/** What the end of a run waits for; none unless it is interrupted. */
export function interruptsOf(chunk: Chunk): readonly WireObject[] {
  const { type, outcome } = object(chunk)
  const { type: how, interrupts } = object(outcome)
  return type === 'RUN_FINISHED' && how === 'interrupt' && Array.isArray(interrupts) ? interrupts.map(object) : []
}

/** What an interrupt makes the chat client run. */
export function requestOfInterrupt({ toolCallId, reason, metadata }: WireObject): Request | undefined {
  const { kind, toolName } = object(metadata)
  const callId = text(toolCallId)
  const asksClient = kind === 'client_tool' || reason === 'client_tool_input'
  return asksClient && callId !== undefined ? { callId, toolName: text(toolName) } : undefined
}

/** Whether an interrupt is an application's own: beside one the chat client runs nothing yet. */
export function isGeneric({ metadata }: WireObject): boolean {
  return object(object(metadata)['tanstack:interruptBinding']).kind === 'generic'
}

/** The same end of a run that waits for no more than these; for nothing, it is an end like any other. */
export function withInterrupts(chunk: Chunk, interrupts: readonly WireObject[]): Chunk {
  const { outcome, metadata, ...rest } = object(chunk)
  if (interrupts.length > 0)
    return { ...object(chunk), outcome: { ...object(outcome), interrupts } } as unknown as Chunk
  // `tool_calls` would mean that the server goes on by itself.
  const said = { ...object(object(metadata).tanstack), finishReason: 'stop' }
  return { ...rest, finishReason: 'stop', metadata: { ...object(metadata), tanstack: said } } as unknown as Chunk
}

/** Whether nothing of its run follows. A run that called tools goes on, unless it waits for somebody. */
export function isLast(chunk: Chunk): boolean {
  const { type, finishReason, metadata } = object(chunk)
  if (type !== 'RUN_FINISHED') return type === 'RUN_ERROR'
  const reason = finishReason ?? object(object(metadata).tanstack).finishReason
  return reason !== 'tool_calls' || object(object(chunk).outcome).type === 'interrupt'
}
