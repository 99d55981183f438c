import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server does with one request. Nothing more than the body comes until it is told to end or to drop. */
interface Answer {
  readonly status?: number
  /** Default `text/event-stream`. */
  readonly type?: string
  readonly body: Uint8Array | string
  /**
   * What comes after the body. `wait` (the default): nothing, the answer stays open; `end`: it ends in good order;
   * `drop`: the connection goes; `silence`: not even its headers came.
   */
  readonly after?: 'wait' | 'end' | 'drop' | 'silence'
}

/** One request and its answer. */
export interface Exchange {
  /** To be asked for instead of the provider: the base URL of its SDK. */
  readonly url: string
  /** The request came, and its answer is under way. */
  readonly requested: Promise<void>
  /** The connection is gone, or the answer was read to its end. */
  readonly closed: Promise<void>
  /** Ends the connection in the middle of the answer, with a FIN or, worse, a RST. */
  drop(how?: 'close' | 'reset'): void
}

/** A server on this machine that really keeps silent, really drops connections, and really sees them go. */
export interface Loopback {
  /** Makes room for one request, and says how it is answered. */
  expect(answer: Answer): Exchange
  /** The address of a port on which nobody listens. */
  readonly nobody: string
  close(): Promise<void>
}

export async function startLoopback(): Promise<Loopback> {
  const waiting = new Map<string, (response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    request.resume()
    waiting.get(request.url?.split('/')[1] ?? '')?.(response)
  })
  const listen = (): Promise<string> =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const nobody = await listen()
  await close()
  const origin = await listen()
  let exchanges = 0

  return {
    nobody,
    close,
    expect({ status = 200, type = 'text/event-stream', body, after = 'wait' }) {
      const name = `x${++exchanges}`
      let answering: ServerResponse | undefined
      const requested = deferred()
      const closed = deferred()
      waiting.set(name, (response) => {
        waiting.delete(name)
        answering = response
        response.on('close', closed.resolve)
        response.on('error', () => {})
        if (after !== 'silence' && (after !== 'drop' || body.length > 0)) {
          response.writeHead(status, { 'content-type': type })
          if (after === 'end') response.end(body)
          else if (body.length === 0) response.flushHeaders()
          else response.write(body)
        }
        if (after === 'drop') response.destroy()
        requested.resolve()
      })
      return {
        url: `${origin}/${name}`,
        requested: requested.promise,
        closed: closed.promise,
        drop(how = 'close') {
          if (how === 'close') answering?.destroy()
          else answering?.socket?.resetAndDestroy()
        },
      }
    },
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
