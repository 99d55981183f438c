import type { RelayFrame } from '../adapters/relay.ts'
import type { CallKey, MessageKey, StreamEvent } from '../core/events.ts'
import type { Settled } from '../core/outcomes.ts'
import type { Preview } from '../core/preview.ts'
import { saysOf } from '../core/report.ts'
import { toolOf } from '../core/tools.ts'
import type { CallView } from '../core/view.ts'
import type { StreamedEvent } from '../store/context.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { RelayLog } from './relay-log.ts'

/** One block of the server's turn, as the client knows it. */
interface RelayedCall {
  readonly number: number
  /** The id that its block had first; unique in the turn. A correction brings another, of which the client never learns. */
  readonly id: string
  readonly message: number
  /** The wire's key of the call that has the block now. */
  key: CallKey
  name: string | undefined
  announcement: Extract<StreamEvent, { type: 'call-announced' }>
  /** Its announcement was told. Until then what comes of it waits in `held`. */
  told: boolean
  held: RelayFrame[]
  asked: boolean
  finished: boolean
  running: boolean
  settled: Settled | null
}

/**
 * Tells a turn of this process to a client that only shows it. The client's blocks are the blocks of this store, not the
 * calls of the model: what takes a block begins its arguments anew, and a call is "finished" once it has passed the gate.
 */
export class Translation {
  readonly #store: ToolCallStore
  readonly #turnId: string
  readonly #log: RelayLog
  readonly #calls = new Map<string, RelayedCall>()
  readonly #ids = new Set<string>()
  readonly #messages = new Map<MessageKey, number>()
  #numbers = 0
  #current = 0
  #begun = 0

  constructor(store: ToolCallStore, turnId: string, log: RelayLog) {
    this.#store = store
    this.#turnId = turnId
    this.#log = log
  }

  /** The call that the client knows by this id, as it is called here now. */
  viewOf(id: string): CallView | undefined {
    for (const [block, call] of this.#calls) if (call.id === id) return this.#view(block)
    return undefined
  }

  /** One event of the model's stream, after the store took it. */
  event({ event, block }: Pick<StreamedEvent, 'event' | 'block'>): void {
    switch (event.type) {
      case 'message-started':
        if (event.message === undefined || !this.#messages.has(event.message))
          this.#begin(event.message, event.messageId)
        return
      case 'text-fragment':
        if (event.text !== '')
          this.#log.tell({ type: 'text-fragment', message: this.#messageOf(event.message), text: event.text })
        return
      case 'call-announced':
        return this.#announced(event, block ?? event.key)
      case 'call-identified':
        return this.#identified(event, block ?? event.key)
      case 'call-fragment':
        return this.#arguments(event.key, block, (call) => ({ type: 'call-fragment', call, text: event.text }))
      case 'call-snapshot':
        return this.#arguments(event.key, block, (call) =>
          'text' in event
            ? { type: 'call-snapshot', call, text: event.text }
            : { type: 'call-snapshot', call, value: event.value },
        )
      case 'call-leaf': {
        const { path, value, continues } = event
        return this.#arguments(event.key, block, (call) => ({ type: 'call-leaf', call, path, value, continues }))
      }
      case 'message-ended': {
        const message = this.#messageOf(event.message)
        // A name that has not come by now is none.
        for (const call of this.#calls.values()) if (call.message === message) this.#tell(call)
        const { reason, rawReason } = event
        return this.#log.tell({ type: 'message-ended', message, reason, rawReason })
      }
      case 'call-finished':
      case 'call-dispatched':
      case 'call-progress':
      case 'call-returned':
      case 'call-withdrawn':
      case 'approval-requested':
      case 'approval-answered':
      case 'outcome-reported':
      case 'stream-ended':
        // What became of a call is told by what was published of it.
        return
      default:
        event satisfies never
    }
  }

  /** What was published of one call. */
  moved(view: CallView): void {
    if (view.phase === 'preparing' || (view.phase === 'waiting' && view.on === 'resume')) return
    const call = this.#calls.get(view.key) ?? this.#stranger(view)
    this.#tell(call)
    if (view.phase === 'settled') return this.#settled(call, view.settled)
    if (view.phase === 'waiting' && view.on === 'person') return this.#asked(call, view.asked)
    this.#finish(call)
    if (call.asked) {
      call.asked = false
      this.#log.tell({ type: 'approval-answered', call: call.number, granted: true })
    }
    if (view.phase !== 'running' || call.running) return
    call.running = true
    this.#log.tell({ type: 'call-dispatched', call: call.number })
  }

  #view(block: string): CallView | undefined {
    return this.#store.callByKey(this.#turnId, block)?.getState()
  }

  #begin(key: MessageKey | undefined, messageId?: string): number {
    this.#current = ++this.#begun
    if (key !== undefined) this.#messages.set(key, this.#current)
    this.#log.tell({ type: 'message-started', message: this.#current, messageId })
    return this.#current
  }

