// The UI message stream of the AI SDK, as its server writes it.

const frame = (chunk) => `data: ${JSON.stringify(chunk)}\n\n`

/** @type {import('./wire.d.mts').Wire} */
export const aiSdk = {
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  read({ method, path, body }) {
    // A page whose host makes up the ids of its chats puts our name for them into the address.
    const [named] = path.split('/')
    if (method === 'GET') return { chat: named, kind: 'resume' }
    const { id, trigger, messages } = body
    const chat = named || id
    if (trigger === 'regenerate-message') return { chat, kind: 'again' }
    const last = messages.at(-1)
    if (last.role === 'user') return { chat, kind: 'message' }
    const answered = last.parts.find((part) => part.approval !== undefined)
    return { chat, kind: 'go-on', ...(answered && { granted: answered.approval.approved }) }
  },
  reply({ reply, kind }) {
    const messageId = `reply-${reply}`
    let texts = 0
    let inStep = false
    let ended // the reason of the message whose step is still open: results of its calls belong into it

    const inside = (...chunks) => {
      const nextStep = ended === undefined ? [] : [{ type: 'finish-step' }]
      if (!inStep || nextStep.length > 0) nextStep.push({ type: 'start-step' })
      inStep = true
      ended = undefined
      return [...nextStep, ...chunks].map(frame).join('')
    }
    const named = ({ id, tool }) => ({ toolCallId: id, toolName: tool })

    return {
      begin: () => frame({ type: 'start', ...(kind === 'go-on' ? {} : { messageId }) }),
      say(text) {
        const id = `text-${++texts}`
        const words = text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id, delta }))
        return inside({ type: 'text-start', id }, ...words, { type: 'text-end', id })
      },
      announce: (call) => inside({ type: 'tool-input-start', ...named(call) }),
      write: ({ id }, text) => inside({ type: 'tool-input-delta', toolCallId: id, inputTextDelta: text }),
      finish: (call) => inside({ type: 'tool-input-available', ...named(call), input: call.value }),
      refuse: (call) =>
        inside({ type: 'tool-input-error', ...named(call), input: call.text, errorText: 'Invalid input.' }),
      ask: ({ id }) => frame({ type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id }),
      decline: ({ id }) => frame({ type: 'tool-output-denied', toolCallId: id }),
      returns: ({ id }, output) => frame({ type: 'tool-output-available', toolCallId: id, output }),
      end(reason) {
        ended = reason
        return ''
      },
      over: () =>
        `${[{ type: 'finish-step' }, { type: 'finish', finishReason: ended }].map(frame).join('')}data: [DONE]\n\n`,
      error: () => frame({ type: 'error', errorText: 'Overloaded.' }),
    }
  },
}
