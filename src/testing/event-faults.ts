import { type Speaker, STREAM_EVENT_TYPES, type StopReason, type StreamEvent } from '../core/events.ts'
import { isRecord } from '../core/json.ts'

const REASONS = {
  natural: true,
  length: true,
  filter: true,
  malformed: true,
  error: true,
  paused: true,
  cancelled: true,
  unknown: true,
} satisfies Record<StopReason, true>

const SPEAKERS = { executor: true, model: true, relay: true, nobody: true } satisfies Record<Speaker, true>

const TYPES: ReadonlySet<unknown> = new Set(STREAM_EVENT_TYPES)
const TEXTS = ['key', 'callId', 'name', 'message', 'messageId', 'approvalId', 'rawReason', 'text']
const FLAGS = ['ok', 'granted', 'continues', 'finishesOpenCalls']

/** What of the events of one turn is none of the vocabulary; null where nothing is. */
export function eventFault(events: Iterable<StreamEvent>): string | null {
  const announced = new Set<unknown>()
  for (const event of events) {
    const fault = faultOf(event as Readonly<Record<string, unknown>>, announced)
    if (fault !== null) return `\`${event.type}\`: ${fault}`
  }
  return null
}

function faultOf(event: Readonly<Record<string, unknown>>, announced: Set<unknown>): string | null {
  const { type, key, reason } = event
  if (!TYPES.has(type)) return 'there is no such event'
  for (const [member, value] of Object.entries(event)) {
    if (value === undefined) return `\`${member}\` is undefined: leave absent members out`
    if (TEXTS.includes(member) && typeof value !== 'string') return `\`${member}\` is no string`
    if (FLAGS.includes(member) && typeof value !== 'boolean') return `\`${member}\` is no boolean`
  }
  if (type === 'call-announced') announced.add(key)
  else if (key !== undefined && !announced.has(key)) return `the key ${JSON.stringify(key)} was not announced`
  if (type === 'message-ended' && reason !== null && !isOneOf(REASONS, reason)) return '`reason` is no stop reason'
  if (type === 'stream-ended') {
    const { type: how, speaker }: Readonly<Record<string, unknown>> = isRecord(event.ending) ? event.ending : {}
    if (how !== 'cancelled' && !isOneOf(SPEAKERS, speaker)) return '`speaker` is nobody known'
  }
  return null
}

function isOneOf(words: object, word: unknown): boolean {
  return typeof word === 'string' && Object.hasOwn(words, word)
}
