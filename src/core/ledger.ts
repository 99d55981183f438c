import { batchOf } from './batch.ts'
import { type Call, type Message, RANK } from './call.ts'
import { correctedBy, takeBlock } from './corrections.ts'
import type { Ending, StreamEvent } from './events.ts'
import { failed } from './finalize.ts'
import { examine, type Verdict } from './gate.ts'
import { type Held, takeHeld } from './held.ts'
import type { JsonObject } from './json.ts'
import type { CauseNo, FailureReason, Outcome, Settled } from './outcomes.ts'
import { isPromise } from './promise.ts'
import type { Report } from './report.ts'
import { type Registry, type ToolDeclaration, toolOf } from './tools.ts'
import { type CallInput, type Refuser, type Source, transition } from './transition.ts'
import { addCall, callsNamed, identify, messageOf, NO_STREAM, startMessage, type Turn } from './turn.ts'

/** Why something that came was dropped. Counted; never thrown. */
export type Drop =
  | 'unknown-key'
  | 'after-stream-end'
  | 'after-message-end'
  | 'not-open'
  | 'no-evidence-about-local'
  | 'no-such-approval'
  | 'result-without-call'
  | 'ambiguous-id'
  | 'not-an-event'
  | 'unknown-frame'

/** What the ledger tells whoever keeps it. Effects are told, never performed inside. */
export interface LedgerListener {
  announced(turn: Turn, call: Call): void
  /** A call settled, while its text is still there. `outcome` is null for calls that others run. */
  settled(turn: Turn, call: Call, outcome: Outcome | null): void
  /** A settled call is known better. */
  revised(turn: Turn, call: Call): void
  /** A check takes its time: pass what it says to `judge`. */
  pending(turn: Turn, call: Call, verdict: PromiseLike<Verdict>): void
  dropped(reason: Drop): void
  contradicted(turn: Turn, call: Call): void
}

/** The ledger: applies what happens to turns. The only writer of calls. */
export class Ledger {
  readonly registry: Registry
  readonly #listener: LedgerListener

  constructor(registry: Registry, listener: LedgerListener) {
    this.registry = registry
    this.#listener = listener
  }

  /**
   * A stream of this turn begins; what waited for a resume goes on.
   * @param correctable whether the host sends schema errors back to the model
   * @param resumed the stream that this one goes on with: all that came by it counts as come by this one
   */
  openStream(turn: Turn, stream: number, correctable = false, resumed?: number): void {
    turn.openStreams.add(stream)
    for (const message of turn.messages.values()) {
      if (message.stream !== resumed) continue
      message.stream = stream
      if (message.end === null) turn.current.set(stream, message)
    }
    if (correctable) turn.correctable.add(stream)
    turn.changed = true
    for (const call of turn.unsettled) {
      if (call.state.phase === 'resuming' && call.message.end === null) {
        call.message.stream = stream
        turn.current.set(stream, call.message)
      }
      this.#move(turn, call, { type: 'resumed' })
      // While a stream is open, its silence speaks for what others run.
      turn.touched.add(call)
    }
  }

  /** Applies one event of a stream. Never throws, whatever a stream sends. */
  apply(turn: Turn, stream: number, event: StreamEvent, resumable = false): void {
    if (!turn.openStreams.has(stream)) return this.#listener.dropped('after-stream-end')
    switch (event.type) {
      case 'message-started':
        if (event.message !== undefined && turn.messages.has(event.message)) return
        startMessage(turn, stream, event.messageId, event.message)
        return
      case 'text-fragment':
        return this.#addText(turn, stream, event)
      case 'call-announced':
        return this.#announce(turn, stream, event)
      case 'call-returned':
        return this.#returned(turn, event)
      case 'outcome-reported':
        return this.report(turn, event.report, event.stored ? 'host' : 'wire')
      case 'approval-answered':
        return this.#answered(turn, event)
      case 'message-ended':
        return this.#endMessage(turn, stream, event)
      case 'stream-ended':
        return this.#endStream(turn, stream, event.ending, resumable)
      case 'call-identified':
      case 'call-fragment':
      case 'call-snapshot':
      case 'call-leaf':
      case 'call-finished':
      case 'call-dispatched':
      case 'call-progress':
      case 'call-withdrawn':
      case 'approval-requested': {
        const call = turn.calls.get(event.key)
        return call === undefined ? this.#listener.dropped('unknown-key') : this.#applyToCall(turn, call, event)
      }
      default:
        // Adapters of other people may hand up what this version does not know.
        event satisfies never
        this.#listener.dropped('not-an-event')
    }
  }

  /** A report about a call of this turn, or one to be held until its call is announced. */
  report(turn: Turn, report: Report, source: Source): void {
    const { callId, messageId } = report
    this.#hold(turn, { callId, messageId, input: { type: 'reported', report, source } })
  }

