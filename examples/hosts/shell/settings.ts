/** What the page is to show, from its query string. Choosing something else loads the page anew. */
export interface Settings {
  /** What the replies of the first chat bring, one after the other. */
  readonly scenario: string
  /** The same for a second chat on the same store; empty: there is none. */
  readonly second: string
  /** Who runs the tools. Without the gate nothing of this kit stands between the host and the tool. */
  readonly executor: 'page' | 'page-without-gate' | 'server'
  /** How long a silence may last: a second, or what the kit has by itself. */
  readonly deadlines: 'short' | 'default'
  /** Whose blocks are shown: this kit's, or those that the host has by itself, where its package brings some. */
  readonly block: 'kit' | 'default'
  /** Whether each reply to a new message has ids of its own, as most models give, or counts them anew. */
  readonly ids: 'new' | 'same'
  /** Whether the server waits for a word where there should be time to look: for tests. */
  readonly held: 'yes' | 'no'
  /** Names the page to the server, over a reload too. */
  readonly session: string
}

export const choices = {
  executor: ['page', 'page-without-gate', 'server'],
  deadlines: ['short', 'default'],
} as const

export const settings: Settings = readSettings()

/** Where the server of this page answers: it is told the settings, and plays by them. */
export function apiOf(host: string): string {
  return `/api/${host}/${new URLSearchParams({ ...settings })}`
}

function readSettings(): Settings {
  const query = new URLSearchParams(location.search)
  const read: Settings = {
    scenario: query.get('scenario') ?? 'good',
    second: query.get('second') ?? '',
    executor: choices.executor.find((one) => one === query.get('executor')) ?? 'page',
    deadlines: choices.deadlines.find((one) => one === query.get('deadlines')) ?? 'short',
    block: query.get('block') === 'default' ? 'default' : 'kit',
    ids: query.get('ids') === 'same' ? 'same' : 'new',
    held: query.get('held') === 'yes' ? 'yes' : 'no',
    session: query.get('session') ?? crypto.randomUUID(),
  }
  history.replaceState(history.state, '', `?${new URLSearchParams({ ...read })}`)
  return read
}
