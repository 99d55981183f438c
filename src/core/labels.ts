import type { Hint, OfferedAction } from './offers.ts'
import type { CauseNo, CauseUnknown, CauseYes, Settled } from './outcomes.ts'

/** What a label needs to know of a call. */
export type Labelled = { readonly name: string; readonly title?: string | undefined } & (
  | { readonly phase: 'preparing' | 'running' }
  | { readonly phase: 'waiting'; readonly on: WaitsOn }
  | { readonly phase: 'settled'; readonly settled: Settled }
)

/** Who a waiting call waits for. */
export type WaitsOn = 'gate' | 'person' | 'result' | 'resume'

/** Every sentence of the kit, whole, with `{tool}` where the tool's name goes. */
export interface Catalogue {
  /** The name of a call without a name: at the beginning of a sentence, and inside one. */
  readonly nameless: { readonly first: string; readonly inside: string }
  readonly preparing: string
  /** Beside a preview: how much has come. */
  readonly received: string
  readonly running: string
  readonly waiting: Readonly<Record<WaitsOn, string>>
  readonly no: Readonly<Record<CauseNo, string>>
  readonly unknown: Readonly<Record<CauseUnknown, string>>
  readonly yes: Readonly<Record<CauseYes, string>>
  readonly notice: {
    readonly notRun: string
    readonly mayHaveRun: string
    readonly stopped: Readonly<Record<StopWord, string>>
    readonly noToolRun: string
  }
  /** What a person is asked before a tool runs, and the two answers. */
  readonly approval: { readonly question: string; readonly decline: string; readonly approve: string }
  readonly offers: Readonly<Record<OfferedAction, string>>
  readonly hints: Readonly<Record<Hint, string>>
  readonly announcer: {
    readonly many: string
    readonly done: string
    readonly ran: string
    readonly failed: string
    readonly notRun: string
    readonly mayHaveRun: string
  }
}

/** What a turn's notice can name as the reason for its end. */
export type StopWord =
  | 'connection-lost'
  | 'ended-early'
  | 'truncated'
  | 'filtered'
  | 'provider-error'
  | 'cancelled'
  | 'reloaded'
  | 'unnamed'

/** The English words. They are public API: changing one is a breaking change. */
export const english = {
  nameless: { first: 'A tool call', inside: 'a tool call' },
  preparing: 'Preparing {tool}…',
  received: '{count} characters received',
  running: 'Running {tool}…',
  waiting: {
    gate: '{tool} — waiting to run',
    person: '{tool} — waiting for your approval',
    result: '{tool} — sent, waiting for the result',
    resume: '{tool} — reconnecting…',
  },
  no: {
    'connection-lost': '{tool} — not run (connection lost)',
    'ended-early': '{tool} — not run (the response ended early)',
    truncated: '{tool} — not run (the request was cut short)',
    filtered: '{tool} — not run (stopped by a content filter)',
    unparseable: '{tool} — not run (the request was unreadable)',
    'invalid-arguments': '{tool} — not run (the details were not valid)',
    'rejected-by-rule': '{tool} — not run (rejected by a rule)',
    'unknown-tool': '{tool} — not run (no such tool)',
    'provider-error': '{tool} — not run (the service reported an error)',
    'held-back': '{tool} — not run (another call had a problem)',
    declined: '{tool} — not run (you declined)',
    'declined-by-policy': '{tool} — not run (blocked by policy)',
    'approval-expired': '{tool} — not run (approval timed out)',
    withdrawn: '{tool} — not run (withdrawn)',
    'not-started': '{tool} — not run (never started)',
    reloaded: '{tool} — not run (the page was closed)',
    unrecognised: '{tool} — not run',
    cancelled: '{tool} — cancelled',
  },
  unknown: {
    'connection-lost': '{tool} — may have run (connection lost)',
    'ended-early': '{tool} — may have run (the response ended early)',
    'provider-error': '{tool} — may have run (the service reported an error)',
    cancelled: '{tool} — may have run (cancelled)',
    truncated: '{tool} — may have run (the response was cut short)',
    filtered: '{tool} — may have run (stopped by a content filter)',
    withdrawn: '{tool} — may have run (withdrawn)',
    reloaded: '{tool} — may have run (the page was closed)',
    'no-result': '{tool} — may have run (no result received)',
    'timed-out': '{tool} — may have run (timed out)',
    'tool-error': '{tool} — may have run (an error was reported)',
    unrecognised: '{tool} — may have run',
  },
  yes: {
    ok: '{tool} — done',
    'not-ok': '{tool} — ran and failed',
    late: '{tool} — done (result arrived late)',
    'late-not-ok': '{tool} — ran and failed (result arrived late)',
    unreadable: '{tool} — ran (result unreadable)',
  },
  notice: {
    notRun: 'Not run: {tools}.',
    mayHaveRun: 'May have run: {tools}.',
    stopped: {
      'connection-lost': 'The reply stopped here (connection lost).',
      'ended-early': 'The reply stopped here (it ended early).',
      truncated: 'The reply stopped here (the length limit was reached).',
      filtered: 'The reply stopped here (a content filter).',
      'provider-error': 'The reply stopped here (the service reported an error).',
      cancelled: 'The reply stopped here (you stopped it).',
      reloaded: 'The reply stopped here (the page was closed).',
      unnamed: 'The reply stopped here.',
    },
    noToolRun: 'No tool was run.',
  },
  approval: { question: 'Run {tool}?', decline: 'Decline', approve: 'Approve' },
  offers: { 'try-again': 'Try again', check: 'Check' },
  hints: { 'ask-for-less': 'Ask for less at once.', 'add-detail': 'Add the missing detail.' },
  announcer: {
    many: '{count} tool calls: {parts}.',
    done: '{count} done',
    ran: '{count} ran',
    failed: '{count} ran and failed',
    notRun: '{count} not run',
    mayHaveRun: '{count} may have run',
  },
} as const satisfies Catalogue

