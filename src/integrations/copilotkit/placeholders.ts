import { object, text } from '../../adapters/wire-values.ts'

/** What some servers put where the result of a client's tool will be; the host runs the tool all the same. */
const PLACEHOLDER = 'Forwarded to client'

/** Whether the content of a message or event only holds the place of a result, which nobody has yet. */
export function isPlaceholder(message: unknown): boolean {
  return text(object(message).content)?.trim() === PLACEHOLDER
}

/** The event without what only holds a place. */
export function withoutPlaceholders(event: unknown): unknown {
  const { type, messages } = object(event)
  if (type === 'TOOL_CALL_RESULT' && isPlaceholder(event)) return { type: 'CUSTOM' }
  if (type !== 'MESSAGES_SNAPSHOT' || !Array.isArray(messages)) return event
  return { ...object(event), messages: messages.filter((message) => !isPlaceholder(message)) }
}
