import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { TurnResult } from 'honest-tool-calls/dispatch/index.ts'
import type { Log } from '../../chat/page/log.ts'

/** Writes what a request tells the model beyond what the one before did. */
export function logRequest(log: Log, number: number, messages: readonly MessageParam[]): void {
  log.add('wire', `request ${number}`)
  for (const block of lastBlocks(messages)) {
    if (block.type !== 'tool_result') continue
    log.add('wire', `${block.is_error ? 'an error result' : 'a result'} for the model: ${String(block.content)}`)
  }
}

function lastBlocks(messages: readonly MessageParam[]) {
  const content = messages.at(-1)?.content
  return Array.isArray(content) ? content : []
}

/** Writes what a turn came to. */
export function logResult(log: Log, result: TurnResult<MessageParam>): void {
  const { status, failure, requests, corrections, rejection } = result
  const facts = [
    failure === undefined ? status : `${status} (${failure.cause}), safe to do: ${failure.recovery}`,
    `requests: ${requests}`,
    ...corrections.map(({ asked, recovered }, attempt) => `correction ${attempt + 1}: ${recovered} of ${asked}`),
    ...(rejection === undefined ? [] : [`refused with ${rejection.status}`]),
  ]
  log.add('kit', `turn over: ${facts.join('; ')}`)
}
