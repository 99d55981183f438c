import type { Json } from './json.ts'

type Container = Json[] | Record<string, Json>

/**
 * Sets one leaf of a value by its path and returns the value; makes the containers on the way.
 * A leaf that continues a string is appended to it. Members are defined, never assigned: `__proto__` is a key like any other.
 */
export function setLeaf(root: Json | undefined, path: readonly (string | number)[], leaf: Json, append: boolean): Json {
  const [step, ...rest] = path
  if (step === undefined) return append && typeof root === 'string' && typeof leaf === 'string' ? root + leaf : leaf
  const container: Container = isContainer(root) ? root : typeof step === 'number' ? [] : {}
  const previous = Object.hasOwn(container, step) ? (container as Record<string | number, Json>)[step] : undefined
  Object.defineProperty(container, step, {
    value: setLeaf(previous, rest, leaf, append),
    writable: true,
    enumerable: true,
    configurable: true,
  })
  return container
}

function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null
}
