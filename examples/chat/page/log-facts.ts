import {
  labelOf,
  noticeSentences,
  type StreamEvent,
  type StreamSummary,
  type ToolCallStore,
} from '../../../src/index.ts'
import type { Log } from './log.ts'

/** Writes what an adapter made of its wire. */
export function logEvent(log: Log, event: StreamEvent): void {
  if (event.type === 'text-fragment') log.count('wire', event.type, event.text.length)
  else if (event.type === 'call-fragment') log.count('wire', `${event.type} ${event.key}`, event.text.length)
  else log.add('wire', [event.type, ...factsOf(event)].join(' '))
}

function factsOf(event: StreamEvent): readonly string[] {
  switch (event.type) {
    case 'message-started':
      return event.messageId === undefined ? [] : [event.messageId]
    case 'call-announced':
      return [event.key, event.name ?? 'without a name', event.callId ?? 'without an id']
    case 'call-finished':
      return [event.key, event.status ?? '']
    case 'message-ended':
      return [event.reason ?? 'without a reason', event.rawReason === undefined ? '' : `(${event.rawReason})`]
    case 'stream-ended':
      return endingFacts(event.ending)
    case 'call-snapshot':
      return [event.key, 'text' in event ? `${event.text.length} characters` : 'a value']
    default:
      return 'key' in event && event.key !== undefined ? [event.key] : []
  }
}

function endingFacts(ending: StreamSummary['ending']): readonly string[] {
  return ending.type === 'lost' ? [ending.type, ending.how, ending.detail ?? ''] : [ending.type]
}

/** Writes how a stream ended and what finalising made of its calls. */
export function logSummary(log: Log, { ending, outcomes }: StreamSummary): void {
  log.add('kit', ['stream over:', ...endingFacts(ending)].join(' '))
  for (const outcome of outcomes) {
    const name = outcome.name ?? 'a call'
    if (outcome.type === 'dispatchable') log.add('kit', `outcome: ${name} dispatchable`)
    else if (outcome.type === 'schema-error') log.add('kit', `outcome: ${name} schema-error (${outcome.detail})`)
    else log.add('kit', `outcome: ${name} failed, ${outcome.reason} (${outcome.detail ?? outcome.cause})`)
  }
}

/** Writes every label and notice that a store publishes. */
export function logPublications(log: Log, store: ToolCallStore): void {
  store.subscribe(({ calls, turns }) => {
    for (const { before, call } of calls) {
      if (before === null || labelOf(before) !== labelOf(call)) log.add('kit', `label: ${labelOf(call)}`)
    }
    for (const { before, turn } of turns) {
      const words = (notice: typeof turn.notice) => (notice === null ? 'none' : noticeSentences(notice).join(' '))
      if (words(turn.notice) !== words(before.notice)) log.add('kit', `notice: ${words(turn.notice)}`)
    }
  })
}
