import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import { aiUiMessageStream } from '../../adapters/ai-ui-message-stream.ts'
import type { Ending } from '../../core/events.ts'
import { isRecord } from '../../core/json.ts'
import { feedOf } from '../../feed.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'
import { messagesStand, replyBegan, turnOfReply } from '../replies.ts'
import { heard } from '../response.ts'
import { reportMessages } from './evidence.ts'
import { gated } from './gated.ts'
import { createHold, noHold } from './hold.ts'
import { relay, stopOf } from './relay.ts'
import { newsOf, noneToldBefore } from './told-before.ts'

export interface WithToolCallsOptions {
  /**
   * Keeps the calls of tools that are declared `host` or `local` from the host until their message has ended well and
   * our gate has passed them all; damaged ones never reach `onToolCall`. Default `false`.
   */
  readonly gate?: boolean
  /**
   * Your server goes on with a reply whose link was lost, and the chat asks for the rest (`resume: true`, or
   * `resumeStream()`): until that has come, calls read "reconnecting…", for as long as the deadline `resume` says.
   * Default `false`: a lost link is told at once, and a resume corrects it.
   */
  readonly resumable?: boolean
}

type Fetch = typeof globalThis.fetch
type Send<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0]
type Reconnect<Message extends UIMessage> = Parameters<ChatTransport<Message>['reconnectToStream']>[0]

/** What is known of a request by the signal that it is made with: the one its transport was given. */
interface ChatRequest {
  readonly controller: AbortController
  stream: ToolCallStream | null
  /** Whether it was made by our `fetch`: a transport may have been given it and use another. */
  heard: boolean
}

/**
 * A transport that tells the store what its chats receive. Give a function that makes it with our `fetch`, so that pings
 * and comments count as signs of life; a ready transport shows only its chunks.
 * @example withToolCalls(store, (fetch) => new DefaultChatTransport({ api: '/api/chat', fetch }), { gate: true })
 */
