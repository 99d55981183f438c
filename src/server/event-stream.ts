import type { RelayFrame } from '../adapters/relay.ts'
import { REPORT_EVENT, type Report } from '../core/report.ts'
import type { Deadlines } from '../deadlines.ts'
import type { RelayLog } from './relay-log.ts'

const ENCODER = new TextEncoder()

interface Reading {
  /** The number of the last frame that the client has. */
  readonly after: number
  /** Milliseconds of silence after which the client is told that the server is there. */
  readonly heartbeat: number
  readonly deadlines: Deadlines<unknown>
  /** The client went before the end. */
  readonly vanished: () => void
  /** Read to the end, or left. */
  readonly closed: () => void
}

/**
 * A log as the body of a response. The client pulls: one that is slow costs no memory beyond the log, from which
 * meanwhile may go what it would no longer have shown.
 */
export function readLog(log: RelayLog, { after, heartbeat, deadlines, vanished, closed }: Reading): Response {
  let at = after
  let silent = false
  let left = false
  let wake = (): void => {}
  const reader = {}
  const beatLater = (): void =>
    deadlines.set(reader, heartbeat, () => {
      silent = true
      wake()
    })
  const stop = log.read(() => wake())
  const release = (): void => {
    left = true
    deadlines.clear(reader)
    stop()
    closed()
  }
  const next = (): string | null => {
    const news = log.after(at)
    if (news !== null) {
      at = news.number
      return news.bytes
    }
    return silent && log.ending === null ? frame({ type: 'alive' }) : null
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(ENCODER.encode(frame({ type: 'log-opened', log: log.id })))
      beatLater()
    },
    async pull(controller) {
      while (!left) {
        const bytes = next()
        if (bytes !== null) {
          silent = false
          beatLater()
          return controller.enqueue(ENCODER.encode(bytes))
        }
        if (log.ending !== null || log.gone) {
          if (log.ending !== null) controller.enqueue(ENCODER.encode(frame({ type: 'turn-ended', ending: log.ending })))
          controller.close()
          return release()
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    cancel() {
      release()
      wake()
      vanished()
    },
  })
  return eventStream(body)
}

/** What a journal proves of a turn whose process is gone: that process cannot say more, and its reply went no further. */
export function reportsOf(reports: readonly Report[]): Response {
  const ending = { type: 'lost', how: 'connection-lost', speaker: 'executor' } as const
  return eventStream(
    `event: ${REPORT_EVENT}\ndata: ${JSON.stringify(reports)}\n\n${frame({ type: 'turn-ended', ending })}`,
  )
}

function frame(said: RelayFrame): string {
  return `data: ${JSON.stringify(said)}\n\n`
}

function eventStream(body: BodyInit): Response {
  return new Response(body, {
    // Proxies like to collect a stream before they pass it on.
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
