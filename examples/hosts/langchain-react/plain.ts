import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages'

/** A message as it can be kept, without the methods of LangChain's own objects. */
export function plain(message: BaseMessage) {
  const { id, type, content } = message
  return { id, type, content, tool_calls: callsOf(message), invalid_tool_calls: aiOf(message).invalid_tool_calls ?? [] }
}

export function callsOf(message: BaseMessage) {
  return aiOf(message).tool_calls ?? []
}

function aiOf(message: BaseMessage): Partial<AIMessageChunk> {
  return message.type === 'ai' ? (message as AIMessageChunk) : {}
}
