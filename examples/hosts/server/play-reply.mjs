import { setTimeout as sleep } from 'node:timers/promises'
import { continuations, scenarios } from '../scenarios.mjs'
import { play } from './play.mjs'

/** Plays what a chat is to get next, by the settings of its page, in the words of a wire. */
export function playReply(asked, { session, settings, pace, wire, write, link }) {
  const chat = session.chat(asked.chat)
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
  return play(steps, reply, {
    write,
    link,
    pause: () => (settings.get('held') === 'yes' ? session.mayGo() : sleep(500)),
    // Another reply to the same message has the same ids, as some models count them.
    idOf: ({ place }) => `call_${settings.get('ids') === 'same' ? 1 : messages}_${place}`,
    onServer,
    pace,
    ran: ({ id, tool, value }) => session.runs.push({ chat: asked.chat, id, tool, value }),
  })
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
