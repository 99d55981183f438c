import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { relay as relayWire } from '../../src/adapters/relay.ts'
import { labelOf } from '../../src/core/labels.ts'
import { runTurn } from '../../src/dispatch/run-turn.ts'
import { pump } from '../../src/pump.ts'
import { createRelay } from '../../src/server/relay.ts'
import { deferred, labels, newStore, settle } from '../dispatch/ready-calls.ts'
import { scripted } from '../dispatch/scripted-provider.ts'
import { asked, browser, running, shown, start } from './relayed-turns.ts'

const decoder = new TextDecoder()

/** Reads what a response has now, and no more. */
function reading(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  let done = false
  void (async () => {
    for (;;) {
      const piece = await reader.read()
      if (piece.done) break
      text += decoder.decode(piece.value, { stream: true })
    }
    done = true
  })()
  return {
    cancel: () => reader.cancel(),
    get text() {
      return text
    },
    get done() {
      return done
    },
  }
}

function payment(more = {}) {
  const paid = deferred<string>()
  const run = vi.fn((_args: unknown, _call: { signal: AbortSignal }) => paid.promise)
  const tools = { pay: { executor: 'local', run, ...more } } as const
  const replies = [{ text: 'At once.', calls: { c1: ['pay', '{"amount":5}'] } }, { text: 'Paid.' }] as const
  return { paid, run, tools, replies }
}

describe('a response', () => {
  test('is a stream of events that nobody on the way should keep', async () => {
    const { paid, ...scene } = payment()
    const { relay } = start(scene)
    const response = relay.respond('t')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    paid.resolve('')
    await response.text()
  })

  test('comes as it happens: a report is there before the model goes on', async () => {
    const { paid, ...scene } = payment()
    const relayed = start(scene)
    const client = reading(relayed.relay.respond('t'))
    await running(relayed)
    await settle()
    expect(client.text).toContain('"type":"call-dispatched"')
    expect(client.text).not.toContain('tool-call-outcome')
    paid.resolve('P-1')
    await relayed.live
    expect(client.done).toBe(true)
    expect(client.text).toContain(
      'event: tool-call-outcome\ndata: {"callId":"c1","name":"pay","ran":"yes","ok":true}\n\n',
    )
  })

  test('says that the server is there while nothing comes, more often than its clients lose patience', async () => {
    const { paid, ...scene } = payment()
    const relayed = start(scene)
    const client = reading(relayed.relay.respond('t'))
    await running(relayed)
    await settle()
    for (let beat = 1; beat <= 3; beat++) {
      relayed.clock.advance(5_000)
      await settle()
      expect(client.text.split('"type":"alive"').length - 1).toBe(beat)
    }
    paid.resolve('')
    await relayed.live
    relayed.clock.advance(60_000)
    await settle()
    expect(client.text.split('"type":"alive"').length - 1).toBe(3)
  })

  test('to whoever comes with the last id it had has what came since', async () => {
    const { paid, ...scene } = payment()
    const relayed = start(scene)
    await running(relayed)
    const first = reading(relayed.relay.respond('t'))
    await settle()
    await first.cancel()
    const id = [...first.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1]
    paid.resolve('')
    await relayed.live
    const rest = await relayed.relay.respond('t', { after: id }).text()
    expect(rest).not.toContain('At once.')
    expect(rest).toContain('Paid.')
    for (const foreign of ['', 'null', '7', 'another/7', `${id?.split('/')[0]}/-1`, null, undefined]) {
      expect(await relayed.relay.respond('t', { after: foreign }).text()).toContain('At once.')
    }
  })

  test('to a turn that nobody knows is 404', () => {
    const { relay, turn } = start(payment())
    expect(relay.respond('u').status).toBe(404)
    turn.cancel()
  })

  test('ends for all where its turn is forgotten, and is 404 from then on', async () => {
    const scene = payment()
    const { store, relay, turn, live } = start(scene)
    scene.paid.resolve('')
    await turn.ended
    await live
    store.forget('t')
    expect(relay.respond('t').status).toBe(404)
  })

  test('does not end while a call waits, though the loop that ran it has given up', async () => {
    const { store, clock } = newStore({ pay: { executor: 'local', run: () => '' } })
    const relay = createRelay(store)
    // The message ends well and the connection does not: its call is ready, and nobody will take it.
    const stream = store.openStream({ turnId: 't' })
    relay.follow({ id: 't', ended: stream.ended })
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'pay' })
    stream.push({ type: 'call-finished', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    const client = reading(relay.respond('t'))
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    await settle()
    expect(client.done).toBe(false)
    clock.advance(10_000)
    await settle()
    expect(client.done).toBe(true)
    expect(client.text).toContain('"ran":"no","cause":"not-started"')
  })

  test('tells late what became known after the end, to whoever comes back', async () => {
    const { paid, ...scene } = payment()
    const relayed = start(scene)
    await running(relayed)
    relayed.turn.cancel()
    const { store, read } = browser(scene.tools)
    read([await relayed.live])
    expect(shown(store, 'browser').items?.at(-1)).toBe('pay — may have run (cancelled)')
    paid.resolve('')
    await settle()
    read([await relayed.relay.respond('t').text()])
    expect(shown(store, 'browser').items?.at(-1)).toBe('pay — done')
  })
})

