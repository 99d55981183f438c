import type { StandardSchemaV1 } from '@standard-schema/spec'
import { NOT_RUN_MARK } from '../core/marks.ts'
import type { SummarisedCall } from '../store/summary.ts'
import type { Run } from './dispatcher.ts'

/** What goes back to the model for one call. */
export interface Answer {
  readonly callId: string
  /** False where the id was minted, as the wire gave none. */
  readonly hasWireId: boolean
  readonly name: string
  readonly isError: boolean
  readonly text: string
}

// Long enough for any enumeration a model can use, short enough not to fill its context.
const LONGEST_MESSAGE = 1_000
const MOST_ISSUES = 20

/** What the model is told of a call that was not run: what is wrong with it, or with another of its message. */
export function notRunAnswer(call: SummarisedCall): Answer {
  return answer(call, `${NOT_RUN_MARK} ${reasonOf(call)}`, true)
}

/** What the model is told of a call that was given to its tool. */
export function ranAnswer(call: SummarisedCall, { settled, value }: Run): Answer {
  switch (settled.ran) {
    case 'yes':
      return settled.cause === 'not-ok' || settled.cause === 'late-not-ok'
        ? answer(call, `The tool ran and failed: ${messageOf(value)}`, true)
        : answer(call, textOf(value), false)
    case 'unknown':
      return answer(
        call,
        'It is not known whether this ran: no answer came. Do not call it again before that is known.',
        true,
      )
    case 'no':
      return answer(call, `${NOT_RUN_MARK} it did not run.`, true)
    default:
      return settled satisfies never
  }
}

function answer({ callId, hasWireId, name }: SummarisedCall, text: string, isError: boolean): Answer {
  return { callId, hasWireId, name: name ?? '', isError, text }
}

function reasonOf({ outcome, reason, settled }: SummarisedCall): string {
  if (outcome?.type === 'schema-error') return `the arguments are not valid.\n${issueLines(outcome.issues)}`
  if (reason !== undefined) return `rejected. ${reason}`
  switch (settled?.cause) {
    case 'unknown-tool':
      return 'there is no such tool.'
    case 'declined':
      return 'the user declined.'
    case 'declined-by-policy':
      return 'a policy does not allow it.'
    case 'approval-expired':
      return 'nobody approved it in time.'
    case 'not-started':
      return 'it was never started.'
    case 'cancelled':
      return 'it was cancelled before it began.'
    default:
      return 'another call of this message had a problem. This one was fine: make it again, together with the corrected one.'
  }
}

function issueLines(issues: readonly StandardSchemaV1.Issue[]): string {
  const lines = issues.slice(0, MOST_ISSUES).map((issue) => {
    const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
    return `- ${path === '' ? '' : `${path}: `}${cut(issue.message)}${allowed(issue)}`
  })
  return lines.join('\n')
}

interface Allowing extends StandardSchemaV1.Issue {
  readonly values?: unknown
  readonly options?: unknown
  readonly expected?: unknown
}

/** The values that some validators list beside a message that need not name them. */
function allowed(issue: StandardSchemaV1.Issue): string {
  const { values, options, expected } = issue as Allowing
  const list = [values, options, expected].find(Array.isArray)
  return list === undefined ? '' : cut(` Allowed: ${list.map((value) => JSON.stringify(value)).join(', ')}.`)
}

function messageOf(error: unknown): string {
  return cut(error instanceof Error ? error.message : textOf(error))
}

function textOf(value: unknown): string {
  // Not every provider takes an empty answer.
  if (typeof value === 'string') return value.trim() === '' ? 'Done.' : value
  try {
    return JSON.stringify(value) ?? 'Done.'
  } catch {
    // A circle, or a big integer: it ran, and there is nothing to tell of it.
    return 'Done.'
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`
}
