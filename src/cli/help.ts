import { REPLAY_ENDINGS } from '../testing/player.ts'
import { FORMATS } from './formats.ts'

/** Names in lines of at most 120 characters, under the first. */
function listed(names: readonly string[]): string {
  return names.join(', ').replace(/(.{80}\S*) /g, '$1\n                    ')
}

export const HELP: string = `honest-tool-calls replay FILE --format FORMAT [options]

Plays a captured stream and prints what the user would read: one line per tool call, then the note at the end of the
turn. FILE is the raw body of the response; - reads it from standard input.

  --format FORMAT   ${listed([...FORMATS.keys()])}
  --tools FILE      the tools, as JSON: [{ "name", "executor", "parameters" }]. The executor is local, host, server or
                    provider (default: server); the parameters are a JSON Schema.
  --ending ENDING   what happens after the last byte (default: done): ${REPLAY_ENDINGS.join(', ')}.
                    Adds nothing where the capture ended by itself.
  --cut BYTES       plays the first BYTES bytes only, inside an event too
  --json            prints an object per call, one per line: id, name, outcome, cause, detail, ran, label, mayDispatch,
                    and where known args, rawLength, rawSha256
  --help, --version

The icons: ⊘ not run, ? may have run, ✓ done, ✕ ran and failed, … not settled: it waits.
Exits with 0, or with 2 and one line on standard error if it cannot use what it was given.

  honest-tool-calls replay capture.sse --format anthropic --tools tools.json --ending error
`
