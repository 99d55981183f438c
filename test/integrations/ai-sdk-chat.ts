import { Chat } from '@ai-sdk/react'
import { type ChatInit, DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai'
import { withToolCalls } from '../../src/ai-sdk.ts'
import { labelOf } from '../../src/core/labels.ts'
import { noticeSentences } from '../../src/core/notice.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import { createToolCallStore, type StoreOptions, type ToolCallStore } from '../../src/store/create-store.ts'

const schema = { type: 'object', properties: { title: { type: 'string' } }, additionalProperties: false } as const

/** A chat of the SDK, its real transport wrapped, and a client tool that counts its runs. */
export function chatOf(
  api: string,
  options: StoreOptions & { readonly gate?: boolean } = {},
  init: ChatInit<UIMessage> = {},
) {
  const { gate = false, ...storeOptions } = options
  const store = createToolCallStore({
    tools: { create_ticket: { executor: 'host', ...fromJsonSchema(schema) } },
    ...storeOptions,
  })
  const runs: unknown[] = []
  const transport = withToolCalls(store, (fetch) => new DefaultChatTransport({ api, fetch }), { gate })
  const chat: Chat<UIMessage> = new Chat({
    id: 'chat',
    transport,
    onError: () => {},
    onToolCall({ toolCall }) {
      if (toolCall.toolName !== 'create_ticket') return
      runs.push(toolCall.input)
      void chat.addToolOutput({ tool: 'create_ticket', toolCallId: toolCall.toolCallId, output: 'made' })
    },
    ...init,
  })
  return { store, chat, runs, transport }
}

/** What the user reads of the calls of all turns, oldest first. */
export function labelsIn(store: ToolCallStore): readonly string[] {
  store.flush()
  return store.turnIds().flatMap((turnId) =>
    (store.turn(turnId)?.getState().items ?? []).flatMap((item) => {
      const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
      return call === undefined ? [] : labelOf(call)
    }),
  )
}

/** The note after the latest turn. */
export function noticeIn(store: ToolCallStore): string {
  store.flush()
  const notice = store.turnOf('chat')?.getState().notice
  return notice ? noticeSentences(notice).join(' ') : ''
}

export const begun: readonly UIMessageChunk[] = [{ type: 'start' }, { type: 'start-step' }]

export function words(delta: string): readonly UIMessageChunk[] {
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta },
    { type: 'text-end', id: 't' },
  ]
}

/** The beginning of a call, with its input as far as it comes. */
export function opened(
  toolCallId: string,
  toolName: string,
  inputTextDelta = '{"title":"x',
): readonly UIMessageChunk[] {
  return [
    { type: 'tool-input-start', toolCallId, toolName },
    { type: 'tool-input-delta', toolCallId, inputTextDelta },
  ]
}

/** A call whose input came whole. */
export function called(
  toolCallId: string,
  toolName: string,
  input: unknown = { title: 'x' },
): readonly UIMessageChunk[] {
  return [
    ...opened(toolCallId, toolName, JSON.stringify(input)),
    { type: 'tool-input-available', toolCallId, toolName, input },
  ]
}

export function finished(
  finishReason: 'stop' | 'tool-calls' | 'length' | 'content-filter' = 'tool-calls',
): readonly UIMessageChunk[] {
  return [{ type: 'finish-step' }, { type: 'finish', finishReason }]
}
