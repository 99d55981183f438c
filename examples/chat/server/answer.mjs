// POST /api/chat: streams one reply of the model to the page.
import { openLink } from './link.mjs'
import { fromProvider } from './providers.mjs'
import { readRequest } from './request.mjs'
import { runHere } from './run-here.mjs'
import { midstOf } from './script.mjs'
import { scripted } from './scripted.mjs'

export async function answer(request, response, { kit, pace, outcomes }) {
  const { asked, refused } = await readRequest(request)
  if (refused) return refuse(response, refused.status, refused.why)

  const left = new AbortController()
  // What this server runs goes on without a reader. What the page would run has no reader left.
  if (asked.executor === 'page') response.on('close', () => left.abort())

  let generation
  try {
    generation = asked.source === 'provider' ? await fromProvider(asked, left.signal) : scripted(asked, pace)
  } catch (error) {
    console.error(`honest-tool-calls: ${asked.wire}: ${error.message}`)
    return refuse(response, error.status ?? 502, 'the provider could not be reached, or refused')
  }

  // A real provider may send the arguments in a few long pieces.
  const link = openLink(response, { fault: asked.fault, after: asked.source === 'scripted' ? midstOf(asked) : 5 })
  try {
    if (asked.executor === 'server') await runHere(generation, link, { kit, wire: asked.wire, outcomes })
    else await relay(generation, link)
    link.end()
  } catch (error) {
    // The provider's own connection broke: the page's must not end as if all had been said.
    if (!left.signal.aborted) console.error(`honest-tool-calls: ${asked.wire}: ${error.message}`)
    response.destroy()
  }
}

async function relay(generation, link) {
  for await (const piece of generation) {
    if (link.gone) return
    link.send(piece)
  }
}

function refuse(response, status, why) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: why }))
}
