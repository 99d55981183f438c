import type { StoreOptions, ToolCallStore, ToolCallStream } from '../../src/index.ts'
import { announce, openSample } from './sample-stream.ts'

/** A whole batch of one call of `send_payment`, which asks a person first: the arguments are what the model wrote. */
export function openAsking(
  args = '{"to":"Ann","amount":12}',
  options: StoreOptions = {},
): { readonly store: ToolCallStore; readonly stream: ToolCallStream } {
  const sample = openSample({ tools: { send_payment: { executor: 'local', needsApproval: true } }, ...options })
  ask(sample.stream, args)
  sample.store.flush()
  return sample
}

/** The model asks for a payment, and its message ends. */
export function ask(stream: ToolCallStream, args = '{"to":"Ann","amount":12}'): void {
  announce(stream, 'a', 'send_payment')
  stream.push({ type: 'call-fragment', key: 'a', text: args })
  stream.push({ type: 'call-finished', key: 'a' })
  stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
}
