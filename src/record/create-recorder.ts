import type { Recorder, SettledCall } from '../core/recorder.ts'
import { safely } from '../core/safely.ts'
import { BoundedMap } from './bounded-map.ts'
import { type CallRecord, recordId, recordOf, revisionOf } from './call-record.ts'
import { CallCounts, type Counters, type Ratio } from './counters.ts'
import { type RawText, rawTextOf } from './raw-text.ts'

/**
 * Where records go. Callbacks are called at once, while the store ingests: hand on, and do the work later.
 * What one throws, or rejects with, is reported as an event target does and disturbs nothing.
 */
export interface RecorderOptions {
  /** Once per call, when it settles. Carries no argument text and no value from it. */
  readonly onRecord?: (record: CallRecord) => void
  /** The record again, when a settled call is known better: "may have run" is done, or a "not run" was withdrawn. */
  readonly onRevision?: (record: CallRecord) => void
  /** The argument text, redacted by the tool's `sensitive` and cut. Default: the text goes nowhere. */
  readonly onRaw?: (raw: RawText, record: CallRecord) => void
  /** How much of a text `onRaw` is given, in bytes of UTF-8. Default 4096. */
  readonly rawLimit?: number
  /** What the host calls the request that a call came by, where the store was not told. */
  readonly requestId?: (call: RecordedCall) => string | undefined
  /** How many records are remembered, so that none comes twice and revisions can be told. Default 1000. */
  readonly keep?: number
  /** The longest window for `ratio`, in milliseconds; counted in 360 pieces. Default an hour. */
  readonly longestWindow?: number
  /** Milliseconds, for the windows alone. Default: the machine's clock. */
  readonly now?: () => number
}

/** Which call a request id is asked for. */
export type RecordedCall = Pick<SettledCall, 'turnId' | 'key' | 'callId' | 'name' | 'scope' | 'messageId'>

/** A recorder for a store, with what it has counted. */
export interface CallRecorder extends Recorder {
  counters(): Counters
  /**
   * The share of calls, among those announced in the last `window` milliseconds, that were abandoned (other than
   * cancelled) or unparseable; both are counted when they happen.
   * @throws if the window is longer than `longestWindow`
   */
  ratio(window: number): Ratio
}

/**
 * Writes down what becomes of each call, once.
 * @example const recorder = createRecorder({ onRecord: (record) => log.info(record) })
 */
export function createRecorder(options: RecorderOptions = {}): CallRecorder {
  const { onRecord, onRevision, onRaw } = options
  const rawLimit = atLeastOne('rawLimit', options.rawLimit ?? 4096)
  const keep = atLeastOne('keep', options.keep ?? 1000)
  const counts = new CallCounts(
    options.now ?? Date.now,
    atLeastOne('longestWindow', options.longestWindow ?? 3_600_000),
  )
  const open = new BoundedMap<string, true>(keep)
  const records = new BoundedMap<string, CallRecord>(keep)

  function announce(id: string): void {
    if (open.has(id) || records.has(id)) return
    open.set(id, true)
    counts.announced()
  }

  function requestIdOf(call: SettledCall): string | undefined {
    let requestId = call.requestId
    if (requestId !== undefined) return requestId
    safely(() => {
      requestId = options.requestId?.(call)
    })
    return requestId
  }

  return {
    announced: (call) => announce(recordId(call)),
    settled(call) {
      const id = recordId(call)
      if (records.has(id)) return
      // A report of a call that nobody saw, or one that a page restored.
      announce(id)
      open.delete(id)
      const record = recordOf(call, requestIdOf(call))
      records.set(id, record)
      counts.settled(record)
      safely(() => onRecord?.(record))
      if (onRaw === undefined || call.raw === '') return
      safely(() => onRaw(rawTextOf(call, id, record.expiresAt, rawLimit), record))
    },
    revised(call) {
      const id = recordId(call)
      const known = records.get(id)
      if (known === undefined) {
        counts.missedRevisions++
        return
      }
      const record = revisionOf(known, call.settled)
      if (record === null) return
      records.set(id, record)
      counts.revised++
      safely(() => onRevision?.(record))
    },
    contradicted() {
      counts.contradictedLabels++
    },
    counters: () => counts.read(),
    ratio: (window) => counts.ratio(window),
  }
}

function atLeastOne(name: string, value: number): number {
  if (value >= 1 && Number.isSafeInteger(value)) return value
  throw new RangeError(
    `honest-tool-calls: \`${name}\` of a recorder is ${value}, with which it could keep nothing. Give a whole number of at least 1.`,
  )
}
