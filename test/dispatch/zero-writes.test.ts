import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/dispatch/index.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { pump } from '../../src/pump.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { eventsAdapter, messageOf } from './events-adapter.ts'

const GOOD = '{"note":"ok"}'
const schema = jsonSchema({ type: 'object', properties: { note: { type: 'string' } }, required: ['note'] })

interface Validation {
  /** How many calls are being validated now. */
  readonly waiting: number
  end(): void
}

/** The same schema, by a validator that takes until it is told to end. */
function held(): { readonly schema: StandardSchemaV1; readonly validation: Validation } {
  const waiting: (() => void)[] = []
  return {
    schema: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) =>
          new Promise((resolve) => waiting.push(() => resolve(schema['~standard'].validate(value) as never))),
      },
    },
    validation: {
      get waiting() {
        return waiting.length
      },
      end: () => waiting.pop()?.(),
    },
  }
}

describe.each([
  ['cut short', '{"note":"o'],
  ['no JSON', '{"note":"ok",}'],
  ['against its schema', '{"note":7}'],
  ['refused by a rule', '{"note":"forbidden"}'],
  ['not damaged at all', GOOD],
])('two calls, of which one is %s', (what, text) => {
  const runs = what === 'not damaged at all' ? 2 : 0

  test.each([
    ['first', [text, GOOD]],
    ['last', [GOOD, text]],
  ] as const)('the %s: no write when validation ends, and none afterwards', async (_, [one, other]) => {
    const writes: string[] = []
    const { schema, validation } = held()
    const write = {
      executor: 'local' as const,
      schema,
      check: ({ note }: { readonly note: string }) => (note === 'forbidden' ? 'Not this one.' : undefined),
      run: (_: unknown, { callId }: { readonly callId: string }) => void writes.push(callId),
    }
    const store = createToolCallStore({ clock: createFakeClock(), frame: () => () => {}, tools: { write } })
    const dispatcher = createDispatcher(store)
    const turn = pump(messageOf({ a: ['write', one], b: ['write', other] }), eventsAdapter, store)
    // A host that takes whatever it is offered, whenever it is offered anything.
    store.subscribe(() => void dispatcher.dispatch(store.dispatchable(turn.id)))

    await new Promise<void>((resolve) => {
      store.onEvent(({ event }) => event.type === 'message-ended' && resolve())
    })
    let ended = 0
    while (validation.waiting > 0) {
      ended++
      expect(writes).toEqual([])
      validation.end()
      await Promise.resolve()
      store.flush()
    }
    // The control: something was validated.
    expect(ended).toBeGreaterThan(0)
    const { dispatchable } = await turn.ended
    await dispatcher.dispatch(dispatchable)
    expect(writes).toHaveLength(runs)
  })
})
