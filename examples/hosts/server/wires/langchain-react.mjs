// The events of a LangGraph run in the protocol of `@langchain/react`: content blocks, tools, input and lifecycle.
import { serveAgent } from '../agent-server.mjs'

const reasons = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' }
const invalid = 'Error: Received tool input did not match expected schema\n Please fix your mistakes.'

/** @type {import('./wire.d.mts').AgentWire} */
export const langchainReact = {
  serve: (request, response, given) => serveAgent(request, response, { ...given, wire: langchainReact }),
  reply({ reply, kind }) {
    let messages = 0
    let waits = false
    const refused = [] // calls that the node of the tools will turn down

    const block = (event, members) => ['messages', { event, ...members }]
    const tools = (event, { id, tool }, members) => ['tools', { event, tool_call_id: id, tool_name: tool, ...members }]
    const lifecycle = (event, members) => ['lifecycle', { event, ...members }]
    const ends = (call, content) => [
      block('content-block-finish', { index: call.place, content: { id: call.id, name: call.tool, ...content } }),
    ]

    return {
      begin: () => [lifecycle('running')],
      say: (text) => [
        block('message-start', { role: 'ai', id: `ai-${reply}-${kind}-${++messages}` }),
        block('content-block-start', { index: 0, content: { type: 'text', text: '' } }),
        ...text
          .split(/(?<= )/)
          .map((word) => block('content-block-delta', { index: 0, delta: { type: 'text-delta', text: word } })),
        block('content-block-finish', { index: 0, content: { type: 'text', text } }),
      ],
      announce: ({ place, id, tool }) => [
        block('content-block-start', { index: place, content: { type: 'tool_call_chunk', id, name: tool, args: '' } }),
      ],
      write: ({ place }, args) => [
        block('content-block-delta', { index: place, delta: { type: 'tool-call-delta', args } }),
      ],
      finish: (call) => ends(call, { type: 'tool_call', args: call.value }),
      refuse(call) {
        if (!isJson(call.text)) return ends(call, { type: 'invalid_tool_call', args: call.text, error: 'Invalid.' })
        refused.push(call)
        return ends(call, { type: 'tool_call', args: call.value })
      },
      ask({ id, tool, value }) {
        waits = true
        const payload = { action_requests: [{ name: tool, args: value }], review_configs: [] }
        return [['input.requested', { interrupt_id: `ask-${id}`, payload }]]
      },
      starts: (call) => [tools('tool-started', call)],
      returns: (call, output) => [tools('tool-finished', call, { output: JSON.stringify(output) })],
      end: (reason) => [
        block('message-finish', { reason: reasons[reason], metadata: { finish_reason: reasons[reason] } }),
        ...refused.splice(0).map((call) => tools('tool-error', call, { message: invalid })),
      ],
      over: () => [lifecycle(waits ? 'interrupted' : 'completed')],
      error: () => [lifecycle('failed', { error: 'Overloaded.' })],
    }
  },
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
