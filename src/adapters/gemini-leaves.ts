import type { PartialArg } from '@google/genai'
import type { StreamEvent } from '../core/events.ts'
import type { Json } from '../core/json.ts'
import { text, type WireObject } from './wire-values.ts'

type Leaf = Pick<Extract<StreamEvent, { type: 'call-leaf' }>, 'path' | 'value' | 'continues'>

// Fits no arguments: when a leaf of theirs has no place, what is left of them is not believed.
const NOWHERE = [-1]

/** Reads one of Vertex's `partialArgs`: a leaf, or none where it has no value. */
export function readLeaf(wire: WireObject): Leaf[] {
  // The names are the SDK's.
  const leaf: { readonly [Member in keyof PartialArg]?: unknown } = wire
  const value = leaf.stringValue ?? leaf.numberValue ?? leaf.boolValue ?? (leaf.nullValue && null)
  if (value === undefined) return []
  return [{ path: readPath(leaf.jsonPath) ?? NOWHERE, value: value as Json, continues: leaf.willContinue === true }]
}

/**
 * Reads a path (RFC 9535) of the steps `.a`, `[0]`, `['a b']` and `["a b"]`; `undefined` for any other. `..`, `*` and
 * filters name several places, or none, and escapes in quoted names are not worth their cost.
 */
export function readPath(path: unknown): (string | number)[] | undefined {
  const steps: (string | number)[] = []
  const rest = text(path)?.replace(
    /\.([^.[\]*]+)|\[(?:(\d+)|(['"])([^'"\\]*)\3)\]/g,
    (_, name, index, _quote, quoted) => {
      steps.push(name ?? quoted ?? Number(index))
      return ''
    },
  )
  return rest === '$' ? steps : undefined
}
