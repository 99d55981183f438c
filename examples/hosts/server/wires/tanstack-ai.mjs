// The events of TanStack AI, as its `toServerSentEventsResponse` writes them: AG-UI, with what it adds in `metadata`.

const frame = (event) => `data: ${JSON.stringify(event)}\n\n`
const reasons = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' }

/** @type {import('./wire.d.mts').Wire} */
export const tanstackAi = {
  read({ body: { threadId: chat, messages } }) {
    const last = messages.at(-1)
    if (last.role === 'user') {
      return { chat, kind: 'message', messages: messages.filter(({ role }) => role === 'user').length }
    }
    // A person's answer stands in the history in the place of a result.
    const { approved } = last.role === 'tool' ? JSON.parse(last.content) : {}
    return { chat, kind: 'go-on', ...(approved !== undefined && { granted: approved }) }
  },
  reply({ chat, reply, kind, onServer }) {
    const run = { threadId: chat, runId: `run-${reply}-${kind}` }
    let messages = 0
    let ended = 'stop'
    const asked = [] // the calls that the page is to run: once the model's message has ended
    const messageId = () => `reply-${reply}-${kind}-${messages}`
    const tool = ({ id, tool }) => ({ toolCallId: id, toolCallName: tool, toolName: tool })
    const result = ({ id }, value) => {
      const content = JSON.stringify(value)
      return { type: 'TOOL_CALL_RESULT', messageId: `result-${id}`, toolCallId: id, role: 'tool', content }
    }
    const failed = (call, error) =>
      frame({ ...result(call, { error }), metadata: { tanstack: { state: 'output-error' } } })

    return {
      begin: () => frame({ type: 'RUN_STARTED', ...run }),
      say(text) {
        messages++
        const of = { messageId: messageId() }
        const words = text.split(/(?<= )/).map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', ...of, delta }))
        return [{ type: 'TEXT_MESSAGE_START', ...of, role: 'assistant' }, ...words, { type: 'TEXT_MESSAGE_END', ...of }]
          .map(frame)
          .join('')
      },
      announce: (call) => frame({ type: 'TOOL_CALL_START', ...tool(call), parentMessageId: messageId() }),
      write: ({ id }, delta) => frame({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta }),
      finish(call) {
        if (!onServer) asked.push(call)
        return frame({ type: 'TOOL_CALL_END', ...tool(call), metadata: { tanstack: { input: call.value } } })
      },
      refuse: (call) =>
        frame({ type: 'TOOL_CALL_END', ...tool(call) }) +
        failed(call, `Input validation failed for tool ${call.tool}: Invalid input.`),
      ask({ id, tool, value }) {
        const approval = { id: `ask-${id}`, needsApproval: true }
        return frame({
          type: 'CUSTOM',
          name: 'approval-requested',
          value: { toolCallId: id, toolName: tool, input: value, approval },
        })
      },
      decline: (call) => failed(call, 'User declined tool execution'),
      returns: (call, value) => frame(result(call, value)),
      end(reason) {
        ended = reason
        const wanted = asked.splice(0).map(({ id, tool, value }) => ({ toolCallId: id, toolName: tool, input: value }))
        return wanted.map((value) => frame({ type: 'CUSTOM', name: 'tool-input-available', value })).join('')
      },
      over() {
        const finished = { type: 'RUN_FINISHED', ...run, metadata: { tanstack: { finishReason: reasons[ended] } } }
        return `${frame(finished)}data: [DONE]\n\n`
      },
      error: () => frame({ type: 'RUN_ERROR', message: 'Overloaded.', code: 'overloaded' }),
    }
  },
}
