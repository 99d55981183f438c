import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { ToolCallStore } from 'honest-tool-calls'
import { anthropicMessages, type Dispatcher, type Run } from 'honest-tool-calls/dispatch/index.ts'

/** Whether a turn waits for a person. */
export function isAsking(store: ToolCallStore, turnId: string): boolean {
  return (store.turn(turnId)?.getState().items ?? []).some((item) => {
    const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
    return call?.phase === 'waiting' && call.on === 'person'
  })
}

/**
 * Waits for the answer to a question that outlived its page, and runs what was approved: the loop that would have done so
 * is gone. Resolves to what that adds to the conversation; null where nothing was run, so that the model has to be told nothing.
 */
export async function takeUp(
  store: ToolCallStore,
  dispatcher: Dispatcher,
  turnId: string,
): Promise<readonly MessageParam[] | null> {
  await new Promise<void>((resolve) => {
    const stop = store.subscribe(() => {
      if (isAsking(store, turnId)) return
      stop()
      resolve()
    })
  })
  const runs = await dispatcher.dispatch(store.dispatchable(turnId))
  if (runs.length === 0) return null
  const items = store.turn(turnId)?.getState().items ?? []
  const text = items.map((item) => (item.type === 'text' ? item.text : '')).join('')
  const calls = runs.map(({ call: { callId, name, args } }) => ({
    callId,
    hasWireId: true,
    name,
    raw: JSON.stringify(args),
    args,
  }))
  return [...anthropicMessages.reply({ text, calls, own: undefined }), ...anthropicMessages.answers(runs.map(answerOf))]
}

function answerOf({ call: { callId, name }, settled, value }: Run) {
  const isError = settled.ran !== 'yes' || settled.cause === 'not-ok'
  return { callId, hasWireId: true, name, isError, text: isError ? 'It is not known how this went.' : String(value) }
}
