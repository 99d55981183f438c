import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import type { RunningCall, ToolDeclaration, Tools } from '../../src/core/tools.ts'
import { type RunningTurn, type RunTurnOptions, runTurn, type TurnResult } from '../../src/dispatch/index.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import type { ScriptedReply } from './strict-frames.ts'
import { type Conversation, type Refusal, type StrictProvider, startStrictProvider } from './strict-provider.ts'
import type { Told, TurnWire } from './turn-wires.ts'

/** A turn that is driven over a real connection. */
export interface DrivenTurn {
  readonly turn: RunningTurn<object>
  readonly store: ToolCallStore
  readonly clock: FakeClock
  readonly conversation: Conversation
  /** The runs so far, each as name and arguments. */
  readonly runs: readonly string[]
  /** Every label that was ever published, by the key of its block. */
  readonly seen: ReadonlyMap<string, readonly string[]>
  /** The labels as they stand. */
  labels(): readonly string[]
  notice(): readonly string[]
  /** Resolves once a label reads so. */
  reads(label: string): Promise<void>
  /** What the request of this number, from 1, told the model of its calls. */
  told(request: number): readonly Told[]
  /** How it ended; the provider must have refused nothing. */
  ended(): Promise<TurnResult<object>>
}

type Options = Partial<Omit<RunTurnOptions<object>, 'store' | 'adapter' | 'dialect' | 'request'>> & {
  readonly tools?: Readonly<Record<string, Partial<ToolDeclaration>>>
  /** What was said before. */
  readonly history?: readonly object[]
  /** By the SDK's helper, whose own message is sent back. */
  readonly own?: boolean
}

export const TITLE = z.object({ title: z.string() })
const TICKET = z.object({ title: z.string(), priority: z.enum(['low', 'normal', 'urgent']) })

/** Starts a provider for the tests of one file; the answer drives turns over it. */
export function driveTurns() {
  let provider: StrictProvider
  beforeAll(async () => {
    provider = await startStrictProvider()
  })
  afterAll(() => provider.close())

  return (
    wire: TurnWire<object>,
    script: readonly (ScriptedReply | Refusal)[],
    { tools = {}, history = [wire.user('My door is jammed.')], own = false, ...options }: Options = {},
  ): DrivenTurn => {
    const conversation = provider.converse(script)
    const runs: string[] = []
    const clock = createFakeClock()
    const store = createToolCallStore({
      clock,
      // Every change is painted, so that no label that could be read is missed.
      frame: (paint) => {
        let wanted = true
        queueMicrotask(() => wanted && paint())
        return () => {
          wanted = false
        }
      },
      defaultExecutor: 'local',
      tools: declared(tools, runs),
    })
    const seen = new Map<string, string[]>()
    store.subscribe(({ calls }) => {
      for (const { call } of calls) seen.set(call.key, [...(seen.get(call.key) ?? []), labelOf(call)])
    })
    const turn = runTurn({
      store,
      adapter: wire.adapter,
      dialect: wire.dialect,
      request: ({ messages, signal }) =>
        (own ? wire.askOwn : wire.ask)(conversation.url, [...history, ...messages], signal),
      ...options,
    })
    const views = () => {
      store.flush()
      const items = store.turn(turn.id)?.getState().items ?? []
      return items.flatMap(({ type, key }) =>
        type === 'call' ? (store.callByKey(turn.id, key)?.getState() ?? []) : [],
      )
    }
    const labels = () => views().map((view) => labelOf(view))
    return {
      turn,
      store,
      clock,
      conversation,
      runs,
      seen,
      labels,
      notice() {
        const notice = store.turn(turn.id)?.getState().notice ?? null
        return notice === null ? [] : noticeSentences(notice)
      },
      reads: (label) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!labels().includes(label)) return
            stop()
            resolve()
          }
          const stop = store.subscribe(look)
          look()
        }),
      told: (request) => wire.told(conversation.requests[request - 1]?.body ?? {}),
      async ended() {
        const result = await turn.ended
        expect(conversation.requests.map(({ refused }) => refused).filter((refused) => refused !== null)).toEqual([])
        expect(result.requests).toBe(conversation.requests.length)
        return result
      },
    }
  }
}

/** The tools of all these tests; each notes its runs before anything else. */
function declared(own: Readonly<Record<string, Partial<ToolDeclaration>>>, runs: string[]): Tools {
  const all: Readonly<Record<string, Partial<ToolDeclaration>>> = {
    create_ticket: { schema: TICKET, run: () => 'Ticket 7.' },
    send_mail: { schema: TITLE, run: () => 'Sent.' },
    ...own,
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, { run, ...tool }]) => [
      name,
      {
        executor: 'local',
        ...tool,
        run(args: unknown, call: RunningCall) {
          runs.push(`${name} ${JSON.stringify(args)}`)
          return run?.(args, call)
        },
      },
    ]),
  )
}

export function deferred<Value = void>(): {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
} {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
