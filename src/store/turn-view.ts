import type { Ending } from '../core/events.ts'
import { stopVerdict } from '../core/message-end.ts'
import { type Notice, noticeOf } from '../core/notice.ts'
import type { Registry } from '../core/tools.ts'
import { NO_STREAM, type RetriedCall, type Turn } from '../core/turn.ts'
import { type CallView, viewOf } from '../core/view.ts'

/** One thing in a turn, in reading order. */
export type TurnViewItem = {
  readonly key: string
  /** Which message of the turn it is of: a later one has a higher number. */
  readonly message: number
  readonly messageId?: string | undefined
} & ({ readonly type: 'text'; readonly text: string } | { readonly type: 'call' })

/** What the user sees as one reply. Its calls are published each by itself. */
export interface TurnView {
  readonly id: string
  readonly scope?: string | undefined
  /** The call of an earlier turn that this one tries again. */
  readonly retryOf?: RetriedCall | undefined
  readonly items: readonly TurnViewItem[]
  /** Whether a stream of this turn is open. */
  readonly open: boolean
  /** How the last stream ended; null while the first is open. */
  readonly ending: Ending | null
  /** What stands after the last text or call; null while a stream is open or where there is nothing to say. */
  readonly notice: Notice | null
}

/** What may be shown of a turn, right now. */
export function turnViewOf(turn: Turn, registry: Registry): TurnView {
  return {
    id: turn.id,
    scope: turn.scope,
    ...(turn.retryOf === undefined ? {} : { retryOf: turn.retryOf }),
    items: turn.items.map((item, place) => {
      const { order: message, id: messageId } = item.type === 'text' ? item.message : item.call.message
      return item.type === 'text'
        ? { type: 'text', key: `text:${place}`, text: item.text, message, messageId }
        : { type: 'call', key: item.call.block, message, messageId }
    }),
    open: turn.openStreams.size > 0,
    ending: turn.lastEnding,
    notice: noticeFor(turn, registry),
  }
}

function noticeFor(turn: Turn, registry: Registry): Notice | null {
  const ending = turn.lastEnding
  if (ending === null || turn.openStreams.size > 0) return null
  const calls: CallView[] = []
  let nothingRan =
    registry.defaultExecutor === 'local' && Object.values(registry.tools).every((tool) => tool.executor === 'local')
  for (const call of turn.calls.values()) {
    if (call.replaced) continue
    // It has not stopped while it may still be resumed.
    if (call.state.phase === 'resuming') return null
    calls.push(viewOf(call, turn.id, registry))
    if (
      call.executor !== 'local' ||
      call.dispatched ||
      (call.state.phase === 'settled' && call.state.settled.ran !== 'no')
    ) {
      nothingRan = false
    }
  }
  // A report that became a block of its own is no message of the model's.
  const end = [...turn.messages.values()].findLast((message) => message.stream !== NO_STREAM.reported)?.end ?? null
  return noticeOf({ calls, ending, stop: end === null ? null : stopVerdict(end), nothingRan })
}
