import { type FinalizableCall, finalize } from './finalize.ts'
import type { MessageEnd } from './message-end.ts'
import type { Outcome, Settled } from './outcomes.ts'
import { isPromise } from './promise.ts'
import type { ToolDeclaration } from './tools.ts'

type Dispatchable = Extract<Outcome, { type: 'dispatchable' }>

/** What the three checks (syntax, structure, business rule) say of one call. */
export type Verdict =
  | { readonly passed: true; readonly outcome: Dispatchable }
  | {
      readonly passed: false
      readonly outcome: Outcome
      readonly settled: Settled & { ran: 'no' }
      readonly reason?: string
    }

/** Runs the three checks on one call of an ended message. Never throws, never rejects. */
export function examine(call: FinalizableCall, end: MessageEnd, tool?: ToolDeclaration): Verdict | Promise<Verdict> {
  const outcome = finalize(call, end, tool)
  return isPromise(outcome) ? outcome.then((late) => applyRule(late, tool)) : applyRule(outcome, tool)
}

/** Whether a batch may be dispatched: every local call of one message passed, or none of them runs. */
export function isSound(verdicts: readonly Verdict[]): boolean {
  return verdicts.every((verdict) => verdict.passed)
}

/** Why a call whose outcome is not dispatchable did not run. */
export function settledBy(outcome: Exclude<Outcome, Dispatchable>): Settled & { ran: 'no' } {
  if (outcome.type === 'schema-error') return { ran: 'no', cause: 'invalid-arguments', detail: outcome.detail }
  return { ran: 'no', cause: outcome.cause, detail: outcome.detail }
}

function applyRule(outcome: Outcome, tool: ToolDeclaration | undefined): Verdict | Promise<Verdict> {
  if (outcome.type !== 'dispatchable') return { passed: false, outcome, settled: settledBy(outcome) }
  // Nobody here could run it; and what nobody declared, nobody can check.
  if (tool === undefined) return { passed: false, outcome, settled: { ran: 'no', cause: 'unknown-tool' } }
  if (tool.check === undefined) return { passed: true, outcome }
  const judged = (reason: string | undefined): Verdict =>
    reason === undefined ? { passed: true, outcome } : rejected(outcome, reason)
  // A rule that cannot be asked has not been passed.
  const threw = (): Verdict => rejected(outcome, 'The rule could not be checked.')
  try {
    const reason = tool.check(outcome.args)
    return isPromise(reason) ? Promise.resolve(reason).then(judged).catch(threw) : judged(reason)
  } catch {
    return threw()
  }
}

function rejected(outcome: Dispatchable, reason: string): Verdict {
  return { passed: false, outcome, settled: { ran: 'no', cause: 'rejected-by-rule' }, reason }
}
