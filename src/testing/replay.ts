import { labelOf } from '../core/labels.ts'
import { type Notice, noticeSentences } from '../core/notice.ts'
import type { CauseNo, Settled } from '../core/outcomes.ts'
import type { CallView } from '../core/view.ts'
import type { SummarisedCall } from '../store/summary.ts'
import { createPlayer, type Player, type PlayerOptions, type ReplayEnding } from './player.ts'

export interface ReplayOptions extends PlayerOptions {
  /** The capture: its bytes in pieces, as the network may have cut them. */
  readonly pieces: Iterable<Uint8Array | string>
  /** Default `done`. */
  readonly ending?: ReplayEnding
}

/** How one call ended, as the replay command prints it with `--json`. */
export interface ReplayedCall {
  readonly id: string
  readonly name: string | null
  /** `dispatchable`, `truncated`, `unparseable`, `abandoned`, `schema-error`, `cancelled`, `completed`, `failed` or `unknown`. */
  readonly outcome: ReplayOutcome
  /** Null while the call is not settled. */
  readonly cause: Settled['cause'] | null
  readonly detail: string | null
  readonly ran: Settled['ran'] | null
  readonly label: string
  /** Whether the gate would hand it to a local tool. */
  readonly mayDispatch: boolean
  readonly args?: unknown
  /** UTF-16 units of the argument text. */
  readonly rawLength?: number
  readonly rawSha256?: string
}

export type ReplayOutcome =
  | 'dispatchable'
  | 'truncated'
  | 'unparseable'
  | 'abandoned'
  | 'schema-error'
  | 'cancelled'
  | 'completed'
  | 'failed'
  | 'unknown'

export interface ReplayResult {
  /** In order of announcement. */
  readonly calls: readonly ReplayedCall[]
  /** The turn's notice, a sentence each. */
  readonly notice: readonly string[]
  /** How many events of the format were seen. */
  readonly frames: number
  readonly player: Player
}

/** Plays a capture to its end and tells how every call ended. */
export async function replay({ pieces, ending = 'done', ...options }: ReplayOptions): Promise<ReplayResult> {
  const player = createPlayer(options)
  for (const piece of pieces) player.feed(piece)
  player.end(ending)
  const summary = await player.stream.ended
  player.store.flush()
  const views = viewsOf(player)
  const outcomes = new Map(summary.calls.map((call) => [call.key, call]))
  const calls = await Promise.all(views.map((view) => replayedCall(view, outcomes.get(view.key), player)))
  const notice: Notice | null = player.store.turn(player.turnId)?.getState().notice ?? null
  return { calls, notice: notice === null ? [] : noticeSentences(notice), frames: player.frames, player }
}

function viewsOf({ store, turnId }: Player): readonly CallView[] {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => (item.type === 'call' ? (store.callByKey(turnId, item.key)?.getState() ?? []) : []))
}

async function replayedCall(
  view: CallView,
  summary: SummarisedCall | undefined,
  player: Player,
): Promise<ReplayedCall> {
  const settled = view.phase === 'settled' ? view.settled : null
  const outcome = summary?.outcome
  const text = player.texts.get(view.key)?.text
  return {
    id: view.id,
    name: summary?.name ?? (view.name === '' ? null : view.name),
    outcome: outcomeWord(view),
    cause: settled?.cause ?? null,
    detail: settled?.detail ?? null,
    ran: settled?.ran ?? null,
    label: labelOf(view),
    mayDispatch: view.phase === 'waiting' && view.on === 'gate',
    ...(outcome?.type === 'dispatchable' || outcome?.type === 'schema-error' ? { args: outcome.args } : {}),
    ...(text === undefined ? {} : { rawLength: text.length, rawSha256: await sha256(text) }),
  }
}

function outcomeWord(view: CallView): ReplayOutcome {
  if (view.phase === 'waiting' && (view.on === 'gate' || view.on === 'person')) return 'dispatchable'
  if (view.phase !== 'settled') return 'unknown'
  switch (view.settled.ran) {
    case 'no':
      return NO_WORDS[view.settled.cause]
    case 'unknown':
      return 'unknown'
    case 'yes':
      return view.settled.cause === 'not-ok' || view.settled.cause === 'late-not-ok' ? 'failed' : 'completed'
    default:
      return view.settled satisfies never
  }
}

const NO_WORDS = {
  'connection-lost': 'abandoned',
  'ended-early': 'abandoned',
  truncated: 'truncated',
  filtered: 'truncated',
  unparseable: 'unparseable',
  'invalid-arguments': 'schema-error',
  'rejected-by-rule': 'abandoned',
  'unknown-tool': 'abandoned',
  'provider-error': 'abandoned',
  'held-back': 'dispatchable',
  declined: 'cancelled',
  'declined-by-policy': 'cancelled',
  'approval-expired': 'cancelled',
  withdrawn: 'abandoned',
  'not-started': 'abandoned',
  reloaded: 'abandoned',
  unrecognised: 'abandoned',
  cancelled: 'cancelled',
} as const satisfies Record<CauseNo, ReplayOutcome>

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
