import type { SettledCall } from '../../src/core/recorder.ts'

/** A call as a store tells of it: of `create_ticket`, lost with its connection. */
export function settledCall(changes: Partial<SettledCall> = {}): SettledCall {
  return {
    turnId: 'turn-1',
    key: '0',
    callId: 'call_1',
    name: 'create_ticket',
    known: true,
    sensitive: [],
    executor: 'local',
    encoding: 'json',
    settled: { ran: 'no', cause: 'connection-lost', detail: 'dropped' },
    outcome: null,
    attempt: 1,
    fragments: 3,
    raw: '{"title":"March',
    end: null,
    ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    announcedAt: 1_000,
    settledAt: 3_500,
    ...changes,
  }
}
