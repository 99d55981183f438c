import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/record/bounded-map.ts'

test('it forgets what came first', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  expect([map.get('a'), map.get('b')]).toEqual([3, 2])
  map.set('c', 4)
  expect([map.has('a'), map.has('b'), map.has('c')]).toEqual([false, true, true])
  map.delete('b')
  map.set('d', 5)
  expect([map.has('c'), map.has('d')]).toEqual([true, true])
})
