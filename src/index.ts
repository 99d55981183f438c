'use client'

export {
  type Adapter,
  type CallRef,
  type CallView,
  type Catalogue,
  type CauseNo,
  type CauseUnknown,
  type CauseYes,
  type Clock,
  createToolCallStore,
  DEFAULT_DEADLINES,
  type DeadlineSettings,
  type DispatchableCall,
  type Ending,
  type Executor,
  english,
  type Finding,
  labelOf,
  type Notice,
  noticeSentences,
  type Open,
  type Outcome,
  type Preview,
  type PreviewRow,
  type PumpedTurn,
  type PumpOptions,
  pump,
  type Recorder,
  type Report,
  type RunningCall,
  type Settled,
  type Snapshot,
  type Source,
  type StoredToolPart,
  type StoreOptions,
  type StreamEvent,
  type StreamOptions,
  type StreamSummary,
  type ToolCallStore,
  type ToolCallStream,
  type ToolDeclaration,
  type Tools,
  type TurnView,
  type TurnViewItem,
} from './core.ts'
export type { Announce, RenderCall, ToolCallActions } from './react/context.ts'
export { useToolCallStore } from './react/context.ts'
export { type ToolCallRef, type TurnRef, useToolCall, useTurn } from './react/hooks.ts'
export { ToolCallIcon } from './react/icon.tsx'
export { ToolCallProvider, type ToolCallProviderProps } from './react/provider.tsx'
export { ToolCallApproval, type ToolCallApprovalProps } from './react/tool-call-approval.tsx'
export { CallBlock, ToolCallBlock, type ToolCallBlockProps } from './react/tool-call-block.tsx'
export { ToolCallPreview } from './react/tool-call-preview.tsx'
export { ToolCallRoot, type ToolCallRootProps } from './react/tool-call-root.tsx'
export { ToolCallTurn, type ToolCallTurnProps } from './react/tool-call-turn.tsx'
export { TurnNotice } from './react/turn-notice.tsx'
