import type { RelayFrame } from '../adapters/relay.ts'
import type { Ending } from '../core/events.ts'
import { REPORT_EVENT, type Report } from '../core/report.ts'

/** What stands in the reply where its text was too long to be kept. */
const GAP = '[…]'

interface Kept {
  readonly number: number
  /** As it goes over the wire. */
  readonly bytes: string
  /** Arguments matter while their call prepares, text for as long as there is room; the rest is what is true of a call. */
  readonly holds: 'arguments' | 'text' | 'facts'
  readonly frame: RelayFrame | null
}

/** What was told of one turn, numbered, for whoever connects or comes back. */
export class RelayLog {
  /** Tells it from the log of another turn, or of this one in another process. */
  readonly id: string = crypto.randomUUID().slice(0, 8)
  /** How the turn ended, once nothing more is waited for. */
  ending: Ending | null = null
  /** Its turn was forgotten: there is nothing to wait for either. */
  gone = false
  readonly #room: number
  readonly #readers = new Set<() => void>()
  /** The calls whose arguments are not told any more, so that what a reader has of them has no gaps. */
  readonly #muted = new Set<number>()
  #kept: Kept[] = []
  #numbers = 0
  #size = 0

  /** @param room characters; beyond it arguments and the oldest text are let go, what is true of a call never is */
  constructor(room: number) {
    this.#room = room
  }

  get readers(): number {
    return this.#readers.size
  }

  tell(frame: RelayFrame): void {
    const holds = HOLDS[frame.type] ?? 'facts'
    if (holds === 'arguments' && 'call' in frame && this.#muted.has(frame.call)) return
    this.#keep(frame, JSON.stringify({ seq: this.#numbers + 1, ...frame }), holds)
  }

  report(report: Report): void {
    this.#keep(null, JSON.stringify(report), 'facts')
  }

  /** Nobody previews the arguments of this call any more. */
  dropArguments(call: number): void {
    this.#letGo(({ frame, holds }) => holds === 'arguments' && frame !== null && 'call' in frame && frame.call === call)
  }

  end(ending: Ending): void {
    this.ending = ending
    this.#wake()
  }

  /** The turn was forgotten. */
  close(): void {
    this.gone = true
    this.#wake()
  }

  /** What came after this number, or null where nothing did. */
  after(number: number): { readonly number: number; readonly bytes: string } | null {
    let first = this.#kept.length
    while (first > 0 && (this.#kept[first - 1] as Kept).number > number) first--
    const news = this.#kept.slice(first)
    const last = news.at(-1)
    return last === undefined ? null : { number: last.number, bytes: news.map(({ bytes }) => bytes).join('') }
  }

  /** Calls back whenever there is more to read; until the answer is called. */
  read(more: () => void): () => void {
    this.#readers.add(more)
    return () => this.#readers.delete(more)
  }

  /** The number in the id of an event, if that was one of this log. */
  numberOf(eventId: string | null | undefined): number {
    const [log, number] = eventId?.split('/') ?? []
    return log === this.id && /^\d{1,15}$/.test(number ?? '') ? Number(number) : 0
  }

  #keep(frame: RelayFrame | null, data: string, holds: Kept['holds']): void {
    const number = ++this.#numbers
    this.#push({ number, bytes: this.#event(number, data, frame === null), holds, frame })
    if (this.#size > this.#room) this.#makeRoom()
    this.#wake()
  }

  #push(kept: Kept): void {
    this.#kept.push(kept)
    this.#size += kept.bytes.length
  }

  #event(number: number, data: string, isReport: boolean): string {
    return `id: ${this.id}/${number}\n${isReport ? `event: ${REPORT_EVENT}\n` : ''}data: ${data}\n\n`
  }

  #makeRoom(): void {
    for (const { frame, holds } of this.#kept)
      if (holds === 'arguments' && frame !== null && 'call' in frame) this.#muted.add(frame.call)
    this.#letGo(({ holds }) => holds === 'arguments')
    if (this.#size <= this.#room) return
    // By half, so that it is not done again for every word.
    let surplus = this.#size - this.#room / 2
    let cut: Kept | undefined
    for (const kept of this.#kept) {
      if (surplus <= 0) break
      if (kept.holds !== 'text') continue
      surplus -= kept.bytes.length
      cut = kept
    }
    if (cut?.frame?.type !== 'text-fragment') return
    const { number, frame } = cut
    const mark: RelayFrame = { ...frame, text: GAP }
    const bytes = this.#event(number, JSON.stringify({ seq: number, ...mark }), false)
    this.#kept = this.#kept.map((kept) => (kept === cut ? { number, bytes, holds: 'text', frame: mark } : kept))
    this.#letGo((kept) => kept.holds === 'text' && kept.number < number)
  }

  #letGo(which: (kept: Kept) => boolean): void {
    this.#kept = this.#kept.filter((kept) => !which(kept))
    this.#size = this.#kept.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  #wake(): void {
    for (const more of Array.from(this.#readers)) more()
  }
}

const HOLDS: Partial<Record<RelayFrame['type'], Kept['holds']>> = {
  'call-fragment': 'arguments',
  'call-snapshot': 'arguments',
  'call-leaf': 'arguments',
  'text-fragment': 'text',
}
