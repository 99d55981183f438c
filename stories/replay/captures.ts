import type { Adapter } from '../../src/adapters/adapter.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { openaiChat } from '../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../src/adapters/openai-responses.ts'
import type { Tools } from '../../src/index.ts'
import { fromJsonSchema } from '../../src/json-schema/index.ts'
import type { ReplayEnding } from '../../src/testing/index.ts'

/** A recorded stream of the corpus. */
export interface Capture {
  /** `format/name`. */
  readonly title: string
  readonly adapter: Adapter
  readonly load: () => Promise<LoadedCapture>
}

export interface LoadedCapture {
  readonly adapter: Adapter
  readonly bytes: Uint8Array
  readonly tools: Tools
  /** How the recording ended. */
  readonly ending: ReplayEnding
}

interface Expectation {
  readonly tools: readonly { readonly name: string; readonly executor?: string; readonly parameters?: object }[]
  readonly ending: ReplayEnding
}

const FOLDER = '../../test/corpus'
const payloads = import.meta.glob<string>('../../test/corpus/{anthropic,openai-chat,openai-responses}/*.sse', {
  query: '?raw',
  import: 'default',
})
const expectations = import.meta.glob<Expectation>('../../test/corpus/*/*.expect.json', { import: 'default' })

/** Every capture that there is an adapter for. */
export const captures: readonly Capture[] = [anthropic, openaiChat, openaiResponses].flatMap((adapter) =>
  Object.entries(payloads)
    .filter(([path]) => path.startsWith(`${FOLDER}/${adapter.format}/`))
    .map(([path, loadText]): Capture => {
      const title = path.slice(FOLDER.length + 1, -'.sse'.length)
      const loadExpectation = expectations[`${FOLDER}/${title}.expect.json`]
      return {
        title,
        adapter,
        async load() {
          const [text, expected] = await Promise.all([loadText(), loadExpectation?.()])
          const { tools = [], ending = 'done' } = expected ?? {}
          return { adapter, bytes: new TextEncoder().encode(text), tools: declared(tools), ending }
        },
      }
    }),
)

/** The capture of this title. */
export function captureOf(title: string): Capture {
  const found = captures.find((capture) => capture.title === title)
  if (found === undefined) throw new Error(`There is no capture ${title} in ${FOLDER}.`)
  return found
}

function declared(tools: Expectation['tools']): Tools {
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
