import type { StreamEvent } from '../../src/core/events.ts'
import type { Tools } from '../../src/core/tools.ts'
import type { CallView } from '../../src/core/view.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import type { ToolCallStream } from '../../src/store/stream.ts'
import type { TurnView } from '../../src/store/turn-view.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import type { Action } from './actions.ts'

const tools: Tools = {
  local: { executor: 'local' },
  checked: { executor: 'local', check: (args) => ('b' in (args as object) ? 'no b, please' : undefined) },
  strict: {
    executor: 'local',
    schema: jsonSchema({ type: 'object', properties: { a: {} }, additionalProperties: false }),
  },
  asked: { executor: 'local', needsApproval: true },
  slow: { executor: 'local', check: () => new Promise(() => {}) },
  hosted: { executor: 'host' },
  served: { executor: 'server', title: 'Served' },
}

/** A store with its surroundings, to which actions happen. */
export class World {
  readonly clock = createFakeClock()
  store: ToolCallStore
  /** By turn and key: which calls the store told its host to run. */
  readonly taken = new Set<string>()
  #streams: ToolCallStream[] = []
  #replacedBefore = 0
  readonly #defaultExecutor: 'local' | 'server'

  constructor(defaultExecutor: 'local' | 'server') {
    this.#defaultExecutor = defaultExecutor
    this.store = this.#createStore()
  }

  #createStore(): ToolCallStore {
    return createToolCallStore({
      tools,
      defaultExecutor: this.#defaultExecutor,
      clock: this.clock,
      frame: () => () => {},
    })
  }

  perform(action: Action): void {
    const { store } = this
    switch (action.do) {
      case 'open':
        this.#streams.push(store.openStream(action))
        break
      case 'push':
        this.stream(action.stream)?.push(action.event)
        break
      case 'touch':
        this.stream(action.stream)?.touch()
        break
      case 'end':
        this.stream(action.stream)?.end(action.ending, { resumable: action.resumable })
        break
      case 'settle':
        asHost(() => store.settle(action.report))
        break
      case 'dispatch':
        asHost(() => {
          if (store.dispatched(action.call))
            this.taken.add(`${action.call.turnId} ${store.call(action.call)?.getState().key}`)
        })
        break
      case 'answer':
        asHost(() => store.answerApproval(action.call, action))
        break
      case 'give-up':
        asHost(() => store.giveUpCorrections(action.turnId))
        break
      case 'cancel':
        asHost(() => store.cancel(action.turnId, action.by))
        break
      case 'advance':
        this.clock.advance(action.by)
        break
      case 'sleep':
        this.clock.sleep(action.by)
        break
      case 'reload': {
        const kept = JSON.parse(JSON.stringify(store.snapshot()))
        for (const stream of this.#streams) stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody' })
        this.#streams = []
        this.store = this.#createStore()
        this.store.restore(kept)
        this.#replacedBefore = replacedIn(this.store)
        break
      }
      default:
        action satisfies never
    }
    this.store.flush()
  }

  /** Counted from the latest, as most of what happens happens there. */
  stream(number: number): ToolCallStream | undefined {
    return this.#streams.at(-1 - number)
  }

  /** Whether an event reaches its store: its stream is there and open. */
  reaches(action: Action): action is Extract<Action, { do: 'push' }> {
    return action.do === 'push' && this.stream(action.stream)?.ending === null
  }

  turns(): readonly TurnView[] {
    return this.store.turnIds().flatMap((id) => this.store.turn(id)?.getState() ?? [])
  }

  /** How many calls of this page stand in no block any more, as their corrections do. */
  replaced(): number {
    return replacedIn(this.store) - this.#replacedBefore
  }

  /** What is published of every call, by turn and key. */
  views(): ReadonlyMap<string, CallView> {
    const views = new Map<string, CallView>()
    for (const { id, items } of this.turns()) {
      for (const { type, key } of items) {
        const view = type === 'call' ? this.store.callByKey(id, key)?.getState() : undefined
        if (view !== undefined) views.set(`${id} ${key}`, view)
      }
    }
    return views
  }
}

function replacedIn(store: ToolCallStore): number {
  const items = store.snapshot().turns.flatMap((turn) => turn.items)
  return items.reduce((sum, item) => sum + (item.type === 'call' ? (item.call.attempt ?? 1) - 1 : 0), 0)
}

/** A reference that means no call or several is the host's mistake, and says so; anything else that is thrown is ours. */
function asHost(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('honest-tool-calls: ')) throw error
  }
}

const EVIDENCE: readonly StreamEvent['type'][] = [
  'call-returned',
  'call-dispatched',
  'call-progress',
  'outcome-reported',
  // What was held for want of a call finds it, or its turn ends.
  'call-announced',
  'call-identified',
  'stream-ended',
]

/** Whether an action may bring evidence about a call that is settled. */
export function bringsEvidence(action: Action): boolean {
  switch (action.do) {
    case 'settle':
    case 'reload':
    case 'end':
    case 'cancel':
    case 'advance':
    case 'sleep':
      return true
    case 'push':
      return EVIDENCE.includes(action.event.type)
    default:
      return false
  }
}