describe('a client that vanishes', () => {
  test.for([
    ['continue', 1, 'pay — done'],
    ['stop', 1, 'pay — may have run (cancelled)'],
  ] as const)('with "%s"', async ([onVanish, runs, label]) => {
    const { paid, run, ...scene } = payment()
    const { store } = newStore(scene.tools)
    const relay = createRelay(store, { onVanish })
    const turn = runTurn({ store, ...scripted(...scene.replies), turnId: 't' })
    relay.follow(turn)
    const [first, second] = [reading(relay.respond('t')), reading(relay.respond('t'))]
    while (store.balance().running === 0) await settle()
    await first.cancel()
    await settle()
    // The other one is still there.
    expect(labels(store)).toEqual({ c1: 'Running pay…' })
    await second.cancel()
    await settle()
    expect(run.mock.calls[0]?.[1].signal.aborted).toBe(onVanish === 'stop')
    if (onVanish === 'continue') paid.resolve('')
    await turn.ended
    expect(labels(store)).toEqual({ c1: label })
    expect(run).toHaveBeenCalledTimes(runs)
    expect(await relay.respond('t').text()).toContain('tool-call-outcome')
  })

  test('at the end has not vanished', async () => {
    const { paid, ...scene } = payment()
    const { relay, turn, store, live } = start(scene, { onVanish: 'stop' })
    paid.resolve('')
    await live
    expect((await turn.ended).status).toBe('complete')
    expect(store.turn('t')?.getState().ending).toMatchObject({ type: 'complete' })
    await relay.respond('t').text()
  })
})

describe('what is sensitive', () => {
  const SECRET = 'DE02120300000000202051'
  const args = `{"amount":5,"iban":"${SECRET}"}`
  const fragments = (more: object) => {
    const run = vi.fn(() => `sent to ${SECRET}`)
    return { tools: { pay: { executor: 'local', run, ...more } } as const, run }
  }

  test.for([
    ['sensitive members', { sensitive: ['iban'] }, false],
    ['members to be shown', { display: ['amount'] }, false],
    ['neither: the control', {}, true],
  ] as const)('of a tool with %s', async ([, more, isTold]) => {
    const { tools, run } = fragments(more)
    const { turn, live } = start({ tools, replies: [{ calls: { c1: ['pay', args] } }, { text: 'Done.' }] })
    await turn.ended
    expect(run).toHaveBeenCalledTimes(1)
    expect((await live).includes(SECRET)).toBe(isTold)
  })

  test('stays here while a person is asked, who sees the rest', async () => {
    const { tools } = fragments({ sensitive: ['iban'], needsApproval: true })
    const relayed = start({ tools, replies: [{ calls: { c1: ['pay', args] } }, { text: 'Done.' }] })
    const client = reading(relayed.relay.respond('t'))
    await asked(relayed)
    await settle()
    const { store, read } = browser(tools)
    read([client.text], { type: 'complete', speaker: 'executor' })
    const view = store.call({ callId: 'c1' })?.getState()
    expect(view).toMatchObject({ phase: 'waiting', on: 'person', asked: [{ path: 'amount', text: '5' }] })
    relayed.relay.answerApproval({ turnId: 't', callId: 'c1' }, { granted: true })
    await relayed.turn.ended
    expect(await relayed.live).not.toContain(SECRET)
  })

  test('is not told under a name that no tool has', async () => {
    const { tools } = fragments({ sensitive: ['iban'] })
    const { turn, live } = start({ tools, replies: [{ calls: { c1: ['pai', args] } }, { text: 'Sorry.' }] })
    await turn.ended
    expect(await live).toContain('"name":"pai"')
    expect(await live).not.toContain(SECRET)
  })
})

