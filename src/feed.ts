import type { Adapter, FrameSink, WireReader } from './adapters/adapter.ts'
import type { StreamEvent } from './core/events.ts'
import { REPORT_EVENT, readReports } from './core/report.ts'
import type { ToolCallStream } from './store/stream.ts'

/** Takes what a source yields, one after the other: pieces of bytes or text, or events of a provider's own SDK. */
export type Feed = (item: unknown) => void

/**
 * Leads what a source yields through an adapter into a stream; an executor's reports come by any wire made of frames.
 * @param liveness `kept`: whoever opened the stream knows whether bytes are heard under the events of an SDK
 */
export function feedOf(adapter: Adapter, stream: ToolCallStream, liveness?: 'kept'): Feed {
  const { reader, prefix } = takeSeat(adapter, stream)
  reader.open(stream.resumes)
  // What one piece carries came at one time.
  let at = 0
  const emit = (event: StreamEvent): void => stream.push(prefix === '' ? event : prefixed(event, prefix), at)
  const sink: FrameSink = {
    frame(data, name) {
      if (name === REPORT_EVENT) for (const report of readReports(data)) emit({ type: 'outcome-reported', report })
      else if (!reader.read(data, emit)) stream.skip()
    },
  }
  const framer = adapter.framer(sink)
  return (item) => {
    at = stream.touch()
    if (item instanceof Uint8Array || typeof item === 'string') return framer.feed(item)
    if (liveness !== 'kept') stream.liveness = 'events'
    sink.frame(item)
  }
}

/** A reader of one turn, and what sets the keys it mints apart from those of others. */
interface Seat {
  readonly reader: WireReader
  readonly prefix: string
  taken: boolean
}

// Where a turn keeps count of its readers, whatever their adapters.
const READERS = {}

/**
 * What an adapter knows carries over from one stream of a turn to the next, but two streams that are open at once must
 * not share it. And every new reader begins to mint at 1: beside another's calls (another provider's adapter takes over,
 * or the page was reloaded) its keys must not stand for theirs.
 */
function takeSeat(adapter: Adapter, stream: ToolCallStream): Seat {
  const seats = stream.carry(adapter, (): Seat[] => [])
  const seat = seats.find(({ taken }) => !taken) ?? newSeat(adapter, stream)
  if (!seats.includes(seat)) seats.push(seat)
  seat.taken = true
  stream.signal.addEventListener('abort', () => {
    seat.taken = false
  })
  return seat
}

function newSeat(adapter: Adapter, stream: ToolCallStream): Seat {
  const readers = stream.carry(READERS, () => ({ count: 0 }))
  const count = readers.count++
  const prefix = count === 0 && stream.messages === 0 ? '' : `${stream.messages}.${count}:`
  return { reader: adapter.reader(), prefix, taken: false }
}

function prefixed(event: StreamEvent, prefix: string): StreamEvent {
  const { key, message } = event as { readonly key?: string; readonly message?: string }
  return {
    ...event,
    ...(key === undefined ? {} : { key: prefix + key }),
    ...(message === undefined ? {} : { message: prefix + message }),
  } as StreamEvent
}
