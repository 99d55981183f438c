import { readToolPart } from '../../adapters/hydration-ui-part.ts'
import type { StreamEvent } from '../../core/events.ts'
import { Ledger } from '../../core/ledger.ts'
import { createTurn } from '../../core/turn.ts'
import { type CallView, viewOf } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolPart } from './evidence.ts'
import { asGated, isGated } from './gated.ts'

const STREAM = 0

/** What a stored part says of its call, where nothing else is known: after a reload the store has seen nothing. */
export function storedView(store: ToolCallStore, part: ToolPart): CallView | undefined {
  const ignore = (): void => {}
  const ledger = new Ledger(store.registry, {
    announced: ignore,
    settled: ignore,
    revised: ignore,
    pending: ignore,
    dropped: ignore,
    contradicted: ignore,
  })
  const turn = createTurn('stored', undefined)
  const apply = (event: StreamEvent): void => ledger.apply(turn, STREAM, isGated(store) ? asGated(store, event) : event)
  ledger.openStream(turn, STREAM)
  readToolPart(part, 'stored', apply)
  apply({ type: 'stream-ended', ending: { type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' } })
  const call = turn.calls.get('stored')
  return call && viewOf(call, turn.id, store.registry)
}
