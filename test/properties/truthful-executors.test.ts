import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Ending, StreamEvent } from '../../src/core/events.ts'
import { labelOf } from '../../src/core/labels.ts'
import type { CallView } from '../../src/core/view.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import type { ToolCallStream } from '../../src/store/stream.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { Choices, decisions } from './choices.ts'
import { runs } from './runs.ts'
import { isDocument, NAMES, type RealCall, report, type Script, type Step, writeScript } from './truthful-script.ts'

beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
})

const TURN = { turnId: 'turn' }

/** The client side of a script: what reaches the store, what its host does, and what was claimed. */
class Client {
  readonly #choices: Choices
  readonly #script: Script
  readonly #clock = createFakeClock()
  readonly #defaultExecutor: 'local' | 'host' | 'server'
  #store: ToolCallStore
  #stream: ToolCallStream
  /** Of whom it was ever said that they did not run. */
  readonly saidNo = new Map<RealCall, CallView>()
  contradicted = 0
  /** What happened, for whoever has to read a counterexample. */
  readonly log: string[] = []
  said = { no: 0, unknown: 0, yes: 0 }

  constructor(choices: Choices, script: Script) {
    this.#choices = choices
    this.#script = script
    this.#defaultExecutor = choices.pick(['server', 'local', 'host'])
    this.#store = this.#createStore()
    this.#stream = this.#store.openStream(TURN)
  }

