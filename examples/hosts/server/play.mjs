// Plays the steps of a reply in the words of a wire. Returns once nothing more of it happens on this server, which may
// be long after its reader has gone.
import { setTimeout as sleep } from 'node:timers/promises'

const fragments = (text) => text.match(/.{1,6}/gsu) ?? []

/**
 * @param write sends frames; whether somebody still reads them is not the player's business
 * @param link what may happen to the connection: `drop`, `close`, and where the page may come back, `cut`
 * @param pause resolves when there was time to see what has come
 * @param ran told of every tool that this server runs, when it begins
 */
export async function play(steps, reply, { write, link, pause, idOf, onServer, pace, ran }) {
  const send = async (frames) => {
    if (!frames) return
    write(frames)
    await sleep(pace)
  }
  await send(reply.begin?.())
  for (const step of steps) {
    if (step.by === 'server' && !onServer) continue
    const call = step.call && { ...step.call, id: idOf(step.call) }
    switch (step.do) {
      case 'say':
        await send(reply.say(step.text))
        break
      case 'announce':
        await send(reply.announce(call))
        break
      case 'write':
        for (const fragment of fragments(step.text)) await send(reply.write(call, fragment))
        break
      case 'finish':
        await send(onServer && call.refused ? reply.refuse?.(call) : reply.finish?.(call))
        break
      case 'ask':
        await send(reply.ask?.(call))
        break
      case 'decline':
        await send(reply.decline?.(call))
        break
      case 'starts':
        ran(call)
        await send(reply.starts?.(call))
        break
      case 'returns':
        await send(reply.returns(call, { ok: true }))
        break
      case 'end':
        await send(reply.end(step.reason))
        break
      case 'over':
        write(reply.over())
        link.close()
        return
      case 'error':
        write(reply.error())
        link.close()
        return
      case 'drop':
        link.drop()
        return
      case 'cut':
        ;(link.cut ?? link.drop)()
        break
      case 'pause':
        await pause()
        break
      case 'close':
        link.close()
        return
      case 'stall':
        return
      default:
        throw new Error(`honest-tool-calls: there is no step ${step.do}`)
    }
  }
}
