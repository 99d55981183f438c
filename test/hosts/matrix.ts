import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from 'vitest'
import { launchChromium } from '../example/chromium.ts'
import { type Example, startExample } from '../example/start-example.ts'
import {
  type Differences,
  type End,
  type Executor,
  endsIn,
  type Fault,
  type FaultName,
  faults,
  preparing,
  says,
  ticket,
} from './common.ts'
import { HostPage, type Settings } from './host-page.ts'

export interface HostTest {
  /** Who can run tools in this host. Default: everybody. */
  readonly executors?: readonly Executor[]
  readonly differs?: Differences
  /** Whether the host can ask for a reply once more. Default true. */
  readonly regenerates?: boolean
  /** Whether the host asks the server to go on, by itself, with what a tool of the page gave. Default false. */
  readonly goesOn?: boolean
  /** How a good call ends whose id the page has met before, where the host runs an id once only. */
  readonly runsIdsOnce?: { readonly why: string; readonly end: End }
  /** What a host makes of three replies whose calls have one id, where it takes one for the other; null: it shows one only. */
  readonly repeatedIds?: {
    readonly why: string
    readonly labels: { readonly [Each in Executor]?: readonly string[] } | null
  }
  /** What is different where a second message is sent while the first reply streams. */
  readonly secondMessage?: {
    readonly why: string
    /** Default: of the first reply, then of the second. */
    readonly labels?: readonly string[]
    /** Default null: the notice of the last reply. */
    readonly notice?: string
    /** The host keeps the message until the first reply is over. */
    readonly waits?: true
  }
  /** What the host itself throws where nobody can catch it, with this kit or without. */
  readonly throws?: string
}

// The faults that hosts differ in, once a host, run by the one whose runs are counted: what a gate holds back, or else the
// server; beside it, without the gate, one call that is good and one that is not. All faults by everybody, which takes
// minutes: `MATRIX=full npm test -- --project hosts`.
const isFull = process.env.MATRIX === 'full'
const ON_REQUEST: readonly FaultName[] = [
  'two good calls',
  'a call without arguments',
  'a promise, and an end with nothing announced',
  'a token ceiling before any argument',
  'a content filter',
  'details that do not fit',
  'an error of the service',
  'only the browser’s link is lost',
  'an approval that is granted',
]
const CONTROLS: readonly FaultName[] = ['a good call', 'malformed JSON']

const everybody: readonly Executor[] = ['page', 'page-without-gate', 'server']
const nothing = { preparing: false, busy: false, moving: false }
const everything = { preparing: true, busy: true, moving: true }

