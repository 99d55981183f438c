import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { rejectionOfError, rejectionOfResponse } from '../../src/dispatch/rejection.ts'

test("an error of Anthropic's SDK keeps status, type and request id", () => {
  const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' }
  const error = Anthropic.APIError.generate(529, body, undefined, new Headers({ 'request-id': 'req_1' }))
  expect(rejectionOfError(error)).toEqual({ status: 529, type: 'overloaded_error', requestId: 'req_1' })
})

test("an error of OpenAI's SDK keeps status, code and request id", () => {
  const body = { error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Pay.' } }
  const error = OpenAI.APIError.generate(429, body, undefined, new Headers({ 'x-request-id': 'req_2' }))
  expect(rejectionOfError(error)).toEqual({ status: 429, type: 'insufficient_quota', requestId: 'req_2' })
})

test.for([new TypeError('fetch failed'), new DOMException('x', 'AbortError'), 'no', null, undefined])(
  'what was lost was not refused: %s',
  (error) => {
    expect(rejectionOfError(error)).toBeNull()
  },
)

test('a response that is no success is a refusal, with the request id of its headers', () => {
  expect(rejectionOfResponse(new Response('', { status: 200 }))).toBeNull()
  const refused = new Response('', { status: 401, headers: { 'x-request-id': 'req_3' } })
  expect(rejectionOfResponse(refused)).toEqual({ status: 401, requestId: 'req_3' })
})
