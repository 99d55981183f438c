import type { ToolCallState } from '@tanstack/ai-client'
import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { object } from '../../adapters/wire-values.ts'
import { isMarkedNotRun } from '../../core/marks.ts'
import type { Registry } from '../../core/tools.ts'
import type { CallView } from '../../core/view.ts'
import { createToolCallStore } from '../../store/create-store.ts'
import { asGated } from '../host-calls.ts'
import { resultOf } from './evidence.ts'

/**
 * What a stored part says of its call by itself, as after a reload. The rules are the ledger's: the part is told to a
 * store of its own, with an ending that proves nothing.
 * @param gated whether our gate stood between it and the chat client
 */
export function viewOfPart(registry: Registry, part: ToolCallRenderProps, gated = false): CallView | undefined {
  const store = createToolCallStore({ ...registry, frame: () => () => {} })
  const stream = store.openStream()
  const { id, name, approval, output } = part
  const state = part.state as ToolCallState
  const key = 'part'

  stream.push({ type: 'message-started' })
  const announced = { type: 'call-announced', key, callId: id, name } as const
  stream.push(gated ? asGated(store, announced) : announced)
  if (part.arguments) stream.push({ type: 'call-fragment', key, text: part.arguments })
  // Once it is `input-complete`, which the chat client also writes where a stream broke off, it may have been run.
  if (state !== 'awaiting-input' && state !== 'input-streaming') stream.push({ type: 'call-finished', key })

  // A grant proves nothing; a refusal does, and a question nobody has answered still stands.
  const declined = object(approval).approved === false
  if (declined || state === 'approval-requested') stream.push({ type: 'approval-requested', key })
  if (declined) stream.push({ type: 'approval-answered', key, granted: false, by: 'person' })

  const value = resultOf(part)
  if (value !== undefined) stream.push({ type: 'call-returned', key, callId: id, ok: true, value })
  if (state === 'error') {
    const says = isMarkedNotRun(object(output).error)
      ? { ran: 'no' as const }
      : { ran: 'unknown' as const, cause: 'tool-error' }
    stream.push({ type: 'outcome-reported', report: { callId: id, name: null, ...says }, stored: true })
  }
  stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' })
  store.flush()
  return store.call({ callId: id })?.getState()
}
