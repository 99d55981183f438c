import type { HostPage, Said, Settings } from './host-page.ts'

/** Who runs the tools: this page behind the gate, this page without it, or the server. */
export type Executor = NonNullable<Settings['executor']>

/** What a chat comes to say, and how often a tool of the page was run by then. */
export interface End extends Omit<Said, 'busy'> {
  readonly runs: number
}

/** What a scenario comes to, by who runs the tools. An executor that is left out is not asked about. */
export type Ends = { readonly [Each in Executor]?: End }

export interface Fault {
  readonly scenario: string
  /** The label in the midst of it, at which the fault is let happen; null: at once. */
  readonly meanwhile?: RegExp | { readonly [Each in Executor]: RegExp } | null
  /** Default `default`: what does not wait for a silence must not be helped by one. */
  readonly deadlines?: 'short'
  /** What a person does then. */
  readonly act?: (host: HostPage) => Promise<void>
  readonly ends: Ends
}

/** The labels, and the notice that goes with them by itself. */
export function says(labels: readonly string[], { notice, runs = 0 }: Partial<End> = {}): End {
  const named = (pattern: RegExp): string =>
    labels
      .filter((label) => pattern.test(label) && !label.includes('you declined'))
      .map((label) => label.split(' — ')[0])
      .join(', ')
  const notRun = named(/ — (not run|cancelled)/)
  const mayHaveRun = named(/ — may have run/)
  const sentences = [notRun && `Not run: ${notRun}.`, mayHaveRun && `May have run: ${mayHaveRun}.`].filter(Boolean)
  return { labels, notice: notice === undefined ? sentences.join(' ') || null : notice, runs }
}

/** The same of one call of `create_ticket`. */
export function ticket(words: string, more: Partial<End> = {}): End {
  return says([`create_ticket — ${words}`], more)
}

const stoppedEarly = says([], { notice: 'The reply stopped here (it ended early).' })

/** The label while arguments come. */
export const preparing = /^Preparing create_ticket…$/

