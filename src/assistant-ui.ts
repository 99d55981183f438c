'use client'

export { type AssistantToolCallOptions, assistantToolCall } from './integrations/assistant-ui/tool-call.tsx'
export { AssistantTurnNotice } from './integrations/assistant-ui/turn-notice.tsx'
export { withToolCalls } from './integrations/assistant-ui/with-tool-calls.ts'
