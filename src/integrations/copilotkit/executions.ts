import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { settleCall } from '../host-calls.ts'

/** What the host says of the tools that it runs in the page. */
export interface Executions {
  /** @param args undefined where the host could not read them: then it runs nothing, though it says that it begins */
  started(callId: string, args: unknown): void
  ended(callId: string, error: string | undefined): void
  /** The person stops a thread: of what the host has not begun by now it begins nothing. */
  stopped(threadId: string): void
}

/** Hands up what the host says as evidence. */
export function createExecutions(store: ToolCallStore): Executions {
  const begun = new Map<string, CallView>()

  /** The host names no thread. Where the id stands in several, and says nothing, nobody can tell of which it speaks. */
  function find(callId: string): CallView | undefined {
    store.flush()
    const found = store.turnIds().flatMap((turnId) => {
      const call = store.call({ callId, turnId })?.getState()
      const hasRun = call?.phase === 'settled' && call.settled.ran === 'yes'
      return call !== undefined && isOfThisPage(call) && !hasRun ? [call] : []
    })
    const scopes = new Set(found.map(({ turnId }) => store.turn(turnId)?.getState().scope))
    if (scopes.size < 2) return found.at(-1)
    const open = found.filter(({ phase }) => phase !== 'settled')
    return open.length === 1 ? open[0] : undefined
  }

  return {
    started(callId, args) {
      const call = find(callId)
      if (call === undefined) return
      if (args === undefined) return settleCall(store, call, { ran: 'no', cause: 'unparseable' })
      begun.set(callId, call)
      store.dispatched({ callId, turnId: call.turnId, key: call.key })
    },
    ended(callId, error) {
      const call = begun.get(callId)
      if (begun.delete(callId) && call !== undefined) settleCall(store, call, { ran: 'yes', ok: error === undefined })
    },
    stopped(threadId) {
      const turn = store.turnOf(threadId)?.getState()
      if (turn === undefined) return
      store.flush()
      for (const { type, key } of store.turn(turn.id)?.getState().items ?? []) {
        const call = type === 'call' ? store.callByKey(turn.id, key)?.getState() : undefined
        if (call === undefined || !isOfThisPage(call) || call.phase === 'settled' || begun.has(call.id)) continue
        settleCall(store, call, { ran: 'no', cause: 'cancelled' })
      }
      store.cancel(turn.id, 'user')
    },
  }
}

function isOfThisPage({ executor }: CallView): boolean {
  return executor === 'host' || executor === 'local'
}
