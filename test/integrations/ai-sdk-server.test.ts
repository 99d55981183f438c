import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pipeUIMessageStreamToResponse, stepCountIs, streamText, tool, toUIMessageStream } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { chatOf, labelsIn } from './ai-sdk-chat.ts'

type Part = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const finish = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: 'x' },
  usage: { inputTokens: {}, outputTokens: {} },
} as Part
const parts: Part[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-input-start', id: 'c1', toolName: 'send_payment' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"to":' },
  { type: 'tool-input-delta', id: 'c1', delta: '"a"}' },
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'send_payment', input: '{"to":"a"}' },
  finish,
]

// The SDK on both ends of a real connection: the backend goes on when only the link to the browser is lost.
test.each(['tool-input-start', 'tool-input-delta', 'tool-input-available'])(
  'a link that is lost after %s: the label does not deny what the server runs',
  async (lostAfter) => {
    let runs = 0
    const server = createServer((_, response) => {
      const result = streamText({
        model: new MockLanguageModelV4({
          doStream: async () => ({ stream: simulateReadableStream({ chunks: parts, chunkDelayInMs: 30 }) }),
        }),
        prompt: 'Pay a.',
        stopWhen: stepCountIs(1),
        tools: {
          send_payment: tool({
            inputSchema: z.object({ to: z.string() }),
            execute: async () => {
              await sleep(80)
              runs++
              return 'paid'
            },
          }),
        },
      })
      void result.consumeStream()
      const write = response.write.bind(response) as (piece: unknown) => boolean
      response.write = (piece: unknown) => {
        // What went out before must have arrived.
        if (new TextDecoder().decode(piece as Uint8Array).includes(lostAfter)) setTimeout(() => response.destroy(), 10)
        return write(piece)
      }
      pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream: result.stream }) })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const { store, chat } = chatOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`)
    await chat.sendMessage({ text: 'Pay a.' })
    await vi.waitFor(() => expect(runs).toBe(1))
    expect(labelsIn(store)).toEqual(['send_payment — may have run (connection lost)'])
  },
)
