import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../src/core/events.ts'
import { createToolCallStore } from '../src/store/create-store.ts'
import type { StreamOptions } from '../src/store/stream.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

const announced = (key: string, name: string): StreamEvent => ({ type: 'call-announced', key, callId: key, name })
const finished = (key: string): StreamEvent => ({ type: 'call-finished', key })
const started: StreamEvent = { type: 'message-started' }

function openStream(options: StreamOptions = {}) {
  const clock = createFakeClock()
  const store = createToolCallStore({
    clock,
    tools: { local: { executor: 'local' }, host: { executor: 'host' }, server: { executor: 'server' } },
  })
  return { clock, store, stream: store.openStream(options) }
}

/** How long the stream lives on in silence, and which deadline ends it; null if none ever does. */
function silenceOf({ clock, stream }: ReturnType<typeof openStream>): readonly [number, string | undefined] | null {
  const since = clock.now()
  const ended: number[] = []
  stream.signal.addEventListener('abort', () => ended.push(clock.now()))
  clock.advance(86_400_000)
  const [at] = ended
  if (at === undefined || stream.ending?.type !== 'lost') return null
  return [at - since, `${stream.ending.how}, ${stream.ending.detail}`]
}

describe('which silence ends a stream', () => {
  test('before anything came, and while only text came: 300 s, as models think in silence', () => {
    const nothing = openStream()
    expect(silenceOf(nothing)).toEqual([300_000, 'idle, quiet'])

    const text = openStream()
    text.stream.push(started)
    text.stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    expect(silenceOf(text)).toEqual([300_000, 'idle, quiet'])
  })

  for (const name of ['local', 'host', 'server']) {
    test(`a call is open: 10 s since the last byte, 30 s where only an SDK's events are seen (${name})`, () => {
      const bytes = openStream()
      bytes.stream.push(announced('a', name))
      expect(silenceOf(bytes)).toEqual([10_000, 'idle, idle'])

      const events = openStream({ liveness: 'events' })
      events.stream.push(announced('a', name))
      expect(silenceOf(events)).toEqual([30_000, 'idle, idle'])
    })
  }

  for (const name of ['host', 'server']) {
    test(`a call of another executor was handed over, or runs: 300 s (${name})`, () => {
      const sent = openStream()
      sent.stream.push(announced('a', name))
      sent.stream.push(finished('a'))
      expect(silenceOf(sent)).toEqual([300_000, 'idle, run'])

      const running = openStream()
      running.stream.push(announced('a', name))
      running.stream.push(finished('a'))
      running.stream.push({ type: 'call-dispatched', key: 'a' })
      expect(silenceOf(running)).toEqual([300_000, 'idle, run'])
    })
  }

  test('a person is asked: none', () => {
    const asked = openStream()
    asked.stream.push(announced('a', 'server'))
    asked.stream.push(finished('a'))
    asked.stream.push({ type: 'approval-requested', key: 'a', approvalId: 'approval-1' })
    expect(silenceOf(asked)).toBeNull()
    expect(asked.stream.ending).toBeNull()
    expect(asked.store.balance().waiting.person).toBe(1)
  })

  test('after the answer the clock starts anew', () => {
    const asked = openStream()
    asked.stream.push(announced('a', 'server'))
    asked.stream.push(finished('a'))
    asked.stream.push({ type: 'approval-requested', key: 'a', approvalId: 'approval-1' })
    asked.clock.advance(7_200_000)
    asked.store.answerApproval({ callId: 'a' }, { granted: true })
    expect(silenceOf(asked)).toEqual([300_000, 'idle, run'])
  })

  test('finished calls wait for the end of their message: 60 s', () => {
    const waiting = openStream()
    waiting.stream.push(announced('a', 'local'))
    waiting.stream.push(finished('a'))
    expect(silenceOf(waiting)).toEqual([60_000, 'idle, finish'])

    const incomplete = openStream()
    incomplete.stream.push(announced('a', 'server'))
    incomplete.stream.push({ type: 'call-finished', key: 'a', status: 'incomplete' })
    expect(silenceOf(incomplete)).toEqual([60_000, 'idle, finish'])
  })

  test('once all is settled or waits at the gate: 300 s again', () => {
    const ready = openStream()
    ready.stream.push(announced('a', 'local'))
    ready.stream.push({ type: 'call-fragment', key: 'a', text: '{}' })
    ready.stream.push(finished('a'))
    ready.stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    expect(ready.store.balance().waiting.gate).toBe(1)
    expect(silenceOf(ready)).toEqual([300_000, 'idle, quiet'])
  })

  test('the first that fits holds: open before running before asking before finished', () => {
    const { clock, store, stream } = openStream()
    stream.push(started)
    stream.push(announced('waits', 'local'))
    stream.push(finished('waits'))
    stream.push(announced('asks', 'server'))
    stream.push(finished('asks'))
    stream.push({ type: 'approval-requested', key: 'asks' })
    // A day in which nobody answers, as a person is asked.
    clock.advance(86_400_000)
    expect(stream.ending).toBeNull()

    stream.push(announced('runs', 'server'))
    stream.push(finished('runs'))
    clock.advance(299_999)
    expect(stream.ending).toBeNull()

    stream.push(announced('open', 'server'))
    clock.advance(9_999)
    expect(stream.ending).toBeNull()

    stream.push(finished('open'))
    clock.advance(10_000)
    expect(stream.ending).toBeNull()

    // Both of the others have their results: the person is what is left, then only the end of the message.
    stream.push({ type: 'call-returned', key: 'runs', ok: true })
    stream.push({ type: 'call-returned', key: 'open', ok: true })
    clock.advance(86_400_000)
    expect(stream.ending).toBeNull()
    store.answerApproval({ callId: 'asks' }, { granted: false })
    expect(silenceOf({ clock, store, stream })).toEqual([60_000, 'idle, finish'])
  })

  test('deadlines can be set, each by its name', () => {
    const clock = createFakeClock()
    const store = createToolCallStore({ clock, deadlines: { idle: 1_000, quiet: 2_000 } })
    const open = store.openStream()
    open.push(announced('a', 'server'))
    const quiet = store.openStream()
    clock.advance(1_000)
    expect([open.ending?.type, quiet.ending]).toEqual(['lost', null])
    clock.advance(1_000)
    expect(quiet.ending).toMatchObject({ how: 'idle', detail: 'quiet' })
  })
})

