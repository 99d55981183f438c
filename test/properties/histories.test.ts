import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { unaccounted } from '../../src/core/balance.ts'
import type { Ending } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { CallView } from '../../src/core/view.ts'
import { type Action, histories, MARKER } from './actions.ts'
import { runs } from './runs.ts'
import { bringsEvidence, World } from './world.ts'

// Nonsense is dropped by the thousand here, and each store would warn of it.
beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
})

const defaultExecutor = fc.constantFrom<'local' | 'server'>('local', 'server')

/** Lets a history happen and looks at the world after each step. */
function checkEveryStep(
  usual: number,
  start: (world: World) => { before?: (action: Action) => void; after: (action: Action) => void },
): void {
  fc.assert(
    fc.property(histories, defaultExecutor, (history, executor) => {
      const world = new World(executor)
      const { before, after } = start(world)
      for (const action of history) {
        before?.(action)
        world.perform(action)
        after(action)
      }
    }),
    runs(usual),
  )
}

test('at every step every announced call is accounted for, and none is forgotten', () => {
  let corrected = 0
  checkEveryStep(1_000, (world) => {
    let blocks = 0
    return {
      after() {
        const balance = world.store.balance()
        expect(unaccounted(balance)).toBe(0)
        const shown = world.views().size
        expect(shown).toBeGreaterThanOrEqual(blocks)
        // What was corrected stands in no block of its own any more.
        const replaced = balance.announced === shown ? 0 : world.replaced()
        expect(balance.announced).toBe(shown + replaced)
        corrected += replaced
        blocks = shown
      },
    }
  })
  // The control: corrections happen.
  expect(corrected).toBeGreaterThan(500)
})

test('when its streams have ended, nothing of a turn prepares but a batch of ours under validation', () => {
  checkEveryStep(1_000, (world) => ({
    after() {
      for (const turn of world.turns()) {
        if (turn.open) continue
        const preparing = [...world.views().values()].filter(
          (view) => view.turnId === turn.id && view.phase === 'preparing',
        )
        expect(preparing.filter(({ executor }) => executor !== 'local')).toEqual([])
      }
    },
  }))
})

test('whatever happened, time alone settles everything but what waits for a person', () => {
  fc.assert(
    fc.property(histories, defaultExecutor, (history, executor) => {
      const world = new World(executor)
      for (const action of history) world.perform(action)
      // Streams fall silent one after the other, and what a resume window held back may then still have to run.
      for (let waited = 0; waited < 5; waited++) world.perform({ do: 'advance', by: 400_000 })
      const open = [...world.views().values()].filter((view) => view.phase !== 'settled')
      const streaming = new Set(world.turns().flatMap((turn) => (turn.open ? [turn.id] : [])))
      expect(
        open.filter((view) => !(view.phase === 'waiting' && view.on === 'person') && !streaming.has(view.turnId)),
      ).toEqual([])
    }),
    runs(1_000),
  )
})

test('nothing but evidence changes a settled call, and even evidence changes no more than how it ended', () => {
  checkEveryStep(1_000, (world) => {
    let before: ReadonlyMap<string, CallView> = new Map()
    return {
      after(action) {
        const views = world.views()
        for (const [key, was] of before) {
          if (was.phase !== 'settled') continue
          const is = views.get(key)
          if (is?.phase !== 'settled') expect.unreachable(`${key} came back to life`)
          // A minted id gives way to a wire that uses the very same word.
          if (was.id.startsWith('kit-call-'))
            expect({ ...is, id: '' }).toEqual({ ...was, id: '', settled: is.settled, confirmed: is.confirmed })
          else expect(is).toEqual({ ...was, settled: is.settled, confirmed: is.confirmed })
          if (!bringsEvidence(action)) expect(is.settled).toBe(was.settled)
        }
        before = views
      },
    }
  })
})

test('a fact is only ever replaced by one that weighs more', () => {
  checkEveryStep(1_000, (world) => {
    let before: ReadonlyMap<string, CallView> = new Map()
    return {
      after() {
        const views = world.views()
        for (const [key, was] of before) {
          const is = views.get(key)
          if (was.phase !== 'settled' || is?.phase !== 'settled') continue
          if (was.confirmed) expect(is.confirmed).toBe(true)
          if (was.settled.ran === 'yes') expect(is.settled.ran).toBe('yes')
          if (was.settled.ran === 'yes' && was.settled.cause !== 'unreadable') expect(is.settled).toEqual(was.settled)
          // A call that its executor says did not run: only a result, or the report of one, says otherwise.
          if (was.settled.ran === 'no' && was.confirmed) expect(is.settled.ran).not.toBe('unknown')
          if (was.settled.ran === 'unknown' && !is.confirmed) expect(is.settled).toEqual(was.settled)
        }
        before = views
      },
    }
  })
})

