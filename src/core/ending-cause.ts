import type { Ending } from './events.ts'

/** What an ending says of whatever it left open. */
export interface EndingCause {
  readonly cause: 'connection-lost' | 'ended-early' | 'provider-error' | 'cancelled' | 'reloaded'
  readonly detail?: string | undefined
}

/** The cause, and the finer detail for records, that an ending gives. */
export function endingCause(ending: Ending): EndingCause {
  switch (ending.type) {
    case 'complete':
      return { cause: 'ended-early', detail: 'incomplete-at-finish' }
    case 'cancelled':
      return { cause: 'cancelled', detail: ending.by }
    case 'lost':
      switch (ending.how) {
        case 'connection-lost':
          return { cause: 'connection-lost', detail: 'dropped' }
        case 'idle':
          return { cause: 'connection-lost', detail: 'idle' }
        case 'ended-early':
          return { cause: 'ended-early', detail: 'no-terminal' }
        case 'provider-error':
          return { cause: 'provider-error', detail: ending.detail }
        case 'reloaded':
          return { cause: 'reloaded' }
        default:
          return ending.how satisfies never
      }
    default:
      return ending satisfies never
  }
}
