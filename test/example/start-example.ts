import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The example, as `npm start` runs it. */
export interface Example {
  readonly address: string
  /** What it printed after its address. */
  readonly lines: readonly string[]
  stop(): void
}

const start = fileURLToPath(new URL('../../examples/chat/start.mjs', import.meta.url))

/** Starts the example on a free port and waits until it says where it is. */
export async function startExample(cache: string, env: Readonly<Record<string, string>> = {}): Promise<Example> {
  const child = spawn(process.execPath, [start], {
    env: { ...process.env, ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', PORT: '0', PACE: '6', CACHE: cache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = / is at (http:\S+)$/.exec(line)?.[1]
      if (found === undefined) lines.push(line)
      else resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`the example ended with ${code}: ${errors}`)))
  })
  return { address, lines, stop: () => child.kill() }
}
