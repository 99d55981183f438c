import { createPlayer } from '../testing/player.ts'
import { replay } from '../testing/replay.ts'
import { HELP } from './help.ts'
import { asJson, asText } from './print-replay.ts'
import { type Command, readCommand } from './read-command.ts'
import { readTools } from './read-tools.ts'
import { oneLine, Refusal } from './refusal.ts'

/** What the command needs of the process around it. */
export interface Surroundings {
  readonly version: string
  /** Reads a file, or standard input where it is called `-`; rejects as Node's `readFile` does. */
  read(file: string): Promise<Uint8Array>
  out(text: string): void
  err(text: string): void
}

/** Runs the command. Returns the exit code: 0, or 2 for input that cannot be used, which is said in one line. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const lines = await answer(readCommand(argv), surroundings)
    surroundings.out(lines.map((line) => `${line}\n`).join(''))
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    surroundings.err(`honest-tool-calls: ${error.message}\n`)
    return 2
  }
}

async function answer(command: Command, surroundings: Surroundings): Promise<readonly string[]> {
  switch (command.type) {
    case 'help':
      return [HELP.trimEnd()]
    case 'version':
      return [surroundings.version]
    case 'replay':
      return replayFile(command, surroundings)
    default:
      return command satisfies never
  }
}

async function replayFile(
  { file, adapter, tools: toolsFile, ending, cut, json }: Extract<Command, { type: 'replay' }>,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const bytes = await readBytes(file, surroundings)
  if (bytes.length === 0) throw new Refusal(`${nameOf(file)} is empty`)
  const tools =
    toolsFile === undefined
      ? {}
      : readTools(nameOf(toolsFile), new TextDecoder().decode(await readBytes(toolsFile, surroundings)))
  const result = await replay({ adapter, tools, ending, pieces: [bytes.subarray(0, cut ?? bytes.length)] })
  // A cut before the first frame is a replay like any other; a file without a frame is the wrong file.
  if (result.frames === 0 && (cut === undefined || framesIn(bytes, adapter) === 0)) {
    throw new Refusal(`there is no whole event of the format ${adapter.format} in ${nameOf(file)}. Is --format right?`)
  }
  return json ? asJson(result) : asText(result)
}

function framesIn(bytes: Uint8Array, adapter: Parameters<typeof createPlayer>[0]['adapter']): number {
  const player = createPlayer({ adapter })
  player.feed(bytes)
  return player.frames
}

async function readBytes(file: string, { read }: Surroundings): Promise<Uint8Array> {
  try {
    return await read(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Anything else is a mistake of this program.
    if (code === undefined) throw error
    const why = Object.hasOwn(READ_ERRORS, code) ? READ_ERRORS[code] : `cannot be read (${code})`
    throw new Refusal(`${nameOf(file)} ${why}`)
  }
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'may not be read',
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : oneLine(file)
}
