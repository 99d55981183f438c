import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  anthropicFrames,
  type Frames,
  openaiChatFrames,
  openaiResponsesFrames,
  type ScriptedReply,
} from './strict-frames.ts'
import { anthropicRules, openaiChatRules, openaiResponsesRules, type Rules } from './strict-rules.ts'

/** What the provider answers instead of a reply. */
export type Refusal =
  | { readonly status: number; readonly type: string; readonly requestId: string }
  /** Not even the headers come. */
  | 'silence'

/** A request that came. */
interface Seen {
  readonly body: Readonly<Record<string, unknown>>
  /** Why the provider would not read it. */
  readonly refused: string | null
  /** The connection is gone, or its answer was sent to the end. */
  readonly closed: Promise<void>
  /** The connection goes. */
  drop(): void
}

/** The requests of one client, answered by a script, one after the other. */
export interface Conversation {
  /** The base URL for the client. */
  readonly url: string
  readonly requests: readonly Seen[]
  /** Resolves once so many requests came. */
  asked(count: number): Promise<void>
}

/** A provider on this machine that refuses whatever the real one would refuse. */
export interface StrictProvider {
  converse(script: readonly (ScriptedReply | Refusal)[]): Conversation
  close(): Promise<void>
}

interface Service {
  readonly rules: Rules
  readonly frames: Frames
  readonly error: (type: string, message: string) => object
  readonly idHeader: string
}

const openaiError = (type: string, message: string) => ({ error: { type, message, code: null, param: null } })

const SERVICES: Readonly<Record<string, Service>> = {
  '/v1/messages': {
    rules: anthropicRules,
    frames: anthropicFrames,
    error: (type, message) => ({ type: 'error', error: { type, message } }),
    idHeader: 'request-id',
  },
  '/chat/completions': {
    rules: openaiChatRules,
    frames: openaiChatFrames,
    error: openaiError,
    idHeader: 'x-request-id',
  },
  '/responses': {
    rules: openaiResponsesRules,
    frames: openaiResponsesFrames,
    error: openaiError,
    idHeader: 'x-request-id',
  },
}

/** Starts it on a port of its own. */
export async function startStrictProvider(): Promise<StrictProvider> {
  const conversations = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const [, name = ''] = request.url?.split('/') ?? []
    conversations.get(name)?.(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let ids = 0

  return {
    converse(script) {
      const name = `c${conversations.size}`
      const replies = script.values()
      const requests: Seen[] = []
      const waiting = new Set<() => void>()

      conversations.set(name, async (request, response) => {
        const closed = new Promise<void>((resolve) => {
          response.on('close', resolve)
        })
        response.on('error', () => {})
        const service = SERVICES[(request.url ?? '').slice(name.length + 1).split('?')[0] ?? '']
        const body = JSON.parse(await textOf(request))
        const refused = service === undefined ? 'no such service' : service.rules(body)
        requests.push({ body, refused, closed, drop: () => void response.destroy() })
        for (const look of waiting) look()
        const refuse = (status: number, type: string, message: string, id = 'req_none'): void => {
          const headers = { 'content-type': 'application/json', [service?.idHeader ?? 'x-request-id']: id }
          response.writeHead(status, headers)
          response.end(JSON.stringify(service?.error(type, message) ?? {}))
        }
        if (service === undefined || refused !== null) return refuse(400, 'invalid_request_error', refused ?? '')
        const { value: reply } = replies.next()
        if (reply === undefined) return refuse(500, 'api_error', 'The script has no further reply.')
        if (reply === 'silence') return
        if ('status' in reply) return refuse(reply.status, reply.type, 'No.', reply.requestId)
        const { text = '', calls = [], stop = 'natural' } = reply
        const frames = service.frames({
          number: requests.length,
          text,
          calls: calls.map(([name, args]) => ({ id: `call_${++ids}`, name, args })),
          stop,
        })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (stop === 'silent' || stop === 'unclosed') response.write(frames)
        else response.end(frames)
      })

      return {
        url: `${origin}/${name}`,
        requests,
        asked: (count) =>
          new Promise((resolve) => {
            const look = (): void => {
              if (requests.length < count) return
              waiting.delete(look)
              resolve()
            }
            waiting.add(look)
            look()
          }),
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  for await (const piece of request) text += piece
  return text
}
