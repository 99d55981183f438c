import type { Settled } from '../core/outcomes.ts'
import type { Report } from '../core/report.ts'

/** What a server says of a settled call to whoever shows it: no text, no arguments, no error of the tool's. */
export function reportOf(callId: string, name: string | null, { ran, cause }: Settled): Report {
  if (ran !== 'yes') return { callId, name, ran, cause }
  switch (cause) {
    case 'ok':
    case 'late':
      return { callId, name, ran, ok: true }
    case 'not-ok':
    case 'late-not-ok':
      return { callId, name, ran, ok: false }
    case 'unreadable':
      return { callId, name, ran }
    default:
      return cause satisfies never
  }
}
