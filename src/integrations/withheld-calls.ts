import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { settleCall } from './host-calls.ts'

/** Resolves once the checks of some calls are done, which may take their time and which the store bounds; undefined where they are. */
export function whenJudged(store: ToolCallStore, unjudged: () => boolean): Promise<void> | undefined {
  store.flush()
  if (!unjudged()) return undefined
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (unjudged()) return
      stop()
      resolve()
    })
  })
}

/** Whether a host may run a call now; then that counts as begun. */
export function letGo(store: ToolCallStore, turnId: string, callId: string): boolean {
  const ready = store.dispatchable(turnId).find((call) => call.callId === callId)
  return ready !== undefined && store.dispatched(ready)
}

/** What is true of a call that its host will never have. Not judged, or a person was to be asked: that has to be said. */
export function withhold(store: ToolCallStore, look: () => CallView | undefined): CallView | undefined {
  const call = look()
  if (call?.phase !== 'preparing' && call?.phase !== 'waiting') return call
  settleCall(store, call, { ran: 'no', cause: 'not-started' })
  store.flush()
  return look()
}

/** Whether a call was handed over before: that must neither run twice, nor be called not run. */
export function mayHaveRun(call: CallView | undefined): boolean {
  return call?.phase === 'running' || (call?.phase === 'settled' && call.settled.ran !== 'no')
}
