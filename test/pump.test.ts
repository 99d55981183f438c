import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/adapters/anthropic.ts'
import { openaiChat } from '../src/adapters/openai-chat.ts'
import type { Ending } from '../src/core/events.ts'
import { labelOf } from '../src/core/labels.ts'
import { type Open, type PumpedTurn, pump, type Source } from '../src/pump.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../src/store/create-store.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

const EVENTS = [
  { type: 'message_start', message: { id: 'message-1' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'create_ticket' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"title":"x"}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
]
/** The first events, up to a call that is open. */
const OPEN = EVENTS.slice(0, 3)

const sse = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const bytes = (text: string) => new TextEncoder().encode(text)

const CONNECTION_LOST: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
const ENDED_EARLY: Ending = { type: 'lost', how: 'ended-early', speaker: 'nobody' }
const COMPLETE: Ending = { type: 'complete', speaker: 'model' }
const BY_HOST: Ending = { type: 'cancelled', by: 'host', acknowledged: false }
const BY_USER: Ending = { type: 'cancelled', by: 'user', acknowledged: false }

function newStore(options: StoreOptions = {}) {
  return createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { create_ticket: { executor: 'local' } },
    ...options,
  })
}

/** A store that counts how often each of its turns was told that it ended. */
function countEndings(store: ToolCallStore): () => number {
  let endings = 0
  store.subscribe(({ turns }) => {
    for (const { before, turn } of turns) if (before.open && !turn.open) endings++
  })
  return () => endings
}

function labelIn(store: ToolCallStore): string {
  store.flush()
  const call = store.call({ callId: 'toolu_1' })?.getState()
  return call === undefined ? 'no such block' : labelOf(call)
}

