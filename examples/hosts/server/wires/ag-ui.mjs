// The events of AG-UI. It has no reason for the end of a message: a ceiling closes what is open, a filter is an error.
// Nor does it know a call that waits: a question is the end of its run.

const frame = (event) => `data: ${JSON.stringify(event)}\n\n`

/** @type {import('./wire.d.mts').Wire} */
export const agUi = {
  read({ body: { threadId: chat, runId: run, messages, resume } }) {
    const place = { chat, run, input: messages }
    const answer = resume?.[0]
    if (answer) return { ...place, kind: 'go-on', granted: answer.payload?.approved === true }
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    if (since.some(({ role }) => role === 'tool')) return { ...place, kind: 'go-on' }
    // Without a new message the thread is to be told again.
    if (since.length > 0) return { ...place, kind: 'resume' }
    return { ...place, kind: 'message', messages: messages.filter((message) => message.role === 'user').length }
  },
  replay(_sent, { run, messages }) {
    return [
      { type: 'RUN_STARTED', ...run },
      { type: 'MESSAGES_SNAPSHOT', messages },
      { type: 'RUN_FINISHED', ...run },
    ]
      .map(frame)
      .join('')
  },
  reply({ chat, reply, kind, asked, kept }) {
    const run = { threadId: chat, runId: asked.run }
    const messages = [...asked.input]
    Object.assign(kept, { run, messages })
    const open = new Set()
    let message // the model's, as it is so far
    let ended = false

    const close = (id) => {
      open.delete(id)
      return frame({ type: 'TOOL_CALL_END', toolCallId: id })
    }
    const result = ({ id }, content) => {
      const answer = { id: `result-${id}-${kind}`, role: 'tool', toolCallId: id, content }
      messages.push(answer)
      return frame({ type: 'TOOL_CALL_RESULT', messageId: answer.id, toolCallId: id, role: 'tool', content })
    }
    const finished = (members) => {
      ended = true
      return frame({ type: 'RUN_FINISHED', ...run, ...members })
    }
    const failed = (code, words) => {
      ended = true
      return frame({ type: 'RUN_ERROR', message: words, code })
    }

    return {
      begin: () => frame({ type: 'RUN_STARTED', ...run }),
      say(text) {
        message = { id: `reply-${reply}-${kind}-${messages.length}`, role: 'assistant', content: text, toolCalls: [] }
        messages.push(message)
        const of = { messageId: message.id }
        const words = text.split(/(?<= )/).map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', ...of, delta }))
        return [{ type: 'TEXT_MESSAGE_START', ...of, role: 'assistant' }, ...words, { type: 'TEXT_MESSAGE_END', ...of }]
          .map(frame)
          .join('')
      },
      announce({ id, tool }) {
        open.add(id)
        message.toolCalls.push({ id, type: 'function', function: { name: tool, arguments: '' } })
        return frame({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: tool, parentMessageId: message.id })
      },
      write({ id }, delta) {
        message.toolCalls.find((call) => call.id === id).function.arguments += delta
        return frame({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })
      },
      finish: ({ id }) => close(id),
      refuse: (call) => close(call.id) + result(call, `Error: the arguments of ${call.tool} are not valid.`),
      ask({ id }) {
        const question = { id: `ask-${id}`, reason: 'tool_call', toolCallId: id, message: 'May this be done?' }
        return finished({ outcome: { type: 'interrupt', interrupts: [question] } })
      },
      decline: (call) => result(call, 'The user declined.'),
      returns: (call, value) => result(call, JSON.stringify(value)),
      end(reason) {
        if (reason === 'content-filter') return failed('content_filter', 'The reply was filtered.')
        return reason === 'length' ? [...open].map(close).join('') : ''
      },
      over: () => (ended ? '' : finished()),
      error: () => failed('overloaded', 'Overloaded.'),
    }
  },
}
