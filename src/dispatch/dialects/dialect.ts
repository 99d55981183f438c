import type { Json } from '../../core/json.ts'
import type { Answer } from '../answer.ts'

/** One call as the model made it. */
export interface MadeCall {
  readonly callId: string
  readonly hasWireId: boolean
  readonly name: string
  /** The argument text as it came. */
  readonly raw: string
  /** The same as a value; `{}` for a call without arguments, and for what is no object: no provider takes that back. */
  readonly args: Json
}

/** What the model said in one message. */
export interface Reply {
  readonly text: string
  readonly calls: readonly MadeCall[]
  /** The provider's own form of the model's message, if the host kept it: with what only the provider understands. */
  readonly own: unknown
}

/** How one provider wants a conversation to go on. */
export interface Dialect<Message> {
  /** The model's message. */
  reply(reply: Reply): readonly Message[]
  /** What is answered to its calls: to all of them, in their order. */
  answers(answers: readonly Answer[]): readonly Message[]
  /** A brief word to the model, for a generation that is asked for again. */
  note(text: string): readonly Message[]
}