/** Lets everything that is due run, promises of streams included. */
async function nextTurnOfEventLoop(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** An iterable that gives these items and then does as it is told; it keeps note of what was done to it. */
function iterableOf(
  items: readonly unknown[],
  then: 'end' | 'throw' | 'hang' | 'go on',
  thrown: unknown = new Error(),
) {
  const seen = { returned: 0, read: 0, aborted: 0 }
  const controller = new AbortController()
  controller.signal.addEventListener('abort', () => seen.aborted++)
  const source: AsyncIterable<unknown> & { readonly controller: AbortController } = {
    controller,
    [Symbol.asyncIterator]: () => ({
      next() {
        const place = seen.read++
        if (place < items.length) return Promise.resolve({ value: items[place], done: false })
        if (then === 'throw') return Promise.reject(thrown)
        if (then === 'end') return Promise.resolve({ value: undefined, done: true })
        if (then === 'go on') return Promise.resolve({ value: { type: 'ping' }, done: false })
        return new Promise(() => {})
      },
      return() {
        seen.returned++
        return Promise.resolve({ value: undefined, done: true })
      },
    }),
  }
  return { source, seen }
}

/** A body that gives these pieces and then does as it is told; it keeps note of its cancellation. */
function bodyOf(
  pieces: readonly (Uint8Array | string)[],
  then: 'end' | 'error' | 'hang',
  error: unknown = new Error(),
) {
  const seen = { cancelled: 0 }
  let place = 0
  const body = new ReadableStream<unknown>({
    pull(controller) {
      const piece = pieces[place++]
      if (piece !== undefined) controller.enqueue(piece)
      else if (then === 'end') controller.close()
      else if (then === 'error') controller.error(error)
      return then === 'hang' && piece === undefined ? new Promise<void>(() => {}) : undefined
    },
    cancel() {
      seen.cancelled++
    },
  })
  return { body, seen }
}

const response = (body: ReadableStream<unknown> | string | null, init?: ResponseInit) =>
  new Response(body as ReadableStream<Uint8Array<ArrayBuffer>> | string | null, init)
const eventStream = { headers: { 'content-type': 'text/event-stream' } }

describe('whatever a source does, its stream ends exactly once', () => {
  const endings: Record<string, { readonly source: () => Open | Source; readonly ending: Ending }> = {
    'an iterable that ends in good order': { source: () => iterableOf(EVENTS, 'end').source, ending: COMPLETE },
    'an iterable that ends before its message does': {
      source: () => iterableOf(OPEN, 'end').source,
      ending: ENDED_EARLY,
    },
    'an iterable that never yields': { source: () => iterableOf([], 'end').source, ending: ENDED_EARLY },
    'an iterable that throws at once': { source: () => iterableOf([], 'throw').source, ending: CONNECTION_LOST },
    'an iterable that throws later': { source: () => iterableOf(OPEN, 'throw').source, ending: CONNECTION_LOST },
    'an iterable that throws after its message ended': {
      source: () => iterableOf(EVENTS, 'throw').source,
      ending: CONNECTION_LOST,
    },
    'an iterable that throws no object': {
      source: () => iterableOf(OPEN, 'throw', 'a word').source,
      ending: CONNECTION_LOST,
    },
    'an iterable that throws nothing at all': {
      source: () => iterableOf(OPEN, 'throw', null).source,
      ending: CONNECTION_LOST,
    },
    'an iterable that cannot be iterated': {
      source: () => ({
        [Symbol.asyncIterator](): never {
          throw new Error('consumed')
        },
      }),
      ending: CONNECTION_LOST,
    },
    'an iterable whose next() throws': {
      source: () => ({
        [Symbol.asyncIterator]: () => ({
          next(): never {
            throw new Error('at once')
          },
        }),
      }),
      ending: CONNECTION_LOST,
    },
    'an iterable that goes on after the provider reported an error': {
      source: () => iterableOf([...OPEN, { type: 'error', error: { type: 'overloaded_error' } }], 'go on').source,
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded_error' },
    },
    'a generator': {
      source: () =>
        (async function* () {
          yield* EVENTS
        })(),
      ending: COMPLETE,
    },
    'a byte stream': { source: () => bodyOf([bytes(sse(EVENTS))], 'end').body, ending: COMPLETE },
    'a byte stream that breaks': { source: () => bodyOf([bytes(sse(OPEN))], 'error').body, ending: CONNECTION_LOST },
    'a stream of text': { source: () => bodyOf([sse(EVENTS)], 'end').body, ending: COMPLETE },
    'a response': { source: () => response(bodyOf([bytes(sse(EVENTS))], 'end').body, eventStream), ending: COMPLETE },
    'a response without a body': { source: () => response(null), ending: ENDED_EARLY },
    'a response whose body was read already': {
      source: () => {
        const read = response(sse(EVENTS))
        void read.text()
        return read
      },
      ending: CONNECTION_LOST,
    },
    'a function that gives a source': { source: () => () => iterableOf(EVENTS, 'end').source, ending: COMPLETE },
    'a function that promises one': {
      source: () => () => Promise.resolve(response(sse(EVENTS), eventStream)),
      ending: COMPLETE,
    },
    'a function that throws': {
      source: () => () => {
        throw new TypeError('Failed to fetch')
      },
      ending: CONNECTION_LOST,
    },
    'a function that rejects': {
      source: () => () => Promise.reject(new TypeError('Failed to fetch')),
      ending: CONNECTION_LOST,
    },
    'a function that gives nothing': {
      source: () => () => undefined as unknown as Source,
      ending: CONNECTION_LOST,
    },
  }

  for (const [name, { source, ending }] of Object.entries(endings)) {
    test(name, async () => {
      const store = newStore()
      const endingsTold = countEndings(store)
      const turn = pump(source(), anthropic, store)
      const summary = await turn.ended
      await nextTurnOfEventLoop()
      store.flush()
      expect(summary.ending).toEqual(ending)
      expect(endingsTold()).toBe(1)
      expect(store.turn(turn.id)?.getState()).toMatchObject({ open: false, ending })
      expect(store.balance()).toMatchObject({ preparing: 0, running: 0 })
    })
  }

  test('a source that never opens is given up after 300 s, and closed if it opens after all', async () => {
    const clock = createFakeClock()
    const store = newStore({ clock })
    let opens: (source: Source) => void = () => {}
    let signal: AbortSignal | undefined
    const turn = pump(
      (given) => {
        signal = given
        return new Promise<Source>((resolve) => {
          opens = resolve
        })
      },
      anthropic,
      store,
    )
    clock.advance(299_999)
    expect(signal?.aborted).toBe(false)
    clock.advance(1)
    expect(signal?.aborted).toBe(true)
    expect((await turn.ended).ending).toEqual({ type: 'lost', how: 'idle', speaker: 'nobody', detail: 'quiet' })
    const late = bodyOf([bytes(sse(EVENTS))], 'hang')
    opens(response(late.body))
    await nextTurnOfEventLoop()
    expect(late.seen.cancelled).toBe(1)
    expect(store.balance().announced).toBe(0)
  })

  test('a source that falls silent with a call open is given up after 10 s, or 30 s for events, and closed', async () => {
    for (const [liveness, deadline] of [
      ['bytes', 10_000],
      ['events', 30_000],
    ] as const) {
      const clock = createFakeClock()
      const store = newStore({ clock })
      const body = bodyOf([bytes(sse(OPEN))], 'hang')
      const iterable = iterableOf(OPEN, 'hang')
      const turn = pump(liveness === 'bytes' ? body.body : iterable.source, anthropic, store)
      await nextTurnOfEventLoop()
      clock.advance(deadline - 1)
      expect(store.balance()).toMatchObject({ preparing: 1 })
      clock.advance(1)
      expect((await turn.ended).ending).toEqual({ type: 'lost', how: 'idle', speaker: 'nobody', detail: 'idle' })
      expect(labelIn(store)).toBe('create_ticket — not run (connection lost)')
      await nextTurnOfEventLoop()
      expect(liveness === 'bytes' ? body.seen.cancelled : iterable.seen.returned).toBe(1)
    }
  })
})

describe('an answer that is no stream', () => {
  const answers: Record<string, { readonly response: () => Response; readonly ending: Ending }> = {
    'status 529, whatever its body': {
      response: () => response('{"type":"error","error":{"type":"overloaded_error"}}', { status: 529 }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'http-529' },
    },
    'status 404 with a page': {
      response: () => response('<p>', { status: 404, headers: { 'content-type': 'text/html' } }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'http-404' },
    },
    'a JSON body with an error': {
      response: () =>
        response('{"error":{"message":"x"}}', { headers: { 'content-type': 'application/json; charset=utf-8' } }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'json-error' },
    },
    'a JSON body with an error, its type in capitals and of a finer kind': {
      response: () => response('{"error":"x"}', { headers: { 'content-type': 'Application/Problem+JSON' } }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'json-error' },
    },
    'a JSON body without an error': {
      response: () => response('{"id":"resp_1"}', { headers: { 'content-type': 'application/json' } }),
      ending: ENDED_EARLY,
    },
    'a JSON body that says it has no error': {
      response: () =>
        response('{"object":"response","error":null}', { headers: { 'content-type': 'application/json' } }),
      ending: ENDED_EARLY,
    },
    'a JSON body that is none': {
      response: () => response('{"error":', { headers: { 'content-type': 'application/json' } }),
      ending: ENDED_EARLY,
    },
    'a JSON body that breaks off': {
      response: () =>
        response(bodyOf([bytes('{"error":')], 'error').body, { headers: { 'content-type': 'application/json' } }),
      ending: CONNECTION_LOST,
    },
    'no body, but the type of JSON': {
      response: () => response(null, { headers: { 'content-type': 'application/json' } }),
      ending: ENDED_EARLY,
    },
  }
  for (const [name, { response: answer, ending }] of Object.entries(answers)) {
    test(`${name}: no call, and a notice that says why`, async () => {
      const store = newStore()
      const turn = pump(answer(), anthropic, store)
      expect((await turn.ended).ending).toEqual(ending)
      store.flush()
      expect(store.turn(turn.id)?.getState().notice?.stopped).toBe(ending.type === 'lost' ? ending.how : null)
    })
  }

  for (const type of [
    'application/x-ndjson',
    'application/jsonl',
    'application/stream+json',
    'text/event-stream',
    '',
  ]) {
    test(`the content type "${type}" is that of a stream`, async () => {
      const store = newStore()
      const turn = pump(response(sse(EVENTS), { headers: { 'content-type': type } }), anthropic, store)
      expect((await turn.ended).ending).toEqual(COMPLETE)
    })
  }

  test('the body of a refused answer is let go, unread', async () => {
    const { body, seen } = bodyOf([bytes('x')], 'hang')
    const refused = response(body, { status: 500 })
    await pump(refused, anthropic, newStore()).ended
    expect([seen.cancelled, refused.body?.locked]).toEqual([1, false])
  })

  test('a JSON body that never ends is let go when the user stops', async () => {
    const { body, seen } = bodyOf([bytes('{"error":')], 'hang')
    const answer = response(body, { headers: { 'content-type': 'application/json' } })
    const turn = pump(answer, anthropic, newStore())
    await nextTurnOfEventLoop()
    turn.cancel()
    expect((await turn.ended).ending).toEqual(BY_USER)
    await nextTurnOfEventLoop()
    expect([seen.cancelled, answer.body?.locked]).toEqual([1, false])
  })

  test('a status is no word of whoever runs the tools, though the stream would have been', async () => {
    const relayed = { ...anthropic, speaker: 'executor' as const }
    const store = newStore({ defaultExecutor: 'server', tools: {} })
    const lost = store.openStream()
    lost.push({ type: 'message-started' })
    lost.push({ type: 'call-announced', key: 'a', callId: 'toolu_1', name: 'send_payment' })
    lost.end(CONNECTION_LOST, { resumable: true })
    await pump(response('gone', { status: 502 }), relayed, store, { turnId: lost.turnId }).ended
    expect(labelIn(store)).toBe('send_payment — may have run (the service reported an error)')
  })
})

describe('what a thrown error says, by its fields', () => {
  const aborted = new DOMException('This operation was aborted', 'AbortError')
  const errors: Record<string, { readonly thrown: unknown; readonly ending: Ending }> = {
    "an abort of the host's own": { thrown: aborted, ending: BY_HOST },
    'an abort that an SDK wrapped': { thrown: new Error('Request was aborted.', { cause: aborted }), ending: BY_HOST },
    'a status': {
      thrown: Object.assign(new Error(), { status: 529, error: {} }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'http-529' },
    },
    "the provider's error, by its code": {
      thrown: Object.assign(new Error(), { status: undefined, error: {}, code: 'server_overloaded', type: 'error' }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'server_overloaded' },
    },
    "the provider's error, by its type": {
      thrown: Object.assign(new Error(), { error: {}, code: null, type: 'overloaded_error' }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded_error' },
    },
    "the provider's error, without either": {
      thrown: Object.assign(new Error(), { error: { message: 'x' }, code: 7 }),
      ending: { type: 'lost', how: 'provider-error', speaker: 'model' },
    },
    'an error object that is not there': {
      thrown: Object.assign(new Error(), { status: undefined, error: undefined, code: 'x' }),
      ending: CONNECTION_LOST,
    },
    'a timeout': { thrown: new DOMException('timed out', 'TimeoutError'), ending: CONNECTION_LOST },
    'a frame that an SDK could not read': { thrown: new SyntaxError('malformed'), ending: ENDED_EARLY },
    'the words of an abort, and nothing else of one': {
      thrown: new Error('AbortError: the operation was aborted'),
      ending: CONNECTION_LOST,
    },
  }
  for (const [name, { thrown, ending }] of Object.entries(errors)) {
    test(name, async () => {
      const later = pump(iterableOf(OPEN, 'throw', thrown).source, anthropic, newStore())
      expect((await later.ended).ending).toEqual(ending)
      const atOnce = pump(() => Promise.reject(thrown), anthropic, newStore())
      expect((await atOnce.ended).ending).toEqual(ending)
    })
  }
})

describe('the user stops', () => {
  test('while the source opens: its signal is aborted, and what opens all the same is closed', async () => {
    for (const late of ['response', 'iterable'] as const) {
      const store = newStore()
      let opens: (source: Source) => void = () => {}
      let signal: AbortSignal | undefined
      const turn = pump(
        (given) => {
          signal = given
          return new Promise<Source>((resolve) => {
            opens = resolve
          })
        },
        anthropic,
        store,
      )
      turn.cancel()
      expect(signal?.aborted).toBe(true)
      expect((await turn.ended).ending).toEqual(BY_USER)
      const body = bodyOf([bytes(sse(EVENTS))], 'hang')
      const iterable = iterableOf(EVENTS, 'hang')
      opens(late === 'response' ? response(body.body) : iterable.source)
      await nextTurnOfEventLoop()
      if (late === 'response') expect(body.seen.cancelled).toBe(1)
      else expect(iterable.seen).toEqual({ returned: 1, read: 0, aborted: 1 })
      expect(store.balance().announced).toBe(0)
    }
  })

  test('a fetch that then rejects with an AbortError changes nothing', async () => {
    const turn = pump(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
      anthropic,
      newStore(),
    )
    turn.cancel()
    expect((await turn.ended).ending).toEqual(BY_USER)
    await nextTurnOfEventLoop()
  })

  test('in the middle of a body: it is cancelled and unlocked, and the call says so at once', async () => {
    const store = newStore()
    const { body, seen } = bodyOf([bytes(sse(OPEN))], 'hang')
    const answer = response(body, eventStream)
    const turn = pump(answer, anthropic, store)
    await nextTurnOfEventLoop()
    expect([labelIn(store), answer.body?.locked]).toEqual(['Preparing create_ticket…', true])
    turn.cancel()
    expect(labelIn(store)).toBe('create_ticket — cancelled')
    await turn.ended
    await nextTurnOfEventLoop()
    expect([seen.cancelled, answer.body?.locked]).toEqual([1, false])
  })

  test("in the middle of an SDK's iterable: its controller is aborted and its iterator returned", async () => {
    const store = newStore()
    const { source, seen } = iterableOf(OPEN, 'hang')
    const turn = pump(source, anthropic, store)
    await nextTurnOfEventLoop()
    turn.cancel()
    expect((await turn.ended).ending).toEqual(BY_USER)
    expect(seen).toEqual({ returned: 1, read: 4, aborted: 1 })
  })

  test('twice, or after the end: the first ending stands', async () => {
    const store = newStore()
    const turn = pump(iterableOf(OPEN, 'end').source, anthropic, store)
    await turn.ended
    turn.cancel()
    turn.cancel()
    expect(labelIn(store)).toBe('create_ticket — not run (the response ended early)')
    expect(store.turn(turn.id)?.getState().ending).toEqual(ENDED_EARLY)
  })

  test('after the stream, with a call at the gate: it is cancelled and cannot be dispatched any more', async () => {
    const store = newStore()
    const turn = pump(iterableOf(EVENTS, 'end').source, anthropic, store)
    const { dispatchable } = await turn.ended
    expect([labelIn(store), dispatchable.length]).toEqual(['create_ticket — waiting to run', 1])
    turn.cancel()
    expect(labelIn(store)).toBe('create_ticket — cancelled')
    expect(dispatchable.map((call) => store.dispatched(call))).toEqual([false])
  })

  test('while checks run: what they say later dispatches nothing', async () => {
    let judge: (answer: undefined) => void = () => {}
    const check = (): Promise<undefined> =>
      new Promise((resolve) => {
        judge = resolve
      })
    const store = newStore({ tools: { create_ticket: { executor: 'local', check } } })
    const turn = pump(iterableOf(EVENTS, 'end').source, anthropic, store)
    await nextTurnOfEventLoop()
    turn.cancel()
    judge(undefined)
    expect((await turn.ended).dispatchable).toEqual([])
    expect(labelIn(store)).toBe('create_ticket — cancelled')
  })

  test('an iterator whose return() fails, or that has none, does no harm', async () => {
    for (const returns of [() => Promise.reject(new Error()), () => void 0, undefined]) {
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<IteratorResult<unknown>>(() => {}),
          ...(returns === undefined ? {} : { return: returns as () => Promise<IteratorResult<unknown>> }),
        }),
      }
      const turn = pump(source, anthropic, newStore())
      turn.cancel()
      expect((await turn.ended).ending).toEqual(BY_USER)
      await nextTurnOfEventLoop()
    }
  })
})

