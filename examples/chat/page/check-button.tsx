import { type ReactNode, useState } from 'react'
import { type Report, type ToolCallStore, type TurnView, useTurn } from '../../../src/index.ts'

/** "May have run" is no reason to try again, but one to ask whoever would have run it. */
export function CheckButton({ store, turnId }: { readonly store: ToolCallStore; readonly turnId: string }): ReactNode {
  const turn = useTurn({ store, turnId })
  const [answer, setAnswer] = useState('')
  const uncertain = turn !== undefined && (turn.notice?.mayHaveRun ?? []).length > 0
  // Once pressed it stays, so that the focus has somewhere to be.
  if (turn === undefined || (!uncertain && answer === '')) return null
  return (
    <p className="check">
      <button
        type="button"
        aria-disabled={!uncertain}
        onClick={async () => {
          if (uncertain)
            setAnswer(
              (await check(store, turn)) ? 'The server has answered.' : 'The server has nothing to report so far.',
            )
        }}
      >
        Check with the server
      </button>
      <output>{answer}</output>
    </p>
  )
}

async function check(store: ToolCallStore, turn: TurnView): Promise<boolean> {
  const ids = turn.items.flatMap(({ type, key }) =>
    type === 'call' ? (store.callByKey(turn.id, key)?.getState().id ?? []) : [],
  )
  const response = await fetch(`/api/chat/outcomes?${new URLSearchParams(ids.map((id) => ['call', id]))}`)
  const reports: Report[] = await response.json()
  store.settle(reports.map((report) => ({ ...report, turnId: turn.id })))
  return reports.length > 0
}