  /** A report about this very call. */
  reportOn(turn: Turn, call: Call, report: Report, source: Source): void {
    this.#prove(turn, call, { type: 'reported', report, source })
  }

  /** The host's own word: it runs the call, answers for a person, gives up, or a deadline passed. */
  act(
    turn: Turn,
    call: Call,
    input: Extract<CallInput, { type: 'dispatched' | 'deadline-passed' | 'cancelled' | 'reloaded' | 'uncorrected' }>,
  ): boolean {
    const before = call.state
    this.#move(turn, call, input)
    if (call.state === before) return false
    if (input.type === 'dispatched') call.dispatched = turn.changed = true
    return true
  }

  /** The host's answer to an approval. Answering twice does nothing. */
  answer(turn: Turn, call: Call, granted: boolean, by: Refuser, source: Source): boolean {
    // Nobody waits for an answer about what has begun or is settled, and no refusal makes it undone.
    if (call.approval !== 'pending' || call.dispatched || call.state.phase === 'settled') return false
    // The question stays open to the person whose process would run the tool.
    if (granted && source === 'wire' && call.executor === 'local') return false
    // What is still being written is not what a person was asked about.
    if (granted && source === 'host' && call.state.phase === 'preparing') return false
    call.approval = granted ? 'granted' : 'refused'
    this.#move(turn, call, { type: 'approval-answered', granted, by, source })
    this.#gate(turn, call.message)
    return true
  }

  /** What the three checks said of a call. */
  judge(turn: Turn, call: Call, verdict: Verdict): void {
    if (call.state.phase === 'settled') return
    call.verdict = verdict
    this.#gate(turn, call.message)
  }

  /** A question that was kept over a reload is asked again if what was kept with it passes the checks again. */
  askAgain(turn: Turn, call: Call): void {
    this.#examine(turn, call)
    this.#gate(turn, call.message)
  }

