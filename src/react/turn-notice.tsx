import { type ReactNode, useContext } from 'react'
import { noticeSentences } from '../core/notice.ts'
import { useAnnouncer } from './announcer.ts'
import { ToolCallContext, useToolCallStore } from './context.ts'
import { type TurnRef, useTurn } from './hooks.ts'

/** What stands at the end of a turn that did not come to its natural end, so that the model's prose is never the last word. */
export function TurnNotice(ref: TurnRef): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  const turn = useTurn(ref)
  useAnnouncer(useToolCallStore(ref.store))
  if (turn === undefined || turn.notice === null) return null
  return (
    <p className="htc-notice" data-turn-notice={turn.id}>
      {noticeSentences(turn.notice, catalogue).join(' ')}
    </p>
  )
}
