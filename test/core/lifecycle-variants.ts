import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'
import { type Call, type CallState, type LedgerPhase, RANK } from '../../src/core/call.ts'
import type { Ending, Loss, Speaker, StopReason } from '../../src/core/events.ts'
import type { Verdict } from '../../src/core/gate.ts'
import type { MessageEnd } from '../../src/core/message-end.ts'
import type { Settled } from '../../src/core/outcomes.ts'
import type { Report } from '../../src/core/report.ts'
import type { Executor } from '../../src/core/tools.ts'
import type { CallInput } from '../../src/core/transition.ts'

const SPEAKERS = ['executor', 'model', 'relay', 'nobody'] as const satisfies readonly Speaker[]
const LOSSES = [
  'connection-lost',
  'idle',
  'ended-early',
  'provider-error',
  'reloaded',
] as const satisfies readonly Loss[]
const UNNATURAL = [
  'length',
  'filter',
  'malformed',
  'error',
  'paused',
  'cancelled',
  'unknown',
] as const satisfies readonly StopReason[]

/** Every way a stream can end, by everyone who can say so. */
export const ENDINGS: readonly Ending[] = [
  ...SPEAKERS.map((speaker): Ending => ({ type: 'complete', speaker })),
  ...(['user', 'host'] as const).flatMap((by): Ending[] => [
    { type: 'cancelled', by, acknowledged: true },
    { type: 'cancelled', by, acknowledged: false },
  ]),
  ...LOSSES.flatMap((how) => SPEAKERS.map((speaker): Ending => ({ type: 'lost', how, speaker }))),
  { type: 'lost', how: 'idle', speaker: 'nobody', detail: 'run' },
]

const NATURAL_ENDS: readonly MessageEnd[] = [
  { reason: 'natural', finishesOpenCalls: true },
  { reason: 'natural', finishesOpenCalls: false },
  { reason: null, finishesOpenCalls: true },
  { reason: null, finishesOpenCalls: false },
]

const ENDS: readonly MessageEnd[] = [
  ...NATURAL_ENDS,
  ...UNNATURAL.flatMap((reason): MessageEnd[] => [
    { reason, finishesOpenCalls: true },
    { reason, finishesOpenCalls: false },
  ]),
]

const PASSED: Verdict = {
  passed: true,
  outcome: { type: 'dispatchable', callId: 'c1', name: 'create_ticket', args: {} },
}
const UNREADABLE: Verdict = {
  passed: false,
  outcome: {
    type: 'failed',
    callId: 'c1',
    name: 'create_ticket',
    reason: 'unparseable',
    cause: 'unparseable',
    raw: '{',
  },
  settled: { ran: 'no', cause: 'unparseable', detail: 'not-json' },
}
const CUT: Verdict = {
  passed: false,
  outcome: { type: 'failed', callId: 'c1', name: 'create_ticket', reason: 'truncated', cause: 'truncated', raw: '{' },
  settled: { ran: 'no', cause: 'truncated', detail: 'max-tokens' },
}

const UNFIT: Verdict = {
  passed: false,
  outcome: {
    type: 'schema-error',
    callId: 'c1',
    name: 'create_ticket',
    args: {},
    issues: [{ message: 'title is missing' }],
    detail: 'missing-required',
    raw: '{}',
  },
  settled: { ran: 'no', cause: 'invalid-arguments', detail: 'missing-required' },
}

/** What may be noted of a call while it stands in a phase. The cross product of a row is tried. */
interface Notes {
  readonly finished: readonly Call['finished'][]
  readonly approval: readonly Call['approval'][]
  readonly dispatched: readonly boolean[]
  readonly end: readonly (MessageEnd | null)[]
  readonly verdict: readonly (Verdict | null)[]
}