describe('approvals', () => {
  test('are answered once, by whoever is asked, and by nobody before or after', async () => {
    const { paid, run, ...scene } = payment({ needsApproval: true })
    const relayed = start(scene)
    const answer = (callId: string, turnId = 't') => relayed.relay.answerApproval({ turnId, callId }, { granted: true })
    expect(answer('c1')).toBe(false)
    await asked(relayed)
    expect([answer('c9'), answer('c1', 'u')]).toEqual([false, false])
    expect([answer('c1'), answer('c1')]).toEqual([true, false])
    paid.resolve('')
    await relayed.turn.ended
    expect(answer('c1')).toBe(false)
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('what an earlier process left behind', () => {
  const report = { turnId: 't', name: 'pay', ran: 'yes', ok: true } as const

  test('is told of the turn that is asked for, by the ids that its client knows', async () => {
    const recovered = [
      { ...report, callId: 'c2', announcedAs: 'c1' },
      { ...report, callId: 'c3', ran: 'unknown', cause: 'no-result' } as const,
      { ...report, turnId: 'u', callId: 'c4' },
    ]
    const relay = createRelay(newStore({}).store, { recovered })
    const { store, read } = browser({ pay: { executor: 'local' } })
    read([await relay.respond('t').text()])
    expect(shown(store, 'browser')).toMatchObject({
      items: ['pay — done', 'pay — may have run (no result received)'],
      notice: { stopped: 'connection-lost' },
    })
    expect(relay.respond('v').status).toBe(404)
  })

  test('of two calls with one id nothing is told: it could be said of the wrong one', async () => {
    const recovered = [
      { ...report, callId: 'c1' },
      { ...report, callId: 'c1', ran: 'no' } as const,
      { ...report, callId: 'c2' },
    ]
    const text = await createRelay(newStore({}).store, { recovered }).respond('t').text()
    expect(text).not.toContain('c1')
    expect(text).toContain('c2')
  })
})

test('a call without a name is told once it has one, as it may be the correction of another', async () => {
  const { store } = newStore({ pay: { executor: 'local', schema: z.object({ amount: z.number() }) } })
  const relay = createRelay(store)
  const message = (key: string, text: string, end: boolean) => {
    const stream = store.openStream({ turnId: 't', corrects: true })
    stream.push({ type: 'message-started' })
    stream.push({ type: 'call-announced', key, callId: `id-${key}` })
    stream.push({ type: 'call-fragment', key, text })
    if (end) stream.push({ type: 'call-identified', key, name: 'pay' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
    stream.end({ type: 'complete', speaker: 'model' })
    return stream
  }
  store.openStream({ turnId: 't' }).end({ type: 'complete', speaker: 'model' })
  const ended = deferred<void>()
  relay.follow({ id: 't', ended: ended.promise })
  message('a', '{}', true)
  message('b', '{"amount":1}', true)
  expect(store.dispatchable('t').map((one) => store.dispatched(one))).toEqual([true])
  store.settle({ callId: 'id-b', turnId: 't', name: null, ran: 'yes', ok: true })
  // One that never gets a name is told without.
  message('c', '{}', false)
  ended.resolve()
  const text = await relay.respond('t').text()
  const { store: page, said, read } = browser({ pay: { executor: 'local' } })
  read([text])
  expect(shown(page, 'browser').items).toEqual(shown(store, 't').items)
  expect(shown(page, 'browser').items).toEqual(['pay — done', 'A tool call — not run'])
  expect([...said].filter((label) => label.startsWith('pay — not run'))).toEqual([])
})

describe('room', () => {
  test('text that is too long is cut from its start, and what is true of a call is kept', async () => {
    const { store } = newStore({ pay: { executor: 'local', run: () => '' } })
    const relay = createRelay(store, { room: 4_000 })
    const stream = store.openStream({ turnId: 't' })
    relay.follow({ id: 't', ended: stream.ended })
    stream.push({ type: 'message-started' })
    stream.push({ type: 'text-fragment', text: 'The beginning.' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'pay' })
    for (let count = 0; count < 100; count++) {
      stream.push({ type: 'call-fragment', key: 'a', text: '          ' })
      stream.push({ type: 'text-fragment', text: `word ${count} ` })
    }
    stream.push({ type: 'call-withdrawn', key: 'a' })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
    stream.end({ type: 'complete', speaker: 'model' })
    await stream.ended
    await settle()
    const text = await relay.respond('t').text()
    expect(text.length).toBeLessThan(6_000)
    expect(text).not.toContain('The beginning.')
    const client = browser({ pay: { executor: 'local' } })
    client.read([text])
    const items = shown(client.store, 'browser').items ?? []
    expect(items.filter((item) => item.startsWith('pay'))).toEqual(['pay — not run (withdrawn)'])
    expect(items.join('')).toMatch(/\[…\]word \d+ .*word 99 $/)
  })
})

test('misuse throws and says what to do', () => {
  const { store } = newStore({})
  expect(() => createRelay(store, { heartbeat: 0 })).toThrow(/heartbeat is 0. Give milliseconds/)
  const relay = createRelay(store)
  const ended = new Promise(() => {})
  const stream = store.openStream({ turnId: 't' })
  relay.follow({ id: 't', ended })
  expect(() => relay.follow({ id: 't', ended })).toThrow(/called twice for the turn "t"/)
  store.openStream({ turnId: 'u' }).push({ type: 'text-fragment', text: 'x' })
  store.flush()
  expect(() => relay.follow({ id: 'u', ended })).toThrow(/came late for the turn "u"/)
  stream.end()
})

test('while a correction is thought about, the silence that the server bears is borne by the browser too', async () => {
  const { store, clock } = newStore({ pay: { executor: 'local', schema: z.object({ amount: z.number() }) } })
  const relay = createRelay(store)
  const wrong = store.openStream({ turnId: 't', corrects: true })
  relay.follow({ id: 't', ended: new Promise(() => {}) })
  const client = browser({ pay: { executor: 'local' } })
  const page = pump(() => relay.respond('t'), relayWire, client.store, { turnId: 'browser' })
  wrong.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'pay' })
  wrong.push({ type: 'call-fragment', key: 'a', text: '{}' })
  wrong.push({ type: 'call-finished', key: 'a' })
  wrong.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
  wrong.end({ type: 'complete', speaker: 'model' })
  store.openStream({ turnId: 't', corrects: true })
  for (let seconds = 0; seconds < 290; seconds += 5) {
    clock.advance(5_000)
    await settle()
    client.clock.advance(5_000)
  }
  const label = () => {
    client.store.flush()
    const view = client.store.call({ callId: 'c1' })?.getState()
    return view && labelOf(view)
  }
  expect(label()).toBe('Preparing pay…')
  // The control: its own clock alone, with a server that is not heard any more.
  client.clock.advance(10_000)
  await page.ended
  expect(label()).toBe('pay — may have run (connection lost)')
  relay.close()
})
