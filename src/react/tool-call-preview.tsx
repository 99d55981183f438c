import { type ReactNode, useContext } from 'react'
import type { PreviewRow } from '../core/preview.ts'
import type { CallView } from '../core/view.ts'
import { ToolCallContext } from './context.ts'

/** The arguments of a call as they come, for the eye. Nothing once the call is no longer preparing. */
export function ToolCallPreview({ call }: { readonly call: CallView }): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  if (call.phase !== 'preparing' || call.received === 0) return null
  return (
    <div className="htc-preview" aria-busy="true" aria-live="off">
      <Rows rows={call.preview} />
      <p className="htc-received">{catalogue.received.replace('{count}', call.received.toLocaleString('en-US'))}</p>
    </div>
  )
}

function Rows({ rows }: { readonly rows: readonly PreviewRow[] }): ReactNode {
  const [first] = rows
  if (first === undefined) return null
  // Free text, or a document that is no object: there is one value and nothing to call it.
  if (first.path === '' && rows.length === 1) {
    return (
      <p className="htc-value" dir="auto" data-settled={first.settled}>
        {first.text}
      </p>
    )
  }
  return (
    <dl className="htc-rows">
      {rows.map(({ path, text, settled }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end, and two names may look the same once neutralised.
        <div key={place} className="htc-row" data-settled={settled}>
          <dt dir="auto">{path}</dt>
          <dd className="htc-value" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}
