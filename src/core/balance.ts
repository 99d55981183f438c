import type { Call } from './call.ts'
import type { WaitsOn } from './labels.ts'
import type { CauseNo, CauseUnknown, CauseYes } from './outcomes.ts'

/** Truth rule 1, to be read at any time: `announced` is the sum of all the rest. */
export interface Balance {
  readonly announced: number
  readonly preparing: number
  /** By the owner they wait for. */
  readonly waiting: Readonly<Record<WaitsOn, number>>
  readonly running: number
  /** By whether they ran, and by cause. */
  readonly settled: {
    readonly no: Readonly<Partial<Record<CauseNo, number>>>
    readonly unknown: Readonly<Partial<Record<CauseUnknown, number>>>
    readonly yes: Readonly<Partial<Record<CauseYes, number>>>
  }
}

/** Counts where calls stand. */
export function balanceOf(calls: Iterable<Call>): Balance {
  let announced = 0
  let preparing = 0
  let running = 0
  const waiting: Record<WaitsOn, number> = { gate: 0, person: 0, result: 0, resume: 0 }
  const settled: Record<'no' | 'unknown' | 'yes', Record<string, number>> = { no: {}, unknown: {}, yes: {} }
  for (const { state } of calls) {
    announced++
    switch (state.phase) {
      case 'preparing':
      case 'finished':
      case 'validating':
      case 'correcting':
        preparing++
        break
      case 'ready':
        waiting.gate++
        break
      case 'asking':
        waiting.person++
        break
      case 'sent':
        waiting.result++
        break
      case 'resuming':
        waiting.resume++
        break
      case 'running':
        running++
        break
      case 'settled': {
        const { ran, cause } = state.settled
        settled[ran][cause] = (settled[ran][cause] ?? 0) + 1
        break
      }
      default:
        state satisfies never
    }
  }
  return { announced, preparing, waiting, running, settled }
}

/** Everything that is not announced but counted: zero in a truthful balance. */
export function unaccounted(balance: Balance): number {
  const counted = [
    ...Object.values(balance.waiting),
    ...Object.values(balance.settled).flatMap((causes) => Object.values(causes)),
  ]
  return balance.announced - balance.preparing - balance.running - counted.reduce((sum, count) => sum + count, 0)
}
