import type { Ending } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import type { Report } from '../core/report.ts'
import { Deadlines } from '../deadlines.ts'
import type { RecoveredReport } from '../dispatch/journal.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { readLog, reportsOf } from './event-stream.ts'
import { RelayLog } from './relay-log.ts'
import { Translation } from './translation.ts'

export interface RelayOptions {
  /**
   * Milliseconds of silence after which a client is told that the server is there. Default 5,000: below the `idle` of the
   * client's store, which takes a longer silence for a lost connection.
   */
  readonly heartbeat?: number
  /** What becomes of a turn whose last client has gone: it goes on, or is cancelled on the host's behalf. Default `continue`. */
  readonly onVanish?: 'continue' | 'stop'
  /** What an earlier process left behind, as `recover` of `honest-tool-calls/dispatch` tells it. Default: nothing. */
  readonly recovered?: readonly RecoveredReport[]
  /** Characters that are kept of one turn for clients that come back; text beyond it is cut from its start. Default 1,000,000. */
  readonly room?: number
}

/** A turn that is under way, as `runTurn` returns it. */
export interface FollowedTurn {
  readonly id: string
  readonly ended: PromiseLike<unknown>
}

/** Shows the turns of this process to clients that only render. */
export interface Relay {
  /**
   * Keeps what becomes of a turn, for whoever asks by `respond`, until the store forgets the turn.
   * @throws if something of the turn was published already, or if it is followed already and has not ended
   */
  follow(turn: FollowedTurn): void
  /**
   * The turn from its start, or what came since, as server-sent events; read it with the adapter `relay`. It ends when the
   * turn has, and none of its calls waits or runs. A turn of an earlier process: its reports. An unknown one: status 404.
   * @param options `after`: the id of the last event that the client has, as in the header `Last-Event-ID`. Default: none.
   */
  respond(turnId: string, options?: { readonly after?: string | null | undefined }): Response
  /**
   * What a client's person answered; takes the id that the client knows the call by. False if nobody waits for it (any more).
   * Ask first whether this client may answer for this turn.
   */
  answerApproval(
    call: { readonly turnId: string; readonly callId: string },
    answer: { readonly granted: boolean; readonly by?: 'person' | 'policy' | 'expiry' },
  ): boolean
  /**
   * Ends all responses once `known` has resolved, and not before: so that what becomes known until then still goes out.
   * Resolves when the clients have read them to the end, or have gone.
   */
  drain(known?: PromiseLike<unknown>): Promise<void>
  /** Stops listening to the store and lets go of all clients. */
  close(): void
}

interface Followed {
  readonly log: RelayLog
  readonly translation: Translation
  /** What its promise resolved with, once it has. */
  result: { readonly value: unknown } | null
}

/**
 * Creates what tells browsers of the turns that this process runs.
 * @example const relay = createRelay(store); relay.follow(runTurn({ store, turnId, … })); return relay.respond(turnId)
 */
