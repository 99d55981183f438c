import { object, text, type WireObject } from './wire-values.ts'

/** One event, whichever of the two protocols it came by. */
interface LangGraphEvent {
  readonly channel: string | undefined
  /** Of the subgraph; `''`: the graph itself. */
  readonly namespace: string
  readonly data: unknown
  readonly node?: unknown
  /** By which an event is known that comes by two streams, or again. */
  readonly id?: unknown
}

/**
 * Reads what the SDK yields, `{ event, data }`, which is also what the framer makes of a frame, and the events of the
 * newer protocol, alone or in such a frame.
 */
export function unwrap(event: unknown): LangGraphEvent {
  const frame = object(event)
  const whole = frame.type === 'event' ? frame : object(frame.data)
  if (whole.type !== 'event') {
    const [channel, ...path] = text(frame.event)?.split('|') ?? []
    return { channel, namespace: path.join('|'), data: frame.data }
  }
  const { namespace, node, data } = object(whole.params)
  const path = Array.isArray(namespace) ? namespace.map(text) : []
  return { channel: text(whole.method), namespace: path.join('|'), data, node, id: whole.event_id }
}

/** `ai` of `AIMessageChunk` and the like. */
export function kindOf({ type }: WireObject): string | undefined {
  return /^(ai|human|tool)/i.exec(text(type) ?? '')?.[0].toLowerCase()
}

/** The words of a message's content, whose parts may be many things. */
export function wordsOf(content: unknown): string {
  const parts = objects(content).map((part) => (part.type === 'text' && text(part.text)) || '')
  return text(content) ?? parts.join('')
}

/**
 * The calls of a whole message: by the raw text of their arguments if it has that. `tool_calls` are what a library made
 * of it.
 */
export function entriesOf(message: WireObject): readonly WireObject[] {
  const raw = objects(object(message.additional_kwargs).tool_calls).map((entry): WireObject => {
    const { name, arguments: args } = object(entry.function)
    return { ...entry, name, args }
  })
  const parsed = [...objects(message.tool_calls), ...objects(message.invalid_tool_calls)]
  return [objects(message.tool_call_chunks), raw].find(({ length }) => length > 0) ?? parsed
}

/** The stop reason in a message's metadata, by whichever name its provider's integration gave it. */
export function rawReasonOf(...metadata: readonly unknown[]): string | undefined {
  for (const of of metadata.map(object)) {
    const { finish_reason, finishReason, stop_reason, done_reason, status } = of
    const { stopReason } = { ...of, ...object(of.messageStop) }
    // Of OpenAI's Responses the status, and why it was not completed.
    const response = object(of.incomplete_details).reason ?? (status === 'in_progress' ? null : status)
    const stated = [finish_reason, finishReason, stop_reason, stopReason, done_reason, response].map(text).find(Boolean)
    if (stated) return stated
  }
  return undefined
}

/** The objects of a list; whatever is no list counts as an empty one. */
export function objects(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.map(object) : []
}