/** What every host comes to, as far as its wire and what it does without us allow. */
export const faults = {
  'a good call': {
    scenario: 'good',
    ends: {
      page: ticket('done', { runs: 1 }),
      'page-without-gate': ticket('done', { runs: 1 }),
      server: ticket('done'),
    },
  },
  'two good calls': {
    scenario: 'pair',
    ends: {
      page: says(['create_ticket — done', 'send_payment — done'], { runs: 2 }),
      'page-without-gate': says(['create_ticket — done', 'send_payment — done'], { runs: 2 }),
      server: says(['create_ticket — done', 'send_payment — done']),
    },
  },
  'a call without arguments': {
    scenario: 'no-arguments',
    ends: {
      page: says(['refresh_list — done'], { runs: 1 }),
      'page-without-gate': says(['refresh_list — done'], { runs: 1 }),
      server: says(['refresh_list — done']),
    },
  },
  'the connection drops': {
    scenario: 'drop',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (connection lost)'),
      'page-without-gate': ticket('may have run (connection lost)'),
      server: ticket('may have run (connection lost)'),
    },
  },
  'a clean end in mid arguments': {
    scenario: 'clean-end',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (the response ended early)'),
      'page-without-gate': ticket('may have run (the response ended early)'),
      server: ticket('may have run (the response ended early)'),
    },
  },
  'the end right after the announcement': {
    scenario: 'announced-only',
    ends: {
      page: ticket('not run (the response ended early)'),
      'page-without-gate': ticket('may have run (the response ended early)'),
      server: ticket('may have run (the response ended early)'),
    },
  },
  'a promise, and an end with nothing announced': {
    scenario: 'promise',
    ends: { page: stoppedEarly, 'page-without-gate': stoppedEarly, server: stoppedEarly },
  },
  'a stall': {
    scenario: 'stall',
    // The deadline may have passed before anybody has looked.
    meanwhile: null,
    deadlines: 'short',
    ends: {
      page: ticket('not run (connection lost)'),
      'page-without-gate': ticket('may have run (connection lost)'),
      server: ticket('may have run (connection lost)'),
    },
  },
  'a stop by the user': {
    scenario: 'stall',
    meanwhile: preparing,
    act: (host) => host.press('Stop'),
    ends: {
      page: ticket('cancelled'),
      'page-without-gate': ticket('may have run (cancelled)'),
      server: ticket('may have run (cancelled)'),
    },
  },
  'a reload in mid arguments': {
    scenario: 'stall',
    meanwhile: preparing,
    act: (host) => host.reload(),
    // Of what was kept the store knows nothing: there is no turn to have a notice.
    ends: {
      page: ticket('not run (the page was closed)', { notice: null }),
      'page-without-gate': ticket('may have run (the page was closed)', { notice: null }),
      server: ticket('may have run (the page was closed)', { notice: null }),
    },
  },
  'a token ceiling over a whole call': {
    scenario: 'length',
    ends: {
      page: ticket('not run (the request was cut short)'),
      'page-without-gate': ticket('done', {
        runs: 1,
        notice: 'The reply stopped here (the length limit was reached).',
      }),
      server: ticket('may have run (no result received)', {
        notice: 'May have run: create_ticket. The reply stopped here (the length limit was reached).',
      }),
    },
  },
  'a token ceiling before any argument': {
    scenario: 'length-empty',
    ends: {
      page: ticket('not run (the request was cut short)'),
      'page-without-gate': ticket('may have run (the response was cut short)'),
      server: ticket('not run (the request was cut short)'),
    },
  },
  'a content filter': {
    scenario: 'filter',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (stopped by a content filter)'),
      'page-without-gate': ticket('may have run (stopped by a content filter)'),
      server: ticket('not run (stopped by a content filter)'),
    },
  },
  'malformed JSON': {
    scenario: 'unreadable',
    ends: {
      page: ticket('not run (the request was unreadable)'),
      // Control: what the host is given instead of the text, it runs.
      'page-without-gate': ticket('done', { runs: 1 }),
      server: ticket('not run (the details were not valid)'),
    },
  },
  'details that do not fit': {
    scenario: 'unfit',
    ends: {
      page: ticket('not run (the details were not valid)'),
      'page-without-gate': ticket('done', { runs: 1 }),
      server: ticket('not run (the details were not valid)'),
    },
  },
  'two calls, one damaged': {
    scenario: 'one-damaged',
    ends: {
      page: says([
        'create_ticket — not run (another call had a problem)',
        'send_payment — not run (the details were not valid)',
      ]),
      'page-without-gate': says(['create_ticket — done', 'send_payment — done'], { runs: 2 }),
      server: says(['create_ticket — done', 'send_payment — not run (the details were not valid)']),
    },
  },
  'an error of the service': {
    scenario: 'error',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (the service reported an error)'),
      'page-without-gate': ticket('may have run (the service reported an error)'),
      server: ticket('not run (the service reported an error)'),
    },
  },
  'a call that is never finished': {
    scenario: 'never-finished',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (the response ended early)'),
      'page-without-gate': ticket('may have run (the response ended early)'),
      server: ticket('not run (the response ended early)'),
    },
  },
  'the stream dies while the tool runs': {
    scenario: 'drop-in-run',
    // Behind the gate it waits for the end of its message.
    meanwhile: { page: /^Preparing/, 'page-without-gate': /^create_ticket — /, server: /^(create_ticket — |Running)/ },
    ends: {
      page: ticket('not run (connection lost)'),
      'page-without-gate': ticket('done', { runs: 1, notice: 'The reply stopped here (connection lost).' }),
      server: ticket('may have run (connection lost)'),
    },
  },
  'only the browser’s link is lost': {
    scenario: 'link-lost',
    meanwhile: preparing,
    ends: {
      page: ticket('not run (connection lost)'),
      'page-without-gate': ticket('may have run (connection lost)'),
      server: ticket('may have run (connection lost)'),
    },
  },
  'the same, then the reply is taken up again': {
    scenario: 'link-lost',
    meanwhile: preparing,
    async act(host) {
      await host.untilLabel(/may have run \(connection lost\)$/)
      await host.press('Resume')
    },
    ends: { server: ticket('done') },
  },
  'an approval that is refused': {
    scenario: 'approval',
    act: (host) => host.press('Deny'),
    ends: { server: ticket('not run (you declined)') },
  },
  'an approval that is granted': {
    scenario: 'approval',
    act: (host) => host.press('Allow'),
    ends: { server: ticket('done') },
  },
  'an approval that nobody has answered when the connection drops': {
    scenario: 'approval-drop',
    meanwhile: /waiting for your approval$/,
    ends: {
      server: says(['create_ticket — waiting for your approval'], {
        notice: 'The reply stopped here (connection lost).',
      }),
    },
  },
} satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults

/** What is different in a host, and why; null: what it has no way to do. */
export type Differences = { readonly [Name in FaultName]?: { readonly why: string; readonly ends: Ends } | null }

/** What a fault comes to in a host; null: it cannot happen there. */
export function endsIn(differs: Differences, fault: FaultName): Ends | null {
  const here = differs[fault]
  return here === null ? null : { ...faults[fault].ends, ...here?.ends }
}
