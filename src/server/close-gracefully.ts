import { Deadlines } from '../deadlines.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { Relay } from './relay.ts'

export interface CloseOptions {
  /** What runs the tools. Default: nothing is waited for, and what runs "may have run (cancelled)". */
  readonly dispatcher?: Pick<Dispatcher, 'idle'> | undefined
  /** What tells the clients. Default: nobody. */
  readonly relay?: Pick<Relay, 'drain'> | undefined
  /** Milliseconds that running tools have to come to an end, so that the truth is told of them. Default 10,000. */
  readonly grace?: number
}

// Long enough for a client that reads, short enough for a process that is to go.
const READING = 2_000

/**
 * Cancels what this process still does, on the host's behalf, and tells everybody: reports go to the clients, and to the
 * journal of the dispatcher. A tool that runs is asked to stop; if it ends within the grace its call says how, else it
 * "may have run (cancelled)". Never rejects.
 * @example process.once('SIGTERM', () => closeGracefully(store, { dispatcher, relay }).then(() => process.exit()))
 */
export async function closeGracefully(
  store: ToolCallStore,
  { dispatcher, relay, grace = 10_000 }: CloseOptions = {},
): Promise<void> {
  const deadlines = new Deadlines<object>(store.clock)
  for (const turnId of store.turnIds()) store.cancel(turnId, 'host')
  const known = within(deadlines, grace, dispatcher?.idle())
  // Before anything that was just cancelled is told of as ended.
  const drained = relay?.drain(known)
  store.flush()
  await known
  await within(deadlines, READING, drained)
}

/** Resolves when that has come to an end, or its time is up. */
export function within(
  deadlines: Deadlines<object>,
  delay: number,
  work: PromiseLike<unknown> | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const owner = {}
    const over = (): void => {
      deadlines.clear(owner)
      resolve()
    }
    deadlines.set(owner, delay, resolve)
    if (work === undefined) over()
    else work.then(over, over)
  })
}
