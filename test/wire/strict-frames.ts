/** One reply of the model in a script. */
export interface ScriptedReply {
  readonly text?: string
  /** Name and argument text of each call. */
  readonly calls?: readonly (readonly [name: string, args: string])[]
  /**
   * How it stops. `natural` (the default); `ceiling`: in good order, at the token ceiling; `unclosed`: naturally, but then
   * nothing more comes; in the middle of its last part: `early` (the body just ends), `silent` (nothing more comes).
   */
  readonly stop?: 'natural' | 'ceiling' | 'unclosed' | 'early' | 'silent'
}

/** A reply whose calls have got their ids. */
interface Written {
  readonly number: number
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  readonly stop: NonNullable<ScriptedReply['stop']>
}

/** Writes a reply down as its wire has it, up to where it stops. */
export type Frames = (reply: Written) => string

const named = (event: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const unnamed = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

/** The first half of a text, and the rest; what breaks off has no rest. */
function halves(text: string): readonly [string, string] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function breaksOff({ stop }: Written): boolean {
  return stop === 'early' || stop === 'silent'
}

export const anthropicFrames: Frames = (reply) => {
  const { number, text, calls, stop } = reply
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  }
  const parts = [
    ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, deltas: halves(text).map(textDelta) }]),
    ...calls.map(({ id, name, args }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: halves(args).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    })),
  ]
  const frames = [named({ type: 'message_start', message })]
  for (const [index, { start, deltas }] of parts.entries()) {
    frames.push(named({ type: 'content_block_start', index, content_block: start }))
    const isBroken = breaksOff(reply) && index === parts.length - 1
    for (const delta of isBroken ? deltas.slice(0, 1) : deltas)
      frames.push(named({ type: 'content_block_delta', index, delta }))
    if (isBroken) return frames.join('')
    frames.push(named({ type: 'content_block_stop', index }))
  }
  const reason = stop === 'ceiling' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'
  frames.push(named({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } }))
  if (stop !== 'unclosed') frames.push(named({ type: 'message_stop' }))
  return frames.join('')
}

function textDelta(text: string): object {
  return { type: 'text_delta', text }
}

export const openaiChatFrames: Frames = (reply) => {
  const { number, text, calls, stop } = reply
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    unnamed({
      id: `chatcmpl_${number}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
  const frames = [chunk({ role: 'assistant', content: '' })]
  if (text !== '') {
    const isBroken = breaksOff(reply) && calls.length === 0
    for (const content of isBroken ? halves(text).slice(0, 1) : halves(text)) frames.push(chunk({ content }))
  }
  for (const [index, { id, name, args }] of calls.entries()) {
    frames.push(chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }))
    const isBroken = breaksOff(reply) && index === calls.length - 1
    for (const text of isBroken ? halves(args).slice(0, 1) : halves(args))
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: text } }] }))
  }
  if (breaksOff(reply)) return frames.join('')
  frames.push(chunk({}, stop === 'ceiling' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'))
  if (stop !== 'unclosed') frames.push('data: [DONE]\n\n')
  return frames.join('')
}

export const openaiResponsesFrames: Frames = (reply) => {
  const { number, text, calls, stop } = reply
  const said = { type: 'message', id: `m_${number}`, role: 'assistant' }
  const content = (text: string) => [{ type: 'output_text', text, annotations: [] }]
  const messages = text === '' ? [] : [{ ...said, status: 'completed', content: content(text) }]
  const made = calls.map(({ id, name, args }, place) => ({
    type: 'function_call',
    id: `fc_${number}_${place}`,
    call_id: id,
    name,
    arguments: args,
    status: 'completed',
  }))
  const output = [...messages, ...made]
  const response = (status: string, more: object = {}) => ({
    type: `response.${status === 'in_progress' ? 'created' : status}`,
    response: { id: `resp_${number}`, object: 'response', status, output: [], ...more },
  })
  const frames = [named(response('in_progress'))]
  for (const [output_index, item] of output.entries()) {
    const isBroken = breaksOff(reply) && output_index === output.length - 1
    const isCall = 'arguments' in item
    const empty = isCall ? { ...item, arguments: '' } : { ...item, content: [] }
    frames.push(named({ type: 'response.output_item.added', output_index, item: { ...empty, status: 'in_progress' } }))
    if (!isCall) frames.push(named(partAdded(item.id, output_index)))
    const where = { item_id: item.id, output_index, ...(isCall ? {} : { content_index: 0 }) }
    const type = isCall ? 'response.function_call_arguments.delta' : 'response.output_text.delta'
    for (const delta of isBroken
      ? halves(isCall ? item.arguments : text).slice(0, 1)
      : halves(isCall ? item.arguments : text))
      frames.push(named({ type, ...where, delta }))
    if (isBroken) return frames.join('')
    frames.push(named({ type: 'response.output_item.done', output_index, item }))
  }
  if (breaksOff(reply)) return frames.join('')
  const cut = { output, incomplete_details: { reason: 'max_output_tokens' } }
  frames.push(named(stop === 'ceiling' ? response('incomplete', cut) : response('completed', { output })))
  return frames.join('')
}

function partAdded(item_id: string, output_index: number) {
  const part = { type: 'output_text', text: '', annotations: [] }
  return { type: 'response.content_part.added', item_id, output_index, content_index: 0, part }
}
