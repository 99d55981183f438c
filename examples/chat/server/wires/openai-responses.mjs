// OpenAI Responses, as the API streams it. Yields frames; a number is a silence in milliseconds.
import { fragments, mint, PAUSE, words } from '../pieces.mjs'

const reasons = { length: 'max_output_tokens', filter: 'content_filter' }

export function* openaiResponses(script) {
  let sequence_number = 0
  const frame = (type, members) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...members })}\n\n`
  const output = []
  const response = {
    id: mint('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: 'scripted',
    output: [],
    parallel_tool_calls: true,
    usage: null,
  }
  yield frame('response.created', { response })
  yield frame('response.in_progress', { response })

  const text = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  const message = { id: mint('msg_'), type: 'message', status: 'in_progress', role: 'assistant', content: [] }
  const place = { item_id: message.id, output_index: 0, content_index: 0 }
  yield frame('response.output_item.added', { output_index: 0, item: message })
  yield frame('response.content_part.added', { ...place, part: text })
  for (const delta of words(script.preamble)) {
    yield frame('response.output_text.delta', { ...place, delta, logprobs: [] })
  }
  if (script.ending === 'none') return
  const part = { ...text, text: script.preamble }
  const said = { ...message, status: 'completed', content: [part] }
  yield frame('response.output_text.done', { ...place, text: script.preamble, logprobs: [] })
  yield frame('response.content_part.done', { ...place, part })
  yield frame('response.output_item.done', { output_index: 0, item: said })
  output.push(said)

  const cut = script.ending in reasons
  for (const [index, call] of script.calls.entries()) {
    const output_index = index + 1
    const { name } = call
    const item = { id: mint('fc_'), type: 'function_call', status: 'in_progress', arguments: '', name }
    const opened = { ...item, call_id: mint('call_') }
    yield frame('response.output_item.added', { output_index, item: opened })
    for (const delta of fragments(call.arguments)) {
      yield frame('response.function_call_arguments.delta', { item_id: item.id, output_index, delta })
    }
    if (!call.finished) {
      yield PAUSE
      continue
    }
    const last = index === script.calls.length - 1
    const done = { ...opened, arguments: call.arguments, status: cut && last ? 'incomplete' : 'completed' }
    const whole = { item_id: item.id, output_index, name, arguments: call.arguments }
    yield frame('response.function_call_arguments.done', whole)
    yield frame('response.output_item.done', { output_index, item: done })
    output.push(done)
  }

  const usage = { input_tokens: 642, output_tokens: 318, total_tokens: 960 }
  if (script.ending === 'error') {
    const error = { code: 'server_error', message: 'The server had an error.' }
    yield frame('response.failed', { response: { ...response, status: 'failed', error, output } })
  } else if (cut) {
    const incomplete_details = { reason: reasons[script.ending] }
    const ended = { ...response, status: 'incomplete', incomplete_details, output, usage }
    yield frame('response.incomplete', { response: ended })
  } else {
    yield frame('response.completed', { response: { ...response, status: 'completed', output, usage } })
  }
}
