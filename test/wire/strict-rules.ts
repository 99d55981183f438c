/** What a provider says of a request that it will not read; null where it would answer. */
export type Rules = (body: Readonly<Record<string, unknown>>) => string | null

type Part = Readonly<Record<string, unknown>>

/** Anthropic Messages: consecutive messages of one role count as one, as the service joins them. */
export const anthropicRules: Rules = ({ messages }) => {
  const joined: { role: unknown; content: Part[] }[] = []
  for (const { role, content } of listOf(messages)) {
    if (role !== 'user' && role !== 'assistant') return `unexpected role ${String(role)}`
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    if (parts.length === 0) return 'a message without content'
    const last = joined.at(-1)
    if (last?.role === role) last.content.push(...parts)
    else joined.push({ role, content: [...parts] })
  }
  if (joined[0]?.role !== 'user') return 'the first message is not the user’s'
  const ids = new Set<unknown>()
  for (const [place, { role, content }] of joined.entries()) {
    for (const { type, text } of content) {
      if (type === 'text' && String(text).trim() === '') return 'a text block without text'
    }
    const uses = content.filter(({ type }) => type === 'tool_use')
    if (uses.length > 0 && role !== 'assistant') return 'a tool_use of the user'
    for (const { id, input, name } of uses) {
      if (ids.has(id)) return `tool_use id ${String(id)} twice`
      ids.add(id)
      if (!/^[\w-]{1,200}$/.test(String(name))) return `tool_use with the name ${String(name)}`
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return 'tool_use whose input is no object'
    }
    const answered = resultsOf(joined[place + 1])
    const missing = uses.find(({ id }) => !answered.includes(id))
    if (missing !== undefined) return `tool_use ${String(missing['id'])} without a tool_result in the next message`

    const results = resultsOf(joined[place])
    if (results.length > 0 && role !== 'user') return 'a tool_result of the assistant'
    if (new Set(results).size < results.length) return 'two results of one tool_use'
    const asked = place === 0 ? [] : (joined[place - 1]?.content ?? []).map(({ id }) => id)
    const unknown = results.find((id) => !asked.includes(id))
    if (unknown !== undefined) return `tool_result ${String(unknown)} without its tool_use in the message before`
    if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result')) return 'tool_result not first'
    const empty = content.some(
      ({ is_error, content: said }) => is_error === true && (said === undefined || said === ''),
    )
    if (empty) return 'an error without a word'
  }
  return null
}

function resultsOf(message: { readonly content: readonly Part[] } | undefined): readonly unknown[] {
  return (message?.content ?? []).filter(({ type }) => type === 'tool_result').map((part) => part['tool_use_id'])
}

/** OpenAI Chat Completions: the answers stand directly behind the calls. */
export const openaiChatRules: Rules = ({ messages }) => {
  let open = new Set<unknown>()
  for (const { role, content, tool_calls, tool_call_id } of listOf(messages)) {
    if (role === 'tool') {
      if (typeof content !== 'string') return 'a tool message without content'
      if (!open.delete(tool_call_id)) return `tool message ${String(tool_call_id)} without its call`
      continue
    }
    if (open.size > 0) return `tool_call ${String([...open][0])} is not answered directly behind it`
    if (role !== 'assistant') {
      if (typeof content !== 'string') return `a message of ${String(role)} without content`
      continue
    }
    if (tool_calls === undefined) {
      if (typeof content !== 'string') return 'a message of the assistant with neither content nor calls'
      continue
    }
    const calls = listOf(tool_calls)
    if (calls.length === 0) return 'an empty list of tool_calls'
    for (const { type, function: made } of calls) {
      const text = (made as Part | undefined)?.['arguments']
      if (type !== 'function' || typeof text !== 'string') return 'a tool_call without its function'
    }
    open = new Set(calls.map(({ id }) => id))
    if (open.size < calls.length) return 'two tool_calls of one id'
  }
  return open.size > 0 ? `tool_call ${String([...open][0])} is not answered` : null
}

/** OpenAI Responses: each call has its output behind it, and each output its call before it. */
export const openaiResponsesRules: Rules = ({ input }) => {
  const open = new Set<unknown>()
  const seen = new Set<unknown>()
  for (const { type, role, call_id, output, arguments: text } of listOf(input)) {
    if (type === 'function_call') {
      if (typeof text !== 'string') return 'a function_call without arguments'
      if (seen.has(call_id)) return `function_call ${String(call_id)} twice`
      seen.add(call_id)
      open.add(call_id)
    } else if (type === 'function_call_output') {
      if (typeof output !== 'string') return 'a function_call_output without output'
      if (!open.delete(call_id)) return `function_call_output ${String(call_id)} without its call`
    } else if (open.size > 0 && role === 'user') return `function_call ${String([...open][0])} is not answered`
  }
  return open.size > 0 ? `function_call ${String([...open][0])} without its output` : null
}

function listOf(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value : []
}
