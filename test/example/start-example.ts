import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The examples, as `npm start` runs them. */
export interface Example {
  readonly address: string
  /** What they printed after their address. */
  readonly lines: readonly string[]
  stop(): void
}

const start = fileURLToPath(new URL('../../examples/start.mjs', import.meta.url))

/** Starts the examples on a free port and waits until they say where they are. */
export async function startExample(env: Readonly<Record<string, string>> = {}): Promise<Example> {
  const child = spawn(process.execPath, [start], {
    env: { ...process.env, ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', PORT: '0', PACE: '6', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = / are at (http:\S+)$/.exec(line)?.[1]
      if (found === undefined) lines.push(line)
      else resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`the examples ended with ${code}: ${errors}`)))
  })
  return { address, lines, stop: () => child.kill() }
}
