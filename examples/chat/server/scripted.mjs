// A scripted provider: the wire of its API, a piece at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptOf } from './script.mjs'
import { anthropic } from './wires/anthropic.mjs'
import { openaiChat } from './wires/openai-chat.mjs'
import { openaiResponses } from './wires/openai-responses.mjs'

const wires = { anthropic, 'openai-chat': openaiChat, 'openai-responses': openaiResponses }

export async function* scripted(asked, pace) {
  for (const piece of wires[asked.wire](scriptOf(asked))) {
    if (typeof piece === 'number') await sleep(piece)
    else {
      await sleep(pace * (0.6 + Math.random()))
      yield piece
    }
  }
}
