import type { UIMessageChunk } from 'ai'
import { labelOf } from '../../core/labels.ts'
import { NOT_RUN_MARK } from '../../core/marks.ts'
import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { runsHere } from '../host-calls.ts'
import { letGo, mayHaveRun, whenJudged, withhold } from '../withheld-calls.ts'

type Available = Extract<UIMessageChunk, { type: 'tool-input-available' }>

/** Keeps chunks back from the host; both functions give what may go on to it now. */
export interface Hold {
  pass(chunk: UIMessageChunk): Promise<readonly UIMessageChunk[]>
  /** The source has ended: nothing is kept back any longer. */
  release(): Promise<readonly UIMessageChunk[]>
}

/** Keeps nothing back. */
export const noHold: Hold = { pass: async (chunk) => [chunk], release: async () => [] }

/**
 * The host runs a client tool the moment its `tool-input-available` passes, before the stop reason is known. So that
 * chunk, and all that speaks of the same call, waits for the end of its message; then it goes on if our gate passed the
 * whole batch, or an error goes in its place.
 * @param listening whether the host still reads: what it would not get must not count as handed over
 */
export function createHold(store: ToolCallStore, turnId: string, listening: () => boolean): Hold {
  const held = new Map<string, [Available, ...UIMessageChunk[]]>()
  // A reply that is told again may have run in a turn that ended before.
  const { scope } = store.turn(turnId)?.getState() ?? {}
  const look = (callId: string): CallView | undefined =>
    (store.call({ callId, turnId }) ?? store.call({ callId, scope }))?.getState()
  const unjudged = (): boolean => [...held.keys()].some((callId) => look(callId)?.phase === 'preparing')

  function decide(): readonly UIMessageChunk[] {
    store.flush()
    const decided = [...held].flatMap(([callId, chunks]): readonly UIMessageChunk[] => {
      return listening() && letGo(store, turnId, callId) ? chunks : [refuse(chunks[0])]
    })
    held.clear()
    return decided
  }

  function refuse(chunk: Available): UIMessageChunk {
    const { toolCallId, toolName } = chunk
    const view = withhold(store, () => look(toolCallId))
    const words = view === undefined ? toolName : labelOf(view)
    const errorText = mayHaveRun(view) ? `Not run a second time: ${words}` : `${NOT_RUN_MARK} ${words}`
    return { ...chunk, type: 'tool-input-error', errorText }
  }

  return {
    async pass(chunk) {
      const mine = chunksOf(held, chunk)
      if (mine !== undefined) mine.push(chunk)
      else if (chunk.type === 'tool-input-available' && !chunk.providerExecuted && runsHere(store, chunk.toolName))
        held.set(chunk.toolCallId, [chunk])
      else if (held.size === 0) return [chunk]
      else if (chunk.type === 'finish' || chunk.type === 'error' || chunk.type === 'abort') {
        await whenJudged(store, unjudged)
        return [...decide(), chunk]
      }
      // The host looks for a part in its present step only. Without a `finish-step` the step may still be open: then
      // nothing passed.
      else if (chunk.type === 'start-step') return [...decide(), chunk]
      else return [chunk]
      return []
    },
    async release() {
      await whenJudged(store, unjudged)
      return decide()
    },
  }
}

/** What is kept back of the call that a chunk speaks of. */
function chunksOf(held: ReadonlyMap<string, UIMessageChunk[]>, chunk: UIMessageChunk): UIMessageChunk[] | undefined {
  if ('toolCallId' in chunk) return held.get(chunk.toolCallId)
  if (chunk.type !== 'tool-approval-response') return undefined
  const { approvalId } = chunk
  return [...held.values()].find((chunks) =>
    chunks.some((one) => one.type === 'tool-approval-request' && one.approvalId === approvalId),
  )
}
