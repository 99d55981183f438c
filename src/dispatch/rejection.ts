import { isRecord } from '../core/json.ts'

/** A service's explicit refusal of a request: kept as it was said, and not retried. */
export interface Rejection {
  /** The HTTP status. */
  readonly status: number
  /** The service's own word for it, such as `overloaded_error`. */
  readonly type?: string | undefined
  /** What the service calls the request: to be quoted to its support. */
  readonly requestId?: string | undefined
}

/** What an answer that is no stream says; null for one that may be read. */
export function rejectionOfResponse(response: Response): Rejection | null {
  if (response.ok) return null
  const requestId = response.headers.get('request-id') ?? response.headers.get('x-request-id') ?? undefined
  return { status: response.status, requestId }
}

/** What an SDK's error says of a request that was refused; null where it was not refused but lost. */
export function rejectionOfError(thrown: unknown): Rejection | null {
  if (!isRecord(thrown)) return null
  const status = [thrown['status'], thrown['statusCode'], thrown['status_code']].find(Number.isInteger)
  if (typeof status !== 'number') return null
  const body = isRecord(thrown['error']) ? thrown['error'] : {}
  // Anthropic's body has its error one level further down.
  const inner = isRecord(body['error']) ? body['error'] : {}
  const type = [inner['type'], thrown['code'], body['type'], thrown['type']].find(isText)
  const requestId = [thrown['requestID'], thrown['request_id'], thrown['requestId'], body['request_id']].find(isText)
  return { status, type, requestId }
}

function isText(word: unknown): word is string {
  return typeof word === 'string' && word !== ''
}
