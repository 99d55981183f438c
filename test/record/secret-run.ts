import { vi } from 'vitest'
import type { Ending, StopReason } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'
import { createDispatcher } from '../../src/dispatch/dispatcher.ts'
import type { JournalEntry } from '../../src/dispatch/journal.ts'
import { type RunTurnOptions, runTurn } from '../../src/dispatch/run-turn.ts'
import { UncertainExecution } from '../../src/dispatch/uncertain.ts'
import { createRecorder } from '../../src/record/index.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { settle } from '../dispatch/ready-calls.ts'
import { type Script, scripted } from '../dispatch/scripted-provider.ts'

/** What nobody may see: of letters and digits that come together in no hash, id or time. */
const SECRETS = ['Zq7XwKv9Jt2RmY', 'Hk3GpLs8Vn5TdX']
/** What may be seen of the arguments: where the search does not find this, it would find nothing. */
const VISIBLE = 'Mx6BfWc1Qa4Ej'

const [PIN = '', IBAN = ''] = SECRETS
const VALID = { to: VISIBLE, amount: 12, pin: PIN, account: { iban: IBAN } }
const INVALID = { ...VALID, amount: 'no number' }

/** What was found in one place, over the whole run. */
interface Found {
  /** Texts with four characters or more of a secret. */
  readonly leaks: string[]
  /** How many texts were searched. */
  texts: number
  /** Whether what may be seen was. */
  visible: boolean
}

export interface SecretRunOptions {
  /** Default: the members that have secrets. */
  readonly sensitive?: readonly string[]
  /** What a page shows of a store, by place. Default: nothing. */
  readonly show?: (store: ToolCallStore) => Readonly<Record<string, string>>
  /** Does a step, and lets the page come to rest. */
  readonly perform?: (step: () => Promise<void>) => Promise<void>
}

export interface SecretRun {
  /** What was found, by place. */
  readonly found: ReadonlyMap<string, Found>
  /** Every label that was published: what the run came by. */
  readonly labels: ReadonlySet<string>
}

