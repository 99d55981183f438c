export type { Adapter, Emit, Framer, FrameSink, WireReader } from './adapters/adapter.ts'
export { type Clock, systemClock } from './clock.ts'
export { ArgumentBuffer } from './core/argument-buffer.ts'
export { type Balance, balanceOf, unaccounted } from './core/balance.ts'
export type { CallKey, Ending, Loss, MessageKey, Speaker, StopReason, StreamEvent } from './core/events.ts'
export { type FinalizableCall, finalize } from './core/finalize.ts'
export { examine, isSound, type Verdict } from './core/gate.ts'
export type { Json, JsonObject } from './core/json.ts'
export {
  type Catalogue,
  english,
  ICONS,
  type Icon,
  iconOf,
  type Labelled,
  type LabelPieces,
  labelPieces,
  type StopWord,
  type WaitsOn,
} from './core/labels.ts'
export type { Drop } from './core/ledger.ts'
export type { MessageEnd } from './core/message-end.ts'
export { type Notice, noticeSentences } from './core/notice.ts'
export { type Hint, type Offer, type OfferedAction, offerOf } from './core/offers.ts'
export type { CauseNo, CauseUnknown, CauseYes, FailureReason, Outcome, Settled } from './core/outcomes.ts'
export type { Preview, PreviewRow } from './core/preview.ts'
export type { Recorder, SettledCall } from './core/recorder.ts'
export type { Report } from './core/report.ts'
export type { Executor, Finding, Registry, RunningCall, ToolDeclaration, Tools } from './core/tools.ts'
export type { RetriedCall } from './core/turn.ts'
export type { CallView } from './core/view.ts'
export { DEFAULT_DEADLINES, type DeadlineSettings } from './deadlines.ts'
export type { Gaps } from './gaps.ts'
export { type Open, type PumpedTurn, type PumpOptions, pump, type Source } from './pump.ts'
export type { Liveness } from './silence.ts'
export type { EventListener, StreamedEvent } from './store/context.ts'
export {
  type Counts,
  createToolCallStore,
  type HostReport,
  type StoreOptions,
  type ToolCallStore,
} from './store/create-store.ts'
export type { Frame } from './store/frame.ts'
export type { Publication } from './store/publisher.ts'
export type { CallRef } from './store/refs.ts'
export type { Snapshot, SnapshotOptions } from './store/snapshot.ts'
export type { StreamOptions, ToolCallStream } from './store/stream.ts'
export type { DispatchableCall, StreamSummary, SummarisedCall } from './store/summary.ts'
export type { TurnView, TurnViewItem } from './store/turn-view.ts'
export { labelOf, type StoredToolPart } from './stored-label.ts'
