import type { StopReason, StreamEvent } from '../../src/core/events.ts'
import type { Report } from '../../src/core/report.ts'
import type { Executor } from '../../src/core/tools.ts'
import type { Choices } from './choices.ts'

/** A call in the world beyond the stream, where it is known whether it runs. */
export interface RealCall {
  readonly key: string
  readonly id: string
  readonly executor: Executor
  ran: boolean
  ok: boolean
}

/** What happens beyond the stream, in order: something is sent, or an executor begins to run a call. */
export type Step =
  | { readonly type: 'sent'; readonly event: StreamEvent; readonly call?: RealCall }
  | {
      readonly type: 'begun'
      readonly call: RealCall
      /** What its executor says of it, in the stream if that still stands. */
      readonly word: readonly StreamEvent[]
    }

export interface Script {
  /** Whether its wire names the message of every event, as wires with several at once do. */
  readonly named: boolean
  /** Whether servers say of everything that they run what they were not given in full: then they may speak at the end. */
  readonly candid: boolean
  readonly calls: readonly RealCall[]
  readonly steps: readonly Step[]
}

export const NAMES = { local: 'local', host: 'hosted', server: 'served', provider: 'searched' } as const

const DOCUMENTS = ['{"a":1}', '{"a":1}', '{"a":{"b":[1]}}', '', '{}', '{"a":', '{"a":1', 'nonsense'] as const

/** One turn as its model and its executors go through it. All of them tell the truth, none of them tells everything. */
export function writeScript(choices: Choices): Script {
  const calls: RealCall[] = []
  const steps: Step[] = []
  // What executors do may take longer than the message that asked for it.
  const later: Step[] = []
  const named = choices.below(2) === 0
  const candid = choices.below(2) === 0
  for (let number = 0; number <= choices.below(3); number++) {
    const message = named ? { message: `message-${number}` } : {}
    const finishesOpenCalls = choices.below(2) === 1
    const reason = choices.pick<StopReason | null>([
      'natural',
      'natural',
      'natural',
      null,
      'length',
      'filter',
      'paused',
      'error',
      'malformed',
      'cancelled',
      'unknown',
    ])
    steps.push(sent({ type: 'message-started', ...message, messageId: `id-${number}` }))
    if (choices.rarely(4)) steps.push(sent({ type: 'text-fragment', text: "I'll do that now.", ...message }))
    const lanes: Step[][] = []
    for (let count = 0; count <= choices.below(3); count++) {
      const call: RealCall = {
        key: `key-${calls.length}`,
        id: `call-${calls.length}`,
        executor: choices.pick<Executor>(['server', 'local', 'host', 'provider']),
        ran: false,
        ok: !choices.rarely(4),
      }
      calls.push(call)
      const lane = layOut(choices, call, message, { finishesOpenCalls, reason, candid })
      lanes.push(lane.within)
      later.push(...lane.after)
    }
    steps.push(...merge(choices, lanes))
    steps.push(sent({ type: 'message-ended', reason, finishesOpenCalls, ...message }))
    if (choices.below(2) === 1) steps.push(...later.splice(0))
  }
  return { named, candid, calls, steps: [...steps, ...later] }
}

interface Lane {
  readonly within: Step[]
  readonly after: Step[]
}

