// What a provider would refuse: a conversation that is out of order. The page must never send one.

/** Why a request to Anthropic's Messages would be refused; null where it would not. */
export function refusalOf(request) {
  const { model, max_tokens, messages, tools = [] } = Object(request)
  if (typeof model !== 'string' || !Number.isInteger(max_tokens)) return 'model and max_tokens are required'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  if (messages[0].role !== 'user') return 'messages: first message must use the user role'
  if (messages.at(-1).role !== 'user') return 'messages: the conversation must end with a user message'
  if (tools.some(({ input_schema }) => input_schema?.type !== 'object')) return 'tools: input_schema must be an object'
  const used = new Set()
  for (const [place, message] of messages.entries()) {
    const why = refusalOfMessage(message, messages[place + 1], used) ?? refusalOfResults(message, messages[place - 1])
    if (why !== null) return `messages.${place}: ${why}`
  }
  return null
}

function refusalOfMessage({ role, content }, next, used) {
  if (typeof content === 'string') return content.trim() === '' ? 'text content must not be empty' : null
  if (!Array.isArray(content) || content.length === 0) return 'content must not be empty'
  if (content.some(({ type, text }) => type === 'text' && text.trim() === '')) return 'text content must not be empty'
  if (role !== 'assistant') return null
  const ids = idsOf(content, 'tool_use', 'id')
  if (ids.some((id) => used.has(id))) return 'tool_use ids must be unique'
  for (const id of ids) used.add(id)
  const answered = new Set(idsOf(next?.content, 'tool_result', 'tool_use_id'))
  const open = ids.filter((id) => !answered.has(id))
  return open.length === 0 ? null : `tool_use ids without tool_result blocks immediately after: ${open.join(', ')}`
}

function refusalOfResults({ role, content }, before) {
  if (role !== 'user' || !Array.isArray(content)) return null
  const asked = new Set(idsOf(before?.content, 'tool_use', 'id'))
  const results = idsOf(content, 'tool_result', 'tool_use_id')
  if (results.some((id) => !asked.has(id))) return 'unexpected tool_use_id in a tool_result block'
  if (new Set(results).size !== results.length) return 'each tool_use must have a single result'
  const others = content.findIndex(({ type }) => type !== 'tool_result')
  return others >= 0 && others < results.length ? 'tool_result blocks must come first' : null
}

function idsOf(content, type, member) {
  return Array.isArray(content) ? content.filter((block) => block.type === type).map((block) => block[member]) : []
}
