import { anthropic } from '../../src/adapters/anthropic.ts'
import { anthropicMessages } from '../../src/dispatch/dialects/anthropic-messages.ts'
import type { Round } from '../../src/dispatch/run-turn.ts'

type Message = ReturnType<typeof anthropicMessages.note>[number]

/** One reply: text, calls by id, and how it ends. */
export interface Script {
  readonly text?: string
  readonly calls?: Readonly<Record<string, readonly [name: string, text: string]>>
  readonly stop?: string
  /** Ends without its stop reason, as a lost reply does. */
  readonly breaksOff?: true
}

/** A provider without a network: it plays one reply after the other and notes what it was asked. */
export function scripted(...replies: readonly Script[]) {
  const rounds: Round<Message>[] = []
  return {
    rounds,
    adapter: anthropic,
    dialect: anthropicMessages,
    async request(round: Round<Message>): Promise<AsyncIterable<unknown>> {
      rounds.push(round)
      const reply = replies[round.number - 1]
      if (reply === undefined) throw new Error('The provider was asked once too often.')
      return play(reply)
    },
  }
}

async function* play({ text, calls = {}, stop, breaksOff }: Script): AsyncGenerator<object> {
  yield { type: 'message_start', message: { id: 'msg', content: [] } }
  let index = 0
  if (text !== undefined) {
    yield { type: 'content_block_start', index, content_block: { type: 'text', text: '' } }
    yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }
    yield { type: 'content_block_stop', index: index++ }
  }
  for (const [id, [name, json]] of Object.entries(calls)) {
    yield { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }
    yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } }
    yield { type: 'content_block_stop', index: index++ }
  }
  if (breaksOff) return
  const reason = stop ?? (Object.keys(calls).length > 0 ? 'tool_use' : 'end_turn')
  yield { type: 'message_delta', delta: { stop_reason: reason } }
  yield { type: 'message_stop' }
}
