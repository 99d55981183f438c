/** Frames as a server of TanStack AI writes them: members of its own stand in `metadata.tanstack`. */
export function sse(...chunks: readonly (object | string)[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')
}

export const preamble = [
  { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I’ll create that ticket for you now.' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
]

export const start = (toolCallId = 'c1', toolCallName = 'create_ticket'): object => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName,
  parentMessageId: 'm1',
})

export const args = (delta: string, toolCallId = 'c1'): object => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })

export const end = (input?: object, toolCallId = 'c1'): object => ({
  type: 'TOOL_CALL_END',
  toolCallId,
  ...(input && { metadata: { tanstack: { input } } }),
})

export const finished = (finishReason: string): object => ({
  type: 'RUN_FINISHED',
  threadId: 'thread-1',
  runId: 'run-1',
  metadata: { tanstack: { finishReason } },
})

export const half = '{"title":"Checkout","descr'
