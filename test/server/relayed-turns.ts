import { vi } from 'vitest'
import { z } from 'zod'
import { relay as relayWire } from '../../src/adapters/relay.ts'
import type { Ending } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import type { Tools } from '../../src/core/tools.ts'
import { type RunningTurn, runTurn } from '../../src/dispatch/run-turn.ts'
import { UncertainExecution } from '../../src/dispatch/uncertain.ts'
import { feedOf } from '../../src/feed.ts'
import { createRelay, type Relay, type RelayOptions } from '../../src/server/relay.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { newStore, settle } from '../dispatch/ready-calls.ts'
import { type Script, scripted } from '../dispatch/scripted-provider.ts'

/** A server that runs one turn beside its tools, and relays it. */
export interface Relayed {
  readonly store: ToolCallStore
  readonly clock: ReturnType<typeof createFakeClock>
  readonly relay: Relay
  readonly turn: RunningTurn<unknown>
  /** What a client reads that is there from the start. */
  readonly live: Promise<string>
}

export interface Scene {
  readonly name: string
  readonly tools: Tools
  readonly replies: readonly Script[]
  /** What happens meanwhile. */
  readonly during?: (relayed: Relayed) => Promise<void> | void
}

export function start({ tools, replies }: Omit<Scene, 'name'>, options: RelayOptions = {}): Relayed {
  const { store, clock } = newStore(tools)
  const relay = createRelay(store, options)
  const turn: RunningTurn<unknown> = runTurn({ store, ...scripted(...replies), turnId: 't' })
  relay.follow(turn)
  return { store, clock, relay, turn, live: relay.respond('t').text() }
}

/** Plays a scene to its end. */
export async function played(scene: Scene): Promise<Relayed & { readonly bytes: string }> {
  const relayed = start(scene)
  await scene.during?.(relayed)
  await relayed.turn.ended
  return { ...relayed, bytes: await relayed.live }
}

/** The browser's side: a store that only shows, of the same tools. */
export function browser(tools: Tools) {
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    tools: Object.fromEntries(Object.keys(tools).map((name) => [name, { executor: 'server' }])),
  })
  const said = new Set<string>()
  store.subscribe(({ calls }) => {
    for (const { call } of calls) said.add(labelOf(call))
  })
  return {
    store,
    clock,
    /** Every label that stood on the screen. */
    said,
    /** Reads one response in these pieces; `ending`: what becomes of it after the last one. */
    read(pieces: Iterable<string | Uint8Array>, ending?: Ending) {
      const stream = store.openStream({ turnId: 'browser', speaker: 'executor' })
      const feed = feedOf(relayWire, stream)
      for (const piece of pieces) {
        feed(piece)
        store.flush()
      }
      stream.end(ending)
      store.flush()
    },
  }
}

export const LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }

/** What stands in a turn: text and labels, in reading order, and what its notice says. */
export function shown(store: ToolCallStore, turnId: string) {
  store.flush()
  const view = store.turn(turnId)?.getState()
  return {
    items: view?.items.map((item) => {
      const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
      return item.type === 'text' ? item.text : call === undefined ? '?' : labelOf(call)
    }),
    // Only who runs the tools can be certain that none ran; and a correction is named in the order in which it came.
    notice: view?.notice && {
      stopped: view.notice.stopped,
      notRun: view.notice.notRun.toSorted(),
      mayHaveRun: view.notice.mayHaveRun.toSorted(),
    },
  }
}

const schema = z.object({ priority: z.enum(['low', 'urgent']) })
const ticket = (json: string) => ['create_ticket', json] as const
const LOW = ticket('{"priority":"low"}')
const tools = (run: () => unknown, more: Partial<Tools[string]> = {}): Tools => ({
  create_ticket: { executor: 'local', schema, run, ...more },
  send_mail: { executor: 'local', run: () => 'sent' },
})

/** Waits until a person is asked. */
export async function asked({ store }: Relayed): Promise<void> {
  while (store.balance('t').waiting.person === 0) await settle()
}

export async function running({ store }: Relayed): Promise<void> {
  while (store.balance('t').running === 0) await settle()
}

const never = () => new Promise<never>(() => {})

