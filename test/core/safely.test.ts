import { afterEach, expect, test, vi } from 'vitest'
import { safely } from '../../src/core/safely.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('what is thrown, or rejected with, goes to whoever watches for errors', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  let calls = 0
  safely(() => {
    calls++
    throw new Error('thrown')
  })
  safely(async () => {
    calls++
    throw new Error('rejected')
  })
  safely(() => {
    calls++
  })
  safely(async () => 'fine')
  expect(calls).toBe(3)
  await vi.waitFor(() => expect(reported.map(String)).toEqual(['Error: thrown', 'Error: rejected']))
})

test('where nobody watches, as in Node, it is on the console', () => {
  vi.stubGlobal('reportError', undefined)
  const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
  const error = new Error('thrown')
  safely(() => {
    throw error
  })
  expect(console.mock.calls).toEqual([[error]])
})
