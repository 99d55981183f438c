import { parseArgs } from 'node:util'
import type { Adapter } from '../adapters/adapter.ts'
import { REPLAY_ENDINGS, type ReplayEnding } from '../testing/player.ts'
import { FORMATS } from './formats.ts'
import { oneLine, quoted, Refusal } from './refusal.ts'

/** What the command line asks for. */
export type Command =
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  | {
      readonly type: 'replay'
      /** `-` for standard input. */
      readonly file: string
      readonly adapter: Adapter
      readonly tools: string | undefined
      readonly ending: ReplayEnding
      /** In bytes; undefined for the whole capture. */
      readonly cut: number | undefined
      readonly json: boolean
    }

const OPTIONS = {
  format: { type: 'string' },
  tools: { type: 'string' },
  ending: { type: 'string', default: 'done' },
  cut: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const

/**
 * Reads a command line.
 * @throws {Refusal} if it asks for nothing that can be done
 */
export function readCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv)
  if (values.help) return { type: 'help' }
  if (values.version) return { type: 'version' }
  const [command, file, more] = positionals
  if (command === undefined) throw new Refusal('no command given. Try: honest-tool-calls --help')
  if (command !== 'replay') throw new Refusal(`unknown command ${quoted(command)}. There is one: replay`)
  if (file === undefined || file === '')
    throw new Refusal('no FILE given. Try: honest-tool-calls replay FILE --format FORMAT')
  if (more !== undefined) throw new Refusal(`one FILE at a time, not ${quoted(file)} and ${quoted(more)}`)
  return {
    type: 'replay',
    file,
    adapter: adapterOf(values.format),
    tools: values.tools,
    ending: endingOf(values.ending),
    cut: cutOf(values.cut),
    json: values.json,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    // The first sentence says what is wrong; what follows is advice for odd cases.
    const [said = ''] = (error as Error).message.split(/\. |\n/)
    throw new Refusal(`${lowerFirst(oneLine(said))}. Try: honest-tool-calls --help`)
  }
}

function adapterOf(format: string | undefined): Adapter {
  const known = [...FORMATS.keys()].join(', ')
  if (format === undefined) throw new Refusal(`--format is missing. Known formats: ${known}`)
  const adapter = FORMATS.get(format)
  if (adapter === undefined) throw new Refusal(`unknown format ${quoted(format)}. Known formats: ${known}`)
  return adapter
}

function endingOf(word: string): ReplayEnding {
  const ending = REPLAY_ENDINGS.find((known) => known === word)
  if (ending === undefined)
    throw new Refusal(`unknown ending ${quoted(word)}. Known endings: ${REPLAY_ENDINGS.join(', ')}`)
  return ending
}

function cutOf(bytes: string | undefined): number | undefined {
  if (bytes === undefined) return undefined
  if (!/^\d{1,15}$/.test(bytes)) throw new Refusal(`--cut takes a whole number of bytes, not ${quoted(bytes)}`)
  return Number(bytes)
}

function lowerFirst(text: string): string {
  return text.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, '')
}