  #createStore(): ToolCallStore {
    return createToolCallStore({
      tools: {
        [NAMES.local]: { executor: 'local' },
        [NAMES.host]: { executor: 'host' },
        [NAMES.server]: { executor: 'server' },
      },
      defaultExecutor: this.#defaultExecutor,
      clock: this.#clock,
      frame: () => () => {},
    })
  }

  live(): void {
    const { steps } = this.#script
    const cut = this.#choices.rarely(2) ? this.#choices.below(steps.length + 1) : steps.length
    const left = [...steps]
    // A deadline may have ended the stream before.
    while (left.length > steps.length - cut && this.#stream.ending === null) this.#happens(left.shift() as Step)
    const way = this.#choices.pick(['lost', 'spoken', 'resumed', 'reloaded', 'complete'] as const)
    if (way === 'spoken' && this.#script.candid) this.#spokenEnd(left)
    else if (way === 'resumed') this.#resume(left)
    else if (way === 'reloaded') this.#reload(left)
    else if (way === 'lost' || left.length > 0) this.#loseStream(left)
    else this.#end({ type: 'complete', speaker: this.#choices.pick(['model', 'relay', 'nobody'] as const) })
    this.#aftermath()
  }

  #seen(left: readonly Step[]): readonly Step[] {
    return this.#script.steps.slice(0, this.#script.steps.length - left.length)
  }

  #happens(step: Step): void {
    if (step.type === 'sent') this.#push(step.event)
    else if (this.#begin(step.call)) for (const event of step.word) this.#push(event)
    this.#hostActs()
  }

  #push(event: StreamEvent): void {
    this.log.push(JSON.stringify(event))
    this.#stream.push(event)
    this.#look()
  }

  /** @returns whether it ran */
  #begin(call: RealCall): boolean {
    // A host's dispatcher may ask first, and then keeps to the answer.
    if (call.executor === 'host' && this.#choices.below(2) === 1 && this.#known(call)) {
      if (!this.#store.dispatched({ ...TURN, callId: call.id })) return false
    }
    this.log.push(`${call.id} begins`)
    call.ran = true
    return true
  }

  #known(call: RealCall): boolean {
    return this.#store.call({ ...TURN, callId: call.id }) !== undefined
  }

  /** What an executor says may also come another way than by the stream. */
  #says(call: RealCall, word: readonly StreamEvent[]): void {
    for (const event of word) {
      if (this.#choices.below(2) === 1) continue
      this.log.push(`beside the stream: ${JSON.stringify(event)}`)
      if (event.type === 'outcome-reported') this.#store.settle({ ...event.report, ...TURN })
      else if (event.type === 'call-returned') this.#store.settle({ ...report(call, 'yes'), ...TURN })
      this.#look()
    }
  }

  /** The connection is gone: what is beyond it goes on all the same. */
  #goesOnUnseen(left: readonly Step[]): void {
    for (const step of left) {
      if (step.type === 'begun' && this.#begin(step.call)) this.#says(step.call, step.word)
      this.#hostActs()
    }
  }

  #loseStream(left: readonly Step[]): void {
    const ending = this.#choices.below(5)
    if (ending === 0) this.#end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    else if (ending === 1) this.#end({ type: 'cancelled', by: 'user', acknowledged: false })
    else if (ending === 2)
      this.#end({ type: 'lost', how: 'provider-error', speaker: this.#choices.pick(['model', 'relay'] as const) })
    else if (ending === 3) {
      this.#store.cancel(TURN.turnId)
      this.#look()
    } else {
      for (let waited = 0; waited < 3 && this.#stream.ending === null; waited++) this.#clock.advance(400_000)
      this.#end({ type: 'lost', how: 'ended-early', speaker: 'nobody' })
    }
    this.#goesOnUnseen(left)
  }

  /** The executor itself ends its stream: it begins nothing any more but what it had handed over. */
  #spokenEnd(left: readonly Step[]): void {
    const ending = this.#choices.pick<Ending>([
      { type: 'complete', speaker: 'executor' },
      { type: 'cancelled', by: 'user', acknowledged: true },
      { type: 'lost', how: 'provider-error', speaker: 'executor' },
    ])
    const sentBefore = this.#seen(left)
    this.#end(ending)
    this.#goesOnUnseen(
      left.filter(
        (step) => step.type === 'begun' && (step.call.executor !== 'server' || wasHandedOver(step.call, sentBefore)),
      ),
    )
  }

  #resume(left: readonly Step[]): void {
    this.#stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    this.#look()
    this.#hostActs()
    if (this.#choices.rarely(3)) this.#clock.advance(31_000)
    this.#stream = this.#store.openStream(TURN)
    this.#look()
    // A server that keeps its stream sends it again from the beginning; what began does not begin again.
    const again = this.#script.named && this.#choices.below(2) === 1 ? this.#seen(left) : []
    for (const step of again) {
      if (step.type === 'sent') this.#push(step.event)
      else if (step.call.ran) for (const event of step.word) this.#push(event)
    }
    for (const step of left) this.#happens(step)
    const speaker = this.#choices.pick(['executor', 'model', 'relay', 'nobody'] as const)
    this.#end({ type: 'complete', speaker: this.#script.candid ? speaker : 'nobody' })
  }

  #reload(left: readonly Step[]): void {
    const kept = JSON.parse(JSON.stringify(this.#store.snapshot()))
    this.contradicted += this.#store.counts().contradictedLabels
    this.#stream.end({ type: 'lost', how: 'reloaded', speaker: 'nobody' })
    this.#store = this.#createStore()
    this.#store.restore(kept)
    this.#look()
    this.#goesOnUnseen(left)
  }

  #end(ending: Ending): void {
    this.log.push(JSON.stringify(ending))
    this.#stream.end(ending)
    this.#look()
  }

  /** The host of this page: runs what it may, answers for the person, and reports. */
  #hostActs(): void {
    for (const call of this.#script.calls) {
      if (!this.#known(call) || !this.#choices.rarely(3)) continue
      const ref = { ...TURN, callId: call.id }
      if (call.executor === 'local' && this.#store.dispatched(ref)) {
        this.log.push(`${call.id} begins here`)
        call.ran = true
        this.#look()
        if (this.#choices.below(2) === 1) this.#store.settle({ ...report(call, 'yes'), ...TURN })
      } else if (call.executor === 'local' && this.#choices.rarely(3)) {
        this.#store.answerApproval(ref, { granted: this.#choices.below(2) === 0 })
      }
      this.#look()
    }
    if (this.#choices.rarely(12)) this.#clock.advance(this.#choices.pick([11_000, 61_000, 301_000]))
    this.#look()
  }

  /** Long after: deadlines pass, and results may still come in by another stream of the same turn. */
  #aftermath(): void {
    if (this.#choices.below(2) === 1) this.#clock.advance(400_000)
    this.#look()
    const late = this.#store.openStream(TURN)
    for (const call of this.#script.calls) {
      if (!call.ran || this.#choices.below(2) === 1) continue
      late.push({ type: 'call-returned', callId: call.id, ok: call.ok })
      this.#look()
    }
    late.end({ type: 'complete', speaker: 'nobody' })
    this.#clock.advance(400_000)
    this.#look()
    this.contradicted += this.#store.counts().contradictedLabels
  }

  /** Reads every label, as a user would, and holds it against what is true by now. */
  #look(): void {
    this.#store.flush()
    for (const call of this.#script.calls) {
      const view = this.#store.callByKey(TURN.turnId, call.key)?.getState()
      if (view?.phase !== 'settled') continue
      this.said[view.settled.ran]++
      const line = `${call.id} is read as "${labelOf(view)}"`
      if (!this.log.includes(line)) this.log.push(line)
      if (view.settled.ran === 'no') this.saidNo.set(call, view)
      if (view.settled.ran === 'yes') expect({ view, ran: call.ran }).toEqual({ view, ran: true })
    }
  }
}

/** Whether an executor that has said its last word may still begin a call: only what it had handed over until then. */
function wasHandedOver(call: RealCall, before: readonly Step[]): boolean {
  let text = ''
  let announced: (StreamEvent & { type: 'call-announced' }) | undefined
  for (const step of before) {
    if (step.type !== 'sent') continue
    const { event } = step
    if ('key' in event && event.key === call.key) {
      if (event.type === 'call-announced') announced = event
      if (event.type === 'call-fragment') text += event.text
      if (event.type === 'call-finished' && event.status === 'complete') return true
    } else if (event.type === 'message-ended' && announced !== undefined && event.message === announced.message) {
      const { finishesOpenCalls, reason } = event
      if (finishesOpenCalls && (reason === 'natural' || (reason === null && text !== ''))) return true
      // Without names it was the end of this call's message, whatever comes later.
      if (announced.message === undefined) break
    }
  }
  return isDocument(text)
}

test('while every executor tells the truth, no label is ever wrong and none has to be withdrawn', () => {
  const said = { no: 0, unknown: 0, yes: 0 }
  fc.assert(
    fc.property(decisions, (numbers) => {
      const choices = new Choices(numbers)
      const client = new Client(choices, writeScript(choices))
      try {
        client.live()
        for (const [call, view] of client.saidNo) expect({ view, ran: call.ran }).toEqual({ view, ran: false })
        expect(client.contradicted).toBe(0)
      } catch (error) {
        throw new Error(client.log.join('\n'), { cause: error })
      }
      for (const ran of ['no', 'unknown', 'yes'] as const) said[ran] += client.said[ran]
    }),
    runs(3_000),
  )
  // The control: all three kinds of label were put to the test.
  expect(Math.min(said.no, said.unknown, said.yes)).toBeGreaterThan(3_000)
})
