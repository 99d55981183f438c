import { anthropic } from 'honest-tool-calls/adapters/anthropic.ts'
import { pump } from 'honest-tool-calls/core.ts'
import { dispatcher } from './journal.ts'
import { store } from './store.ts'

export async function answer(response: Response) {
  const turn = pump(response, anthropic, store)
  const { dispatchable } = await turn.ended
  for (const { call, settled, value } of await dispatcher.dispatch(dispatchable)) {
    if (settled.ran === 'yes') console.log(call.name, value)
    if (settled.ran === 'unknown') await dispatcher.reconcile(call)
  }
}
