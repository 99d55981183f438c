// OpenAI Chat Completions, as the API streams it. Yields frames; a number is a silence in milliseconds.
import { fragments, mint, PAUSE, words } from '../pieces.mjs'

const stops = { natural: 'tool_calls', length: 'length', filter: 'content_filter' }

export function* openaiChat(script) {
  const completion = {
    id: mint('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1_000),
    model: 'scripted',
    service_tier: 'default',
    system_fingerprint: null,
  }
  const chunk = (delta, finish_reason = null) =>
    frame({ ...completion, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })

  yield chunk({ role: 'assistant', content: '', refusal: null })
  for (const content of words(script.preamble)) yield chunk({ content })
  if (script.ending === 'none') return

  for (const [index, call] of script.calls.entries()) {
    const opened = { index, id: mint('call_'), type: 'function', function: { name: call.name, arguments: '' } }
    yield chunk({ tool_calls: [opened] })
    // This wire has no completion per call. Never finished here means: nothing came, and no finish reason either.
    const nothing = !call.finished && script.ending === 'natural'
    for (const text of nothing ? [] : fragments(call.arguments)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: text } }] })
    }
    if (!call.finished) yield PAUSE
  }

  if (script.ending === 'error') {
    yield frame({ error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } })
    return
  }
  if (script.calls.every((call) => call.finished)) yield chunk({}, stops[script.ending])
  const usage = { prompt_tokens: 642, completion_tokens: 318, total_tokens: 960 }
  yield frame({ ...completion, choices: [], usage })
  yield 'data: [DONE]\n\n'
}

function frame(data) {
  return `data: ${JSON.stringify(data)}\n\n`
}
