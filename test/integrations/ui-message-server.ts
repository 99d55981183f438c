import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UIMessageChunk } from 'ai'
import { onTestFinished } from 'vitest'

/** What a server does next: a chunk or a piece of text goes out; a number is a wait in milliseconds. */
export type Step = UIMessageChunk | string | number | 'drop' | 'stall' | 'end' | (() => unknown)

/** Plays a script per request; the last one again for all that follow. A number alone is a status. */
export type Script = readonly Step[] | { readonly status: number }

export interface UiMessageServer {
  readonly api: string
  readonly requests: {
    readonly method: string
    readonly body: { readonly messages?: readonly { parts: unknown[] }[] }
  }[]
  /** How many of the answers lost their reader before their end. */
  readonly closedEarly: () => number
}

/** A server on the loopback interface that speaks the UI message stream, and misbehaves as it is told. */
export async function serve(...scripts: readonly Script[]): Promise<UiMessageServer> {
  const requests: UiMessageServer['requests'] = []
  let closedEarly = 0
  const server = createServer(async (request, response) => {
    const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? []
    requests.push({ method: request.method ?? '', body: JSON.parse((await bodyOf(request)) || '{}') })
    response.on('close', () => {
      if (!response.writableFinished) closedEarly++
    })
    if ('status' in script) response.writeHead(script.status).end()
    else await play(script, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { api: `http://127.0.0.1:${port}/chat`, requests, closedEarly: () => closedEarly }
}

async function play(script: readonly Step[], response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const step of script) {
    if (typeof step === 'number') await sleep(step)
    else if (typeof step === 'function') await step()
    else if (step === 'end') response.end('data: [DONE]\n\n')
    else if (step === 'drop') {
      // What went out before must have arrived.
      await sleep(20)
      response.destroy()
    } else if (step !== 'stall') response.write(typeof step === 'string' ? step : `data: ${JSON.stringify(step)}\n\n`)
  }
  if (!script.some((step) => step === 'end' || step === 'drop' || step === 'stall')) response.end()
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}
