import { isRecord } from '../core/json.ts'
import type { CauseUnknown } from '../core/outcomes.ts'

/**
 * To be thrown by a tool that has begun and does not know whether it came to an end: then the call "may have run".
 * @example throw new UncertainExecution('The bank did not answer.', { cause: error })
 */
export class UncertainExecution extends Error {
  override readonly name = 'UncertainExecution'
}

// What machines and Node's fetch say when a connection goes while something is under way.
const LOST = /^(E(CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|UND_ERR_\w+)$/

/**
 * Why it is not known whether a tool that threw has run; null where it says that it failed. "No success was received" is
 * not "nothing happened": a lost connection, a time-out and a gateway's word prove nothing about what is behind them.
 */
export function uncertaintyOf(thrown: unknown): CauseUnknown | null {
  const error = isRecord(thrown) ? thrown : {}
  if (error['name'] === 'UncertainExecution') return 'tool-error'
  if (error['name'] === 'AbortError') return 'cancelled'
  if (error['name'] === 'TimeoutError') return 'timed-out'
  const cause = isRecord(error['cause']) ? error['cause'] : {}
  if ([error['code'], cause['code']].some((code) => typeof code === 'string' && LOST.test(code)))
    return 'connection-lost'
  // Of a lost connection browsers make a plain TypeError, which nothing but its words would tell from a mistake.
  if (thrown instanceof TypeError) return 'tool-error'
  const status = error['status'] ?? error['statusCode']
  return typeof status === 'number' && (status >= 500 || status === 408) ? 'tool-error' : null
}
