import { type ReactNode, useState } from 'react'
import {
  createToolCallStore,
  type RenderCall,
  type StoreOptions,
  type StreamEvent,
  ToolCallBlock,
  type ToolCallStore,
} from '../../src/index.ts'

export interface BlockProps {
  /** What came on the stream; a call with the key `a` and the id `call_1` is among it. */
  readonly events: readonly StreamEvent[]
  readonly options?: StoreOptions
  readonly render?: RenderCall
}

/** The block of the call `call_1`. */
export function Block({ events, options, render }: BlockProps): ReactNode {
  const [store] = useState(() => filledStore(events, options))
  return <ToolCallBlock store={store} toolCallId="call_1" {...(render === undefined ? {} : { render })} />
}

/** A store that these events have come into. */
export function filledStore(events: readonly StreamEvent[], options: StoreOptions = {}): ToolCallStore {
  const store = createToolCallStore({ frame: () => () => {}, ...options })
  const stream = store.openStream()
  for (const event of events) stream.push(event)
  store.flush()
  return store
}
