import { isRecord } from './json.ts'
import type { FailureReason, Settled } from './outcomes.ts'

/** What an executor, in any language, says of one call. */
export interface Report {
  readonly turnId?: string | undefined
  readonly messageId?: string | undefined
  readonly callId: string | null
  readonly name: string | null
  readonly outcome?: 'dispatchable' | FailureReason | 'schema-error' | undefined
  readonly ran: 'no' | 'unknown' | 'yes'
  /** One of this kit's causes; a foreign word settles as `unrecognised` and is kept as detail. */
  readonly cause?: string | undefined
  /** With `ran: 'yes'`: whether the tool succeeded. Left out: it ran, how it went was not said. */
  readonly ok?: boolean | undefined
}

/** The name of the server-sent event that carries a report, or an array of reports. */
export const REPORT_EVENT = 'tool-call-outcome'

const OUTCOMES = ['dispatchable', 'abandoned', 'truncated', 'unparseable', 'schema-error'] as const

/**
 * Reads reports from a wire: one, or an array; camelCase or snake_case members.
 * What is not a report is left out, so the answer may be shorter than what came.
 */
export function readReports(value: unknown): readonly Report[] {
  const reports: Report[] = []
  for (const entry of Array.isArray(value) ? value : [value]) {
    const report = readReport(entry)
    if (report !== null) reports.push(report)
  }
  return reports
}

/** What a settled call says in a report: no text, no arguments, no error of the tool's. */
export function saysOf({ ran, cause }: Pick<Settled, 'ran' | 'cause'>): Pick<Report, 'ran' | 'cause' | 'ok'> {
  if (ran !== 'yes') return { ran, cause }
  if (cause === 'unreadable') return { ran }
  return { ran, ok: cause === 'ok' || cause === 'late' }
}

function readReport(value: unknown): Report | null {
  if (!isRecord(value)) return null
  const { ran } = value
  if (ran !== 'no' && ran !== 'unknown' && ran !== 'yes') return null
  const callId = text(value['callId'] ?? value['call_id'])
  const name = text(value['name'])
  if (callId === undefined && name === undefined) return null
  return {
    callId: callId ?? null,
    name: name ?? null,
    ran,
    turnId: text(value['turnId'] ?? value['turn_id']),
    messageId: text(value['messageId'] ?? value['message_id']),
    outcome: OUTCOMES.find((word) => word === value['outcome']),
    cause: text(value['cause']),
    ok: typeof value['ok'] === 'boolean' ? value['ok'] : undefined,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
