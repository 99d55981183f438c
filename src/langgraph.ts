'use client'

export { withToolCalls } from './integrations/langgraph.ts'
export { ToolCallMessage, type ToolCallMessageProps } from './integrations/langgraph-message.tsx'
