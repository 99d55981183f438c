import type { IncomingMessage, ServerResponse } from 'node:http'

/** A call of a reply, with the id that it has on the wire. */
export interface Call {
  readonly id: string
  readonly tool: string
  /** What a server makes of its text; of a damaged one by repairing it. */
  readonly value: unknown
  readonly text: string
}

/** What a request asks for. */
export interface Asked {
  /** The chat's id, which its page gave it: `first` or `second`. */
  readonly chat: string
  /**
   * `message`: a reply to a new message. `again`: another reply to the last one. `go-on`: what follows a result of the
   * page or an answer of a person. `resume`: the last reply once more, from its beginning.
   */
  readonly kind: 'message' | 'again' | 'go-on' | 'resume'
  /** With `message`, where the request has the whole conversation: how many messages of the person are in it. */
  readonly messages?: number
  /** Where the server is to keep the conversation: what is new in it, or all of it. */
  readonly input?: readonly object[]
  /** The id that the page gave the reply, where it does. */
  readonly run?: string
  /** With `go-on`, where a person was asked: the answer. */
  readonly granted?: boolean
}

/** Where a reply belongs. */
export interface Place {
  readonly chat: string
  /** Counts the replies of a chat, from 1. */
  readonly reply: number
  readonly kind: Asked['kind']
  readonly asked: Asked
  /** Where the wire may keep what later replies of the chat need. */
  readonly kept: Record<string, unknown>
  /** Whether the server runs the tools. */
  readonly onServer: boolean
}

/** How a wire says each step; a step that it has no word for is left out, or gives nothing. */
export interface Reply<Frames = string> {
  begin?(): Frames
  say(text: string): Frames
  announce(call: Call): Frames
  write(call: Call, text: string): Frames
  finish?(call: Call): Frames
  /** In place of `finish`, where the server would run the call and does not, because of its arguments. */
  refuse?(call: Call): Frames
  ask?(call: Call): Frames
  /** A person said no. */
  decline?(call: Call): Frames
  starts?(call: Call): Frames
  returns(call: Call, value: unknown): Frames
  end(reason: 'stop' | 'tool-calls' | 'length' | 'content-filter'): Frames
  over(): Frames
  error(): Frames
}

/** The wire of a host: reads its requests and writes its replies. */
export interface Wire {
  readonly serve?: undefined
  readonly headers?: Readonly<Record<string, string>>
  /** `path` is what the host put behind the address it was given. */
  read(request: { readonly method: string; readonly path: string; readonly body: Record<string, unknown> }): Asked
  reply(place: Place): Reply
  /** What comes of a `resume`, out of what the last reply has sent and its wire has kept. Default: all that was sent. */
  replay?(sent: readonly Frames[], kept: Record<string, unknown>): Frames
}

/** What an event is about, and what it says. */
export type AgentEvent = readonly [method: string, data: object]

/** The wire of a host whose commands and events have ways of their own. */
export interface AgentWire {
  /** Answers a request for what the host put behind the address it was given. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    given: {
      readonly session: object
      readonly settings: URLSearchParams
      readonly path: string
      readonly body: Record<string, unknown>
      readonly pace: number
    },
  ): unknown
  reply(place: Place): Reply<readonly AgentEvent[]>
}