/** Lets everything become of a call with secrets in it that can. */
export async function secretRun(options: SecretRunOptions = {}): Promise<SecretRun> {
  const { sensitive = ['pin', 'account'], show = () => ({}), perform = (step) => step() } = options
  const found = new Map<string, Found>()
  const labels = new Set<string>()
  const spies = spyOnConsole((texts) => search(found, 'console', texts))

  /** A store of its own, with everything that listens to one. */
  function open(more: Partial<ToolDeclaration> = {}) {
    const recorder = createRecorder({
      onRecord: (record) => search(found, 'record', record),
      onRevision: (record) => search(found, 'record', record),
      onRaw: (raw) => search(found, 'raw text', raw),
    })
    const entries: JournalEntry[] = []
    const journal = {
      append(entry: JournalEntry) {
        entries.push(entry)
        search(found, 'journal', entry)
      },
      read: () => entries,
    }
    const clock = createFakeClock()
    const make = (): ToolCallStore =>
      createToolCallStore({
        clock,
        frame: () => () => {},
        defaultExecutor: 'local',
        record: recorder,
        tools: { pay: { executor: 'local', sensitive, schema: gossip, run: () => PIN, ...more } },
      })
    const look = (store: ToolCallStore): void => {
      for (const view of viewsOf(store)) labels.add(labelOf(view))
      for (const [place, text] of [...factsOf(store), ...Object.entries(show(store))]) search(found, place, text)
      search(found, 'counters', [recorder.counters(), recorder.ratio(60_000), store.counts(), store.balance()])
    }
    const store = make()
    // A page that is there before anything comes.
    look(store)
    store.subscribe(() => look(store))
    const step = async (action: () => unknown, at = store): Promise<void> => {
      await perform(async () => {
        await action()
        await settle()
        at.flush()
      })
      look(at)
    }
    return { store, clock, step, make, journal, dispatcher: createDispatcher(store, { journal }) }
  }

  for (const text of TEXTS) {
    for (const share of [0.45, 0.8, 1]) {
      for (const end of ENDINGS) {
        const { store, clock, step } = open()
        const stream = store.openStream()
        const part = text.slice(0, Math.ceil(text.length * share))
        await step(() => {
          stream.push({ type: 'message-started' })
          stream.push({ type: 'text-fragment', text: 'I’ll pay that now.' })
          stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'pay' })
        })
        for (let at = 0; at < part.length; at += 40)
          await step(() => stream.push({ type: 'call-fragment', key: 'a', text: part.slice(at, at + 40) }))
        await step(() => end({ store, stream, clock }))
      }
    }
  }

  async function turn(
    replies: readonly Script[],
    more: Partial<ToolDeclaration> = {},
    then: (running: ReturnType<typeof open> & { readonly turnId: string; cancel(): void }) => unknown = () => {},
    settings: Pick<RunTurnOptions<unknown>, 'regenerate'> = {},
  ): Promise<void> {
    const opened = open(more)
    const { store, dispatcher, step } = opened
    const provider = scripted(...replies)
    let running: { readonly id: string; cancel(): void; readonly ended: Promise<unknown> } | undefined
    await step(() => {
      running = runTurn({ store, dispatcher, ...provider, ...settings })
    })
    // A request, a stream and a run each take a few turns of the event loop.
    for (let waited = 0; waited < 10; waited++) await step(() => {})
    if (running === undefined) throw new Error('The turn has not begun.')
    const { id: turnId, cancel } = running
    await then({ ...opened, turnId, cancel })
    await step(() => running?.ended)
  }

  const call = (args: object): Script => ({
    text: 'I’ll pay.',
    calls: { [`c${++calls}`]: ['pay', JSON.stringify(args)] },
  })
  let calls = 0
  const after: Script = { text: 'That was it.' }
  const lost = () => {
    throw new UncertainExecution(`no answer about ${PIN}`)
  }
  const answer = (given: boolean, by?: 'policy' | 'expiry') => (at: ReturnType<typeof open>) =>
    at.step(() =>
      at.store.answerApproval({ callId: `c${calls}` }, { granted: given, ...(by === undefined ? {} : { by }) }),
    )

  await turn([call(VALID), after])
  await turn([call(VALID), after], {
    run() {
      throw new Error(`The bank does not know ${PIN}.`)
    },
  })
  await turn([call(INVALID), call(VALID), after])
  await turn([call(INVALID), call(INVALID), after])
  const batch: Script = { calls: { b1: ['pay', JSON.stringify(INVALID)], b2: ['pay', JSON.stringify(VALID)] } }
  await turn([batch, batch, after])
  await turn([call(VALID), after], {
    check: ({ pin }: typeof VALID) => `${pin} is on a list`,
  } as Partial<ToolDeclaration>)
  await turn([call(VALID), after], {
    check() {
      throw new Error(`${PIN} broke the check`)
    },
  })
  await turn([{ calls: { [`c${++calls}`]: ['pay', JSON.stringify(VALID)] }, breaksOff: true }, after], {}, undefined, {
    regenerate: 1,
  })
  await turn([call(VALID), after], { run: lost, query: () => Promise.reject(new Error(`no news of ${PIN}`)) })
  await turn([call(VALID)], { run: lost }, async ({ dispatcher, step }) => {
    await step(() => dispatcher.reconcile({ callId: `c${calls}` }))
  })
  let asked = 0
  await turn(
    [call(VALID)],
    {
      run: lost,
      idempotent: true,
      query: () => (++asked === 1 ? { ran: 'unknown' } : { ran: 'no', cause: 'not-started' }),
    },
    async ({ dispatcher, step }) => {
      await step(() => dispatcher.reconcile({ callId: `c${calls}` }))
      await step(() => dispatcher.retry({ callId: `c${calls}` }))
    },
  )
  await turn([call(VALID), after], { run: () => new Promise(() => {}), timeout: 5_000 }, ({ step, clock }) =>
    step(() => clock.advance(5_001)),
  )
  let finish = (_answer: string): void => {}
  await turn(
    [call(VALID), after],
    {
      run: () =>
        new Promise((resolve) => {
          finish = resolve
        }),
    },
    async ({ step, cancel }) => {
      await step(cancel)
      await step(() => finish(PIN))
    },
  )
  const needsApproval = true
  await turn([call(VALID), after], { needsApproval }, answer(true))
  await turn([call(VALID), after], { needsApproval }, answer(false))
  await turn([call(VALID), after], { needsApproval }, answer(false, 'policy'))
  await turn([call(VALID), after], { needsApproval }, answer(false, 'expiry'))
  await turn([call(VALID), after], { needsApproval }, async ({ store, make, step, cancel }) => {
    search(found, 'snapshot with arguments', store.snapshot({ arguments: true }))
    for (const kept of [store.snapshot(), store.snapshot({ arguments: true })]) {
      const later = make()
      await step(() => later.restore(JSON.parse(JSON.stringify(kept))), later)
      await step(() => {
        for (const { turnId, key, id: callId } of viewsOf(later))
          later.answerApproval({ turnId, key, callId }, { granted: false })
      }, later)
    }
    await step(cancel)
  })
  for (const spy of spies) spy.mockRestore()
  return { found, labels }
}

