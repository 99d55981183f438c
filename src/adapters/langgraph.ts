import type {
  EndStreamEvent,
  ErrorStreamEvent,
  FeedbackStreamEvent,
  LifecycleStreamEvent,
  MessagesStreamEvent,
  MetadataStreamEvent,
  StreamMode,
  TransportAdapter,
} from '@langchain/langgraph-sdk'
import type { Ending, StreamEvent } from '../core/events.ts'
import { REPORT_EVENT } from '../core/report.ts'
import type { Adapter, Emit, Framer, FrameSink, WireReader } from './adapter.ts'
import { type Call, transcript } from './langgraph-messages.ts'
import { kindOf, objects, unwrap } from './langgraph-wire.ts'
import { sse } from './sse.ts'
import { object, present, text, type WireObject } from './wire-values.ts'

/**
 * LangGraph: the run streams of its server and of `toEventStream`, in the modes that tell of messages, and the newer
 * protocol of content blocks.
 *
 * Of a message that streams only the raw argument text of its chunks is read. The `tool_calls` beside it, and those of
 * the state afterwards, were filled by completing partial JSON (langchain-ai/langchainjs#11469); they are believed only
 * where there was no text. A run that ended is the executor's word. A body that ended, an error or a cancellation is
 * not: tools may go on (langchain-ai/langgraphjs#2755).
 */
export const langgraph: Adapter = { format: 'langgraph', speaker: 'relay', framer, reader }

/** As the SDK yields them: without its name an event of this wire is nothing. */
function framer(sink: FrameSink): Framer {
  return sse({ frame: (data, event) => sink.frame(event === REPORT_EVENT ? data : { event, data }, event) })
}

type Item<Source> = Source extends AsyncIterable<infer Each> ? Each : never
type ProtocolEvent = Extract<Item<ReturnType<TransportAdapter['events']>>, { type: 'event' }>
type RunEvent =
  | EndStreamEvent
  | ErrorStreamEvent
  | FeedbackStreamEvent
  | LifecycleStreamEvent
  | MessagesStreamEvent
  | MetadataStreamEvent
type Head<Name extends string> = Name extends `${infer First}|${string}` ? First : Name

/** What an event is about: its name in a run stream, its method in the newer protocol. */
type Channel = ProtocolEvent['method'] | Head<RunEvent['event']> | Exclude<StreamMode, 'messages-tuple'>
type RunStatus = NonNullable<EndStreamEvent['data']>['status'] | 'completed' | 'failed'

/** What says nothing of a call, and is no text either. A channel that is new in the SDK must be added, or read. */
type SkippedChannel = 'messages/metadata' | 'checkpoints' | 'custom' | 'debug' | 'events' | 'feedback' | 'tasks'

const SKIPPED = /^(messages\/metadata|checkpoints|custom|debug|events|feedback|tasks)$/