export const SCENES: readonly Scene[] = [
  {
    name: 'success',
    tools: tools(() => 'T-1'),
    replies: [{ text: 'At once.', calls: { c1: LOW } }, { text: 'It is T-1.' }],
  },
  {
    name: 'a failure',
    tools: tools(() => {
      throw new Error('no disk')
    }),
    replies: [{ calls: { c1: LOW } }, { text: 'It failed.' }],
  },
  {
    name: 'a correction',
    tools: tools(() => 'T-1'),
    replies: [
      { text: 'I will.', calls: { c1: ticket('{"priority":"P1"}'), m1: ['send_mail', '{}'] } },
      { calls: { c2: ticket('{}'), m2: ['send_mail', '{"to":"x"}'] } },
      { text: 'Again.', calls: { c3: ticket('{"priority":"urgent"}'), m3: ['send_mail', '{"to":"y"}'] } },
      { text: 'Done.' },
    ],
  },
  {
    name: 'a correction that is given up',
    tools: tools(() => 'T-1'),
    replies: [{ calls: { c1: ticket('{}'), m1: ['send_mail', '{}'] } }, { calls: { c2: ticket('{}') } }],
  },
  {
    name: 'a refusal',
    tools: tools(() => 'T-1', { check: () => 'The desk is closed.' }),
    replies: [{ calls: { c1: LOW, m1: ['send_mail', '{}'], x1: ['no_such_tool', '{}'] } }, { text: 'Sorry.' }],
  },
  {
    name: 'an approval that is granted',
    tools: tools(() => 'T-1', { needsApproval: true }),
    replies: [{ calls: { c1: LOW } }, { text: 'Done.' }],
    during: async (relayed) => {
      await asked(relayed)
      relayed.relay.answerApproval({ turnId: 't', callId: 'c1' }, { granted: true })
    },
  },
  {
    name: 'an approval that is declined, of a corrected call',
    tools: tools(() => 'T-1', { needsApproval: true }),
    replies: [{ calls: { c1: ticket('{}') } }, { calls: { c2: LOW } }, { text: 'As you like.' }],
    during: async (relayed) => {
      await asked(relayed)
      // By the id that the browser knows: of the correction it was never told.
      relayed.relay.answerApproval({ turnId: 't', callId: 'c1' }, { granted: false })
    },
  },
  {
    name: 'cancelled while it runs',
    tools: tools(never),
    replies: [{ text: 'At once.', calls: { c1: LOW } }],
    during: async (relayed) => {
      await running(relayed)
      relayed.turn.cancel()
    },
  },
  {
    name: 'cancelled while a person is asked',
    tools: tools(() => 'T-1', { needsApproval: true }),
    replies: [{ calls: { c1: LOW } }],
    during: async (relayed) => {
      await asked(relayed)
      relayed.turn.cancel()
    },
  },
  {
    name: 'uncertain',
    tools: tools(() => {
      throw new UncertainExecution('no answer')
    }),
    replies: [{ calls: { c1: LOW, m1: ['send_mail', '{}'] } }],
  },
  {
    name: 'a tool that takes too long',
    tools: tools(never, { timeout: 1_000 }),
    replies: [{ calls: { c1: LOW } }],
    during: async (relayed) => {
      await running(relayed)
      relayed.clock.advance(1_000)
    },
  },
  {
    name: 'calls side by side',
    tools: tools(() => 'T-1'),
    replies: [
      { calls: { c1: LOW, c2: LOW, m1: ['send_mail', '{}'] } },
      { text: 'And', calls: { m2: ['send_mail', '{}'] } },
      { text: 'Done.' },
    ],
  },
  {
    name: 'one id for several calls',
    tools: tools(vi.fn().mockReturnValueOnce('T-1').mockRejectedValue(new Error('no disk'))),
    replies: [{ calls: { c1: LOW } }, { calls: { c1: LOW } }, { text: 'Done.' }],
  },
  {
    name: 'a correction under the same id',
    tools: tools(() => 'T-1'),
    replies: [{ calls: { c1: ticket('{"priority":"P1"}') } }, { calls: { c1: LOW } }, { text: 'Done.' }],
  },
  {
    name: 'a provider that breaks off',
    tools: tools(() => 'T-1'),
    replies: [{ text: 'I will.', calls: { c1: LOW, c2: ticket('{"prio') }, breaksOff: true }],
  },
  {
    name: 'a provider that stops at its limit',
    tools: tools(() => 'T-1'),
    replies: [{ text: 'I will.', calls: { c1: LOW, c2: ticket('{"prio') }, stop: 'max_tokens' }],
  },
  { name: 'a provider that refuses', tools: tools(() => 'T-1'), replies: [] },
]
