import type { Adapter, Framer, FrameSink, WireReader } from '../../src/core.ts'

/** A wire of JSON lines: `{"say": "…"}`, `{"call": "id", "tool": "…", "args": "…"}` in pieces, `{"stop": "end" | "length"}`. */
export const tinyWire: Adapter = { format: 'tiny-wire', speaker: 'model', framer, reader }

function framer(sink: FrameSink): Framer {
  const decoder = new TextDecoder() // One for the stream: a cut may fall inside a character.
  let rest = ''
  return {
    feed(piece) {
      rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) sink.frame(parsed(line))
    },
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function reader(): WireReader {
  const open = new Map<string, string>() // The key of each call of this message, by its id.
  let minted = 0 // Goes on through the turn.
  let begun = false
  const begin = (): void => {
    open.clear()
    begun = false
  }
  return {
    open: begin,
    read(event, emit) {
      if (typeof event !== 'object' || event === null) return false
      const { say, call, tool, args, stop } = event as Readonly<Record<string, unknown>>
      if (![say, call, stop].some((member) => typeof member === 'string')) return false
      if (!begun) emit({ type: 'message-started' })
      begun = true
      if (typeof say === 'string') emit({ type: 'text-fragment', text: say })
      if (typeof call === 'string') {
        const key = open.get(call) ?? `call-${++minted}`
        if (!open.has(call)) {
          const name = typeof tool === 'string' ? { name: tool } : {}
          emit({ type: 'call-announced', key, callId: call, ...name })
        }
        open.set(call, key)
        if (typeof args === 'string') emit({ type: 'call-fragment', key, text: args })
      }
      if (typeof stop === 'string') {
        const reason = stop === 'end' ? 'natural' : stop === 'length' ? 'length' : 'unknown'
        emit({ type: 'message-ended', reason, rawReason: stop, finishesOpenCalls: true })
        begin()
      }
      return true
    },
  }
}
