// /api/<host>/<settings>/<whatever the host puts behind it>: answers a page with the next reply of its scenario.
// The settings are those of the page, written as a query string.
import { setTimeout as sleep } from 'node:timers/promises'
import { continuations, scenarios } from '../scenarios.mjs'
import { play } from './play.mjs'
import { sessionOf } from './sessions.mjs'

export async function answer(request, response, { wire, settings, path, pace }) {
  const session = sessionOf(settings.get('session') ?? '')
  if (path === 'runs') return sendJson(response, await session.finalRuns())
  if (path === 'go') {
    session.go()
    return response.end()
  }

  const asked = wire.read({ method: request.method, path, body: await readJson(request) })
  const chat = session.chat(asked.chat)
  // Where the wire itself does not tell another reply from a first one.
  if (asked.kind === 'message' && asked.messages === chat.messages) asked.kind = 'again'
  if (asked.kind === 'resume') return replay(response, chat.last, wire)

  if (asked.kind === 'message') chat.messages++
  if (asked.kind !== 'go-on') chat.steps = nextSteps(settings, asked.chat, chat.replies++)
  const steps = asked.kind === 'go-on' ? goOn(asked, chat.steps) : chat.steps
  const { messages } = chat
  const onServer = settings.get('executor') === 'server'
  const reply = wire.reply({
    chat: asked.chat,
    reply: chat.replies,
    kind: asked.kind,
    asked,
    kept: chat.kept,
    onServer,
  })

  open(response, wire)
  const sent = []
  const finished = play(steps, reply, {
    write(frames) {
      sent.push(frames)
      if (!response.destroyed && !response.writableEnded) response.write(frames)
    },
    link: { drop: () => response.destroy(), close: () => response.end() },
    pause: () => (settings.get('held') === 'yes' ? session.mayGo() : sleep(500)),
    // Another reply to the same message has the same ids, as some models count them.
    idOf: ({ place }) => `call_${messages}_${place}`,
    onServer,
    pace,
    ran: ({ id, tool, value }) => session.runs.push({ chat: asked.chat, id, tool, value }),
  })
  chat.last = { sent, finished }
  await finished
}

/** The scenarios of a chat are played one after the other, the last one again for all that follow. */
function nextSteps(settings, chat, reply) {
  const names = (settings.get(chat === 'second' ? 'second' : 'scenario') ?? '').split(',')
  const name = names[Math.min(reply, names.length - 1)]
  return (scenarios[name] ?? scenarios.good).steps
}

function goOn({ granted }, steps) {
  if (granted === undefined) return continuations.returned
  if (granted) return continuations.granted
  const asked = steps.find((step) => step.do === 'ask')
  return [{ do: 'decline', call: asked.call }, ...continuations.refused]
}

/** The last reply once more; what was left of it has come to its end by then. */
async function replay(response, last, wire) {
  if (last === undefined) return response.writeHead(204).end()
  await last.finished
  open(response, wire)
  response.end(wire.replay?.(last.sent) ?? last.sent.join(''))
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