/** A sentence in three pieces, so that a renderer can set the tool's name apart. Joined they are the sentence. */
export interface LabelPieces {
  readonly before: string
  readonly tool: string
  readonly after: string
}

/** The label of a call in pieces. */
export function labelPieces(call: Labelled, catalogue: Catalogue = english): LabelPieces {
  return sentencePieces(labelSentence(call, catalogue), call, catalogue)
}

/** Any sentence about a call, in pieces. */
export function sentencePieces(
  sentence: string,
  call: Pick<Labelled, 'name' | 'title'>,
  catalogue: Catalogue,
): LabelPieces {
  const [before = '', after = ''] = sentence.split('{tool}')
  const nameless = before === '' ? catalogue.nameless.first : catalogue.nameless.inside
  return { before, tool: call.title ?? (call.name === '' ? nameless : call.name), after }
}

/** The label of a call as the user reads it: `create_ticket — not run (connection lost)`. */
export function labelOf(call: Labelled, catalogue: Catalogue = english): string {
  const { before, tool, after } = labelPieces(call, catalogue)
  return before + tool + after
}

/** Which of the four shapes stands before a settled label. */
export type Icon = 'not-run' | 'may-have-run' | 'done' | 'failed'

/** The characters of the icons, for terminals and logs; never part of the label. */
export const ICONS = { 'not-run': '⊘', 'may-have-run': '?', done: '✓', failed: '✕' } as const satisfies Record<
  Icon,
  string
>

/** The icon of a settled call. One that ran, with nobody able to say how it went, has no tick. */
export function iconOf(settled: Settled): Icon {
  switch (settled.ran) {
    case 'no':
      return 'not-run'
    case 'unknown':
      return 'may-have-run'
    case 'yes':
      if (settled.cause === 'unreadable') return 'may-have-run'
      return settled.cause === 'not-ok' || settled.cause === 'late-not-ok' ? 'failed' : 'done'
    default:
      return settled satisfies never
  }
}

/** The label of a call with `{tool}` still in it. */
export function labelSentence(call: Labelled, catalogue: Catalogue): string {
  switch (call.phase) {
    case 'preparing':
      return catalogue.preparing
    case 'running':
      return catalogue.running
    case 'waiting':
      return catalogue.waiting[call.on]
    case 'settled':
      switch (call.settled.ran) {
        case 'no':
          return catalogue.no[call.settled.cause]
        case 'unknown':
          return catalogue.unknown[call.settled.cause]
        case 'yes':
          return catalogue.yes[call.settled.cause]
        default:
          return call.settled satisfies never
      }
    default:
      return call satisfies never
  }
}