/** A tool that asks the person, or hands over, leaves by an error that is none (langchain-ai/langgraph#8218). */
const NO_ERROR = /^(\(?Interrupt\(|Graph(Interrupt|BubbleUp)|ParentCommand)/

function reader(): WireReader {
  let emit: Emit
  let over = false
  let paused = false // in this stream a person was asked
  let runId: unknown
  const { open, calls, tell, end, giveBack, readChunk, readMessages, readBlock } = transcript(say)
  const interrupts = new Map<unknown, readonly Call[]>()
  const heard = new Set<unknown>()

  function say(type: StreamEvent['type'], members: object): void {
    emit({ type, ...present(members) } as StreamEvent)
  }

  function readTool(data: WireObject): void {
    const phase = text(data.event) ?? ''
    const callId = text(data.tool_call_id) ?? text(data.toolCallId)
    const { error = data.message, output } = data
    if (phase.endsWith('error')) {
      const words = [error, ...Object.values(object(error))].map(text)
      if (!words.some((word) => word && NO_ERROR.test(word))) giveBack(callId, error, false)
    } else if (/end$|finished$/.test(phase)) {
      const { status, content = output } = object(output)
      giveBack(callId, content, status !== 'error')
    } else tell(calls.get(callId), /start/.test(phase) ? 'call-dispatched' : 'call-progress')
  }

  function readInterrupts(list: unknown): void {
    for (const { id, interrupt_id, value, payload = value } of objects(list)) {
      const approvalId = text(id) ?? text(interrupt_id)
      if (interrupts.has(approvalId)) continue
      const found: Call[] = []
      interrupts.set(approvalId, found)
      paused = true
      const { action_requests: snake, actionRequests: requests = snake } = object(payload)
      for (const { name, tool_call_id: callId } of objects(requests ?? [payload])) {
        // What is asked about has a name, but no id: the calls of the last message, in their order.
        const named = [...calls.values()].filter((call) => call.name === name && !call.returned && !call.asked)
        const call = calls.get(callId) ?? named.find(({ message }) => message === named.at(-1)?.message)
        if (!call) continue
        call.asked = true
        found.push(call)
        tell(call, 'approval-requested', { approvalId })
      }
    }
  }

  function endStream(ending: Ending): void {
    say('stream-ended', { ending })
    over = true
  }

  function fail(code: unknown): void {
    const detail = text(code)?.slice(0, 64)
    endStream({ type: 'lost', how: 'provider-error', speaker: 'relay', ...present({ detail }) })
  }

  function endRun(status: RunStatus): void {
    switch (status) {
      case 'error':
      case 'failed':
      case 'timeout':
        return fail(status)
      case 'interrupted':
        // A graph that waits for a person has let its messages end. Else somebody stopped it.
        if (open.size === 0 || paused) return endStream({ type: 'complete', speaker: 'executor' })
        return endStream({ type: 'cancelled', by: 'host', acknowledged: false })
      case 'rollback':
        return endStream({ type: 'cancelled', by: 'host', acknowledged: false })
      case 'success':
      case 'completed':
        for (const message of open) end(message, undefined, true)
        return endStream({ type: 'complete', speaker: 'executor' })
      default:
        status satisfies never
        return endStream({ type: 'complete', speaker: 'relay' })
    }
  }

  /** @returns whether the event is of the format. */
  function readEvent(event: unknown): boolean {
    const { channel, namespace, data, node, id } = unwrap(event)
    const name = channel as Channel
    const wire = object(data)
    if (id !== undefined && heard.has(id)) return true
    heard.add(id)
    switch (name) {
      case 'messages': {
        const [message = {}, metadata = {}] = objects(data)
        const isChunk = kindOf(message) === 'ai' && Array.isArray(message.tool_call_chunks)
        if (isChunk) readChunk(message, `${namespace} ${text(metadata.langgraph_node)}`)
        else if (text(wire.event)) readBlock(wire, `${namespace} ${text(node)}`)
        else readMessages(message, true)
        break
      }
      case 'messages/partial':
      case 'messages/complete':
        readMessages(data, name === 'messages/complete')
        break
      case 'values':
      case 'updates':
        for (const state of name === 'values' ? [data] : Object.values(wire).flat())
          readMessages(object(state).messages, true)
        readInterrupts(wire.__interrupt__)
        break
      case 'tools':
        readTool(wire)
        break
      case 'input.requested':
        readInterrupts([data])
        break
      case 'input.answered':
        for (const approvalId of [wire.interrupt_ids].flat()) {
          const answer = { approvalId, granted: true, by: 'person' }
          for (const call of interrupts.get(approvalId) ?? []) tell(call, 'approval-answered', answer)
        }
        break
      case 'lifecycle': {
        const inner = namespace || (Array.isArray(wire.namespace) && wire.namespace.length > 0)
        const callId = wire.tool_call_id ?? object(wire.cause).tool_call_id
        if (wire.event === 'started') tell(calls.get(callId), 'call-dispatched')
        else if (!inner && wire.event !== 'running') endRun(wire.event as RunStatus)
        break
      }
      case 'metadata':
        // What another run left open does not end with this one.
        if (wire.run_id !== runId) open.clear()
        runId = wire.run_id
        break
      case 'error':
        // That of a subgraph may be handled by the graph around it.
        if (!namespace) fail(wire.error)
        break
      case 'end':
        endRun((wire.status ?? 'success') as RunStatus)
        break
      default:
        name satisfies SkippedChannel
        return SKIPPED.test(name)
    }
    return true
  }

  return {
    open() {
      over = paused = false
    },
    read(event, to) {
      emit = to
      return over || readEvent(event)
    },
  }
}
