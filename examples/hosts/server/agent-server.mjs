// An agent server in LangGraph's own protocol: commands are sent to it, and what comes of them is a log of events, which
// is told to all who listen and, from its beginning, to all who come back.
import { playReply } from './play-reply.mjs'

const threads = new WeakMap()

/** The thread of a chat: who listens, by the channels they want, and what waits for somebody who does. */
function threadOf(chat) {
  const known = threads.get(chat)
  if (known !== undefined) return known
  const made = { log: [], listeners: new Map(), waiting: [], runs: 0, current: undefined, isReachable: true }
  threads.set(chat, made)
  return made
}

/** Answers `<chat>/threads/<id>/…`; `wire` writes the events, each as its method and its data. */
export async function serveAgent(request, response, { session, settings, path, body, pace, wire }) {
  const [name, , , ...rest] = path.split('/')
  const chat = session.chat(name)
  const thread = threadOf(chat)

  switch (rest.join('/')) {
    case 'stream/events':
      return listen(request, response, thread, body.channels)
    case 'commands': {
      const asked = askedBy(name, body)
      if (asked === undefined) return sendJson(response, { type: 'success', id: body.id, result: {} })
      const run = `run-${++thread.runs}`
      thread.current = run
      thread.isReachable = true
      sendJson(response, { type: 'success', id: body.id, result: { run_id: run } })
      // What breaks off before anybody listened would be a failure to connect.
      await heard(thread)
      const finished = playReply(asked, { session, settings, pace, wire, ...speaker(thread, run) })
      chat.last = { sent: [], finished }
      return finished
    }
    default:
      if (!rest.at(-1)?.startsWith('cancel')) return sendJson(response, {}, 404)
      thread.current = undefined
      return sendJson(response, {})
  }
}

function askedBy(chat, { method, params }) {
  if (method === 'run.start') return { chat, kind: 'message' }
  if (method !== 'input.respond') return undefined
  return { chat, kind: 'go-on', granted: params.response.decisions[0].type === 'approve' }
}

/** How a run speaks, until it is cancelled or another one takes its place; and what may happen to those who listen. */
function speaker(thread, run) {
  const isCurrent = () => thread.current === run
  let isOver = false
  const lose = (part) => {
    for (const listener of thread.listeners.keys()) part(listener)
    thread.listeners.clear()
  }
  /** Nobody is there any more who would answer. */
  const leave = (part) => {
    if (!isCurrent() || isOver) return
    thread.isReachable = false
    lose(part)
  }
  return {
    write(events) {
      if (!isCurrent()) return
      for (const [method, data] of events) {
        isOver ||= method === 'lifecycle' && data.event !== 'running'
        tell(thread, method, data)
      }
    },
    link: {
      drop: () => leave((listener) => listener.destroy()),
      // Those who listen stay, once a run has said its last word.
      close: () => leave((listener) => listener.end()),
      cut: () => isCurrent() && lose((listener) => listener.destroy()),
    },
  }
}

function tell(thread, method, data) {
  const seq = thread.log.length + 1
  const params = { namespace: [], timestamp: seq, data, ...(method === 'messages' && { node: 'agent' }) }
  const event = { type: 'event', seq, event_id: `event-${seq}`, method, params }
  thread.log.push(event)
  for (const [listener, channels] of thread.listeners)
    if (channels.includes(channelOf(event))) listener.write(frame(event))
}

function listen(request, response, thread, channels) {
  if (!thread.isReachable) return request.socket.destroy()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const event of thread.log) if (channels.includes(channelOf(event))) response.write(frame(event))
  thread.listeners.set(response, channels)
  response.on('close', () => thread.listeners.delete(response))
  if (channels.includes('messages')) for (const go of thread.waiting.splice(0)) go()
}

/** Resolves once somebody listens to the messages. */
async function heard({ listeners, waiting }) {
  if ([...listeners.values()].some((channels) => channels.includes('messages'))) return
  await new Promise((resolve) => waiting.push(resolve))
}

const channelOf = ({ method }) => method.split('.')[0]
const frame = (event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`

function sendJson(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
