import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../../vite.config.ts'

// The command as it is shipped, in a package of its own: built like the rest, beside its manifest and its dependencies.
const root = mkdtempSync(join(tmpdir(), 'honest-tool-calls-'))
const binary = join(root, 'dist/cli/index.js')
const capture = join(root, 'capture.sse')
const announced = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 'a', name: 'create_ticket' },
}

beforeAll(async () => {
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: {
      ...config.build,
      lib: { formats: ['es'], entry: { 'cli/index': 'src/cli/index.ts' } },
      outDir: join(root, 'dist'),
      sourcemap: false,
    },
  })
  cpSync('package.json', join(root, 'package.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  writeFileSync(capture, `data: ${JSON.stringify(announced)}\n\n`)
}, 60_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

function command(argv: readonly string[], input = ''): SpawnSyncReturns<string> {
  const env = { ...process.env, NODE_ENV: 'development' }
  return spawnSync(process.execPath, [binary, ...argv], { encoding: 'utf8', input, env })
}

test('the built command begins with its shebang and knows its version', () => {
  expect(readFileSync(binary, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(command(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test('the built command replays a file and standard input', () => {
  const words = '? create_ticket — may have run (connection lost)\nMay have run: create_ticket.\n'
  const options = ['--format', 'anthropic', '--ending', 'error']
  expect(command(['replay', capture, ...options])).toMatchObject({ status: 0, stdout: words, stderr: '' })
  const input = readFileSync(capture, 'utf8')
  expect(command(['replay', '-', ...options], input)).toMatchObject({ status: 0, stdout: words, stderr: '' })
})

test('the built command refuses in one line, and warns of nothing', () => {
  const refused = (...argv: string[]) => {
    const { status, stdout, stderr } = command(['replay', ...argv])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    return stderr
  }
  mkdirSync(join(root, 'folder'))
  const missing = join(root, 'missing.sse')
  const folder = join(root, 'folder')
  expect(refused(missing, '--format', 'anthropic')).toBe(`honest-tool-calls: ${missing} does not exist\n`)
  expect(refused(folder, '--format', 'anthropic')).toBe(`honest-tool-calls: ${folder} is a directory\n`)
  expect(refused(capture, '--format', 'openai-chat')).toMatch(/^honest-tool-calls: there is no whole event [^\n]+\n$/)
  expect(refused(capture, '--format', 'telex')).toMatch(/^honest-tool-calls: unknown format "telex"[^\n]+\n$/)
})

test('the built command ends quietly when nobody reads on', async () => {
  const child = spawn(process.execPath, [binary, '--help'])
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
  })
  const code = await new Promise((closed) => child.on('close', closed))
  expect({ code, said }).toEqual({ code: 0, said: '' })
})
