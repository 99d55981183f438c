import type { ArgumentBuffer } from '../core/argument-buffer.ts'
import { labelOf } from '../core/labels.ts'
import { noticeSentences } from '../core/notice.ts'
import { type OutcomeWord, outcomeWord } from '../core/outcome-word.ts'
import type { Outcome, Settled } from '../core/outcomes.ts'
import { parseStrictly } from '../core/strict-json.ts'
import type { CallView } from '../core/view.ts'
import type { SummarisedCall } from '../store/summary.ts'
import { createPlayer, type Player, type PlayerOptions, type ReplayEnding } from './player.ts'

/** What is replayed, and how it ends. */
export interface ReplayOptions extends PlayerOptions {
  /** The capture: its bytes in pieces, as the network may have cut them. */
  readonly pieces: Iterable<Uint8Array | string>
  /** Default `done`. */
  readonly ending?: ReplayEnding
}

/** How one call ended, as the replay command prints it with `--json`. */
export interface ReplayedCall {
  /** The wire's id, or a minted one. */
  readonly id: string
  /** As the wire gave it: not fit to be shown. */
  readonly name: string | null
  /** For a call that is not settled: `dispatchable` where it waits to run or for a person, else `unknown`. */
  readonly outcome: ReplayOutcome
  /** Null while the call is not settled. */
  readonly cause: Settled['cause'] | null
  /** Finer than the cause; for records. */
  readonly detail: string | null
  /** Null while the call is not settled. */
  readonly ran: Settled['ran'] | null
  /** The words the user reads. */
  readonly label: string
  /** Whether the gate would hand it to a local tool. */
  readonly mayDispatch: boolean
  /** What the schema returned, or refused; of calls that others run: what came, if it is one whole document. */
  readonly args?: unknown
  /** UTF-16 units of the argument text, where the arguments came as text. */
  readonly rawLength?: number
  /** SHA-256 of the argument text, in hexadecimal. */
  readonly rawSha256?: string
}

/** What became of a call, coarser than its cause. */
export type ReplayOutcome = OutcomeWord

/** What a capture came to. */
export interface ReplayResult {
  /** In order of announcement. */
  readonly calls: readonly ReplayedCall[]
  /** The turn's notice, a sentence each. */
  readonly notice: readonly string[]
  /** How many events of the format were seen. */
  readonly frames: number
  /** What played it; its store can be looked at, and rendered. */
  readonly player: Player
}

/**
 * Plays a capture to its end and tells how every call ended.
 * @example const { calls } = await replay({ adapter: anthropic, tools, pieces: [bytes], ending: 'error' })
 */
export async function replay({ pieces, ending = 'done', ...options }: ReplayOptions): Promise<ReplayResult> {
  const player = createPlayer(options)
  for (const piece of pieces) player.feed(piece)
  player.end(ending)
  // It may still be open: a stall while a person is asked.
  const summary = player.stream.ending === null ? null : await player.stream.ended
  player.store.flush()
  const summarised = new Map(summary?.calls.map((call) => [call.key, call]))
  const calls = await Promise.all(
    viewsOf(player).map((view) => replayedCall(view, summarised.get(view.key), player.buffers.get(view.key))),
  )
  const notice = player.store.turn(player.turnId)?.getState().notice ?? null
  return { calls, notice: notice === null ? [] : noticeSentences(notice), frames: player.frames, player }
}

function viewsOf({ store, turnId }: Player): readonly CallView[] {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.flatMap((item) => (item.type === 'call' ? (store.callByKey(turnId, item.key)?.getState() ?? []) : []))
}

async function replayedCall(
  view: CallView,
  summary: SummarisedCall | undefined,
  buffer: ArgumentBuffer | undefined,
): Promise<ReplayedCall> {
  const settled = view.phase === 'settled' ? view.settled : null
  return {
    id: view.id,
    name: summary?.name ?? (view.name === '' ? null : view.name),
    outcome: wordOf(view),
    cause: settled?.cause ?? null,
    detail: settled?.detail ?? null,
    ran: settled?.ran ?? null,
    label: labelOf(view),
    mayDispatch: view.phase === 'waiting' && view.on === 'gate',
    ...argumentsOf(view, summary?.outcome ?? null, buffer),
    ...(await rawOf(buffer)),
  }
}

function argumentsOf(
  view: CallView,
  outcome: Outcome | null,
  buffer: ArgumentBuffer | undefined,
): Pick<ReplayedCall, 'args'> {
  if (outcome?.type === 'dispatchable' || outcome?.type === 'schema-error') return { args: outcome.args }
  // Ours are known by what finalising made of them, or not at all.
  if (view.executor === 'local' || buffer === undefined || buffer.isEmpty || buffer.conflicting) return {}
  if (buffer.value !== undefined) return { args: buffer.value }
  const parsed = parseStrictly(buffer.text)
  return parsed.ok ? { args: parsed.value } : {}
}

async function rawOf(buffer: ArgumentBuffer | undefined): Promise<Pick<ReplayedCall, 'rawLength' | 'rawSha256'>> {
  // A value has no text on the wire.
  if (buffer === undefined || (buffer.text === '' && buffer.value !== undefined)) return {}
  return { rawLength: buffer.text.length, rawSha256: await sha256(buffer.text) }
}

function wordOf(view: CallView): ReplayOutcome {
  if (view.phase === 'settled') return outcomeWord(view.settled)
  return view.phase === 'waiting' && (view.on === 'gate' || view.on === 'person') ? 'dispatchable' : 'unknown'
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
