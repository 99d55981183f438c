import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Exchange, type Loopback, startLoopback } from './loopback.ts'
import { type Expected, expected, type Stage, stageAt } from './oracle.ts'
import { inBatches, type Reader, type Reading, read } from './reading.ts'
import type { OpenStream, Wire } from './wires.ts'

const EXECUTORS = ['local', 'server'] as const
const LIMIT = 60_000

// Within frames the SDKs are cut at every ninth byte. At every byte it is 25,000 streams more, takes more than twice
// the time, and has found nothing else.
const SDK_STEP = 9

/** A way to read a wire. */
interface Way {
  readonly name: string
  readonly open: OpenStream
  readonly sdk: boolean
}

/** Everything that can happen to a wire on a real network, read through `fetch` and through its official SDK. */
export function testWire(wire: Wire): void {
  const bytes = new TextEncoder().encode(wire.frames.map(({ text }) => text).join(''))
  const edges = edgesOf(wire)
  const byFetch: Way = { name: 'fetch', open: (url, signal) => fetch(url, { signal }), sdk: false }
  const bySdk = Object.entries(wire.sdks).map(([name, open]): Way => ({ name, open, sdk: true }))
  let server: Loopback

  beforeAll(async () => {
    server = await startLoopback()
  })
  afterAll(async () => {
    await server.close()
  })

  /** How many events an SDK makes of so many bytes. */
  function eventsAt(cut: number): number {
    return wire.frames.filter(({ sdk }, place) => sdk === undefined && (edges[place + 1] ?? 0) <= cut).length
  }

  /** Whether an SDK waits for nothing more after so many bytes. */
  function stopsAt(cut: number): boolean {
    return wire.frames.some(({ sdk }, place) => sdk === 'stops' && (edges[place + 1] ?? 0) <= cut)
  }

  /** Once everything was read that can be read of so many bytes. */
  async function received({ sdk }: Way, reader: Reader, exchange: Exchange, cut: number): Promise<void> {
    if (sdk && stopsAt(cut)) await reader.turn.ended
    else if (sdk) await (eventsAt(cut) === 0 ? exchange.requested : reader.seen('events', eventsAt(cut)))
    else await (cut === 0 ? reader.opened : reader.seen('bytes', cut))
  }

  async function cutAt(
    cut: number,
    stop: 'dropped' | 'closed',
    way: Way,
    executor: 'local' | 'server',
  ): Promise<readonly string[]> {
    const exchange = server.expect({ body: bytes.subarray(0, cut), after: stop === 'closed' ? 'end' : 'wait' })
    const reader = read((signal) => way.open(exchange.url, signal), wire.adapter, executor)
    if (stop === 'dropped') {
      // An error overtakes bytes that were sent but not read: the connection goes once they were.
      await received(way, reader, exchange, cut)
      exchange.drop(cut % 2 === 0 ? 'close' : 'reset')
    }
    const closed = stop === 'closed' || (way.sdk && stopsAt(cut))
    const stage = stageAt(wire, cut, closed && way.sdk ? wire.sdkSpares : 0)
    const wrong = difference(await reader.done(), expected(stage, closed ? 'closed' : stop, executor), wire)
    return wrong === null ? [] : [`${executor}, ${stop} at byte ${cut}: ${wrong}`]
  }

  async function wrongCuts(stop: 'dropped' | 'closed', way: Way, cuts: readonly number[]): Promise<readonly string[]> {
    const wrong: string[] = []
    const cases = EXECUTORS.flatMap((executor) => cuts.map((cut) => ({ executor, cut })))
    await inBatches(cases, 24, async ({ executor, cut }) => {
      wrong.push(...(await cutAt(cut, stop, way, executor)))
    })
    return wrong
  }

  for (const stop of ['dropped', 'closed'] as const) {
    test(
      `${stop} at every byte, through fetch: the label is true, and only what ended naturally runs`,
      async () => {
        const cuts = Array.from({ length: bytes.length + 1 }, (_, cut) => cut)
        expect(await wrongCuts(stop, byFetch, cuts)).toEqual([])
      },
      LIMIT,
    )

    for (const way of bySdk) {
      test(
        `${stop} around every edge of a frame and within frames, through ${way.name}`,
        async () => {
          const cuts = new Set(edges.flatMap((edge) => [edge - 3, edge - 2, edge - 1, edge, edge + 1]))
          for (let cut = 0; cut < bytes.length; cut += SDK_STEP) cuts.add(cut)
          const within = [...cuts].filter((cut) => cut >= 0 && cut <= bytes.length)
          expect(await wrongCuts(stop, way, within)).toEqual([])
        },
        LIMIT,
      )
    }
  }

  for (const way of [byFetch, ...bySdk]) {
    test(`stalled at every edge of a frame, through ${way.name}: ended by its deadline, and the server sees it go`, async () => {
      const wrong: string[] = []
      const cases = EXECUTORS.flatMap((executor) => edges.map((edge) => ({ executor, edge })))
      await inBatches(cases, 12, async ({ executor, edge }) => {
        const exchange = server.expect({ body: bytes.subarray(0, edge) })
        const reader = read((signal) => way.open(exchange.url, signal), wire.adapter, executor)
        await received(way, reader, exchange, edge)
        const stage = stageAt(wire, edge)
        const stops = way.sdk && stopsAt(edge)
        if (!stops) {
          const ended = endedBy(reader, deadlineAt(stage, executor, way.sdk ? 'events' : 'bytes'))
          if (ended !== 'in time') wrong.push(`${executor}, stalled at byte ${edge}: ended ${ended}`)
        }
        await exchange.closed
        const problem = difference(await reader.done(), expected(stage, stops ? 'closed' : 'stalled', executor), wire)
        if (problem !== null) wrong.push(`${executor}, stalled at byte ${edge}: ${problem}`)
      })
      expect(wrong).toEqual([])
    })

    describe(`through ${way.name}`, () => {
      // Up to the middle of the arguments.
      const opening = wire.frames.slice(0, wire.frames.findIndex(({ says }) => says === 'announced') + 2)
      const middle = edges[opening.length] ?? 0
      const openingText = opening.map(({ text }) => text).join('')

      for (const [executor, words] of [
        ['local', 'not run (the service reported an error)'],
        ['server', 'may have run (the service reported an error)'],
      ] as const) {
        test(`an error that the provider reports in the middle: ${words}`, async () => {
          const exchange = server.expect({ body: openingText + wire.error.frame, after: 'end' })
          const reading = await read((signal) => way.open(exchange.url, signal), wire.adapter, executor).done()
          expect(reading.labels).toEqual([`create_ticket — ${words}`])
          expect(reading.ending).toMatchObject({ how: 'provider-error', detail: wire.error.detail })
          expect(reading.runs).toEqual([])
        })
      }

      for (const status of [500, 529]) {
        test(`HTTP ${status} with a JSON body: no call, and a notice`, async () => {
          const body = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
          const exchange = server.expect({ status, type: 'application/json', body, after: 'end' })
          const reading = await read((signal) => way.open(exchange.url, signal), wire.adapter, 'local').done()
          expect(reading).toEqual({
            ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: `http-${status}` },
            labels: [],
            notice: ['The reply stopped here (the service reported an error).', 'No tool was run.'],
            runs: [],
          })
        })
      }

      test('a connection that is refused, or dropped before its headers: no call, and a notice', async () => {
        const dropped = server.expect({ body: '', after: 'drop' })
        for (const url of [server.nobody, dropped.url]) {
          const reading = await read((signal) => way.open(url, signal), wire.adapter, 'local').done()
          expect(reading).toEqual({
            ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
            labels: [],
            notice: ['The reply stopped here (connection lost).', 'No tool was run.'],
            runs: [],
          })
        }
      })

      test('dropped right behind what was sent, which may overtake it: never more than a lost connection', async () => {
        const labels = new Set<string>()
        await inBatches([...Array(40).keys()], 10, async () => {
          const exchange = server.expect({ body: openingText, after: 'drop' })
          const reading = await read((signal) => way.open(exchange.url, signal), wire.adapter, 'local').done()
          expect(reading.ending).toEqual({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
          for (const label of reading.labels) labels.add(label)
        })
        labels.delete('create_ticket — not run (connection lost)')
        expect([...labels]).toEqual([])
      })

      for (const [cut, frames, executor, words] of [
        ['the token ceiling', wire.ceiling, 'local', 'not run (the request was cut short)'],
        ['the token ceiling', wire.ceiling, 'server', 'may have run (the response was cut short)'],
        ['a filter', wire.filter, 'local', 'not run (stopped by a content filter)'],
        ['a filter', wire.filter, 'server', 'may have run (stopped by a content filter)'],
      ] as const) {
        test(`cut by ${cut}: ${words}`, async () => {
          const exchange = server.expect({ body: openingText + frames.join(''), after: 'end' })
          const reading = await read((signal) => way.open(exchange.url, signal), wire.adapter, executor).done()
          expect(reading.labels).toEqual([`create_ticket — ${words}`])
          expect(reading.ending).toEqual({ type: 'complete', speaker: 'model' })
          expect(reading.runs).toEqual([])
        })
      }

      for (const [executor, words] of [
        ['local', 'cancelled'],
        ['server', 'may have run (cancelled)'],
      ] as const) {
        test(`stopped by the user in the middle of the arguments: ${words}, and the server sees it go`, async () => {
          const exchange = server.expect({ body: openingText })
          const reader = read((signal) => way.open(exchange.url, signal), wire.adapter, executor)
          await received(way, reader, exchange, middle)
          expect(reader.labels()).toEqual(['Preparing create_ticket…'])
          reader.turn.cancel()
          expect(reader.labels()).toEqual([`create_ticket — ${words}`])
          await exchange.closed
          const reading = await reader.done()
          expect(reading.ending).toEqual({ type: 'cancelled', by: 'user', acknowledged: false })
          expect(reading.runs).toEqual([])
        })
      }

      test('stopped by the user before the headers came: the server sees it go', async () => {
        const exchange = server.expect({ body: '', after: 'silence' })
        const reader = read((signal) => way.open(exchange.url, signal), wire.adapter, 'local')
        await exchange.requested
        reader.turn.cancel()
        await exchange.closed
        expect((await reader.done()).ending).toEqual({ type: 'cancelled', by: 'user', acknowledged: false })
      })

      test('aborted by a signal of the host that the kit never saw: the host, not the connection', async () => {
        for (const after of ['silence', 'wait'] as const) {
          const exchange = server.expect({ body: openingText, after })
          const controller = new AbortController()
          const reader = read(() => way.open(exchange.url, controller.signal), wire.adapter, 'local')
          await (after === 'silence' ? exchange.requested : received(way, reader, exchange, middle))
          controller.abort()
          await exchange.closed
          const reading = await reader.done()
          expect(reading.ending).toEqual({ type: 'cancelled', by: 'host', acknowledged: false })
          expect(reading.labels).toEqual(after === 'silence' ? [] : ['create_ticket — cancelled'])
        }
      })

      if (way.sdk) {
        test("aborted by the host through the controller of the SDK's stream: the same", async () => {
          const exchange = server.expect({ body: openingText })
          const opened = await way.open(exchange.url, new AbortController().signal)
          const reader = read(() => opened, wire.adapter, 'local')
          await received(way, reader, exchange, middle)
          ;(opened as unknown as { readonly controller: AbortController }).controller.abort()
          await exchange.closed
          const reading = await reader.done()
          expect(reading.ending).toEqual({ type: 'cancelled', by: 'host', acknowledged: false })
          expect(reading.labels).toEqual(['create_ticket — cancelled'])
        })
      }

      const { provided } = wire
      if (provided !== null) {
        test('a tool that the provider runs, with its result: done, and nothing runs here', async () => {
          const exchange = server.expect({ body: provided.frames.join(''), after: 'end' })
          const reading = await read((signal) => way.open(exchange.url, signal), wire.adapter, 'local').done()
          expect(reading).toEqual({
            ending: { type: 'complete', speaker: 'model' },
            labels: [provided.label],
            notice: [],
            runs: [],
          })
        })
      }
    })
  }
}

function edgesOf({ frames }: Wire): readonly number[] {
  const edges = [0]
  for (const { text } of frames) edges.push((edges.at(-1) ?? 0) + new TextEncoder().encode(text).length)
  return edges
}

/** The silence that the table of deadlines allows at a stage. */
function deadlineAt(stage: Stage, executor: 'local' | 'server', liveness: 'bytes' | 'events'): number {
  if (stage === 'open') return liveness === 'bytes' ? 10_000 : 30_000
  return stage === 'finished' && executor === 'local' ? 60_000 : 300_000
}

/** Moves the clock to just before a deadline, and then to it. */
function endedBy({ store, turn, clock }: Reader, deadline: number): 'early' | 'in time' | 'late' {
  const isOpen = (): boolean => {
    store.flush()
    return store.turn(turn.id)?.getState().open === true
  }
  clock.advance(deadline - 1)
  if (!isOpen()) return 'early'
  clock.advance(1)
  return isOpen() ? 'late' : 'in time'
}

function difference({ labels, runs }: Reading, { label, runs: count }: Expected, { args }: Wire): string | null {
  const is = JSON.stringify({ labels, runs })
  const should = JSON.stringify({ labels: label === null ? [] : [label], runs: Array(count).fill(args) })
  return is === should ? null : `${is} instead of ${should}`
}
