import type { Json } from './json.ts'
import { sameJson } from './strict-json.ts'

type Container = Json[] | Record<string, Json>

/**
 * Sets one leaf of a value by its path and returns the value; makes the containers on the way.
 * A leaf that continues a string is appended to it. Members are defined, never assigned: `__proto__` is a key like any other.
 * `undefined` where the leaf does not fit what is there: then something was lost, and the whole cannot be believed.
 */
export function setLeaf(
  root: Json | undefined,
  path: readonly (string | number)[],
  leaf: Json,
  append: boolean,
): Json | undefined {
  const [first, ...rest] = path
  if (first === undefined) return joined(root, leaf, append)
  const value = inside(root, first)
  let container = value
  let step = first
  // A loop, as a path may be deeper than the stack.
  for (const next of rest) {
    if (container === undefined || !fits(container, step)) return undefined
    const inner = inside(memberOf(container, step), next)
    if (inner === undefined) return undefined
    define(container, step, inner)
    container = inner
    step = next
  }
  if (container === undefined || !fits(container, step)) return undefined
  const member = joined(memberOf(container, step), leaf, append)
  if (member === undefined) return undefined
  define(container, step, member)
  return value
}

/** What a step leads into: what is there if it is a container, a new one if nothing is. */
function inside(known: Json | undefined, step: string | number): Container | undefined {
  if (known === undefined) return typeof step === 'number' ? [] : {}
  return typeof known === 'object' && known !== null ? (known as Container) : undefined
}

function fits(container: Container, step: string | number): boolean {
  if (!Array.isArray(container)) return typeof step === 'string'
  return typeof step === 'number' && Number.isInteger(step) && step >= 0 && step <= container.length
}

function joined(known: Json | undefined, leaf: Json, append: boolean): Json | undefined {
  if (known === undefined) return leaf
  if (append) return typeof known === 'string' && typeof leaf === 'string' ? known + leaf : undefined
  return sameJson(known, leaf) ? known : undefined
}

function memberOf(container: Container, step: string | number): Json | undefined {
  return Object.hasOwn(container, step) ? (container as Record<string | number, Json>)[step] : undefined
}

function define(container: Container, step: string | number, value: Json): void {
  Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true })
}
