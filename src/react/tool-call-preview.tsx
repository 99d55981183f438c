import { type ReactNode, useContext } from 'react'
import type { CallView } from '../core/view.ts'
import { ArgumentRows } from './argument-rows.tsx'
import { ToolCallContext } from './context.ts'

/** The arguments of a call as they come, for the eye. Nothing once the call is no longer preparing. */
export function ToolCallPreview({ call }: { readonly call: CallView }): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  if (call.phase !== 'preparing' || call.received === 0) return null
  return (
    <div className="htc-preview" aria-busy="true" aria-live="off">
      <ArgumentRows rows={call.preview} />
      <p className="htc-received">{catalogue.received.replace('{count}', call.received.toLocaleString('en-US'))}</p>
    </div>
  )
}
