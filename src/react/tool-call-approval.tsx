import { type ReactNode, useContext, useId } from 'react'
import type { CallView } from '../core/view.ts'
import { ArgumentRows } from './argument-rows.tsx'
import { type ToolCallActions, ToolCallContext } from './context.ts'
import { ToolCallSentence } from './tool-call-sentence.tsx'
import { usePress } from './use-press.ts'

export interface ToolCallApprovalProps {
  readonly call: CallView
  /** Default: the `answer` of the provider's `actions`. Without either, what would run is shown and nothing is asked. */
  readonly onAnswer?: ToolCallActions['answer']
}

/** Asks a person whether a call may run, and shows what would. Nothing for a call that waits for nobody. */
export function ToolCallApproval({ call, onAnswer }: ToolCallApprovalProps): ReactNode {
  const { actions } = useContext(ToolCallContext)
  if (call.phase !== 'waiting' || call.on !== 'person') return null
  const answer = onAnswer ?? actions.answer
  const rows = call.asked.length > 0 && (
    <div className="htc-asked">
      <ArgumentRows rows={call.asked} />
    </div>
  )
  if (answer === undefined) return rows
  return (
    <Question key={`${call.turnId} ${call.key}`} call={call} answer={answer}>
      {rows}
    </Question>
  )
}

interface QuestionProps {
  readonly call: CallView
  readonly answer: NonNullable<ToolCallActions['answer']>
  readonly children: ReactNode
}

function Question({ call, answer, children }: QuestionProps): ReactNode {
  const { approval } = useContext(ToolCallContext).catalogue
  const questionId = useId()
  const [answered, press] = usePress(true)
  const button = (words: string, granted: boolean): ReactNode => (
    <button
      type="button"
      className="htc-button"
      aria-disabled={answered || undefined}
      onClick={() => press(() => answer(call, granted))}
    >
      {words}
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={questionId}
      className="htc-approval"
    >
      <p id={questionId} className="htc-question" dir="auto">
        <ToolCallSentence sentence={approval.question} call={call} />
      </p>
      {children}
      <div className="htc-buttons">
        {/* The safe choice first. */}
        {button(approval.decline, false)}
        {button(approval.approve, true)}
      </div>
    </div>
  )
}