test('a call that its host was told to run is never "not run", unless that host says so', () => {
  let taken = 0
  checkEveryStep(1_000, (world) => ({
    after(action) {
      const views = world.views()
      taken += world.taken.size
      for (const key of world.taken) {
        const view = views.get(key)
        if (view?.phase !== 'settled' || view.settled.ran !== 'no') continue
        expect(view.confirmed).toBe(true)
        // What others run they may take back by the wire; for what runs here no wire speaks.
        if (view.executor === 'local') expect(action.do).toBe('settle')
        world.taken.delete(key)
      }
    },
  }))
  expect(taken).toBeGreaterThan(500)
})

test('no broken stream ever says "not run" of what a server may be running', () => {
  checkEveryStep(1_000, (world) => {
    let before: ReadonlyMap<string, CallView> = new Map()
    let ending: Ending | null = null
    // What waits for a resume that does not come settles by the ending that came.
    const latched = new Map<string, Ending | null>()
    return {
      before(action) {
        ending = world.reaches(action) && action.event.type === 'stream-ended' ? action.event.ending : null
        if (action.do === 'end') ending = action.ending ?? null
      },
      after(action) {
        const views = world.views()
        for (const [key, is] of views) {
          const was = before.get(key)
          const waited = was?.phase === 'waiting' && was.on === 'resume'
          if (is.phase === 'waiting' && is.on === 'resume' && !waited) latched.set(key, ending)
          if (is.executor !== 'server' || is.phase !== 'settled' || is.settled.ran !== 'no') continue
          if (was?.phase === 'settled' || is.confirmed || is.settled.detail === 'rejected') continue
          const disconnected = ['cancel', 'advance', 'sleep', 'reload'].includes(action.do)
          const word = disconnected && waited ? (latched.get(key) ?? null) : ending
          if (disconnected && word === null) expect.unreachable(`${action.do} proved "${labelOf(is)}"`)
          if (word === null) continue
          if (word.type === 'cancelled') expect(word.acknowledged).toBe(true)
          else expect(word.speaker).toBe('executor')
          if (word.type === 'lost') expect(word.how).toBe('provider-error')
        }
        before = views
      },
    }
  })
})

test('nothing that is shown, kept or told of contains arguments or results', () => {
  let previewed = 0
  let asked = 0
  // What a preview shows while arguments come, and what a person decides on, are for the eye and for nothing else.
  const isForTheEye = (view: CallView | null): boolean =>
    view === null || view.phase === 'preparing' || (view.phase === 'waiting' && view.on === 'person')
  checkEveryStep(1_000, (world) => {
    let told = ''
    let listening: unknown
    return {
      before() {
        if (listening === world.store) return
        listening = world.store
        world.store.subscribe(({ calls, turns }) => {
          const views = calls.flatMap(({ before, call }) => [before, call])
          told += JSON.stringify([views.filter((view) => !isForTheEye(view)), turns])
        })
      },
      after() {
        for (const view of world.views().values()) {
          told += labelOf(view)
          if (!isForTheEye(view)) told += JSON.stringify(view)
          else if (!JSON.stringify(view).includes(MARKER)) continue
          else if (view.phase === 'preparing') previewed++
          else asked++
        }
        for (const turn of world.turns()) {
          told += JSON.stringify(turn)
          if (turn.notice !== null) told += noticeSentences(turn.notice).join(' ')
        }
        told += JSON.stringify([world.store.snapshot(), world.store.counts(), world.store.balance()])
        if (told.includes(MARKER)) expect(told).not.toContain(MARKER)
        told = ''
      },
    }
  })
  // The control: while arguments come the preview does show them, and so does the question to a person.
  expect(previewed).toBeGreaterThan(500)
  expect(asked).toBeGreaterThan(0)
})

test('labels are withdrawn in the open: each withdrawal is counted', () => {
  checkEveryStep(1_000, (world) => {
    let before: ReadonlyMap<string, CallView> = new Map()
    let counted = 0
    return {
      after(action) {
        const views = world.views()
        let withdrawn = 0
        for (const [key, was] of before) {
          const is = views.get(key)
          if (was.phase === 'settled' && was.settled.ran === 'no' && is?.phase === 'settled' && is.settled.ran !== 'no')
            withdrawn++
        }
        if (action.do === 'reload') counted = 0
        const { contradictedLabels } = world.store.counts()
        expect(contradictedLabels - counted).toBeGreaterThanOrEqual(withdrawn)
        counted = contradictedLabels
        before = views
      },
    }
  })
})
