import type { StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import type { Tools } from '../../src/core/tools.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

/** A store whose undeclared tools are ours, at a clock that stands still. */
export function newStore(tools: Tools) {
  const clock = createFakeClock()
  return {
    clock,
    store: createToolCallStore({ clock, frame: () => () => {}, tools, defaultExecutor: 'local' }),
  }
}

/** One message of these calls, ended well: by id, name and argument text. Returns what may be dispatched. */
export function receive(
  store: ToolCallStore,
  calls: Readonly<Record<string, readonly [name: string, text: string]>>,
  turnId = 't',
) {
  const stream = store.openStream({ turnId })
  const push = (event: StreamEvent): void => stream.push(event)
  push({ type: 'message-started' })
  for (const [callId, [name, text]] of Object.entries(calls)) {
    const key = `key-${callId}`
    push({ type: 'call-announced', key, callId, name })
    push({ type: 'call-fragment', key, text })
    push({ type: 'call-finished', key })
  }
  push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  stream.end({ type: 'complete', speaker: 'model' })
  store.flush()
  return store.dispatchable(turnId)
}

/** The labels of a turn, by call id. */
export function labels(store: ToolCallStore, turnId = 't'): Record<string, string> {
  store.flush()
  const items = store.turn(turnId)?.getState().items ?? []
  return Object.fromEntries(
    items.flatMap((item) => {
      const view = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
      return view === undefined ? [] : [[view.id, labelOf(view)]]
    }),
  )
}

/** A promise to be settled from outside. */
export function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Lets everything that waits for nothing but the event loop come to its end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
