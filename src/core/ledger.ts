import type { Call } from './call.ts'
import type { Ending, StreamEvent } from './events.ts'
import { failed } from './finalize.ts'
import { examine, isSound, type Verdict } from './gate.ts'
import type { CauseNo, FailureReason, Outcome, Settled } from './outcomes.ts'
import { isPromise } from './promise.ts'
import type { Report } from './report.ts'
import { type Registry, toolOf } from './tools.ts'
import { type CallInput, transition } from './transition.ts'
import { addCall, callsNamed, type Held, identify, messageOf, startMessage, type Turn } from './turn.ts'

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
  /** A call settled, or its "not run" was withdrawn. `outcome` is null for calls that others run. */
  settled(turn: Turn, call: Call, outcome: Outcome | null): void
  /** A check takes its time: pass what it says to `judge`. */
  pending(turn: Turn, call: Call, verdict: PromiseLike<Verdict>): void
  dropped(reason: Drop): void
  contradicted(call: Call): void
}

/** The ledger: applies what happens to turns. The only writer of calls. */
export class Ledger {
  readonly registry: Registry
  readonly #listener: LedgerListener

  constructor(registry: Registry, listener: LedgerListener) {
    this.registry = registry
    this.#listener = listener
  }

  /** A stream of this turn begins; what waited for a resume goes on. */
  openStream(turn: Turn, stream: number): void {
    turn.openStreams.add(stream)
    turn.changed = true
    for (const call of turn.calls.values()) {
      if (call.state.phase === 'resuming' && call.message.end === null) {
        call.message.stream = stream
        turn.current.set(stream, call.message)
      }
      this.#move(turn, call, { type: 'resumed' })
      // While a stream is open, its silence speaks for what others run.
      if (call.state.phase !== 'settled') turn.touched.add(call)
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
        return this.report(turn, event.report, 'wire')
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
  report(turn: Turn, report: Report, source: 'wire' | 'host'): void {
    const call = this.#find(turn, report.callId, report.messageId)
    if (call !== null) return this.reportOn(turn, call, report, source)
    turn.held.push({ type: 'reported', report, source })
    if (turn.openStreams.size === 0) this.#placeHeld(turn)
  }

  /** A report about this very call. */
  reportOn(turn: Turn, call: Call, report: Report, source: 'wire' | 'host'): void {
    if (call.executor === 'local' && source === 'wire') return this.#listener.dropped('no-evidence-about-local')
    this.#move(turn, call, { type: 'reported', report, source })
  }

  /** The host's own word: it runs the call, answers for a person, gives up, or a deadline passed. */
  act(
    turn: Turn,
    call: Call,
    input: Extract<CallInput, { type: 'dispatched' | 'deadline-passed' | 'cancelled' | 'reloaded' }>,
  ): boolean {
    const before = call.state
    this.#move(turn, call, input)
    if (call.state !== before && input.type === 'dispatched') call.dispatched = true
    if (input.type === 'deadline-passed' && input.deadline === 'handoff') this.#gate(turn, call)
    return call.state !== before
  }

  /** The host's answer to an approval. Answering twice does nothing. */
  answer(
    turn: Turn,
    call: Call,
    granted: boolean,
    by: 'person' | 'policy' | 'expiry',
    source: 'wire' | 'host',
  ): boolean {
    // Nobody waits for an answer about what has begun or is settled, and no refusal makes it undone.
    if (call.approval !== 'pending' || call.dispatched || call.state.phase === 'settled') return false
    // The question stays open to the person whose process would run the tool.
    if (granted && source === 'wire' && call.executor === 'local') return false
    call.approval = granted ? 'granted' : 'refused'
    this.#move(turn, call, { type: 'approval-answered', granted, by, source })
    this.#gate(turn, call)
    return true
  }

  /** What the three checks said of a call. */
  judge(turn: Turn, call: Call, verdict: Verdict): void {
    if (call.state.phase === 'settled') return
    call.verdict = verdict
    this.#gate(turn, call)
  }

  #addText(turn: Turn, stream: number, event: Extract<StreamEvent, { type: 'text-fragment' }>): void {
    if (event.text === '') return
    const message = messageOf(turn, stream, event.message)
    const last = turn.items.at(-1)
    if (last?.type === 'text' && last.message === message) last.text += event.text
    else turn.items.push({ type: 'text', message, text: event.text })
    turn.changed = true
  }

  #announce(turn: Turn, stream: number, event: Extract<StreamEvent, { type: 'call-announced' }>): void {
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
    turn.touched.add(call)
    this.#takeHeld(turn, call)
  }

  #identify(turn: Turn, call: Call, callId: string | undefined, name: string | undefined): void {
    // Its label was read under the name it had then, and inferred from who would have run that.
    if (call.state.phase === 'settled') return this.#listener.dropped('not-open')
    const hadId = call.hasWireId
    identify(turn, call, callId, name, this.registry)
    turn.touched.add(call)
    if (!hadId && call.hasWireId) this.#takeHeld(turn, call)
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
        if (!this.#takesText(call)) break
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

  #returned(turn: Turn, event: Extract<StreamEvent, { type: 'call-returned' }>): void {
    const call =
      event.key === undefined ? this.#find(turn, event.callId ?? null, undefined) : (turn.calls.get(event.key) ?? null)
    if (call !== null) this.#move(turn, call, { type: 'returned', ok: event.ok })
    else if (event.callId !== undefined) turn.held.push({ type: 'returned', callId: event.callId, ok: event.ok })
    else this.#listener.dropped('unknown-key')
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
    message.end = { reason, finishesOpenCalls, ...(rawReason === undefined ? {} : { rawReason }) }
    turn.changed = true
    for (const call of message.calls) this.#move(turn, call, { type: 'message-ended' })
    for (const call of message.calls) this.#examine(turn, call)
    this.#closeBatch(turn, message)
  }

