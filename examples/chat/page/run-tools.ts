import type { StreamSummary, ToolCallStore } from '../../../src/index.ts'
import { RUN_TIME } from '../tools.mjs'
import type { Log } from './log.ts'

/** Runs by hand what a stream left to be run: ask, run only on a yes, say how it went. */
export async function runTools(store: ToolCallStore, summary: StreamSummary, log: Log): Promise<void> {
  for (const call of summary.dispatchable) {
    if (!store.dispatched(call)) continue
    // Published, and with that kept, before the tool begins: after a reload it may have run.
    store.flush()
    log.add('tool', `${call.name} runs on the page`)
    await new Promise((resolve) => setTimeout(resolve, RUN_TIME))
    log.add('tool', `${call.name} ran`)
    store.settle({ callId: call.callId, turnId: summary.turnId, name: call.name, ran: 'yes', ok: true })
  }
}
