import { object } from '../adapters/wire-values.ts'
import type { Ending } from '../core/events.ts'
import type { ToolCallStream } from '../store/stream.ts'

const JSON_BODY = /^application\/json\b/i
const LONGEST_ERROR = 65_536

/** The same response, with each piece of its body heard on its way. */
export function heard(response: Response, hear: (piece: Uint8Array<ArrayBuffer>) => void): Response {
  if (response.body === null) return response
  const tap = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      hear(piece)
      controller.enqueue(piece)
    },
  })
  return new Response(response.body.pipeThrough(tap), response)
}

/** Hears the response under a stream of events: its bytes, and what only it tells. */
export interface ResponseEar {
  /** The same response, whose bytes are heard. */
  hear(response: Response): Response
  /** How a stream ended that was none: by another status than 2xx, or a JSON body that says so. */
  refusal(): Ending | undefined
}

export function createResponseEar(stream: ToolCallStream): ResponseEar {
  let refused: string | undefined
  let json: string | undefined

  return {
    hear(response) {
      if (!response.ok) refused = `http-${response.status}`
      if (!response.body) return response
      stream.liveness = 'bytes'
      if (JSON_BODY.test(response.headers.get('content-type') ?? '')) json = ''
      const decoder = new TextDecoder()
      return heard(response, (piece) => {
        stream.touch()
        if (json !== undefined && json.length < LONGEST_ERROR) json += decoder.decode(piece, { stream: true })
      })
    },
    refusal() {
      const detail = refused ?? (json !== undefined && isError(json) ? 'json-error' : undefined)
      return detail === undefined ? undefined : { type: 'lost', how: 'provider-error', speaker: 'relay', detail }
    },
  }
}

function isError(body: string): boolean {
  try {
    return object(JSON.parse(body)).error != null
  } catch {
    return false
  }
}
