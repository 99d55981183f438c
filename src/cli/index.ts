#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

// The store's warnings are for those who build with it; what a capture holds is what is to be shown here.
process.env.NODE_ENV = 'production'

// Whoever read us has seen enough (`| head`); anything else that keeps us from writing is told, without a trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`honest-tool-calls: could not write (${error.code})\n`)
  process.exit(error.code === 'EPIPE' ? undefined : 1)
})
process.stderr.on('error', () => {})

const manifest = join(dirname(fileURLToPath(import.meta.url)), '../../package.json')

process.exitCode = await run(process.argv.slice(2), {
  version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version,
  read: (file) => (file === '-' ? buffer(process.stdin) : readFile(file)),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
