'use client'

export { ToolCallPart, type ToolCallPartProps } from './integrations/ai-sdk/tool-call-part.tsx'
export { type WithToolCallsOptions, withToolCalls } from './integrations/ai-sdk/with-tool-calls.ts'