  #addText(turn: Turn, stream: number, event: Extract<StreamEvent, { type: 'text-fragment' }>): void {
    if (event.text === '') return
    const message = messageOf(turn, stream, event.message)
    if (message.text === null) {
      message.text = { type: 'text', message, text: '' }
      turn.items.push(message.text)
    }
    message.text.text += event.text
    turn.changed = true
  }

  #announce(turn: Turn, stream: number, event: Extract<StreamEvent, { type: 'call-announced' }>): void {
    if (turn.replaced.has(event.key)) return this.#listener.dropped('not-open')
    const known = turn.calls.get(event.key)
    if (known !== undefined) {
      // A start for an open call is a replay: its buffer begins anew. Anything later is settled history.
      if (known.state.phase !== 'preparing') return this.#listener.dropped('not-open')
      known.buffer.clear()
      this.#identify(turn, known, event.callId, event.name)
      turn.touched.add(known)
      return
    }
    const call = addCall(turn, messageOf(turn, stream, event.message), event, this.registry)
    this.#correct(turn, call)
    turn.touched.add(call)
    this.#listener.announced(turn, call)
    this.#proveHeld(turn, call)
  }

  #identify(turn: Turn, call: Call, callId: string | undefined, name: string | undefined): void {
    // Its label was read under the name it had then, and inferred from who would have run that.
    if (call.state.phase === 'settled') return this.#listener.dropped('not-open')
    const hadId = call.hasWireId
    identify(turn, call, callId, name, this.registry)
    this.#correct(turn, call)
    turn.touched.add(call)
    if (!hadId && call.hasWireId) this.#proveHeld(turn, call)
  }

  /** A call of the message that follows a batch under correction takes the block of the one it corrects. */
  #correct(turn: Turn, call: Call): void {
    const corrected = correctedBy(turn, call)
    if (corrected === undefined) return
    takeBlock(turn, call, corrected)
    this.#move(turn, corrected, { type: 'uncorrected', ending: null })
  }

  #applyToCall(turn: Turn, call: Call, event: Extract<StreamEvent, { key: string }> & { type: CallEventType }): void {
    const begun = event.type === 'call-dispatched' || event.type === 'call-progress'
    if (begun && call.executor === 'local') return this.#listener.dropped('no-evidence-about-local')
    if (call.state.phase === 'settled' && event.type !== 'call-dispatched') {
      // Noted all the same: an error that answers a rejected input is no execution.
      if (event.type === 'call-finished') call.finished ??= event.status ?? 'complete'
      return this.#listener.dropped('not-open')
    }
    switch (event.type) {
      case 'call-identified':
        return this.#identify(turn, call, event.callId, event.name)
      case 'call-fragment':
        if (this.#takesText(call)) call.buffer.append(event.text)
        break
      case 'call-snapshot':
        // A finished call takes no more fragments, but a whole that differs shows that one of the two is wrong.
        if (call.state.phase !== 'finished' && !this.#takesText(call)) break
        if ('text' in event) call.buffer.replaceText(event.text)
        else call.buffer.replaceValue(event.value)
        break
      case 'call-leaf':
        if (this.#takesText(call)) call.buffer.setLeaf(event.path, event.value, event.continues)
        break
      case 'call-finished':
        if (call.finished !== null) break
        call.finished = event.status ?? 'complete'
        this.#move(turn, call, { type: 'finished' })
        break
      case 'call-dispatched':
      case 'call-progress':
        call.dispatched = true
        this.#move(
          turn,
          call,
          event.type === 'call-dispatched' ? { type: 'dispatched', source: 'wire' } : { type: 'progressed' },
        )
        break
      case 'call-withdrawn':
        this.#move(turn, call, { type: 'withdrawn' })
        break
      case 'approval-requested':
        if (call.approval !== 'none') break
        call.approval = 'pending'
        call.approvalId = event.approvalId
        this.#move(turn, call, { type: 'approval-requested' })
        break
      default:
        event satisfies never
    }
    // What is settled is touched by what moves it, and by nothing else.
    if (call.state.phase !== 'settled') turn.touched.add(call)
  }

  #takesText(call: Call): boolean {
    if (call.state.phase === 'preparing') return true
    this.#listener.dropped('not-open')
    return false
  }

  #returned(turn: Turn, { key, callId, ok }: Extract<StreamEvent, { type: 'call-returned' }>): void {
    const call = key === undefined ? undefined : turn.calls.get(key)
    if (call !== undefined) this.#move(turn, call, { type: 'returned', ok })
    else if (callId === undefined) this.#listener.dropped('unknown-key')
    else this.#hold(turn, { callId, messageId: undefined, input: { type: 'returned', ok } })
  }

  #answered(turn: Turn, event: Extract<StreamEvent, { type: 'approval-answered' }>): void {
    const call = event.key === undefined ? this.#byApproval(turn, event.approvalId) : turn.calls.get(event.key)
    if (call === undefined || !this.answer(turn, call, event.granted, event.by, 'wire'))
      this.#listener.dropped('no-such-approval')
  }

  #byApproval(turn: Turn, approvalId: string | undefined): Call | undefined {
    if (approvalId === undefined) return undefined
    return [...turn.calls.values()].find((call) => call.approvalId === approvalId && call.approval === 'pending')
  }

  #endMessage(turn: Turn, stream: number, event: Extract<StreamEvent, { type: 'message-ended' }>): void {
    const message = messageOf(turn, stream, event.message)
    if (message.end !== null) return this.#listener.dropped('after-message-end')
    const { reason, rawReason, finishesOpenCalls } = event
    message.end = { reason, finishesOpenCalls, rawReason }
    turn.changed = true
    for (const call of message.calls) this.#move(turn, call, { type: 'message-ended' })
    // What the message after a batch did not correct is not corrected any more.
    for (const call of turn.correcting)
      if (call.message !== message) this.#move(turn, call, { type: 'uncorrected', ending: null })
    for (const call of message.calls) this.#examine(turn, call)
    this.#gate(turn, message)
  }

  #examine(turn: Turn, call: Call): void {
    const { end } = call.message
    if (end === null || call.executor !== 'local') return
    if (call.state.phase !== 'validating' && call.state.phase !== 'asking') return
    const verdict = examine(call, end, toolOf(this.registry, call.name))
    if (isPromise(verdict)) this.#listener.pending(turn, call, verdict)
    else call.verdict = verdict
  }

  /** Lets the calls of an ended message on, holds them back or settles them, as far as the whole batch is judged. */
  #gate(turn: Turn, message: Message): void {
    if (message.end === null) return
    if (message.batch === 'open') {
      message.batch = batchOf(message)
      if (message.batch === 'sound') for (const call of message.calls) this.#ask(call)
    }
    for (const call of message.calls) this.#move(turn, call, { type: 'judged', batch: message.batch })
  }

  /** A tool of ours that a person has to agree to: asked once nothing else stands in its way. */
  #ask(call: Call): void {
    if (call.approval !== 'none' || call.verdict?.passed !== true) return
    if (needsApproval(toolOf(this.registry, call.name), call.verdict.outcome.args)) call.approval = 'pending'
  }

  #endStream(turn: Turn, stream: number, ending: Ending, resumable: boolean): void {
    turn.openStreams.delete(stream)
    turn.correctable.delete(stream)
    turn.lastEnding = ending
    turn.changed = true
    const last = turn.openStreams.size === 0
    // A set may lose what it has given while it is read.
    for (const call of turn.unsettled) {
      if (last || call.message.stream === stream) this.#move(turn, call, { type: 'stream-ended', ending, resumable })
      // What outlives its stream has a deadline of its own from now on.
      turn.touched.add(call)
    }
    for (const call of turn.correcting)
      if (call.message.stream !== stream) this.#move(turn, call, { type: 'uncorrected', ending })
    if (last) this.#placeHeld(turn)
  }

  #find(turn: Turn, callId: string | null, messageId: string | undefined): Call | null {
    if (callId === null) return null
    const same = callsNamed(turn, callId, messageId)
    // Ids may be used again by a later message of the turn; what has its result has had its word.
    const open =
      same.length > 1 ? same.filter(({ state }) => state.phase !== 'settled' || state.rank < RANK.result) : same
    if (open.length > 1) this.#listener.dropped('ambiguous-id')
    return open.length === 1 ? (open[0] ?? null) : null
  }

  /** Applies evidence to its call, or keeps it until that is announced, at the latest until the last stream ends. */
  #hold(turn: Turn, held: Held): void {
    const call = this.#find(turn, held.callId, held.messageId)
    if (call !== null) return this.#prove(turn, call, held.input)
    turn.held.push(held)
    if (turn.openStreams.size === 0) this.#placeHeld(turn)
  }

  #proveHeld(turn: Turn, call: Call): void {
    for (const { input } of takeHeld(turn, call)) this.#prove(turn, call, input)
  }

  #prove(turn: Turn, call: Call, input: Held['input']): void {
    if (input.type === 'reported' && input.source === 'wire' && call.executor === 'local') {
      return this.#listener.dropped('no-evidence-about-local')
    }
    this.#move(turn, call, input)
  }

  /** At the end of a stream what still waits for its call gets one last try, then a block of its own. */
  #placeHeld(turn: Turn): void {
    for (const { callId, messageId, input } of turn.held.splice(0)) {
      const call = this.#find(turn, callId, messageId)
      if (call !== null) this.#prove(turn, call, input)
      else if (input.type === 'reported') this.#placeReport(turn, input.report)
      else this.#listener.dropped('result-without-call')
    }
  }

  #placeReport(turn: Turn, report: Report): void {
    const message = startMessage(turn, NO_STREAM.reported, report.messageId, undefined)
    const call = addCall(
      turn,
      message,
      {
        type: 'call-announced',
        key: `report:${turn.calls.size}`,
        callId: report.callId ?? '',
        name: report.name ?? '',
      },
      this.registry,
    )
    this.#listener.announced(turn, call)
    // It was never announced to this side, so that its executor's word is all there is, whoever was declared.
    this.#move(turn, call, { type: 'reported', report, source: 'host' })
  }

  #move(turn: Turn, call: Call, input: CallInput): void {
    const before = call.state
    const { state, contradicts } = transition(call, input)
    if (state === before) return
    call.state = state
    if (state.phase === 'correcting') turn.correcting.add(call)
    else turn.correcting.delete(call)
    turn.touched.add(call)
    if (contradicts) this.#listener.contradicted(turn, call)
    if (state.phase !== 'settled') return
    turn.changed = true
    turn.unsettled.delete(call)
    if (before.phase === 'settled') return this.#listener.revised(turn, call)
    this.#listener.settled(turn, call, outcomeOf(call, state.settled))
    call.buffer.clear()
    // Its siblings may have waited for nobody but this one.
    if (call.message.batch === 'open') this.#gate(turn, call.message)
    // Told and no longer needed: it holds arguments.
    if (call.message.batch !== 'open') call.verdict = null
  }
}

function needsApproval(tool: ToolDeclaration | undefined, args: JsonObject | string): boolean {
  const { needsApproval: needs = false } = tool ?? {}
  if (typeof needs === 'boolean') return needs
  try {
    return needs(args) !== false
  } catch {
    // A rule that cannot be asked does not let anything pass.
    return true
  }
}

type CallEventType =
  | 'call-identified'
  | 'call-fragment'
  | 'call-snapshot'
  | 'call-leaf'
  | 'call-finished'
  | 'call-dispatched'
  | 'call-progress'
  | 'call-withdrawn'
  | 'approval-requested'

/** What finalising made of a call of ours; null for those that others run, and where a fact came before any judgement. */
function outcomeOf(call: Call, settled: Settled): Outcome | null {
  if (call.executor !== 'local') return null
  const { verdict } = call
  if (verdict?.passed === false || settled.ran !== 'no' || settled.cause === 'held-back')
    return verdict?.outcome ?? null
  return failed(call, failureOf(settled.cause), settled.cause, settled.detail)
}

function failureOf(cause: CauseNo): FailureReason {
  if (cause === 'truncated' || cause === 'filtered') return 'truncated'
  return cause === 'unparseable' ? 'unparseable' : 'abandoned'
}
