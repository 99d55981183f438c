import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { UIMessageChunk } from 'ai'
import { createResumableStreamContext } from 'resumable-stream/generic'
import { onTestFinished } from 'vitest'

/** What the reply is made of; whoever gives them decides when. */
export interface ResumableServer {
  readonly api: string
  readonly resumes: () => number
  /** The reply goes on, whether anybody hears it or not. */
  tell(chunks: readonly UIMessageChunk[]): Promise<void>
  finish(): Promise<void>
  /** The link of whoever listens is lost; the server goes on. */
  drop(): Promise<void>
}

/**
 * A server on the loopback interface that keeps its one reply by `resumable-stream`, over a broker in this process. A
 * reply is read to its end by the server itself, so that a lost link does not hold it up.
 * @param options `rest: true`: a resume brings only what the one before it has not; `gone: true`: there is none
 */
export async function serveResumable(
  options: { readonly rest?: boolean; readonly gone?: 'silent' | 'missing' } = {},
): Promise<ResumableServer> {
  const streams = createResumableStreamContext({ waitUntil: () => {}, ...broker() })
  let push = (_text: string | null): void => {}
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let told = ''
  let sent = 0
  let resumes = 0
  let link: Readable | undefined
  const server = createServer(async (request, response) => {
    const isResume = request.method === 'GET'
    if (isResume) resumes++
    request.resume()
    if (isResume && options.gone === 'silent') return
    const source = isResume
      ? await streams.resumeExistingStream('reply', options.rest === true ? sent : 0)
      : await streams.createNewResumableStream('reply', () => {
          return new ReadableStream<string>({
            start(controller) {
              push = (text) => (text === null ? controller.close() : controller.enqueue(text))
              begin()
            },
          })
        })
    if (!source || (isResume && options.gone === 'missing')) {
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    link = Readable.fromWeb(source as Parameters<typeof Readable.fromWeb>[0])
    link.on('data', (text: string) => response.write(text))
    link.on('end', () => response.end())
    link.on('error', () => response.destroy())
    response.on('close', () => link?.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    api: `http://127.0.0.1:${port}/chat`,
    resumes: () => resumes,
    async tell(chunks) {
      await begun
      for (const chunk of chunks) {
        const text = `data: ${JSON.stringify(chunk)}\n\n`
        told += text
        push(text)
      }
      await settled()
    },
    async finish() {
      push('data: [DONE]\n\n')
      push(null)
      await settled()
    },
    async drop() {
      sent = told.length
      server.closeAllConnections()
      await settled()
    },
  }
}

/** Publishes and subscribes as a Redis would, in this process. */
function broker() {
  const channels = new EventEmitter()
  const values = new Map<string, string>()
  const publisher = {
    connect: async () => {},
    publish: async (channel: string, message: string) => channels.emit(channel, message),
    set: async (key: string, value: string) => {
      values.set(key, value)
      return 'OK' as const
    },
    get: async (key: string) => values.get(key) ?? null,
    incr: async (key: string) => {
      const count = Number(values.get(key) ?? 0) + 1
      values.set(key, String(count))
      return count
    },
  }
  const subscriber = {
    connect: async () => {},
    subscribe: async (channel: string, callback: (message: string) => void) => {
      channels.on(channel, callback)
    },
    unsubscribe: async (channel: string) => channels.removeAllListeners(channel),
  }
  return { publisher, subscriber }
}
