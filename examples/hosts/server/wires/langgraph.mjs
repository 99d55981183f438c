// The events of a LangGraph run as `toEventStream` writes them, in the modes `messages`, `tools` and `values`.

const frame = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const reasons = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' }

/** @type {import('./wire.d.mts').Wire} */
export const langgraph = {
  read({ body: { input, command, config } }) {
    const chat = config.configurable.thread_id
    if (command?.resume) return { chat, kind: 'go-on', granted: command.resume.decisions[0].type === 'approve' }
    if (!input) return { chat, kind: 'resume' }
    return { chat, kind: 'message', input: input.messages }
  },
  // Who comes back is given the state of the thread.
  replay: (sent) => sent.filter((frames) => frames.startsWith('event: values')).at(-1) ?? '',
  reply({ chat, reply, kind, asked, kept }) {
    kept.messages ??= []
    const messages = [...kept.messages, ...(asked.input ?? [])]
    let ai // the model's message, as it is so far
    const refused = [] // calls that the node of the tools will turn down

    const values = (members) => frame('values', { messages, ...members })
    const chunk = (members) =>
      frame('messages', [
        { type: 'AIMessageChunk', id: ai.id, content: '', tool_call_chunks: [], ...members },
        { langgraph_node: 'agent' },
      ])
    const piece = ({ place, members, args }) => chunk({ tool_call_chunks: [{ index: place, args, ...members }] })
    const answered = (call, content, status) => {
      const message = { type: 'tool', id: `tool-${call.id}`, tool_call_id: call.id, name: call.tool, content, status }
      messages.push(message)
      return frame('messages', [message, { langgraph_node: 'tools' }])
    }

    return {
      begin: () => frame('metadata', { run_id: `run-${reply}-${kind}`, thread_id: chat }) + values(),
      say(text) {
        ai = { type: 'ai', id: `ai-${reply}-${kind}-${messages.length}`, content: text, tool_calls: [] }
        return text
          .split(/(?<= )/)
          .map((content) => chunk({ content }))
          .join('')
      },
      announce: (call) => piece({ ...call, args: '', members: { id: call.id, name: call.tool } }),
      write: (call, args) => piece({ ...call, args, members: { id: null, name: null } }),
      // This wire has no word for the end of a call, but what the server will run is in its state.
      finish({ id, tool, value }) {
        ai.tool_calls.push({ id, name: tool, args: value })
        return ''
      },
      refuse(call) {
        const { id, tool, text, value } = call
        // What cannot be read is in the state as no call at all.
        if (!isJson(text)) return ''
        ai.tool_calls.push({ id, name: tool, args: value })
        refused.push(call)
        return ''
      },
      ask({ id, tool, value }) {
        const requests = [{ name: tool, args: value }]
        return values({ __interrupt__: [{ id: `ask-${id}`, value: { action_requests: requests } }] })
      },
      decline: (call) => answered(call, `User rejected the tool call for \`${call.tool}\` with id ${call.id}`, 'error'),
      starts: ({ id, tool }) => frame('tools', { event: 'on_tool_start', tool_call_id: id, name: tool }),
      returns: (call, value) => answered(call, JSON.stringify(value), 'success'),
      end(reason) {
        const ended = { response_metadata: { finish_reason: reasons[reason] } }
        messages.push({ ...ai, ...ended })
        const words = 'Error: Received tool input did not match expected schema\n Please fix your mistakes.'
        return (
          chunk(ended) +
          refused
            .splice(0)
            .map((call) => answered(call, words, 'error'))
            .join('')
        )
      },
      over() {
        kept.messages = messages
        return values()
      },
      error: () => frame('error', { error: 'Overloaded', message: 'Overloaded.' }),
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
