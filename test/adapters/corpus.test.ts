import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import { eventsOfBytes } from './events-of.ts'

interface Expectation {
  readonly expect: readonly { readonly id: string; readonly name: string; readonly rawSha256?: string }[]
}

const corpus = new URL('../corpus/', import.meta.url)

function* cut(payload: Uint8Array, at: readonly number[]): Generator<Uint8Array> {
  let from = 0
  for (const to of [...at, payload.length]) {
    yield payload.subarray(from, to)
    from = to
  }
}

describe.each<Adapter>([anthropic, openaiChat, openaiResponses])('$format', (adapter) => {
  const folder = new URL(`${adapter.format}/`, corpus)
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.sse'))
    .map((file) => file.replace('.sse', ''))

  describe.each(names)('%s', (name) => {
    const payload = readFileSync(new URL(`${name}.sse`, folder))
    const expectation: Expectation = JSON.parse(readFileSync(new URL(`${name}.expect.json`, folder), 'utf8'))
    const whole = eventsOfBytes(adapter, [payload])

    test('announces the calls it should, in their order', () => {
      const announced = whole.flatMap((event) =>
        event.type === 'call-announced' ? [{ id: event.callId, name: event.name }] : [],
      )
      expect(announced).toEqual(expectation.expect.map(({ id, name }) => ({ id, name })))
    })

    test('gives the same events byte by byte', () => {
      const bytes = Array.from(payload.keys()).slice(1)
      expect(eventsOfBytes(adapter, cut(payload, bytes))).toEqual(whole)
    })

    test('gives the same events cut anywhere', () => {
      const cuts = fc.uniqueArray(fc.nat({ max: payload.length }), { maxLength: 12 })
      fc.assert(
        fc.property(cuts, (at) => {
          expect(
            eventsOfBytes(
              adapter,
              cut(
                payload,
                at.sort((a, b) => a - b),
              ),
            ),
          ).toEqual(whole)
        }),
        { numRuns: payload.length > 100_000 ? 5 : 50 },
      )
    })

    test('gives the first of its events when it breaks off', () => {
      fc.assert(
        fc.property(fc.nat({ max: payload.length }), (length) => {
          const events = eventsOfBytes(adapter, [payload.subarray(0, length)])
          expect(events).toEqual(whole.slice(0, events.length))
        }),
        { numRuns: payload.length > 100_000 ? 5 : 50 },
      )
    })
  })
})

test('hands large arguments on byte for byte', () => {
  const folder = new URL('anthropic/', corpus)
  const expectation: Expectation = JSON.parse(readFileSync(new URL('huge-arguments.expect.json', folder), 'utf8'))
  const events = eventsOfBytes(anthropic, [readFileSync(new URL('huge-arguments.sse', folder))])
  const text = events.map((event) => (event.type === 'call-fragment' ? event.text : '')).join('')
  expect(createHash('sha256').update(text).digest('hex')).toBe(expectation.expect[0]?.rawSha256)
})
