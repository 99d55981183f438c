import { labelOf } from '../../core/labels.ts'
import { NOT_RUN_MARK } from '../../core/marks.ts'
import type { CallView } from '../../core/view.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { runsHere } from '../host-calls.ts'
import { letGo, mayHaveRun, whenJudged, withhold } from '../withheld-calls.ts'
import {
  type Chunk,
  interruptsOf,
  isGeneric,
  type Request,
  requestOf,
  requestOfInterrupt,
  withInterrupts,
} from './chunks.ts'

/** Keeps back from the chat client what would make it run a tool; both functions give what may go on to it now. */
export interface Hold {
  pass(chunk: Chunk): Promise<readonly Chunk[]>
  /** The source has ended: nothing is kept back any longer. */
  release(): Promise<readonly Chunk[]>
}

/** Keeps nothing back. */
export const noHold: Hold = { pass: async (chunk) => [chunk], release: async () => [] }

/**
 * The chat client runs a tool the moment it hears of its input, or of an interrupt that asks for it. So both wait for the
 * end of the message; they go on if our gate passed the whole batch, or an error result goes in their place.
 * @param listening whether the chat client still reads: what it would not get must not count as handed over
 */
export function createHold(store: ToolCallStore, turnId: string, listening: () => boolean): Hold {
  const held = new Map<string, Chunk>()
  const look = (callId: string): CallView | undefined => store.call({ callId, turnId })?.getState()
  const isOurs = ({ callId, toolName = look(callId)?.name ?? '' }: Request): boolean => runsHere(store, toolName)

  const judged = (callIds: readonly string[]): Promise<void> | undefined =>
    whenJudged(store, () => callIds.some((callId) => look(callId)?.phase === 'preparing'))
  const mayRun = (callId: string): boolean => listening() && letGo(store, turnId, callId)

  /** What takes the place of a call that is not let go. */
  function refuse(callId: string): readonly Chunk[] {
    const view = withhold(store, () => look(callId))
    // Told again, after it was let go: its result is there, or will be.
    if (mayHaveRun(view)) return []
    const error = `${NOT_RUN_MARK} ${view === undefined ? 'nothing is known of this call.' : labelOf(view)}`
    const state = 'output-error'
    return [
      {
        type: 'TOOL_CALL_RESULT',
        messageId: callId,
        toolCallId: callId,
        role: 'tool',
        content: JSON.stringify({ error }),
        state,
        metadata: { tanstack: { state } },
      } as unknown as Chunk,
    ]
  }

  function decide(callId: string, chunk: Chunk): readonly Chunk[] {
    return mayRun(callId) ? [chunk] : refuse(callId)
  }

  async function release(): Promise<readonly Chunk[]> {
    await judged([...held.keys()])
    const decided = [...held].flatMap(([callId, chunk]) => decide(callId, chunk))
    held.clear()
    return decided
  }

  async function passEnd(chunk: Chunk): Promise<readonly Chunk[]> {
    const interrupts = interruptsOf(chunk)
    const asked = interrupts.flatMap((interrupt) => requestOfInterrupt(interrupt) ?? []).filter(isOurs)
    await judged([...held.keys(), ...asked.map(({ callId }) => callId)])
    const waits = interrupts.some(isGeneric)
    const instead: Chunk[] = []
    const kept = interrupts.filter((interrupt) => {
      const request = requestOfInterrupt(interrupt)
      if (request === undefined || !isOurs(request)) return true
      const { callId } = request
      // An application's own question comes first: then the server asks again for what it still wants run.
      const goesOn = waits ? store.dispatchable(turnId).some((call) => call.callId === callId) : mayRun(callId)
      if (!goesOn) instead.push(...refuse(callId))
      return goesOn
    })
    const last = kept.length === interrupts.length ? chunk : withInterrupts(chunk, kept)
    return [...instead, ...(await release()), last]
  }

  return {
    async pass(chunk) {
      if (chunk.type === 'RUN_FINISHED' || chunk.type === 'RUN_ERROR') return passEnd(chunk)
      const request = requestOf(chunk)
      if (request === undefined || !isOurs(request)) return [chunk]
      const { callId } = request
      store.flush()
      // Its message may have ended already, with this stream or an earlier one.
      if (look(callId)?.phase !== 'preparing') return decide(callId, chunk)
      held.set(callId, chunk)
      return []
    },
    release,
  }
}
