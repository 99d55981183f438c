import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AnyTextAdapter,
  type AnyTool,
  chat,
  chatParamsFromRequestBody,
  toServerSentEventsStream,
} from '@tanstack/ai'
import { onTestFinished } from 'vitest'

/** What a model says in one request: some words, or calls of tools; as it comes from its provider. */
export interface Reply {
  readonly calls?: readonly { readonly id?: string; readonly name?: string; readonly text: string }[]
  readonly finishReason: string
}

/** What happens to the answer on its way: all of it by default. */
export interface Fault {
  /** Cuts it before the first frame that holds this. */
  readonly before: string
  readonly by: 'end' | 'drop' | 'stall'
}

export interface ChatServer {
  readonly url: string
  /** The bodies of the requests, in order. */
  readonly requests: readonly { readonly messages: readonly object[]; readonly resume?: readonly object[] }[]
}

/** The real `chat()` of TanStack AI on the loopback interface, over a model that says what the test wrote. */
export async function serveChat(
  tools: readonly AnyTool[],
  replies: readonly Reply[],
  fault?: Fault,
): Promise<ChatServer> {
  const requests: ChatServer['requests'][number][] = []
  const told = [...replies]
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    requests.push(JSON.parse(body))
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequestBody(JSON.parse(body))
    const stream = chat({
      adapter: modelOf(told),
      messages: messages as never,
      tools: [...tools],
      threadId,
      runId,
      ...(parentRunId && { parentRunId }),
      ...(resume && { resume }),
    })
    const first = requests.length === 1 ? fault : undefined
    await pour(toServerSentEventsStream(stream), response, first)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, requests }
}

async function pour(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const decoder = new TextDecoder()
  for await (const piece of stream) {
    const text = decoder.decode(piece)
    if (fault && text.includes(fault.before)) {
      if (fault.by === 'drop') response.write(': \n\n', () => response.destroy())
      if (fault.by === 'end') response.end()
      return
    }
    response.write(text)
  }
  response.end()
}

let replied = 0

/** A provider's adapter, as those of TanStack AI are: what is no JSON comes as an empty input. */
function modelOf(replies: Reply[]): AnyTextAdapter {
  const adapter = {
    kind: 'text',
    name: 'test',
    model: 'test',
    async *chatStream({ runId, threadId }: { readonly runId: string; readonly threadId: string }) {
      const { calls = [], finishReason } = replies.shift() ?? { finishReason: 'stop' }
      const messageId = `m${++replied}`
      yield { type: 'RUN_STARTED', runId, threadId }
      yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'I’ll do that for you now.' }
      yield { type: 'TEXT_MESSAGE_END', messageId }
      for (const [place, { id = `c${place + 1}`, name = 'open_map', text }] of calls.entries()) {
        const call = { toolCallId: id, toolCallName: name, toolName: name }
        yield { type: 'TOOL_CALL_START', ...call, parentMessageId: messageId }
        yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: text }
        yield { type: 'TOOL_CALL_END', ...call, input: inputOf(text) }
      }
      yield { type: 'RUN_FINISHED', runId, threadId, finishReason }
    },
  }
  return adapter as unknown as AnyTextAdapter
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
