import { issueDetail } from '../core/issue-detail.ts'
import type { SummarisedCall } from '../store/summary.ts'

/** How often one attempt was asked for, and how often it helped; for a host that wants to see its own curve. */
export interface AttemptCount {
  /** Calls that were sent back to the model. */
  readonly asked: number
  /** Of those, the calls whose correction passed. */
  readonly recovered: number
}

/** Decides how long a batch is corrected, and counts what came of it. */
export interface CorrectionBound {
  /** Whether to send back what failed; counts it as sent if so. */
  allows(calls: readonly SummarisedCall[]): boolean
  /** The calls of the message after a correction. */
  answered(calls: readonly SummarisedCall[]): void
  /** By attempt, from the first. */
  counts(): readonly AttemptCount[]
}

/**
 * At most so many round trips in a row; fewer where there is nothing to be found: where a correction fails at the same
 * path for the same rule, and where a required member is missing still, of which the conversation seems not to speak.
 * @param most round trips for one batch; 0: none
 */
export function createCorrectionBound(most: number): CorrectionBound {
  const counts: { asked: number; recovered: number }[] = []
  let attempt = 0
  let asked = new Set<string>()
  let before = new Set<string>()
  let missingWasAsked = false

  return {
    allows(calls) {
      const failures = calls.flatMap(failuresOf)
      const isMissing = failures.some(({ rule }) => rule === 'missing-required')
      const again = failures.some(({ id }) => before.has(id))
      if (attempt >= most || again || (isMissing && missingWasAsked)) return false
      before = new Set(failures.map(({ id }) => id))
      asked = new Set(failures.map(({ key }) => key))
      missingWasAsked ||= isMissing
      attempt++
      counts[attempt - 1] ??= { asked: 0, recovered: 0 }
      const count = counts[attempt - 1]
      if (count !== undefined) count.asked += asked.size
      return true
    },
    answered(calls) {
      const count = counts[attempt - 1]
      if (count === undefined) return
      const passed = calls.filter(({ key, outcome }) => asked.has(key) && outcome?.type === 'dispatchable')
      count.recovered += passed.length
      if (calls.some(({ correcting }) => correcting)) return
      // The batch is through, for better or worse: the next one has a bound of its own.
      attempt = 0
      before = new Set()
      asked = new Set()
      missingWasAsked = false
    },
    counts: () => counts.map((count) => ({ ...count })),
  }
}

function failuresOf({ key, outcome }: SummarisedCall): readonly { key: string; rule: string; id: string }[] {
  if (outcome?.type !== 'schema-error') return []
  return outcome.issues.map((issue) => {
    const rule = issueDetail([issue], outcome.args)
    const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step))
    return { key, rule, id: JSON.stringify([key, path, rule]) }
  })
}
