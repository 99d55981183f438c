/** Frames as a server of AG-UI writes them. */
export function sse(...events: readonly (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

export const started = (runId = 'run-1', input?: object): object => ({
  type: 'RUN_STARTED',
  threadId: 'thread-1',
  runId,
  ...(input && { input }),
})

export const preamble = [
  started(),
  { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I’ll create that ticket for you now.' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
]

export const start = (toolCallId = 'c1', toolCallName = 'create_ticket', parentMessageId = 'm1'): object => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName,
  parentMessageId,
})

export const args = (delta: string, toolCallId = 'c1'): object => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
export const end = (toolCallId = 'c1'): object => ({ type: 'TOOL_CALL_END', toolCallId })
export const result = (content: string, toolCallId = 'c1'): object => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result-${toolCallId}`,
  toolCallId,
  role: 'tool',
  content,
})
export const finished = (outcome?: object, runId = 'run-1'): object => ({
  type: 'RUN_FINISHED',
  threadId: 'thread-1',
  runId,
  ...(outcome && { outcome }),
})
export const failed = (code: string): object => ({ type: 'RUN_ERROR', message: 'MARKER', code })

export const whole = '{"title":"Checkout"}'
export const half = '{"title":"Checkout","descr'
