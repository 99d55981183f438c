import type { AbstractAgent, HttpAgent } from '@copilotkit/react-core/v2'
import type { ToolCallStream } from '../../store/stream.ts'
import { heard } from '../response.ts'

type FetchOfAgent = HttpAgent['fetch']

const wrapped = new WeakSet<FetchOfAgent>()
const streams = new WeakMap<AbortSignal, ToolCallStream>()

/** Lets the streams of an agent know of the pings and comments in its responses, which it leaves out. */
export function hearBytes(agent: AbstractAgent): void {
  if (!isHttp(agent) || wrapped.has(agent.fetch)) return
  const { fetch } = agent
  agent.fetch = async (url, init) => {
    const response = await fetch.call(agent, url, init)
    const signal = init?.signal
    if (!signal) return response
    return heard(response, () => {
      const stream = streams.get(signal)
      if (stream === undefined) return
      stream.liveness = 'bytes'
      stream.touch()
    })
  }
  wrapped.add(agent.fetch)
}

/** Says whose stream the next response of an agent is. */
export function expectBytes(agent: AbstractAgent | undefined, stream: ToolCallStream): void {
  if (agent !== undefined && isHttp(agent)) streams.set(agent.abortController.signal, stream)
}

function isHttp(agent: AbstractAgent): agent is HttpAgent {
  return 'fetch' in agent && typeof agent.fetch === 'function' && 'abortController' in agent
}