const NOTES = {
  preparing: {
    finished: [null],
    approval: ['none', 'pending'],
    dispatched: [false],
    end: [null, ...ENDS],
    verdict: [null],
  },
  finished: {
    finished: ['complete', 'incomplete'],
    approval: ['none', 'granted'],
    dispatched: [false],
    end: [null, ...ENDS],
    verdict: [null],
  },
  validating: {
    finished: [null, 'complete', 'incomplete'],
    approval: ['none', 'pending', 'granted'],
    dispatched: [false],
    end: ENDS,
    verdict: [null, PASSED, UNREADABLE, CUT, UNFIT],
  },
  correcting: {
    finished: [null, 'complete'],
    approval: ['none', 'pending', 'granted'],
    dispatched: [false],
    end: NATURAL_ENDS,
    verdict: [PASSED, UNFIT],
  },
  ready: {
    finished: [null, 'complete'],
    approval: ['none', 'granted'],
    dispatched: [false],
    end: NATURAL_ENDS,
    verdict: [PASSED],
  },
  asking: {
    finished: [null, 'complete', 'incomplete'],
    approval: ['pending'],
    dispatched: [false],
    end: [null, ...ENDS],
    verdict: [null, PASSED, UNREADABLE, CUT, UNFIT],
  },
  sent: {
    finished: [null, 'complete'],
    approval: ['none', 'granted'],
    dispatched: [false],
    end: [null, ...ENDS],
    verdict: [null],
  },
  running: {
    finished: [null, 'complete'],
    approval: ['none', 'pending', 'granted'],
    dispatched: [true],
    end: [null, ...ENDS],
    verdict: [null, PASSED],
  },
  settled: {
    finished: [null, 'complete', 'incomplete', 'rejected'],
    approval: ['none', 'pending', 'granted', 'refused'],
    dispatched: [false, true],
    end: [null],
    verdict: [null],
  },
} as const satisfies Record<Exclude<LedgerPhase, 'resuming'>, Notes>

const SETTLED: readonly Settled[] = [
  { ran: 'no', cause: 'connection-lost' },
  { ran: 'unknown', cause: 'no-result' },
  { ran: 'yes', cause: 'ok' },
  { ran: 'yes', cause: 'unreadable' },
]