describe('what counts as a sign of life', () => {
  test('bytes without an event keep an open call alive', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    clock.advance(9_999)
    stream.touch()
    clock.advance(9_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('pings keep a call alive, but its last real event may be at most 60 s old', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    for (let pings = 0; pings < 11; pings++) {
      clock.advance(5_000)
      stream.touch()
    }
    expect([clock.now(), stream.ending]).toEqual([55_000, null])
    stream.push({ type: 'call-fragment', key: 'a', text: '{' })
    for (let pings = 0; pings < 11; pings++) {
      clock.advance(5_000)
      stream.touch()
    }
    expect([clock.now(), stream.ending]).toEqual([110_000, null])
    clock.advance(4_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('a call that opens after a long silence has its whole deadline', () => {
    const { clock, stream } = openStream()
    stream.push(started)
    clock.advance(299_000)
    stream.push(announced('a', 'server'))
    clock.advance(9_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('pings keep everything else alive for as long as they come', () => {
    const { clock, stream } = openStream()
    for (let pings = 0; pings < 100; pings++) {
      clock.advance(200_000)
      stream.touch()
    }
    expect(stream.ending).toBeNull()
  })

  test('a stream that turns out to be of events is given the time of events', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    stream.liveness = 'events'
    clock.advance(29_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })
})

describe('a timer that comes late', () => {
  test('bytes that arrive in its grace save the stream', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    clock.sleep(3_600_000)
    expect(stream.ending).toBeNull()
    clock.advance(1_999)
    stream.push({ type: 'call-fragment', key: 'a', text: '{' })
    clock.advance(9_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('without them it concludes after two seconds', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    clock.sleep(3_600_000)
    clock.advance(1_999)
    expect(stream.ending).toBeNull()
    clock.advance(1)
    expect(stream.ending).toMatchObject({ how: 'idle', detail: 'idle' })
  })

  test('a stream that ends in the grace has the ending that came', () => {
    const { clock, stream } = openStream()
    stream.push(announced('a', 'server'))
    clock.sleep(3_600_000)
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    clock.advance(60_000)
    expect(stream.ending).toEqual({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  })
})

test('silence speaks only of what a stream itself may still bring: another open stream has a clock of its own', () => {
  const { clock, store, stream } = openStream()
  stream.push(announced('a', 'server'))
  const thinking = store.openStream({ turnId: stream.turnId })
  for (let pieces = 0; pieces < 20; pieces++) {
    clock.advance(9_000)
    stream.push({ type: 'call-fragment', key: 'a', text: 'x' })
  }
  expect([stream.ending, thinking.ending]).toEqual([null, null])
  clock.advance(10_000)
  expect([stream.ending?.type, thinking.ending]).toEqual(['lost', null])
})

test('the gaps of a stream are summed up at its end, pings included', async () => {
  const { clock, stream } = openStream()
  stream.push(started)
  clock.advance(40)
  stream.touch()
  stream.push(announced('a', 'server'))
  clock.advance(1_200)
  stream.touch()
  stream.end()
  const { gaps } = await stream.ended
  expect(gaps).toMatchObject({ count: 2, max: 1_200 })
})
