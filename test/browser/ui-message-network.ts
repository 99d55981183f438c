import type { UIMessageChunk } from 'ai'
import { onTestFinished, vi } from 'vitest'

/** A promise, and a call in mid arguments. */
export const opened: readonly UIMessageChunk[] = [
  { type: 'start', messageId: 'reply' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: "I'll create that ticket for you now." },
  { type: 'text-end', id: 't' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'create_ticket' },
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"title":"Broken login","descr' },
]

/** The same call whole, and the end of its message. */
export const whole: readonly UIMessageChunk[] = [
  ...opened,
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'iption":"x"}' },
  {
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'create_ticket',
    input: { title: 'Broken login', description: 'x' },
  },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
]

export interface Network {
  readonly send: (chunks: readonly UIMessageChunk[]) => void
  readonly drop: () => void
  readonly end: () => void
  /** The bodies of all requests. */
  readonly requests: readonly unknown[]
}

/** Answers every request with an open response; what is returned writes to the latest one. */
export function network(): Network {
  const requests: unknown[] = []
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  const encoder = new TextEncoder()
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    requests.push(JSON.parse(String(init?.body ?? 'null')))
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
        init?.signal?.addEventListener('abort', () => controller.error(new DOMException('Aborted.', 'AbortError')))
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  })
  return {
    send: (chunks) => {
      for (const chunk of chunks) body?.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`))
    },
    drop: () => body?.error(new TypeError('network error')),
    end: () => body?.close(),
    requests,
  }
}
