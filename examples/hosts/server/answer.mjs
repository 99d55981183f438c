// /api/<host>/<settings>/<whatever the host puts behind it>: answers a page with the next reply of its scenario.
// The settings are those of the page, written as a query string.
import { playReply } from './play-reply.mjs'
import { sessionOf } from './sessions.mjs'

export async function answer(request, response, { wire, settings, path, pace }) {
  const session = sessionOf(settings.get('session') ?? '')
  if (path === 'runs') return sendJson(response, await session.finalRuns())
  if (path === 'go') {
    session.go()
    return response.end()
  }

  const body = await readJson(request)
  // Where commands and events have ways of their own.
  if (wire.serve !== undefined) return wire.serve(request, response, { session, settings, path, body, pace })

  const asked = wire.read({ method: request.method, path, body })
  const chat = session.chat(asked.chat)
  // Where the wire itself does not tell another reply from a first one.
  if (asked.kind === 'message' && asked.messages === chat.messages) asked.kind = 'again'
  if (asked.kind === 'resume') return replay(response, chat, wire)

  open(response, wire)
  const sent = []
  const finished = playReply(asked, {
    session,
    settings,
    pace,
    wire,
    write(frames) {
      sent.push(frames)
      if (!response.destroyed && !response.writableEnded) response.write(frames)
    },
    link: { drop: () => response.destroy(), close: () => response.end() },
  })
  chat.last = { sent, finished }
  await finished
}

/** The last reply once more; what was left of it has come to its end by then. */
async function replay(response, { last, kept }, wire) {
  if (last === undefined) return response.writeHead(204).end()
  await last.finished
  open(response, wire)
  response.end(wire.replay?.(last.sent, kept) ?? last.sent.join(''))
}

function open(response, { headers }) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
  response.flushHeaders()
}

async function readJson(request) {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text === '' ? {} : JSON.parse(text)
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
