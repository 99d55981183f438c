'use client'

export { copilotToolCall } from './integrations/copilotkit/tool-call.tsx'
export { ToolCallTap, type ToolCallTapProps } from './integrations/copilotkit/tool-call-tap.tsx'
export { copilotTurnNotice } from './integrations/copilotkit/turn-notice.tsx'
