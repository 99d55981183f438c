import { type ReactNode, useContext, useId } from 'react'
import { labelPieces } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'
import { ToolCallContext } from './context.ts'
import { ToolCallIcon } from './icon.tsx'

export interface ToolCallRootProps {
  readonly call: CallView
  /** What stands under the label. */
  readonly children?: ReactNode
  /** Added to the kit's own class. */
  readonly className?: string
}

/** A call's group with its label, which is also its accessible name. What is put inside comes after the label and cannot replace it. */
export function ToolCallRoot({ call, children, className }: ToolCallRootProps): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  const labelId = useId()
  const { before, tool, after } = labelPieces(call, catalogue)
  // A name that only a model vouches for must not look like the kit's own words.
  const name = call.known || call.name === '' ? tool : <code>{tool}</code>
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className={className === undefined ? 'htc-call' : `htc-call ${className}`}
      data-tool-call={call.id}
      data-phase={call.phase}
      data-waits-on={call.phase === 'waiting' ? call.on : undefined}
      data-ran={call.phase === 'settled' ? call.settled.ran : undefined}
      data-cause={call.phase === 'settled' ? call.settled.cause : undefined}
    >
      <p className="htc-label">
        <ToolCallIcon call={call} />
        <span id={labelId} data-label="">
          {before}
          <bdi translate="no">{name}</bdi>
          {after}
        </span>
      </p>
      {children}
    </div>
  )
}
