'use client'

export { withToolCalls } from './integrations/langgraph.ts'
export { type ThreadMessage, ToolCallMessage, type ToolCallMessageProps } from './integrations/langgraph-message.tsx'
