// /api/gate/<session>/…: the provider, the tools and the bank, as far apart as they would be.
import { setTimeout as sleep } from 'node:timers/promises'
import { mint } from '../../chat/server/pieces.mjs'
import { anthropic } from '../../chat/server/wires/anthropic.mjs'
import { replyTo } from './model.mjs'
import { createOffice } from './office.mjs'
import { refusalOf } from './refusal.mjs'

const LONGEST = 256 * 1024

export function createAnswer(pace) {
  const offices = new Map()
  const officeOf = (session) => {
    if (!offices.has(session)) offices.set(session, createOffice())
    return offices.get(session)
  }

  return async (request, response, [session, what, name]) => {
    const office = officeOf(session)
    switch (`${request.method} ${what}`) {
      case 'POST messages':
        return reply(await bodyOf(request), response, pace)
      case 'POST tools':
        return runTool(office, name, await bodyOf(request), response)
      case 'GET payments':
        return sendJson(response, 200, office.find(name))
      case 'GET runs':
        return sendJson(response, 200, office.runs())
      default:
        return response.writeHead(404).end()
    }
  }
}

/** Anthropic's Messages, streamed. */
async function reply(asked, response, pace) {
  const message = refusalOf(asked)
  if (message !== null) {
    console.error(`honest-tool-calls: a provider would have refused this: ${message}`)
    const error = { type: 'invalid_request_error', message }
    return sendJson(response, 400, { type: 'error', error, request_id: mint('req_01') })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  for (const piece of anthropic(replyTo(asked.messages))) {
    if (response.destroyed) return
    if (typeof piece === 'number') await sleep(piece)
    else {
      await sleep(pace)
      response.write(piece)
    }
  }
  response.end()
}

async function runTool(office, name, asked, response) {
  if (!office.knows(name) || typeof asked?.key !== 'string') return sendJson(response, 400, { error: 'no such tool' })
  // At once, because browsers ask a second time where a used connection breaks before anything came.
  response.writeHead(200, { 'content-type': 'application/json' })
  response.flushHeaders()
  const answer = await office.run(name, asked)
  if (answer === null) response.destroy()
  else response.end(JSON.stringify(answer))
}

/** What was sent as JSON; undefined for anything else. Pages from elsewhere cannot send that type without asking first. */
async function bodyOf(request) {
  if (request.headers['content-type'] !== 'application/json') return undefined
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += piece
    if (text.length > LONGEST) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