/** How streams end for calls that may be resumed; a sample, as the ending that settles them is tried in full. */
const LOST: readonly Ending[] = [
  { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
  { type: 'lost', how: 'provider-error', speaker: 'executor' },
  { type: 'lost', how: 'idle', speaker: 'nobody', detail: 'run' },
  { type: 'complete', speaker: 'model' },
]

function statesOf(phase: Exclude<LedgerPhase, 'resuming'>): readonly CallState[] {
  switch (phase) {
    case 'ready':
      return [{ phase, args: {} }]
    case 'settled':
      return SETTLED.flatMap((settled) => Object.values(RANK).map((rank): CallState => ({ phase, settled, rank })))
    case 'preparing':
    case 'finished':
    case 'validating':
    case 'correcting':
    case 'asking':
    case 'sent':
    case 'running':
      return [{ phase }]
    default:
      return phase satisfies never
  }
}

const BUFFERS: readonly ArgumentBuffer[] = ['', '{"title":"Inv', '{"title":"Invoice"}'].map((text) => {
  const buffer = new ArgumentBuffer()
  buffer.append(text)
  return buffer
})

/** Every call that can stand in a phase, as far as a transition looks at it. */
export function callsIn(phase: LedgerPhase, executor: Executor): Call[] {
  if (phase === 'resuming') return callsResuming(executor)
  const notes: Notes = NOTES[phase]
  const corrections = phase === 'validating' || phase === 'asking' ? [false, true] : [phase === 'correcting']
  const calls: Call[] = []
  for (const state of statesOf(phase))
    for (const finished of notes.finished)
      for (const approval of notes.approval)
        for (const dispatched of notes.dispatched)
          for (const end of notes.end)
            for (const verdict of notes.verdict)
              for (const buffer of BUFFERS)
                for (const correctable of corrections)
                  calls.push({
                    key: '0',
                    order: 0,
                    block: '0',
                    attempt: 1,
                    replaced: false,
                    message: {
                      key: '#0',
                      id: undefined,
                      order: 0,
                      stream: 0,
                      calls: [],
                      end,
                      text: null,
                      correctable,
                      batch: 'open',
                    },
                    buffer,
                    encoding: 'json',
                    byProvider: executor === 'provider',
                    id: 'c1',
                    hasWireId: true,
                    name: 'create_ticket',
                    executor,
                    finished,
                    approval,
                    approvalId: undefined,
                    dispatched,
                    verdict,
                    state,
                  })
  return calls.filter(isPossible)
}

/** Calls that wait for a new stream are those that did not outlive the loss of theirs. */
function callsResuming(executor: Executor): Call[] {
  const befores: readonly LedgerPhase[] = {
    local: ['preparing', 'finished', 'asking', 'sent'] as const,
    host: ['preparing', 'finished', 'asking', 'sent'] as const,
    server: ['preparing', 'finished', 'sent', 'running'] as const,
    provider: ['preparing', 'finished', 'asking', 'sent', 'running'] as const,
  }[executor]
  return befores
    .flatMap((before) => callsIn(before, executor))
    .flatMap((call) => LOST.map((ending) => ({ ...call, state: { phase: 'resuming', before: call.state, ending } })))
}

/** Leaves out of the cross product what the ledger never notes together. */
function isPossible(call: Call): boolean {
  const { end } = call.message
  const local = call.executor === 'local'
  switch (call.state.phase) {
    case 'preparing':
      return true
    case 'finished':
      // What others run stands there only where its wire said that the call is incomplete.
      return local || call.finished === 'incomplete'
    case 'asking':
      // Only calls of ours are judged, after their message ended; of others, only what was finished is asked about.
      return local ? (end === null ? call.verdict === null && call.finished !== null : true) : isHanded(call, end)
    case 'sent':
      return isHanded(call, end)
    default:
      return true
  }
}

function isHanded(call: Call, end: MessageEnd | null): boolean {
  if (call.verdict !== null) return false
  if (call.finished !== null) return true
  return end?.finishesOpenCalls === true && (end.reason === 'natural' || (end.reason === null && !call.buffer.isEmpty))
}

/** One thing that happens, and what the ledger has noted of it on the call before it asks for the transition. */
export interface Happening {
  readonly input: CallInput
  readonly noted?: Partial<Pick<Call, 'finished' | 'approval' | 'dispatched'>>
  readonly end?: MessageEnd
}

const REPORTS: readonly Report[] = [
  { callId: 'c1', name: null, ran: 'no', cause: 'held-back' },
  { callId: 'c1', name: null, ran: 'unknown' },
  { callId: 'c1', name: null, ran: 'yes', ok: true },
  { callId: 'c1', name: null, ran: 'yes' },
]

/** Every input in every variant. A new input without variants does not compile. */
export const HAPPENINGS = {
  finished: (['complete', 'incomplete', 'rejected'] as const).map((finished) => ({
    input: { type: 'finished' },
    noted: { finished },
  })),
  'approval-requested': [{ input: { type: 'approval-requested' }, noted: { approval: 'pending' } }],
  'approval-answered': (['wire', 'host'] as const).flatMap((source) =>
    (['person', 'policy', 'expiry'] as const).flatMap((by): Happening[] => [
      { input: { type: 'approval-answered', granted: true, by, source }, noted: { approval: 'granted' } },
      { input: { type: 'approval-answered', granted: false, by, source }, noted: { approval: 'refused' } },
    ]),
  ),
  dispatched: [
    { input: { type: 'dispatched', source: 'wire' }, noted: { dispatched: true } },
    { input: { type: 'dispatched', source: 'host' } },
  ],
  progressed: [{ input: { type: 'progressed' }, noted: { dispatched: true } }],
  returned: [{ input: { type: 'returned', ok: true } }, { input: { type: 'returned', ok: false } }],
  reported: REPORTS.flatMap((report): Happening[] => [
    { input: { type: 'reported', report, source: 'wire' } },
    { input: { type: 'reported', report, source: 'host' } },
  ]),
  withdrawn: [{ input: { type: 'withdrawn' } }],
  'message-ended': ENDS.map((end) => ({ input: { type: 'message-ended' }, end })),
  judged: [
    { input: { type: 'judged', batch: 'open' } },
    { input: { type: 'judged', batch: 'sound' } },
    { input: { type: 'judged', batch: 'damaged' } },
    { input: { type: 'judged', batch: 'correctable' } },
  ],
  uncorrected: [
    { input: { type: 'uncorrected', ending: null } },
    ...ENDINGS.map((ending): Happening => ({ input: { type: 'uncorrected', ending } })),
  ],
  'stream-ended': ENDINGS.flatMap((ending): Happening[] => [
    { input: { type: 'stream-ended', ending, resumable: true } },
    { input: { type: 'stream-ended', ending, resumable: false } },
  ]),
  resumed: [{ input: { type: 'resumed' } }],
  'deadline-passed': [
    { input: { type: 'deadline-passed', deadline: 'handoff' } },
    { input: { type: 'deadline-passed', deadline: 'run' } },
    { input: { type: 'deadline-passed', deadline: 'resume' } },
  ],
  cancelled: [{ input: { type: 'cancelled', by: 'user' } }, { input: { type: 'cancelled', by: 'host' } }],
  reloaded: [{ input: { type: 'reloaded' } }],
} as const satisfies Record<CallInput['type'], readonly Happening[]>