  #examine(turn: Turn, call: Call): void {
    const { end } = call.message
    if (end === null || call.executor !== 'local') return
    if (call.state.phase !== 'validating' && call.state.phase !== 'asking') return
    const verdict = examine(call, end, toolOf(this.registry, call.name))
    if (isPromise(verdict)) this.#listener.pending(turn, call, verdict)
    else call.verdict = verdict
  }

  /** Lets a call on, holds it back or settles it, as far as its whole batch is judged. */
  #gate(turn: Turn, call: Call): void {
    this.#closeBatch(turn, call.message)
  }

  #closeBatch(turn: Turn, message: Call['message']): void {
    if (message.end === null) return
    if (message.batch === 'open') {
      const members = message.calls.filter(isBatchMember)
      const verdicts = members.flatMap((call) => call.verdict ?? [])
      if (!isSound(verdicts) || message.calls.some(failedAlone)) message.batch = 'damaged'
      else if (verdicts.length === members.length) message.batch = 'sound'
    }
    for (const call of message.calls) this.#move(turn, call, { type: 'judged', batch: message.batch })
  }

  #endStream(turn: Turn, stream: number, ending: Ending, resumable: boolean): void {
    turn.openStreams.delete(stream)
    turn.lastEnding = ending
    turn.changed = true
    const last = turn.openStreams.size === 0
    for (const call of turn.calls.values()) {
      if (last || call.message.stream === stream) this.#move(turn, call, { type: 'stream-ended', ending, resumable })
      // What outlives its stream has a deadline of its own from now on.
      if (call.state.phase !== 'settled') turn.touched.add(call)
    }
    if (last) this.#placeHeld(turn)
  }

  #find(turn: Turn, callId: string | null, messageId: string | undefined): Call | null {
    if (callId === null) return null
    const same = callsNamed(turn, callId, messageId)
    // Ids may be used again by a later message of the turn; what is settled has had its word.
    const open = same.length > 1 ? same.filter((call) => call.state.phase !== 'settled') : same
    if (open.length > 1) this.#listener.dropped('ambiguous-id')
    return open.length === 1 ? (open[0] ?? null) : null
  }

  #takeHeld(turn: Turn, call: Call): void {
    for (const held of turn.held.filter((entry) => heldId(entry) === call.id)) {
      // What was held because it could mean several calls does not mean the next one of that id.
      const named = callsNamed(turn, call.id, held.type === 'reported' ? held.report.messageId : undefined)
      if (named.length > 1 || named[0] !== call) continue
      turn.held.splice(turn.held.indexOf(held), 1)
      this.#applyHeld(turn, call, held)
    }
  }

  #applyHeld(turn: Turn, call: Call, held: Held): void {
    if (held.type === 'returned') this.#move(turn, call, { type: 'returned', ok: held.ok })
    else this.reportOn(turn, call, held.report, held.source)
  }

  /** At the end of a stream what still waits for its call gets one last try, then a block of its own. */
  #placeHeld(turn: Turn): void {
    for (const held of turn.held.splice(0)) {
      const call = this.#find(turn, heldId(held), held.type === 'reported' ? held.report.messageId : undefined)
      if (call !== null) this.#applyHeld(turn, call, held)
      else if (held.type === 'returned') this.#listener.dropped('result-without-call')
      else this.#placeReport(turn, held.report)
    }
  }

  #placeReport(turn: Turn, report: Report): void {
    const message = startMessage(turn, -1, report.messageId, undefined)
    const call = addCall(
      turn,
      message,
      {
        type: 'call-announced',
        key: `report:${turn.calls.size}`,
        ...(report.callId === null ? {} : { callId: report.callId }),
        ...(report.name === null ? {} : { name: report.name }),
      },
      this.registry,
    )
    // It was never announced to this side, so that its executor's word is all there is, whoever was declared.
    this.#move(turn, call, { type: 'reported', report, source: 'host' })
  }

  #move(turn: Turn, call: Call, input: CallInput): void {
    const before = call.state
    const { state, contradicts } = transition(call, input)
    if (state === before) return
    call.state = state
    turn.touched.add(call)
    if (contradicts) this.#listener.contradicted(call)
    if (state.phase !== 'settled') return
    turn.changed = true
    this.#listener.settled(turn, call, before.phase === 'settled' ? null : outcomeOf(call, state.settled))
    call.buffer.clear()
    // Its siblings may have waited for nobody but this one.
    if (call.message.batch === 'open') this.#closeBatch(turn, call.message)
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

function isBatchMember(call: Call): boolean {
  return (
    call.executor === 'local' &&
    (call.verdict !== null || call.state.phase === 'validating' || call.state.phase === 'asking')
  )
}

/** A call of ours that cannot pass any more though nothing judged it: its input was refused, or its checks took too long. */
function failedAlone(call: Call): boolean {
  if (call.executor !== 'local' || call.state.phase !== 'settled' || call.verdict !== null) return false
  const { settled } = call.state
  return settled.ran === 'no' && (settled.cause === 'invalid-arguments' || settled.cause === 'not-started')
}

function heldId(held: Held): string | null {
  return held.type === 'returned' ? held.callId : held.report.callId
}
