import { expect, test } from 'vitest'
import { createFakeClock } from '../../src/testing/index.ts'

test('it stands still until it is told to move', () => {
  const clock = createFakeClock(1000)
  const calls: number[] = []
  clock.after(10, () => calls.push(clock.now()))
  expect(clock.now()).toBe(1000)
  expect(calls).toEqual([])

  clock.advance(9)
  expect(calls).toEqual([])
  clock.advance(1)
  expect(calls).toEqual([1010])
})

test('what falls due is called back in order, at its own time, and what that sets too', () => {
  const clock = createFakeClock()
  const calls: string[] = []
  clock.after(20, () => calls.push(`b at ${clock.now()}`))
  clock.after(10, () => {
    calls.push(`a at ${clock.now()}`)
    clock.after(5, () => calls.push(`a's own at ${clock.now()}`))
  })
  clock.advance(30)
  expect(calls).toEqual(['a at 10', "a's own at 15", 'b at 20'])
  expect(clock.now()).toBe(30)
})

test('what was taken back is not called', () => {
  const clock = createFakeClock()
  const calls: string[] = []
  const takeBack = clock.after(10, () => calls.push('a'))
  takeBack()
  clock.advance(100)
  expect(calls).toEqual([])
})

test('after a sleep everything that fell due comes late, and at once', () => {
  const clock = createFakeClock()
  const calls: string[] = []
  clock.after(10, () => calls.push(`a at ${clock.now()}`))
  clock.after(20, () => calls.push(`b at ${clock.now()}`))
  clock.sleep(5000)
  expect(calls).toEqual(['a at 5000', 'b at 5000'])
})
