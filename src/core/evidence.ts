import { type CallState, RANK, type Rank } from './call.ts'
import { english } from './labels.ts'
import type { CauseNo, Settled } from './outcomes.ts'
import type { Report } from './report.ts'

/** A fact about a call, and how much it weighs. */
export interface Evidence {
  readonly settled: Settled
  readonly rank: Rank
}

/** What a result says. */
export function resultEvidence(ok: boolean): Evidence {
  return { settled: { ran: 'yes', cause: ok ? 'ok' : 'not-ok' }, rank: RANK.result }
}

/** What an executor's report says. A foreign cause is kept as detail and never shown. */
export function reportEvidence(report: Report): Evidence {
  switch (report.ran) {
    case 'yes': {
      const cause = report.ok === undefined ? 'unreadable' : report.ok ? 'ok' : 'not-ok'
      return { settled: { ran: 'yes', cause }, rank: RANK.result }
    }
    case 'no':
      return {
        settled: { ran: 'no', ...known(report.cause, english.no, NO_BY_OUTCOME[report.outcome ?? 'abandoned']) },
        rank: RANK.report,
      }
    case 'unknown':
      return { settled: { ran: 'unknown', ...known(report.cause, english.unknown, 'unrecognised') }, rank: RANK.report }
    default:
      return report.ran satisfies never
  }
}

/** What a settled call becomes by further evidence, and whether that withdraws a wrong "not run". */
export function reconsider(
  known: Extract<CallState, { phase: 'settled' }>,
  evidence: Evidence,
): { readonly state: CallState; readonly contradicts: boolean } {
  const { settled, rank } = evidence
  const stays = { state: known, contradicts: false }
  if (rank < known.rank) return stays
  if (rank === known.rank) {
    // The first known fact stands; it beats one that says it does not know, and "it ran" gains by how it went.
    const saysMore = known.settled.ran === 'unknown' ? settled.ran !== 'unknown' : known.settled.cause === 'unreadable'
    return saysMore && settled.cause !== known.settled.cause
      ? { state: { phase: 'settled', settled, rank }, contradicts: false }
      : stays
  }
  if (known.settled.ran !== 'no') return { state: { phase: 'settled', settled, rank }, contradicts: false }
  switch (settled.ran) {
    case 'no':
      // The same claim on better authority: the words stay as they were read.
      return { state: { ...known, rank }, contradicts: false }
    case 'unknown':
      return { state: { phase: 'settled', settled, rank }, contradicts: true }
    case 'yes':
      return { state: { phase: 'settled', settled: late(settled), rank }, contradicts: true }
    default:
      return settled satisfies never
  }
}

function late(settled: Settled & { ran: 'yes' }): Settled {
  switch (settled.cause) {
    case 'ok':
      return { ...settled, cause: 'late' }
    case 'not-ok':
      return { ...settled, cause: 'late-not-ok' }
    case 'late':
    case 'late-not-ok':
    case 'unreadable':
      return settled
    default:
      return settled.cause satisfies never
  }
}

function known<Cause extends string>(
  word: string | undefined,
  causes: Readonly<Record<Cause, string>>,
  fallback: NoInfer<Cause> | 'unrecognised',
): { readonly cause: Cause | 'unrecognised'; readonly detail?: string } {
  if (word === undefined) return { cause: fallback }
  if (Object.hasOwn(causes, word)) return { cause: word as Cause }
  return { cause: 'unrecognised', detail: word }
}

const NO_BY_OUTCOME = {
  dispatchable: 'unrecognised',
  abandoned: 'unrecognised',
  truncated: 'truncated',
  unparseable: 'unparseable',
  'schema-error': 'invalid-arguments',
} as const satisfies Record<NonNullable<Report['outcome']>, CauseNo>
