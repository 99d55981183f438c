'use client'

export { createStreamLink, type StreamLink } from './integrations/langchain-react/stream-link.ts'
export { useToolCallStream } from './integrations/langchain-react/use-tool-call-stream.ts'
export { type ThreadMessage, ToolCallMessage, type ToolCallMessageProps } from './integrations/langgraph-message.tsx'
