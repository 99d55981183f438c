import type { StreamEvent } from '../core/events.ts'
import type { Report } from '../core/report.ts'
import { executorOf } from '../core/tools.ts'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'

/** Whether a call of this name would be run by this page. */
export function runsHere(store: ToolCallStore, name: string): boolean {
  const executor = executorOf(store.registry, name)
  return executor === 'local' || executor === 'host'
}

/** A call that nobody is given before our gate passed it is ours, whoever runs it then. */
export function asGated(store: ToolCallStore, event: StreamEvent): StreamEvent {
  if (event.type !== 'call-announced' || event.executor !== undefined || event.name === undefined) return event
  return runsHere(store, event.name) ? { ...event, executor: 'local' } : event
}

/** Says something of this very call, also where its id is used twice. */
export function settleCall(store: ToolCallStore, call: CallView, says: Pick<Report, 'ran' | 'cause' | 'ok'>): void {
  const { id: callId, turnId, key } = call
  store.settle({ callId, turnId, key, name: null, ...says })
}