describe('the host stops, by a signal of its own', () => {
  test('before it starts: the source is not opened, and one that was open is closed', async () => {
    const signal = AbortSignal.abort()
    let opened = 0
    const turn = pump(
      () => {
        opened++
        return response(sse(EVENTS))
      },
      anthropic,
      newStore(),
      { signal },
    )
    expect((await turn.ended).ending).toEqual(BY_HOST)
    expect(opened).toBe(0)

    const body = bodyOf([bytes(sse(EVENTS))], 'hang')
    expect((await pump(response(body.body), anthropic, newStore(), { signal }).ended).ending).toEqual(BY_HOST)
    expect(body.seen.cancelled).toBe(1)
    const iterable = iterableOf(EVENTS, 'hang')
    expect((await pump(iterable.source, anthropic, newStore(), { signal }).ended).ending).toEqual(BY_HOST)
    expect(iterable.seen).toEqual({ returned: 1, read: 0, aborted: 1 })
  })

  test('in the middle: as the host, not as the user', async () => {
    const store = newStore()
    const controller = new AbortController()
    const { body, seen } = bodyOf([bytes(sse(OPEN))], 'hang')
    const turn = pump(body, anthropic, store, { signal: controller.signal })
    await nextTurnOfEventLoop()
    controller.abort()
    expect((await turn.ended).ending).toEqual(BY_HOST)
    expect(labelIn(store)).toBe('create_ticket — cancelled')
    store.flush()
    expect(store.turn(turn.id)?.getState().notice).toMatchObject({ notRun: ['create_ticket'], stopped: null })
    expect(seen.cancelled).toBe(1)
  })

  test('after the end: nothing is left of the turn on that signal', async () => {
    const controller = new AbortController()
    const listeners = new Set<unknown>()
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (type: string, listener: EventListener) => {
      listeners.add(listener)
      add(type, listener)
    }
    signal.removeEventListener = (type: string, listener: EventListener) => {
      listeners.delete(listener)
      remove(type, listener)
    }
    const store = newStore()
    const turn = pump(iterableOf(EVENTS, 'end').source, anthropic, store, { signal })
    expect(listeners.size).toBe(1)
    await turn.ended
    expect(listeners.size).toBe(0)
    controller.abort()
    expect(labelIn(store)).toBe('create_ticket — waiting to run')
  })

  test("by the controller of an SDK's stream, which then ends in silence", async () => {
    const store = newStore()
    const { source } = iterableOf(OPEN, 'end')
    source.controller.abort()
    const turn = pump(source, anthropic, store)
    expect((await turn.ended).ending).toEqual(BY_HOST)
    expect(labelIn(store)).toBe('create_ticket — cancelled')

    const whole = iterableOf(EVENTS, 'end').source
    whole.controller.abort()
    expect((await pump(whole, anthropic, newStore()).ended).ending).toEqual(COMPLETE)
  })
})