function layOut(
  choices: Choices,
  call: RealCall,
  message: { readonly message?: string },
  end: { readonly finishesOpenCalls: boolean; readonly reason: StopReason | null; readonly candid: boolean },
): Lane {
  const { key, id } = call
  const text = choices.pick(DOCUMENTS)
  const name = NAMES[call.executor]
  const namedLate = choices.rarely(6)
  const within: Step[] = [
    sent(
      {
        type: 'call-announced',
        key,
        ...message,
        ...(namedLate ? {} : { callId: id, name }),
        ...(call.executor === 'provider' ? { executor: 'provider' } : {}),
      },
      call,
    ),
  ]
  const middle = choices.below(text.length + 1)
  within.push(sent({ type: 'call-fragment', key, text: text.slice(0, middle) }, call))
  if (namedLate) within.push(sent({ type: 'call-identified', key, callId: id, name }, call))
  within.push(sent({ type: 'call-fragment', key, text: text.slice(middle) }, call))

  const after: Step[] = []
  const whole = isDocument(text)
  const finish = end.finishesOpenCalls
    ? 'none'
    : choices.pick(['complete', 'complete', 'complete', 'none', 'incomplete', 'rejected'] as const)
  if (finish !== 'none') within.push(sent({ type: 'call-finished', key, status: finish }, call))
  if (finish === 'rejected') {
    if (choices.rarely(2)) after.push(sent({ type: 'call-returned', key, ok: false }, call))
    return { within, after }
  }
  if (choices.rarely(8)) {
    after.push(sent({ type: 'call-withdrawn', key }, call))
    return { within, after }
  }
  if (choices.rarely(5)) {
    within.push(sent({ type: 'approval-requested', key, approvalId: `approval-${key}` }, call))
    const granted = choices.below(2) === 0
    const by = choices.pick(['person', 'policy', 'expiry'] as const)
    if (call.executor === 'local') return { within, after }
    if (choices.below(2) === 0) after.push(sent({ type: 'approval-answered', key, granted, by }, call))
    if (!granted) return { within, after }
  }

  const natural = end.reason === 'natural' || (end.reason === null && text.trim() !== '')
  const atEnd = end.finishesOpenCalls && natural
  const handedOver = finish === 'complete' || whole || atEnd
  // A careless server runs what it was never given in full; so may a provider whose message ended in disorder.
  const careless = call.executor === 'server' && choices.rarely(6)
  const inDisorder = call.executor === 'provider' && !['natural', null, 'length', 'filter'].includes(end.reason)
  const possible = handedOver || careless || inDisorder || call.executor === 'host'
  if (call.executor === 'local' || !possible || choices.rarely(4)) {
    if (call.executor !== 'local' && choices.rarely(4))
      after.push(sent({ type: 'outcome-reported', report: report(call, 'no') }, call))
    return { within, after }
  }
  const word = wordOf(choices, call, careless && !handedOver && end.candid)
  const begun: Step = { type: 'begun', call, word }
  if ((finish === 'complete' || whole || careless) && choices.below(2) === 1) within.push(begun)
  else after.push(begun)
  return { within, after }
}

/** What an executor says of a call that it runs: all, some or nothing of it. */
function wordOf(choices: Choices, call: RealCall, mustSpeak: boolean): readonly StreamEvent[] {
  const { key, id, ok } = call
  const dispatched: StreamEvent = { type: 'call-dispatched', key }
  const ends: readonly StreamEvent[] = [
    { type: 'call-returned', key, ok, value: 'done' },
    { type: 'call-returned', callId: id, ok, value: 'done' },
    { type: 'outcome-reported', report: report(call, 'yes') },
    { type: 'outcome-reported', report: report(call, 'unknown') },
  ]
  const end = ends[choices.below(ends.length + 1)]
  const words: StreamEvent[] = []
  if (mustSpeak || choices.below(2) === 1) words.push(dispatched)
  if (choices.rarely(4)) words.push({ type: 'call-progress', key })
  if (end !== undefined) words.push(end)
  return words
}

export function report(call: RealCall, ran: Report['ran']): Report {
  return {
    callId: call.id,
    name: NAMES[call.executor],
    ran,
    ...(ran === 'yes' ? { ok: call.ok } : {}),
  }
}

function sent(event: StreamEvent, call?: RealCall): Step {
  return { type: 'sent', event, ...(call === undefined ? {} : { call }) }
}

/** Any interleaving of the lanes that keeps the order within each. */
function merge(choices: Choices, lanes: readonly Step[][]): readonly Step[] {
  const merged: Step[] = []
  for (;;) {
    const open = lanes.filter((lane) => lane.length > 0)
    const next = open[choices.below(Math.max(1, open.length))]?.shift()
    if (next === undefined) return merged
    merged.push(next)
  }
}

export function isDocument(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
