import type { Speaker, StreamEvent } from '../core/events.ts'

/** Takes what an adapter makes of its wire. */
export type Emit = (event: StreamEvent) => void

/** Reads the wire of one turn. What it knows carries over from one stream of the turn to the next. */
export interface WireReader {
  /**
   * A stream of this turn begins.
   * @param resumes it goes on with the one before, which was lost, or tells that again from its start
   */
  open(resumes?: boolean): void
  /**
   * Reads one event of the wire: the parsed JSON of a frame, the text of a frame that is not JSON
   * (`[DONE]`), or what the provider's own SDK yields. Never throws.
   * @returns whether this was an event of the format; what was not is skipped and counted.
   */
  read(event: unknown, emit: Emit): boolean
}

/** Where a framer puts what it found in the bytes. */
export interface FrameSink {
  /** One whole frame: its parsed JSON, or its text where it is not JSON; `name` as the wire gave it. */
  frame(data: unknown, name?: string): void
}

/** Cuts bytes or text into frames; keeps what a cut left over. */
export interface Framer {
  feed(piece: Uint8Array | string): void
}

/** One wire format, and nothing else. */
export interface Adapter {
  /** The format's name, as `honest-tool-calls replay --format` takes it. */
  readonly format: string
  /** Whose word the wire's own endings are: `model` on raw provider wires. */
  readonly speaker: Speaker
  reader(): WireReader
  framer(sink: FrameSink): Framer
}
