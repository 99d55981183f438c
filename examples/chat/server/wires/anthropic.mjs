// Anthropic Messages, as the API streams it. Yields frames; a number is a silence in milliseconds.
import { fragments, mint, PAUSE, words } from '../pieces.mjs'

const stops = { natural: 'tool_use', length: 'max_tokens', filter: 'refusal' }

export function* anthropic(script) {
  const message = {
    id: mint('msg_01'),
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 642, output_tokens: 1 },
  }
  yield frame('message_start', { message })
  let index = 0
  if (script.preamble !== '') {
    yield frame('content_block_start', { index, content_block: { type: 'text', text: '' } })
    yield frame('ping', {})
    for (const text of words(script.preamble)) {
      yield frame('content_block_delta', { index, delta: { type: 'text_delta', text } })
    }
    if (script.ending === 'none') return
    yield frame('content_block_stop', { index: index++ })
  }

  for (const call of script.calls) {
    const block = { type: 'tool_use', id: mint('toolu_01'), name: call.name, input: {}, caller: { type: 'direct' } }
    yield frame('content_block_start', { index, content_block: block })
    for (const text of ['', ...fragments(call.arguments)]) {
      yield frame('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: text } })
    }
    // A block that the ceiling or the filter cut is closed in good order all the same.
    if (call.finished) yield frame('content_block_stop', { index })
    else yield PAUSE
    index++
  }

  if (script.ending === 'error') {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    yield frame('error', { error, request_id: mint('req_01') })
    return
  }
  const stop_reason = script.calls.length === 0 ? 'end_turn' : stops[script.ending]
  const delta = { stop_reason, stop_sequence: null }
  const details = { type: 'refusal', category: null, explanation: null }
  yield frame('message_delta', {
    delta: script.ending === 'filter' ? { ...delta, stop_details: details } : delta,
    usage: { output_tokens: 318 },
  })
  yield frame('message_stop', {})
}

function frame(type, members) {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}
