import type { CauseNo, CauseUnknown, CauseYes, Settled } from '../core/outcomes.ts'
import { type Report, saysOf } from '../core/report.ts'
import { type Tools, toolOf } from '../core/tools.ts'
import { ask } from './query.ts'

/** One line of a journal: JSON, without arguments. */
export type JournalEntry = {
  readonly turnId: string
  /** Unique in the turn. */
  readonly key: string
  readonly callId: string
  readonly name: string | null
  /** Milliseconds, by the store's clock. */
  readonly at: number
} & (
  | { readonly type: 'call-announced' }
  /** Written before the tool is given anything. */
  | { readonly type: 'call-dispatched'; readonly idempotencyKey: string }
  | {
      readonly type: 'call-settled'
      readonly ran: Settled['ran']
      readonly cause: CauseNo | CauseUnknown | CauseYes
    }
)

/** Where the host keeps what it must know after its process was killed. */
export interface Journal {
  /** Keeps one entry. A dispatch is kept when this has resolved: only then does the tool begin. */
  append(entry: JournalEntry): void | PromiseLike<void>
  /** Everything that was kept, oldest first. Default: nothing; then `reconcile` knows this process's calls only. */
  read?(): readonly JournalEntry[] | PromiseLike<readonly JournalEntry[]>
}

/** A report of an earlier process. */
export type RecoveredReport = Report & {
  /**
   * The id that its block had first, where that is another: a correction brings its own, of which a client that only shows
   * the turn was never told.
   */
  readonly announcedAs?: string | undefined
}

/**
 * What a journal proves of its calls, as reports: for a process that comes after the one that kept it.
 * A call that was dispatched and never settled may have run; where its tool has a `query`, that is asked.
 * @param tools default: none, so that nothing is asked
 */
export async function recover(
  entries: readonly JournalEntry[],
  tools: Tools = {},
): Promise<readonly RecoveredReport[]> {
  const calls = new Map<string, JournalEntry[]>()
  for (const entry of entries) {
    const id = JSON.stringify([entry.turnId, entry.key])
    calls.set(id, [...(calls.get(id) ?? []), entry])
  }
  return Promise.all([...calls.values()].map((history) => reportOf(history, tools)))
}

async function reportOf(history: readonly JournalEntry[], tools: Tools): Promise<RecoveredReport> {
  const [first, last] = [history[0], history.at(-1)] as [JournalEntry, JournalEntry]
  const { turnId, callId } = last
  const name = history.findLast((entry) => entry.name !== null)?.name ?? null
  const announcedAs = first.callId === callId ? undefined : first.callId
  const report = { turnId, callId, name, announcedAs }
  const settled = history.findLast((entry) => entry.type === 'call-settled')
  const dispatched = history.findLast((entry) => entry.type === 'call-dispatched')
  if (settled !== undefined && settled.ran !== 'unknown') return { ...report, ...saysOf(settled) }
  if (dispatched === undefined) {
    if (settled !== undefined) return { ...report, ...saysOf(settled) }
    // It was never given to its tool.
    return { ...report, ran: 'no', cause: 'not-started' }
  }
  const found = await ask(toolOf({ tools, defaultExecutor: 'local' }, name), dispatched.idempotencyKey)
  if (found.ran !== 'unknown') return { ...report, ...found }
  return { ...report, ran: 'unknown', cause: settled?.cause ?? 'no-result' }
}