  #messageOf(key: MessageKey | undefined): number {
    if (key === undefined) return this.#current === 0 ? this.#begin(undefined) : this.#current
    return this.#messages.get(key) ?? this.#begin(key)
  }

  #announced(event: RelayedCall['announcement'], block: string): void {
    // Whoever keeps a journal of publications has written this call down before the client hears of it.
    this.#store.flush()
    const known = this.#calls.get(block)
    const call = known ?? this.#add(block, event)
    if (known !== undefined) {
      known.key = event.key
      known.announcement = event
      known.name ??= event.name
      known.held = []
      if (known.told) this.#announce(known)
    }
    // Until it has a name it may yet turn out to be the correction of another.
    if (call.name !== undefined) this.#tell(call)
  }

  #identified({ key, name }: Extract<StreamEvent, { type: 'call-identified' }>, block: string): void {
    const own = this.#calls.get(key)
    if (own !== undefined && block !== key && !own.told) {
      this.#calls.delete(key)
      this.#announced({ ...own.announcement, ...(name === undefined ? {} : { name }) }, block)
      const call = this.#calls.get(block)
      if (call?.told === true)
        for (const frame of own.held) this.#pass(call, { ...frame, call: call.number } as RelayFrame)
      return
    }
    const call = this.#calls.get(block)
    if (call === undefined || call.name !== undefined || name === undefined || name === '') return
    call.name = name
    if (call.told) this.#log.tell({ type: 'call-identified', call: call.number, name })
    else this.#tell(call)
  }

  #arguments(key: CallKey, block: string | undefined, frameOf: (call: number) => RelayFrame): void {
    const call = block === undefined ? undefined : this.#calls.get(block)
    // What comes late for a call whose block is another's now was dropped by the store too.
    if (call === undefined || call.key !== key || call.finished || call.settled !== null) return
    const frame = frameOf(call.number)
    if (call.told) this.#pass(call, frame)
    else call.held.push(frame)
  }

  /** Arguments leave this process only where nothing in them is to be hidden: pieces of them cannot be redacted. */
  #pass(call: RelayedCall, frame: RelayFrame): void {
    const tool = toolOf(this.#store.registry, call.name ?? null)
    const isOpen = tool !== undefined && (tool.sensitive ?? []).length === 0 && tool.display === undefined
    if (isOpen || call.announcement.executor === 'provider') this.#log.tell(frame)
  }

  #add(block: string, announcement: RelayedCall['announcement']): RelayedCall {
    const id = this.#uniqueId(this.#view(block)?.id ?? announcement.callId ?? block)
    const { key, name } = announcement
    const call: RelayedCall = {
      number: ++this.#numbers,
      id,
      message: this.#messageOf(announcement.message),
      key,
      name: name === '' ? undefined : name,
      announcement,
      told: false,
      held: [],
      asked: false,
      finished: false,
      running: false,
      settled: null,
    }
    this.#calls.set(block, call)
    return call
  }

  /** A block that no event of the model's announced: a report that came without its call. */
  #stranger({ key, name }: CallView): RelayedCall {
    return this.#add(key, { type: 'call-announced', key, ...(name === '' ? {} : { name }) })
  }

  #uniqueId(wanted: string): string {
    let id = wanted
    for (let again = 2; this.#ids.has(id); again++) id = `${wanted}#${again}`
    this.#ids.add(id)
    return id
  }

  #tell(call: RelayedCall): void {
    if (call.told) return
    call.told = true
    this.#announce(call)
    for (const frame of call.held.splice(0)) this.#pass(call, frame)
  }

  #announce({ number: call, id: callId, message, name, announcement }: RelayedCall): void {
    const { executor, encoding } = announcement
    this.#log.tell({
      type: 'call-announced',
      call,
      message,
      callId,
      name,
      executor: executor === 'provider' ? executor : undefined,
      encoding: encoding === 'text' ? encoding : undefined,
    })
  }

  /** The person decides on what would run, not on what the model wrote; what is sensitive is in neither. */
  #asked(call: RelayedCall, asked: Preview): void {
    if (call.asked) return
    call.asked = true
    const { number } = call
    this.#announce(call)
    const [first] = asked
    const value = Object.fromEntries(asked.map(({ path, text }) => [path, text]))
    if (first?.path === '') this.#log.tell({ type: 'call-snapshot', call: number, text: first.text })
    else this.#log.tell({ type: 'call-snapshot', call: number, value })
    this.#log.tell({ type: 'approval-requested', call: number })
    this.#finish(call)
  }

  #finish(call: RelayedCall): void {
    if (call.finished) return
    call.finished = true
    this.#log.tell({ type: 'call-finished', call: call.number })
  }

  #settled(call: RelayedCall, settled: Settled): void {
    if (call.settled === settled) return
    call.settled = settled
    this.#log.report({ callId: call.id, name: call.name ?? null, ...saysOf(settled) })
    this.#log.dropArguments(call.number)
  }
}
