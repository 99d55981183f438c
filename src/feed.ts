import type { Adapter, FrameSink } from './adapters/adapter.ts'
import type { StreamEvent } from './core/events.ts'
import { REPORT_EVENT, readReports } from './core/report.ts'
import type { ToolCallStream } from './store/stream.ts'

/** Takes what a source yields, one after the other: pieces of bytes or text, or events of a provider's own SDK. */
export type Feed = (item: unknown) => void

/** Leads what a source yields through an adapter into a stream; an executor's reports come by any wire made of frames. */
export function feedOf(adapter: Adapter, stream: ToolCallStream): Feed {
  const reader = stream.carry(adapter, () => adapter.reader())
  reader.open()
  const emit = (event: StreamEvent): void => stream.push(event)
  const sink: FrameSink = {
    frame(data, name) {
      if (name === REPORT_EVENT) for (const report of readReports(data)) emit({ type: 'outcome-reported', report })
      else if (!reader.read(data, emit)) stream.skip()
    },
  }
  const framer = adapter.framer(sink)
  return (item) => {
    stream.touch()
    if (item instanceof Uint8Array || typeof item === 'string') return framer.feed(item)
    stream.liveness = 'events'
    sink.frame(item)
  }
}
