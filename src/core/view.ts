import { type Call, RANK } from './call.ts'
import { askedArguments } from './finalize.ts'
import type { WaitsOn } from './labels.ts'
import type { Settled } from './outcomes.ts'
import { askedRows, type Preview, Previewer } from './preview.ts'
import { plainName } from './text.ts'
import { type Executor, type Registry, toolOf } from './tools.ts'

/** What a block sees of a call: no buffer, no parse error, no schema issue. */
export type CallView = {
  /** Unique in the turn; for React keys. */
  readonly key: string
  /** The wire's id, or a minted one (`kit-call-1`, …). Ids are data and may repeat in a turn. */
  readonly id: string
  /** Fit to be shown; `''` for a call without a name. */
  readonly name: string
  /** Shown in place of the name, where the tool declares one. */
  readonly title?: string | undefined
  /** Whether the host declared a tool of this name. */
  readonly known: boolean
  readonly executor: Executor
  readonly turnId: string
  readonly messageId?: string | undefined
} & (
  | {
      readonly phase: 'preparing'
      /** Parsed when it is read, and only from the first 4,096 characters. */
      readonly preview: Preview
      /** Characters received so far. */
      readonly received: number
    }
  | { readonly phase: 'waiting'; readonly on: Exclude<WaitsOn, 'person'> }
  | {
      readonly phase: 'waiting'
      readonly on: 'person'
      /** What the person decides on: the arguments as they would run, `sensitive` members left out. */
      readonly asked: Preview
    }
  | { readonly phase: 'running' }
  | {
      readonly phase: 'settled'
      readonly settled: Settled
      /** Whether the executor itself said so, by a report or a result. */
      readonly confirmed: boolean
    }
)

/** Where a call stands, in one word or a few: changes when its label does, not with every fragment. */
export function standingOf(call: CallView): string {
  switch (call.phase) {
    case 'preparing':
    case 'running':
      return call.phase
    case 'waiting':
      return `waiting ${call.on}`
    case 'settled':
      return `settled ${call.settled.ran} ${call.settled.cause}`
    default:
      return call satisfies never
  }
}

const previewers = new WeakMap<Call, Previewer>()

/** What a block may show of a call, right now. */
export function viewOf(call: Call, turnId: string, registry: Registry): CallView {
  const tool = toolOf(registry, call.name)
  const base = {
    key: call.block,
    id: call.id,
    // A declared name is the host's own word.
    name: tool === undefined ? plainName(call.name ?? '') : (call.name ?? ''),
    title: tool?.title,
    known: tool !== undefined,
    executor: call.executor,
    turnId,
    messageId: call.message.id,
  }
  switch (call.state.phase) {
    case 'preparing':
    case 'finished':
    case 'validating':
    case 'correcting': {
      const { head, received } = call.buffer
      const previewer = previewerOf(call)
      // A full head is read once: from then on a plain member does, where making a getter costs a microsecond a frame.
      if (previewer.hasRead(head, tool)) {
        const preview = previewer.rows(head, call.encoding, tool)
        return Object.assign(base, { phase: 'preparing', received, preview } as const)
      }
      return {
        phase: 'preparing',
        received,
        get preview() {
          return previewer.rows(head, call.encoding, tool)
        },
        // Last: engines are slow to add members to what was spread, and this is done for every frame.
        ...base,
      }
    }
    case 'ready':
      return { ...base, phase: 'waiting', on: 'gate' }
    case 'asking':
      return { ...base, phase: 'waiting', on: 'person', asked: askedRows(askedArguments(call), tool) }
    case 'sent':
      return { ...base, phase: 'waiting', on: 'result' }
    case 'resuming':
      return { ...base, phase: 'waiting', on: 'resume' }
    case 'running':
      return { ...base, phase: 'running' }
    case 'settled':
      return { ...base, phase: 'settled', settled: call.state.settled, confirmed: call.state.rank >= RANK.report }
    default:
      return call.state satisfies never
  }
}

function previewerOf(call: Call): Previewer {
  const known = previewers.get(call)
  if (known !== undefined) return known
  const made = new Previewer()
  previewers.set(call, made)
  return made
}
