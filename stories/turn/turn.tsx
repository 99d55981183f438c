import { type ReactNode, useState } from 'react'
import {
  createToolCallStore,
  type StoreOptions,
  type StreamEvent,
  type ToolCallStore,
  ToolCallTurn,
} from '../../src/index.ts'

export interface TurnProps {
  readonly events: readonly StreamEvent[]
  readonly options?: StoreOptions
  /** The user presses stop after the last event. */
  readonly stopped?: boolean
  readonly renderText?: (text: string) => ReactNode
}

/** A whole reply. */
export function Turn({ events, options, stopped, renderText }: TurnProps): ReactNode {
  const [{ store, turnId }] = useState(() => filled(events, options, stopped))
  return <ToolCallTurn store={store} turnId={turnId} {...(renderText === undefined ? {} : { renderText })} />
}

function filled(
  events: readonly StreamEvent[],
  options: StoreOptions = {},
  stopped = false,
): { readonly store: ToolCallStore; readonly turnId: string } {
  const store = createToolCallStore({ defaultExecutor: 'local', frame: () => () => {}, ...options })
  const stream = store.openStream()
  for (const event of events) stream.push(event)
  if (stopped) store.cancel(stream.turnId)
  store.flush()
  return { store, turnId: stream.turnId }
}