export function createRelay(store: ToolCallStore, options: RelayOptions = {}): Relay {
  const { heartbeat = 5_000, onVanish = 'continue', recovered = [], room = 1_000_000 } = options
  if (!(heartbeat > 0)) {
    throw new Error(
      `honest-tool-calls: the heartbeat is ${heartbeat}. Give milliseconds, less than the \`idle\` deadline of the clients.`,
    )
  }
  const deadlines = new Deadlines<unknown>(store.clock)
  const turns = new Map<string, Followed>()
  const responses = new Set<Promise<void>>()
  let draining = false

  const endIfOver = (id: string, followed: Followed): void => {
    const { log, result } = followed
    if (log.ending !== null || result === null || draining || !isSettled(store, id)) return
    log.end(endingOf(store, id, result.value))
  }
  const stops = [
    store.onEvent((streamed) => turns.get(streamed.turnId)?.translation.event(streamed)),
    store.subscribe(({ calls }) => {
      for (const { call } of calls) turns.get(call.turnId)?.translation.moved(call)
      for (const id of new Set(calls.map(({ call }) => call.turnId))) {
        const followed = turns.get(id)
        if (followed !== undefined) endIfOver(id, followed)
      }
    }),
    store.structure.subscribe(() => {
      for (const [id, { log }] of turns) {
        if (store.turn(id) !== undefined) continue
        turns.delete(id)
        log.close()
      }
    }),
  ]

  return {
    follow({ id, ended }) {
      const before = turns.get(id)
      if (before !== undefined && before.result === null) {
        throw new Error(
          `honest-tool-calls: follow() was called twice for the turn ${JSON.stringify(id)}. Once is enough: a client that comes back asks by respond().`,
        )
      }
      if ((store.turn(id)?.getState().items.length ?? 0) > 0 && before === undefined) {
        throw new Error(
          `honest-tool-calls: follow() came late for the turn ${JSON.stringify(id)}, of which there is something already. Call it where runTurn() returns, before anything is awaited.`,
        )
      }
      const log = before?.log ?? new RelayLog(room)
      const followed = { log, translation: before?.translation ?? new Translation(store, id, log), result: null }
      log.ending = null
      turns.set(id, followed)
      const over = (value: unknown): void => {
        Object.assign(followed, { result: { value } })
        store.flush()
        endIfOver(id, followed)
      }
      void ended.then(over, over)
    },
    respond(turnId, { after } = {}) {
      const log = turns.get(turnId)?.log
      if (log === undefined) {
        const reports = reportsFor(recovered, turnId)
        return reports.length === 0 ? new Response(null, { status: 404 }) : reportsOf(reports)
      }
      const vanished = (): void => {
        if (onVanish === 'stop' && log.readers === 0 && log.ending === null && !log.gone) store.cancel(turnId, 'host')
      }
      let closed = (): void => {}
      const reading = new Promise<void>((resolve) => {
        closed = resolve
      })
      responses.add(reading)
      void reading.then(() => responses.delete(reading))
      return readLog(log, { after: log.numberOf(after), heartbeat, deadlines, vanished, closed })
    },
    answerApproval({ turnId, callId }, answer) {
      const view = turns.get(turnId)?.translation.viewOf(callId)
      if (view?.phase !== 'waiting' || view.on !== 'person') return false
      return store.answerApproval({ turnId, callId: view.id, key: view.key }, answer)
    },
    async drain(known = Promise.resolve()) {
      draining = true
      await Promise.resolve(known).catch(() => {})
      draining = false
      store.flush()
      for (const [id, { log, result }] of turns) if (log.ending === null) log.end(endingOf(store, id, result?.value))
      await Promise.all(responses)
    },
    close() {
      for (const stop of stops) stop()
      for (const { log } of turns.values()) log.close()
      turns.clear()
    },
  }
}

/** Whether no call of a turn waits or runs any more. */
function isSettled(store: ToolCallStore, turnId: string): boolean {
  const items = store.turn(turnId)?.getState().items ?? []
  return items.every(({ type, key }) => type !== 'call' || store.callByKey(turnId, key)?.getState().phase === 'settled')
}

/** How a turn ended, in the words of who ran it. */
function endingOf(store: ToolCallStore, turnId: string, result: unknown): Ending {
  const ending = store.turn(turnId)?.getState().ending ?? null
  if (ending?.type === 'cancelled') return { ...ending, acknowledged: true }
  // Between two requests no stream is there to be cancelled.
  if (isRecord(result) && result.status === 'cancelled') return { type: 'cancelled', by: 'host', acknowledged: true }
  if (ending?.type === 'complete') return { type: 'complete', speaker: 'executor' }
  return { type: 'lost', how: ending?.how ?? 'ended-early', speaker: 'executor' }
}

/** The reports about a turn, by the ids its client knows; of an id that stands for several calls none can be believed. */
function reportsFor(recovered: readonly RecoveredReport[], turnId: string): readonly Report[] {
  const reports = recovered
    .filter((report) => report.turnId === turnId)
    .map(({ announcedAs, callId, name, ran, cause, ok }) => ({ callId: announcedAs ?? callId, name, ran, cause, ok }))
  const count = new Map<string | null, number>()
  for (const { callId } of reports) count.set(callId, (count.get(callId) ?? 0) + 1)
  return reports.filter(({ callId }) => count.get(callId) === 1)
}
