import { readToolPart } from './adapters/hydration-ui-part.ts'
import type { StreamEvent } from './core/events.ts'
import { Ledger } from './core/ledger.ts'
import type { Registry } from './core/tools.ts'
import { createTurn } from './core/turn.ts'
import { type CallView, viewOf } from './core/view.ts'

const STREAM = 0

/**
 * What a stored tool part of the AI SDK says of its call, where nothing else is known: as after a reload, with an ending
 * that proves nothing. Undefined for what is no tool part.
 * @param told changes what the part says on its way into the ledger
 */
export function storedView(
  registry: Registry,
  part: unknown,
  told = (event: StreamEvent): StreamEvent => event,
): CallView | undefined {
  const ignore = (): void => {}
  const ledger = new Ledger(registry, {
    announced: ignore,
    settled: ignore,
    revised: ignore,
    pending: ignore,
    dropped: ignore,
    contradicted: ignore,
  })
  const turn = createTurn('stored', undefined)
  const apply = (event: StreamEvent): void => ledger.apply(turn, STREAM, told(event))
  ledger.openStream(turn, STREAM)
  readToolPart(part, 'stored', apply)
  apply({ type: 'stream-ended', ending: { type: 'lost', how: 'reloaded', speaker: 'nobody', detail: 'stored' } })
  const call = turn.calls.get('stored')
  return call && viewOf(call, turn.id, registry)
}
