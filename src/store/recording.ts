import type { Call } from '../core/call.ts'
import { rawOf } from '../core/finalize.ts'
import type { Outcome } from '../core/outcomes.ts'
import type { Recorder, SettledCall } from '../core/recorder.ts'
import { safely } from '../core/safely.ts'
import { toolOf } from '../core/tools.ts'
import type { Context } from './context.ts'
import type { Entry } from './publisher.ts'

/** Tells a recorder what becomes of the calls of one store. */
export interface Recording {
  announced(entry: Entry, call: Call): void
  settled(entry: Entry, call: Call, outcome: Outcome | null): void
  revised(entry: Entry, call: Call): void
  contradicted(entry: Entry, call: Call): void
}

/** What a store without a recorder does about it. */
export const noRecording: Recording = {
  announced() {},
  settled() {},
  revised() {},
  contradicted() {},
}

/** Tells this recorder. */
export function recordingOf(recorder: Recorder, context: Pick<Context, 'registry' | 'clock'>): Recording {
  const { registry, clock } = context
  const times = new WeakMap<Call, number>()

  function settledCall({ turn, sources }: Entry, call: Call, outcome: Outcome | null): SettledCall | null {
    if (call.state.phase !== 'settled') return null
    const tool = toolOf(registry, call.name)
    const source = sources.get(call.message.stream)
    return {
      turnId: turn.id,
      key: call.key,
      scope: turn.scope,
      messageId: call.message.id,
      callId: call.id,
      name: call.name,
      known: tool !== undefined,
      sensitive: tool?.sensitive ?? [],
      executor: call.executor,
      encoding: call.encoding,
      settled: call.state.settled,
      outcome,
      attempt: call.attempt,
      fragments: call.buffer.fragments,
      raw: rawOf(call.buffer),
      end: call.message.end,
      ending: turn.lastEnding,
      requestId: source?.requestId,
      gaps: source?.gaps(),
      announcedAt: times.get(call) ?? clock.now(),
      settledAt: clock.now(),
    }
  }

  return {
    announced({ turn }, call) {
      times.set(call, clock.now())
      const { key, name, executor } = call
      const known = toolOf(registry, name) !== undefined
      safely(() => recorder.announced({ turnId: turn.id, key, name, known, executor }))
    },
    settled(entry, call, outcome) {
      safely(() => {
        const settled = settledCall(entry, call, outcome)
        return settled === null ? undefined : recorder.settled(settled)
      })
    },
    revised(entry, call) {
      safely(() => {
        const settled = settledCall(entry, call, null)
        return settled === null ? undefined : recorder.revised(settled)
      })
    },
    contradicted: ({ turn }, { key }) => safely(() => recorder.contradicted({ turnId: turn.id, key })),
  }
}
