import { expect, test } from 'vitest'
import * as testing from '../../src/testing/index.ts'

test('the entry ./testing exports these and nothing else', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "REPLAY_ENDINGS",
      "adapterContract",
      "createFakeClock",
      "createPlayer",
      "cut",
      "labelsOf",
      "replay",
    ]
  `)
})
