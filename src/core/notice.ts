import type { Ending } from './events.ts'
import { type Catalogue, english, type StopWord } from './labels.ts'
import type { StopVerdict } from './message-end.ts'
import type { CallView } from './view.ts'

/** What a turn says after its last text or call, so that the model's prose is never the last word. */
export interface Notice {
  /** The tools of calls that did not run, in order; those the user declined are left out. */
  readonly notRun: readonly string[]
  readonly mayHaveRun: readonly string[]
  /** Why the reply stopped; null after a natural end, or where the last call's label says it. */
  readonly stopped: StopWord | null
  /** Whether it is certain that this turn ran no tool at all. */
  readonly noToolRun: boolean
}

/** What the notice of a turn is made from. */
export interface NoticeFacts {
  readonly calls: readonly CallView[]
  readonly ending: Ending
  /** What the last message's stop reason says, or null after a natural end. */
  readonly stop: StopVerdict | null
  /** Every tool that could run here is local, every announced call was, and none was dispatched. */
  readonly nothingRan: boolean
}

/** The notice of an ended turn, or null where there is nothing to say. */
export function noticeOf({ calls, ending, stop, nothingRan }: NoticeFacts): Notice | null {
  const notRun: string[] = []
  const mayHaveRun: string[] = []
  for (const call of calls) {
    if (call.phase !== 'settled' || call.settled.ran === 'yes') continue
    if (call.settled.ran === 'unknown') mayHaveRun.push(toolName(call))
    else if (call.settled.cause !== 'declined') notRun.push(toolName(call))
  }
  const word = stopWord(ending, stop)
  const last = calls.at(-1)
  const said = ending.type === 'cancelled' ? 'cancelled' : word
  const named = last?.phase === 'settled' && last.settled.cause === said
  const stopped = named ? null : word
  if (notRun.length === 0 && mayHaveRun.length === 0 && stopped === null) return null
  return { notRun, mayHaveRun, stopped, noToolRun: stopped !== null && nothingRan }
}

/** The notice in words, a sentence each. */
export function noticeSentences(notice: Notice, catalogue: Catalogue = english): readonly string[] {
  const words = catalogue.notice
  const inside = (tools: readonly string[]) =>
    tools.map((tool) => (tool === '' ? catalogue.nameless.inside : tool)).join(', ')
  return [
    ...(notice.notRun.length === 0 ? [] : [words.notRun.replace('{tools}', () => inside(notice.notRun))]),
    ...(notice.mayHaveRun.length === 0 ? [] : [words.mayHaveRun.replace('{tools}', () => inside(notice.mayHaveRun))]),
    ...(notice.stopped === null ? [] : [words.stopped[notice.stopped]]),
    ...(notice.noToolRun ? [words.noToolRun] : []),
  ]
}

function toolName(call: CallView): string {
  return call.title ?? call.name
}

function stopWord(ending: Ending, stop: StopVerdict | null): StopWord | null {
  switch (ending.type) {
    case 'cancelled':
      return ending.by === 'user' ? 'cancelled' : 'unnamed'
    case 'lost':
      return ending.how === 'idle' ? 'connection-lost' : ending.how
    case 'complete':
      if (stop === null) return null
      switch (stop.cause) {
        case 'truncated':
        case 'filtered':
        case 'provider-error':
          return stop.cause
        default:
          return 'unnamed'
      }
    default:
      return ending satisfies never
  }
}
