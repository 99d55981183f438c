import type { Adapter } from '../adapters/adapter.ts'
import type { Tools } from '../core/tools.ts'
import { CHECKS, EXPECTED, type Subject } from './adapter-checks.ts'
import type { ReplayEnding } from './player.ts'
import { framed } from './wire-frames.ts'

/** A stream of the wire, as it was recorded or written. */
export interface AdapterCapture {
  /** Unique among the captures: it is part of the names of the checks. */
  readonly name: string
  readonly bytes: Uint8Array | string
  /** The tools that its calls name. Default: none. */
  readonly tools?: Tools
  /** What happens after the last byte. Default `done`. */
  readonly ending?: ReplayEnding
  /** The labels of its calls at the end, in order of announcement. Default: not checked. */
  readonly expect?: readonly string[]
}

/** One check of the contract, for whatever runs your tests. */
export interface AdapterCheck {
  /** Unique in the contract, as long as the names of the captures are. */
  readonly name: string
  /** Throws an `Error` that says what the adapter did, and after what. */
  run(): Promise<void> | void
}

/**
 * What holds of every adapter, as checks for any test runner. A capture of 20 kB or more takes seconds.
 * @example for (const { name, run } of adapterContract(mine, captures)) test(name, run)
 * @throws without a capture
 */
export function adapterContract(adapter: Adapter, captures: readonly AdapterCapture[]): readonly AdapterCheck[] {
  if (captures.length === 0) {
    throw new Error('honest-tool-calls: adapterContract() has nothing to play. Give it a capture with a call in it.')
  }
  return captures.flatMap((capture) => {
    // Framed at the first check that runs, so that a framer that throws fails checks and not their making.
    let subject: Subject | undefined
    return Object.entries(CHECKS)
      .filter(([name]) => name !== EXPECTED || capture.expect !== undefined)
      .map(([name, faultOf]) => ({
        name: `${capture.name}: ${name}`,
        async run() {
          subject ??= subjectOf(adapter, capture)
          const fault = await faultOf(subject)
          if (fault !== null) throw new Error(`honest-tool-calls: ${adapter.format}, ${capture.name}: ${fault}`)
        },
      }))
  })
}

function subjectOf(adapter: Adapter, { bytes: given, tools = {}, ending = 'done', expect }: AdapterCapture): Subject {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given
  return { adapter, bytes, tools, ending, expect: expect ?? null, ...framed(adapter, bytes) }
}
