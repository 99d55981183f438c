import { readdirSync, readFileSync } from 'node:fs'
import type { Adapter } from '../../src/adapters/adapter.ts'
import { FORMATS } from '../../src/cli/formats.ts'
import type { Tools } from '../../src/core/tools.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import type { ReplayEnding, ReplayOutcome } from '../../src/testing/index.ts'

/** One case of the corpus: see the README there for what the members of its expectation mean. */
export interface CorpusCase {
  readonly title: string
  readonly adapter: Adapter
  readonly bytes: Uint8Array
  readonly tools: Tools
  readonly expected: Expectation
}

interface Expectation {
  readonly payload: string
  readonly ending: ReplayEnding
  readonly tools: readonly { readonly name: string; readonly executor?: string; readonly parameters?: object }[]
  readonly feed?: { readonly cuts: readonly number[] }
  readonly expect: readonly ExpectedCall[]
  readonly count?: number
  readonly orphans?: readonly string[]
  readonly preview?: readonly PreviewCheck[]
  readonly noPollution?: readonly string[]
}

export interface ExpectedCall {
  readonly id: string | null
  readonly name: string
  readonly outcome: ReplayOutcome
  readonly cause: string
  readonly mayExecute: boolean
  readonly args?: unknown
  readonly rawSha256?: string
  readonly rawLength?: number
  readonly acceptable?: readonly (Pick<ExpectedCall, 'outcome'> & Partial<ExpectedCall>)[]
}

export interface PreviewCheck {
  readonly id: string
  readonly afterFrame?: number
  readonly settled?: Readonly<Record<string, unknown>>
  readonly mustNotSettle?: readonly string[]
  readonly mustNotContain?: readonly string[]
  readonly mustNotContainLoneSurrogate?: boolean
}

const CORPUS = new URL('../corpus/', import.meta.url)
const EXPECTATION = '.expect.json'

/** All cases of the corpus. */
export const CASES: readonly CorpusCase[] = [...FORMATS.values()].flatMap((adapter) => {
  const folder = new URL(`${adapter.format}/`, CORPUS)
  return readdirSync(folder)
    .filter((file) => file.endsWith(EXPECTATION))
    .sort()
    .map((file): CorpusCase => {
      const expected = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Expectation
      return {
        title: `${adapter.format}/${file.slice(0, -EXPECTATION.length)}`,
        adapter,
        bytes: readFileSync(new URL(expected.payload, folder)),
        tools: toolsOf(expected),
        expected,
      }
    })
})

function toolsOf({ tools }: Expectation): Tools {
  return Object.fromEntries(
    tools.map(({ name, executor, parameters }) => [
      name,
      {
        // That the provider runs a call is for the wire to say.
        executor: executor === 'local' || executor === 'host' ? executor : 'server',
        ...(parameters === undefined ? {} : fromJsonSchema(parameters)),
      },
    ]),
  )
}