describe('what a turn comes to', () => {
  test('comes after asynchronous checks, and says what may be dispatched', async () => {
    const judged: string[] = []
    const store = newStore({
      tools: {
        create_ticket: {
          executor: 'local',
          schema: {
            '~standard': {
              version: 1,
              vendor: 'test',
              validate: async (value) => {
                await nextTurnOfEventLoop()
                judged.push('schema')
                return { value: { ...(value as object), coerced: true } }
              },
            },
          },
          check: async () => {
            await nextTurnOfEventLoop()
            judged.push('check')
            return undefined
          },
        },
      },
    })
    const turn = pump(iterableOf(EVENTS, 'end').source, anthropic, store)
    const { dispatchable } = await turn.ended
    expect(judged).toEqual(['schema', 'check'])
    expect(dispatchable).toEqual([
      {
        callId: 'toolu_1',
        turnId: turn.id,
        messageId: 'message-1',
        key: expect.any(String),
        name: 'create_ticket',
        args: { title: 'x', coerced: true },
      },
    ])
  })

  test('never rejects, whatever validators and rules do', async () => {
    const throwing = () => {
      throw new Error('from the rule')
    }
    for (const check of [throwing, () => Promise.reject(new Error('from the rule'))]) {
      const store = newStore({ tools: { create_ticket: { executor: 'local', check } } })
      const { dispatchable } = await pump(iterableOf(EVENTS, 'end').source, anthropic, store).ended
      expect([dispatchable, labelIn(store)]).toEqual([[], 'create_ticket — not run (rejected by a rule)'])
    }
  })

  test('a turn can go on with another source, and with the adapter of another provider', async () => {
    const store = newStore()
    const first = pump(iterableOf(OPEN, 'throw').source, anthropic, store, { scope: 'chat-1' })
    await first.ended
    const call = { index: 0, id: 'call_2', function: { name: 'create_ticket', arguments: '{}' } }
    const second = pump(
      iterableOf(
        [
          { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
          { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        ],
        'end',
      ).source,
      openaiChat,
      store,
      { turnId: first.id },
    )
    expect(second.id).toBe(first.id)
    const { dispatchable, calls } = await second.ended
    expect([dispatchable.length, calls.length]).toEqual([1, 1])
    expect(store.balance(first.id)).toMatchObject({ announced: 2, waiting: { gate: 1 } })
    store.flush()
    expect(store.call({ callId: 'call_2', scope: 'chat-1' })).toBeDefined()
  })

  test('many turns at a time end each by itself', async () => {
    const store = newStore()
    const turns: PumpedTurn[] = []
    for (let count = 0; count < 20; count++)
      turns.push(pump(iterableOf(count % 2 === 0 ? EVENTS : OPEN, 'end').source, anthropic, store))
    const summaries = await Promise.all(turns.map(({ ended }) => ended))
    let runs = 0
    for (const { dispatchable } of summaries) for (const call of dispatchable) if (store.dispatched(call)) runs++
    expect(runs).toBe(10)
    expect(store.balance()).toMatchObject({ announced: 20, running: 10, settled: { no: { 'ended-early': 10 } } })
  })
})

describe('the helpers of the SDKs, by what is known of them', () => {
  test('an error that came before its events were read is asked for, as the iterator then seems to end well', async () => {
    const error = Object.assign(new Error(), { error: {}, type: 'overloaded_error' })
    const helper = Object.assign(iterableOf(OPEN, 'end').source, {
      errored: true,
      aborted: false,
      done: () => Promise.reject(error),
    })
    const store = newStore()
    expect((await pump(helper, anthropic, store).ended).ending).toMatchObject({
      how: 'provider-error',
      detail: 'overloaded_error',
    })
    expect(labelIn(store)).toBe('create_ticket — not run (the service reported an error)')
  })

  test('a complaint of their own about what came is a clean end, judged by what came', async () => {
    for (const [events, ending] of [
      [OPEN, ENDED_EARLY],
      [EVENTS, COMPLETE],
    ] as const) {
      const helper = Object.assign(iterableOf(events, 'throw', new Error('missing finish_reason')).source, {
        errored: true,
      })
      expect((await pump(helper, anthropic, newStore()).ended).ending).toEqual(ending)
    }
  })

  test('an error of the network, which they wrap, is not', async () => {
    const wrapped = new Error('terminated', { cause: new TypeError('terminated') })
    const helper = Object.assign(iterableOf(OPEN, 'throw', wrapped).source, { errored: true })
    expect((await pump(helper, anthropic, newStore()).ended).ending).toEqual(CONNECTION_LOST)
    const noAnswer = Object.assign(new Error('Connection error.'), { status: undefined, error: undefined })
    const opening = Object.assign(iterableOf([], 'throw', noAnswer).source, { errored: true })
    expect((await pump(opening, anthropic, newStore()).ended).ending).toEqual(CONNECTION_LOST)
  })

  test('an abort, which they note, is the host', async () => {
    const helper = Object.assign(iterableOf(OPEN, 'throw', new Error('Request was aborted.')).source, {
      errored: true,
      aborted: true,
    })
    expect((await pump(helper, anthropic, newStore()).ended).ending).toEqual(BY_HOST)
  })
})
