import type { Wire } from './wires.ts'

/** What had arrived of a call when its stream stopped. */
export type Stage = 'nothing' | 'open' | 'finished' | 'ended'

/** How the stream stopped: its connection went, it ended in good order, or nothing more came. */
export type Stop = 'dropped' | 'closed' | 'stalled'

export interface Expected {
  readonly label: string | null
  readonly runs: number
}

/**
 * What the frames that are whole within so many bytes say of the call. By the annotations of the stream alone.
 * @param spared how many bytes of the last frame may be missing
 */
export function stageAt(wire: Wire, cut: number, spared = 0): Stage {
  let stage: Stage = 'nothing'
  let end = 0
  for (const { text, says } of wire.frames) {
    end += new TextEncoder().encode(text).length
    if (end - spared > cut) break
    if (says === 'announced') stage = 'open'
    else if (says !== undefined) stage = says
  }
  return stage
}

/** The words that are true of the call: for a tool of ours, and for one that a backend runs. */
export function expected(stage: Stage, stop: Stop, executor: 'local' | 'server'): Expected {
  if (stage === 'nothing') return { label: null, runs: 0 }
  return executor === 'local' ? ofOurs(stage, stop) : ofTheirs(stage, stop)
}

function ofOurs(stage: Exclude<Stage, 'nothing'>, stop: Stop): Expected {
  if (stage === 'ended') return { label: 'create_ticket — done', runs: 1 }
  const why = stop === 'closed' ? 'the response ended early' : 'connection lost'
  return { label: `create_ticket — not run (${why})`, runs: 0 }
}

/** Nothing here speaks for a backend: it is never "not run". */
function ofTheirs(stage: Exclude<Stage, 'nothing'>, stop: Stop): Expected {
  const may = (why: string): Expected => ({ label: `create_ticket — may have run (${why})`, runs: 0 })
  if (stop === 'dropped') return may('connection lost')
  if (stop === 'closed') return may(stage === 'ended' ? 'no result received' : 'the response ended early')
  return may(stage === 'open' ? 'connection lost' : 'no result received')
}
