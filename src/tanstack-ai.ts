'use client'

export { tanstackToolCall } from './integrations/tanstack-ai/tool-call.tsx'
export { withToolCalls } from './integrations/tanstack-ai/with-tool-calls.ts'