export function withToolCalls<Message extends UIMessage>(
  store: ToolCallStore,
  transport: ChatTransport<Message> | ((fetch: Fetch) => ChatTransport<Message>),
  { gate = false, resumable = false }: WithToolCallsOptions = {},
): ChatTransport<Message> {
  const requests = new WeakMap<AbortSignal, ChatRequest>()
  const inner = typeof transport === 'function' ? transport(listening(requests)) : transport
  const adapter = gate ? gated.of(store) : aiUiMessageStream
  const latest = new Map<string, ToolCallStream>()

  function begin(): ChatRequest {
    const request: ChatRequest = { controller: new AbortController(), stream: null, heard: false }
    requests.set(request.controller.signal, request)
    return request
  }

  function open(
    { chatId, abortSignal }: { readonly chatId: string; readonly abortSignal?: AbortSignal | undefined },
    turnId: string | undefined,
    request: ChatRequest,
    resumes: boolean,
  ) {
    const { speaker } = adapter
    const liveness = request.heard ? 'bytes' : 'events'
    const stream = store.openStream({ scope: chatId, turnId, liveness, speaker, resumable, resumes })
    request.stream = stream
    latest.set(chatId, stream)
    const cancel = (): void => store.cancel(stream.turnId, 'user')
    abortSignal?.addEventListener('abort', cancel)
    stream.signal.addEventListener('abort', () => {
      abortSignal?.removeEventListener('abort', cancel)
      if (stopOf(stream.ending) !== null) request.controller.abort()
    })
    if (abortSignal?.aborted) cancel()
    const read = feedOf(adapter, stream, 'kept')
    const news = resumes ? newsOf(store, chatId, stream, inner.resumeStreamIsReplay !== false) : noneToldBefore(stream)
    const feed = (chunk: UIMessageChunk): void => {
      const one = news(chunk)
      if (one !== null) read(one)
    }
    const hold = (listening: () => boolean) => (gate ? createHold(store, stream.turnId, listening) : noHold)
    return { stream, pass: (source: ReadableStream<UIMessageChunk>) => relay(source, store, stream, feed, hold) }
  }

  async function sendMessages(options: Send<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages } = options
    const continued = continuedBy(options)
    const turnId = continued && turnOfContinued(store, chatId, continued)
    const before = messages.slice(0, continued === undefined ? undefined : messages.indexOf(continued))
    messagesStand(
      store,
      chatId,
      before.map(({ id }) => id),
      turnId,
    )
    reportMessages(store, chatId, messages)
    const request = begin()
    const { stream, pass } = open(options, turnId, request, false)
    replyBegan(store, chatId, stream.turnId)
    // A transport that throws at once has failed like any other.
    const opening = (async () => inner.sendMessages({ ...options, abortSignal: request.controller.signal }))()
    try {
      return pass(await Promise.race([opening, stopped(stream)]))
    } catch (error) {
      // Too late for anybody to read.
      void opening.then(
        (source) => source.cancel(),
        () => {},
      )
      stream.end(refusalOf(error))
      throw stopOf(stream.ending) ?? error
    }
  }

  async function reconnectToStream(options: Reconnect<Message>): Promise<ReadableStream<UIMessageChunk> | null> {
    const { abortSignal } = options
    const request = begin()
    const abort = (): void => request.controller.abort()
    abortSignal?.addEventListener('abort', abort)
    if (abortSignal?.aborted) abort()
    const source = await inner.reconnectToStream({ ...options, abortSignal: request.controller.signal })
    abortSignal?.removeEventListener('abort', abort)
    // A host that has changed its mind lets go of it by itself; there is a turn only where there is a stream.
    if (abortSignal?.aborted) return source
    if (source === null) {
      latest.get(options.chatId)?.giveUp()
      return null
    }
    const last = store.turnOf(options.chatId)?.getState()
    const turnId = last?.ending?.type === 'complete' ? undefined : last?.id
    const { stream, pass } = open(options, turnId, request, true)
    replyBegan(store, options.chatId, stream.turnId)
    return pass(source)
  }

  const { resumeStreamIsReplay } = inner
  return {
    sendMessages,
    reconnectToStream,
    ...(resumeStreamIsReplay === undefined ? {} : { resumeStreamIsReplay }),
    close: () => inner.close?.(),
  }
}

/** The message that a request goes on with: after a client's result, or an approval. */
function continuedBy<Message extends UIMessage>({ trigger, messageId, messages }: Send<Message>): Message | undefined {
  if (trigger !== 'submit-message') return undefined
  const message = messageId === undefined ? messages.at(-1) : messages.find(({ id }) => id === messageId)
  return message?.role === 'assistant' ? message : undefined
}

/** The turn that a message was made in, if the store has it: that of its last call, where it has one. */
function turnOfContinued(store: ToolCallStore, scope: string, { id, parts }: UIMessage): string | undefined {
  const last = parts.findLast((part) => 'toolCallId' in part)
  const named = store.turnOf(scope, id)?.getState().id
  return named ?? (last && turnOfReply(store, scope, id, last.toolCallId))
}

function listening(requests: WeakMap<AbortSignal, ChatRequest>): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const request = init?.signal ? requests.get(init.signal) : undefined
    if (request === undefined || response.body === null) return response
    request.heard = true
    if (request.stream !== null) request.stream.liveness = 'bytes'
    return heard(response, () => request.stream?.touch())
  }
}

/** Rejects when the kit ends a stream that nobody has begun to answer. */
function stopped(stream: ToolCallStream): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(stopOf(stream.ending))
    if (stream.signal.aborted) stop()
    stream.signal.addEventListener('abort', stop)
  })
}

/** The service refused, or was never reached. Whoever says so need not be the one who runs the tools. */
function refusalOf(error: unknown): Ending {
  const status = isRecord(error) ? error['statusCode'] : undefined
  return typeof status === 'number' && status >= 300
    ? { type: 'lost', how: 'provider-error', speaker: 'relay', detail: `http-${status}` }
    : { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
}
