import { createStore, type StoreApi } from 'zustand/vanilla'
import { type PumpedTurn, pump, type StreamEvent, type ToolCallStore } from '../../../src/index.ts'
import { faultLabel, type Settings, wires } from './choices.ts'
import { isLeaving, keep, readKept, reload } from './keep.ts'
import type { Log } from './log.ts'
import { logEvent, logPublications, logSummary } from './log-facts.ts'
import { logged } from './logged.ts'
import { runTools } from './run-tools.ts'
import { createStores } from './stores.ts'

/** A message of the user and, by its id, the turn that answers it. */
export interface Exchange {
  readonly turnId: string
  readonly message: string
  readonly settings: Settings
}

interface ChatState {
  readonly exchanges: readonly Exchange[]
  readonly settings: Settings
  /** The turn that streams now. */
  readonly streaming: string | null
  /** How many turns stream or run their tools. */
  readonly busy: number
}

export interface Chat {
  readonly state: StoreApi<ChatState>
  storeFor(settings: Settings): ToolCallStore
  choose(settings: Partial<Settings>): void
  send(message: string): void
  stop(): void
  clear(): void
}

// The faults of the user come once this many characters of arguments have.
const MIDST = 200

export function createChat(log: Log): Chat {
  const { exchanges, settings } = readKept()
  const state = createStore<ChatState>(() => ({ exchanges, settings, streaming: null, busy: 0 }))
  const stores = createStores((store) => logPublications(log, store))
  state.subscribe(({ exchanges, settings }) => keep({ exchanges, settings }))
  for (const exchange of exchanges) stores.for(exchange.settings)
  if (exchanges.length > 0) log.start('the page was opened again')
  let turn: PumpedTurn | null = null

  /** Does for the user what the chosen fault has the user do. */
  const act = (settings: Settings): ((event: StreamEvent) => void) => {
    let received = 0
    return (event) => {
      if (event.type !== 'call-fragment' || received >= MIDST) return
      received += event.text.length
      if (received < MIDST) return
      if (settings.fault === 'stop') queueMicrotask(() => turn?.cancel())
      if (settings.fault === 'reload') reload()
    }
  }

  async function read(pumped: PumpedTurn, store: ToolCallStore): Promise<void> {
    const summary = await pumped.ended
    state.setState({ streaming: null })
    logSummary(log, summary)
    if (isLeaving()) return
    await runTools(store, summary, log)
    state.setState(({ busy }) => ({ busy: busy - 1 }))
  }

  return {
    state,
    storeFor: (chosen) => stores.for(chosen),
    choose(changed) {
      state.setState(({ settings }) => ({ settings: { ...settings, ...changed } }))
    },
    send(message) {
      const { settings } = state.getState()
      const turnId = crypto.randomUUID()
      const store = stores.for(settings)
      const { label, adapter } = wires[settings.wire]
      log.start(`sent: ${label}, ${faultLabel(settings.fault)}`)
      const acted = act(settings)
      const listened = logged(adapter, (event) => {
        logEvent(log, event)
        acted(event)
      })
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ ...settings, message })
      state.setState(({ exchanges, busy }) => ({
        exchanges: [...exchanges, { turnId, message, settings }],
        streaming: turnId,
        busy: busy + 1,
      }))
      turn = pump((signal) => fetch('/api/chat', { method: 'POST', headers, body, signal }), listened, store, {
        turnId,
      })
      void read(turn, store)
    },
    stop: () => turn?.cancel(),
    clear() {
      const { exchanges, busy } = state.getState()
      if (busy > 0) return
      for (const { turnId, settings } of exchanges) stores.for(settings).forget(turnId)
      state.setState({ exchanges: [] })
    },
  }
}
