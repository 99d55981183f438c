// The server as executor: it reads the model's wire by the same kit, runs what passed, and reports on every call.
import { setTimeout as sleep } from 'node:timers/promises'
import { RUN_TIME, tools } from '../tools.mjs'

const KEPT = 200

export async function runHere(generation, link, { kit, wire, outcomes }) {
  const store = kit.createToolCallStore({ tools: declared(kit), defaultExecutor: 'local' })
  let unsent

  async function* read() {
    for await (const piece of generation) {
      unsent = piece
      yield piece
      link.send(piece)
      unsent = undefined
    }
  }

  function report(call, facts) {
    const outcome = { call_id: call.callId, name: call.name, ...facts }
    outcomes.set(call.callId, outcome)
    if (outcomes.size > KEPT) outcomes.delete(outcomes.keys().next().value)
    link.send(`event: tool-call-outcome\ndata: ${JSON.stringify(outcome)}\n\n`)
  }

  // A browser that leaves does not stop this: the tools run all the same.
  const summary = await kit.pump(read(), kit.adapters[wire], store).ended
  for (const call of summary.calls) {
    const view = store.callByKey(summary.turnId, call.key).getState()
    if (view.phase === 'settled') report(call, { ran: view.settled.ran, cause: view.settled.cause })
  }
  // A reader takes nothing more after an error that ends its stream, so the reports go first.
  if (unsent !== undefined) link.send(unsent)

  for (const call of summary.dispatchable) {
    if (!store.dispatched(call)) continue
    await sleep(RUN_TIME)
    store.settle({ ...call, ran: 'yes', ok: true })
    report(call, { ran: 'yes', ok: true })
    console.log(`${call.name} ran on the server${link.gone ? ', after the browser had gone' : ''}.`)
  }
}

function declared(kit) {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { parameters }]) => [
      name,
      { executor: 'local', ...kit.fromJsonSchema(parameters) },
    ]),
  )
}
