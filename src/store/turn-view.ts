import type { Ending } from '../core/events.ts'
import { stopVerdict } from '../core/message-end.ts'
import { type Notice, noticeOf } from '../core/notice.ts'
import type { Registry } from '../core/tools.ts'
import type { Turn } from '../core/turn.ts'
import { type CallView, viewOf } from '../core/view.ts'

/** One thing in a turn, in reading order. */
export type TurnViewItem =
  | { readonly type: 'text'; readonly key: string; readonly text: string; readonly messageId?: string }
  | { readonly type: 'call'; readonly key: string; readonly messageId?: string }

/** What the user sees as one reply. Its calls are published each by itself. */
export interface TurnView {
  readonly id: string
  readonly scope?: string
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
    ...(turn.scope === undefined ? {} : { scope: turn.scope }),
    items: turn.items.map((item, place) => {
      const message = item.type === 'text' ? item.message : item.call.message
      const messageId = message.id === undefined ? {} : { messageId: message.id }
      return item.type === 'text'
        ? { type: 'text', key: `text:${place}`, text: item.text, ...messageId }
        : { type: 'call', key: item.call.key, ...messageId }
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
    calls.push(viewOf(call, turn.id, registry))
    if (
      call.executor !== 'local' ||
      call.dispatched ||
      (call.state.phase === 'settled' && call.state.settled.ran !== 'no')
    ) {
      nothingRan = false
    }
  }
  const end = [...turn.messages.values()].at(-1)?.end ?? null
  return noticeOf({ calls, ending, stop: end === null ? null : stopVerdict(end), nothingRan })
}
