import { type ReactNode, useContext, useId, useRef } from 'react'
import { labelSentence } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'
import { ToolCallContext } from './context.ts'
import { ToolCallIcon } from './icon.tsx'
import { ToolCallSentence } from './tool-call-sentence.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

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
  const label = useRef<HTMLSpanElement>(null)
  const keptFocus = useKeptFocus(label)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={labelId}
      className={className === undefined ? 'htc-call' : `htc-call ${className}`}
      data-tool-call={call.id}
      data-phase={call.phase}
      data-waits-on={call.phase === 'waiting' ? call.on : undefined}
      data-ran={call.phase === 'settled' ? call.settled.ran : undefined}
      data-cause={call.phase === 'settled' ? call.settled.cause : undefined}
      {...keptFocus}
    >
      <p className="htc-label">
        <ToolCallIcon call={call} />
        {/* The words may be of another direction than the page; the name inside is left out when that is found out. */}
        <span ref={label} id={labelId} data-label="" dir="auto">
          <ToolCallSentence sentence={labelSentence(call, catalogue)} call={call} />
        </span>
      </p>
      {children}
    </div>
  )
}