/** A validator that tells everything it has seen. */
const gossip: NonNullable<ToolDeclaration['schema']> = {
  '~standard': {
    version: 1,
    vendor: 'gossip',
    validate: (value) =>
      typeof (value as typeof VALID).amount === 'number'
        ? { value }
        : { issues: [{ message: `Not valid: ${JSON.stringify(value)}`, path: ['amount'] }] },
  },
}

const whole = JSON.stringify(VALID)
const TEXTS = [
  whole,
  JSON.stringify({ pin: PIN, account: { iban: IBAN }, to: VISIBLE, amount: 12 }),
  // In other spellings, encoded twice, and behind a brace too early.
  `{"to":"${VISIBLE}","p\\u0069n":"${PIN}","account":{"iban":"${IBAN}"},"amount":12}`,
  `{"to":"${VISIBLE}","amount":12}, "pin":"${PIN}","account":{"iban":"${IBAN}"}}`,
  `{"to":"${VISIBLE}","account":{"iban":"${IBAN}","more":{}},"pin":["${PIN}"]`,
]

type End = (running: {
  readonly store: ToolCallStore
  readonly stream: ReturnType<ToolCallStore['openStream']>
  readonly clock: ReturnType<typeof createFakeClock>
}) => void

const lose =
  (ending: Ending): End =>
  ({ stream }) =>
    stream.end(ending)

const stop =
  (reason: StopReason): End =>
  ({ stream }) => {
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason, finishesOpenCalls: false })
    stream.end()
  }

const ENDINGS: readonly End[] = [
  lose({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }),
  lose({ type: 'lost', how: 'provider-error', speaker: 'model' }),
  lose({ type: 'lost', how: 'reloaded', speaker: 'nobody' }),
  ({ stream }) => stream.end(),
  ({ store, stream }) => store.cancel(stream.turnId),
  ({ clock }) => clock.advance(120_000),
  stop('natural'),
  stop('length'),
  stop('filter'),
  stop('malformed'),
  stop('unknown'),
]

function viewsOf(store: ToolCallStore) {
  return store.turnIds().flatMap((turnId) =>
    (store.turn(turnId)?.getState().items ?? []).flatMap((item) => {
      const view = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
      return view === undefined ? [] : [view]
    }),
  )
}

/** What can be read from a store without a page. */
function factsOf(store: ToolCallStore): readonly (readonly [string, string])[] {
  const turns = store.turnIds().flatMap((turnId) => store.turn(turnId)?.getState() ?? [])
  return [
    ...viewsOf(store).flatMap((view) => [
      [view.phase === 'settled' ? 'settled view' : 'view', JSON.stringify(view)] as const,
      ['label', labelOf(view)] as const,
    ]),
    ...turns.map(({ notice }) => ['notice', notice === null ? '' : noticeSentences(notice).join(' ')] as const),
    ['turn', JSON.stringify(turns)],
    ['snapshot', JSON.stringify(store.snapshot())],
  ]
}

const WINDOW = 4
const pieces = SECRETS.flatMap((secret) =>
  Array.from({ length: secret.length - WINDOW + 1 }, (_, at) => secret.slice(at, at + WINDOW)),
)

function search(found: Map<string, Found>, place: string, value: unknown): void {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const here = found.get(place) ?? { leaks: [], texts: 0, visible: false }
  found.set(place, here)
  here.texts++
  here.visible ||= text.includes(VISIBLE)
  if (here.leaks.length < 5 && pieces.some((piece) => text.includes(piece))) here.leaks.push(text)
}

function spyOnConsole(tell: (texts: string) => void) {
  const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const
  return methods.map((method) =>
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      tell(args.map((arg) => (arg instanceof Error ? `${arg.stack}` : JSON.stringify(arg))).join(' '))
    }),
  )
}
