import { object } from '../adapters/wire-values.ts'
import type { Ending } from '../core/events.ts'
import type { ToolCallStream } from '../store/stream.ts'

const JSON_BODY = /^application\/json\b/i
const LONGEST_ERROR = 65_536

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
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, out) {
          stream.touch()
          if (json !== undefined && json.length < LONGEST_ERROR) json += decoder.decode(piece, { stream: true })
          out.enqueue(piece)
        },
      })
      return new Response(response.body.pipeThrough(heard), response)
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