/** Plays every fault in the page of a host, a few tabs at a time. */
export function testHost(name: string, { executors = everybody, differs = {}, ...host }: HostTest): void {
  let example: Example
  let browser: Browser
  const free: Page[] = []

  beforeAll(async () => {
    const started = startExample()
    browser = await launchChromium()
    example = await started
    // The first visit has the page bundled, which for some takes longer than a tab waits.
    await (await fetch(`${example.address}${name}/`)).text()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    example?.stop()
  })

  /** Each tab has a context of its own, as a browser opens only six connections for all of one. */
  async function inTab(settings: Settings, play: (page: HostPage) => Promise<void>): Promise<void> {
    let tab = free.pop()
    if (tab === undefined) {
      tab = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage()
      await HostPage.watch(tab)
    }
    try {
      const page = await HostPage.open(tab, example.address, name, { deadlines: 'default', ...settings })
      await play(page)
      expect(page.errors().filter((message) => message !== host.throws)).toEqual([])
    } finally {
      free.push(tab)
    }
  }

  const cells = (Object.entries(faults) as [FaultName, Fault][]).flatMap(([fault, how]) => {
    const ends = endsIn(differs, fault)
    const played = executors.filter((executor) => ends?.[executor] !== undefined)
    const chosen = isFull
      ? played
      : (ON_REQUEST.includes(fault) ? [] : played).filter(
          (executor, place) => place === 0 || (executor === 'page-without-gate' && CONTROLS.includes(fault)),
        )
    return chosen.flatMap((executor) => {
      const end = ends?.[executor]
      return end === undefined ? [] : [{ fault, executor, says: end.labels.join(', ') || end.notice, end, ...how }]
    })
  })

  describe.concurrent(`${name}: one reply`, { timeout: 60_000 }, () => {
    test.for(cells)('$fault, run by the $executor: $says', ({ end, meanwhile, act, ...settings }, { expect }) =>
      inTab(settingsOf(settings), async (page) => {
        await page.press('Send')
        if (meanwhile === null) await page.go()
        else if (meanwhile !== undefined) {
          const label = meanwhile instanceof RegExp ? meanwhile : meanwhile[settings.executor]
          await expectMeanwhile(page, label, expect)
        }
        await act?.(page)
        // Between a run and the request that follows it the host is not busy for a moment.
        if (host.goesOn && end.runs > 0 && end.notice === null) await page.untilText('That is done.')
        await expectEnd(page, end, expect)
        expect(await page.clientRuns()).toHaveLength(end.runs)
        await expectTruth(page, end.labels, expect)
      }),
    )
  })

  describe.concurrent(`${name}: several replies`, { timeout: 60_000 }, () => {
    // Without the gate nothing of ours stands between the replies.
    const held = executors.filter((executor) => executor !== 'page-without-gate').slice(0, isFull ? undefined : 1)

    test.for(held)(
      'two chats on one store, run by the %s: the same ids, one damaged, one good',
      (executor, { expect }) =>
        inTab({ scenario: 'drop', second: 'good', executor }, async (page) => {
          const { lost, runs } = endsOf(executor)
          await page.press('Send')
          await expectMeanwhile(page, preparing, expect, false)
          await page.press('Send', 'second')
          await page.until(done, 'second')
          expect((await page.untilLabel(preparing)).labels).toHaveLength(1)
          await page.go()
          await expectEnd(page, lost, expect)
          await expectEnd(page, done, expect, 'second')
          expect([await page.clientRuns(), await page.serverRuns()]).toEqual(runs)
        }),
    )

    const repeats = host.regenerates === false ? [] : held
    const { runsIdsOnce } = host
    const again = runsIdsOnce?.end ?? ticket('done', { runs: 2 })

    test.for(repeats.filter((executor) => executor === 'page'))(
      `a good reply once more, run by the %s: ${again.labels.join()}`,
      (executor, { expect }) =>
        inTab({ scenario: 'good', executor, ...(runsIdsOnce && { deadlines: 'short' }) }, async (page) => {
          await page.press('Send')
          if (host.goesOn) await page.untilText('That is done.')
          await expectEnd(page, done, expect)
          await page.press('Regenerate')
          // The label may be the same as before.
          await expect.poll(() => page.clientRuns(), { timeout: 8_000 }).toHaveLength(again.runs)
          if (host.goesOn && runsIdsOnce === undefined) await page.untilText('That is done.')
          await expectEnd(page, again, expect)
        }),
    )

    test.for(runsIdsOnce === undefined ? repeats : repeats.filter((executor) => executor === 'server'))(
      'a reply once more, run by the %s: the ids repeat, the latest wins',
      (executor, { expect }) =>
        inTab({ scenario: 'drop,good,drop', executor }, async (page) => {
          const { lost, runs } = endsOf(executor)
          await page.press('Send')
          await expectMeanwhile(page, preparing, expect)
          await expectEnd(page, lost, expect)
          await page.press('Regenerate')
          // Until then it is the host's own request that another one would interrupt.
          if (host.goesOn) await page.untilText('That is done.')
          await expectEnd(page, done, expect)
          await page.press('Regenerate')
          await expectMeanwhile(page, preparing, expect)
          await expectEnd(page, lost, expect)
          expect([await page.clientRuns(), await page.serverRuns()]).toEqual(runs)
        }),
    )

    const { repeatedIds } = host
    // What only a deadline ends takes a short one, which may pass before anybody has looked.
    const ends = runsIdsOnce ?? repeatedIds
    test.for(repeatedIds?.labels === null ? [] : held)(
      'three messages whose replies use the same ids, run by the %s: each block is about its own call',
      (executor, { expect }) =>
        inTab(
          { scenario: 'good,filter,good', executor, ids: 'same', ...(ends && { deadlines: 'short' }) },
          async (page) => {
            const second = endsIn(differs, 'a content filter')?.[executor]?.labels ?? []
            await page.press('Send')
            if (host.goesOn) await page.untilText('That is done.')
            await expectEnd(page, done, expect)
            await page.press('Send')
            if (ends === undefined) {
              const labels = [...done.labels, expect.stringMatching(preparing)]
              expect((await page.untilLabel(preparing)).labels).toEqual(labels)
            }
            await page.go()
            await expect.poll(() => page.labels(), { timeout: 8_000 }).toEqual([...done.labels, ...second])
            await page.press('Send')
            const third = executor === 'page' ? (runsIdsOnce?.end ?? done) : done
            const labels = repeatedIds?.labels?.[executor] ?? [...done.labels, ...second, ...third.labels]
            await expect.poll(() => page.labels(), { timeout: 8_000 }).toEqual(labels)
          },
        ),
    )

    const both = [...endsOf('server').lost.labels, ...done.labels]
    const { labels = both, notice = null, waits = false } = host.secondMessage ?? {}

    test('a second message while the first reply streams', ({ expect }) =>
      inTab({ scenario: 'drop,good', executor: 'server' }, async (page) => {
        await page.press('Send')
        await expectMeanwhile(page, preparing, expect, false)
        await page.press('Send')
        if (!waits) await page.untilLabel(/done$/)
        await page.go()
        await expectEnd(page, says(labels, { notice }), expect)
      }))
  })
}

const done = ticket('done')

/** How a dropped reply ends, and what ran where there was one good one beside it. */
function endsOf(executor: 'page' | 'server') {
  const lost = faults['the connection drops'].ends[executor]
  const run = expect.stringMatching(/^create_ticket/)
  return { lost, runs: executor === 'page' ? [[run], []] : [[], [run]] }
}

function settingsOf({ scenario, executor, deadlines }: Settings): Settings {
  return { scenario, ...(executor && { executor }), ...(deadlines && { deadlines }) }
}

/** While arguments come the page says so and moves: the control for what must be gone at the end. Then the fault happens. */
async function expectMeanwhile(page: HostPage, label: RegExp, expect: ExpectStatic, go = true): Promise<void> {
  expect((await page.untilLabel(label)).labels).toEqual([expect.stringMatching(label)])
  // The first of the arguments may come a moment after the label.
  if (label === preparing) await expect.poll(() => page.signs(), { timeout: 8_000 }).toEqual(everything)
  if (go) await page.go()
}

/** It is said, in time, for good, and nothing goes on beside it. */
async function expectEnd(page: HostPage, { labels, notice }: End, expect: ExpectStatic, chat = 'first'): Promise<void> {
  expect(await page.until({ labels, notice }, chat)).toEqual({ labels, notice, busy: false })
  expect(await page.signs()).toEqual(nothing)
}

/** What ran on the server is never said not to have run. */
async function expectTruth(page: HostPage, labels: readonly string[], expect: ExpectStatic): Promise<void> {
  const ran = await page.serverRuns()
  const denied = labels.filter((label) => / — (not run|cancelled)/.test(label)).map((label) => label.split(' — ')[0])
  expect(denied.filter((tool) => ran.includes(tool ?? ''))).toEqual([])
}
