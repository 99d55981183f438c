/** A frame as LangGraph writes it. */
export function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A piece of the model's message, which is `run-1` if nothing else is said. */
export function chunk(members: object): string {
  const message = { type: 'AIMessageChunk', id: 'run-1', content: '', tool_call_chunks: [], ...members }
  return frame('messages', [message, { langgraph_node: 'agent' }])
}

/** A piece of a call's arguments; with an id and a name: its beginning. */
export function piece(args: string, members: object = {}): string {
  return chunk({ tool_call_chunks: [{ id: null, name: null, args, index: 0, ...members }] })
}

/** The model's message ends, for a reason. */
export function stopped(reason: string): string {
  return chunk({ response_metadata: { finish_reason: reason } })
}

export const METADATA = frame('metadata', { run_id: 'r1', thread_id: 't1' })
export const PREAMBLE = METADATA + chunk({ content: 'I will create that ticket for you now.' })
export const BEGUN = PREAMBLE + piece('', { id: 'call_1', name: 'create_ticket' })
export const HALF = BEGUN + piece('{"title":"Disk') + piece(' full","pri')
export const WHOLE = HALF + piece('ority":"urgent"}')
export const CALLED = WHOLE + stopped('tool_calls')

/** The tool's answer, and the state after it. */
export const RESULT =
  frame('messages', [
    { type: 'tool', id: 'tool-1', tool_call_id: 'call_1', name: 'create_ticket', content: 'T-1', status: 'success' },
    { langgraph_node: 'tools' },
  ]) +
  chunk({ id: 'run-2', content: 'Done.' }) +
  chunk({ id: 'run-2', response_metadata: { finish_reason: 'stop' } })

/** The state at the end of such a run. */
export const VALUES = frame('values', {
  messages: [
    { type: 'human', id: 'human-1', content: 'Do it' },
    {
      type: 'ai',
      id: 'run-1',
      content: 'I will create that ticket for you now.',
      tool_calls: [{ id: 'call_1', name: 'create_ticket', args: { title: 'Disk full', priority: 'urgent' } }],
      response_metadata: { finish_reason: 'tool_calls' },
    },
    { type: 'tool', id: 'tool-1', tool_call_id: 'call_1', name: 'create_ticket', content: 'T-1', status: 'success' },
    { type: 'ai', id: 'run-2', content: 'Done.', tool_calls: [], response_metadata: { finish_reason: 'stop' } },
  ],
})
