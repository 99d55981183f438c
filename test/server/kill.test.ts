import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { relay } from '../../src/adapters/relay.ts'
import { labelOf } from '../../src/core/labels.ts'
import { pump } from '../../src/pump.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'

const root = mkdtempSync(join(tmpdir(), 'honest-tool-calls-kill-'))
const children = new Set<ChildProcess>()
let directories = 0

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: 'test/server/kill-child.ts',
      outDir: root,
      rolldownOptions: { output: { entryFileNames: 'child.mjs' } },
    },
    ssr: { noExternal: true },
  })
}, 60_000)

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A server process, with the marks that it prints. */
async function serve(directory: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'child.mjs'), directory, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const marks: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    marks.push(line)
    for (const look of waiting) look()
  })
  const exited = new Promise<string | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code))
  })
  const mark = (word: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = marks.find((line) => line.startsWith(word))
        if (found !== undefined) resolve(found)
      }
      waiting.add(look)
      look()
      void exited.then((how) => reject(new Error(`The server ended (${how}) before it said ${word}.`)))
    })
  const port = (await mark('listening')).split(' ')[1]
  return { url: `http://127.0.0.1:${port}/t`, child, exited, mark }
}

/** A page that shows the turn. */
function page() {
  const store = createToolCallStore({ tools: { pay: { executor: 'server' } } })
  const said = new Set<string>()
  store.subscribe(({ calls }) => {
    for (const { call } of calls) said.add(labelOf(call))
  })
  return { store, said }
}

function read(store: ToolCallStore, url: string, method: 'POST' | 'GET') {
  return pump((signal) => fetch(url, { method, signal }), relay, store, { turnId: 't' }).ended
}

function labels(store: ToolCallStore): readonly string[] {
  store.flush()
  const items = store.turn('t')?.getState().items ?? []
  return items.flatMap(({ key }) => {
    const view = store.callByKey('t', key)?.getState()
    return view === undefined ? [] : [labelOf(view)]
  })
}

/** Resolves once the page says this. */
function seen(store: ToolCallStore, label: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!labels(store).includes(label)) return
      stop()
      resolve()
    })
  })
}

const PREPARING = 'Preparing pay…'
const RUNNING = 'Running pay…'
const DONE = 'pay — done'
const LOST = 'pay — may have run (connection lost)'
const NO_RESULT = 'pay — may have run (no result received)'
const STOPPED = 'pay — may have run (cancelled)'
const CANCELLED = 'pay — cancelled'
const NEVER = 'pay — not run (never started)'
const NOT_RUN = 'pay — not run'

interface Variant {
  readonly stage: 'before' | 'began' | 'written' | 'stopped' | 'after'
  /** What the page says when the signal is sent, and the mark that was printed by then. */
  readonly when: readonly [label: string, mark: string]
  /** What it says when the connection has ended, and once a new process has answered. */
  readonly atEnd: string
  readonly later: string
  /** How often the tool took effect. */
  readonly effects: 0 | 1
  readonly flags?: readonly string[]
}

const KILLED: readonly Variant[] = [
  { stage: 'before', when: [PREPARING, 'stalled'], atEnd: LOST, later: NEVER, effects: 0 },
  { stage: 'began', when: [RUNNING, 'began'], atEnd: LOST, later: NO_RESULT, effects: 0 },
  { stage: 'began', when: [RUNNING, 'began'], atEnd: LOST, later: NOT_RUN, effects: 0, flags: ['query'] },
  { stage: 'written', when: [RUNNING, 'written'], atEnd: LOST, later: NO_RESULT, effects: 1 },
  { stage: 'written', when: [RUNNING, 'written'], atEnd: LOST, later: DONE, effects: 1, flags: ['query'] },
  { stage: 'after', when: [DONE, 'stalled'], atEnd: DONE, later: DONE, effects: 1 },
]

const ASKED_TO_STOP: readonly Variant[] = [
  { stage: 'before', when: [PREPARING, 'stalled'], atEnd: CANCELLED, later: CANCELLED, effects: 0 },
  { stage: 'began', when: [RUNNING, 'began'], atEnd: STOPPED, later: STOPPED, effects: 0, flags: ['no-grace'] },
  {
    stage: 'began',
    when: [RUNNING, 'began'],
    atEnd: STOPPED,
    later: NOT_RUN,
    effects: 0,
    flags: ['no-grace', 'query'],
  },
  { stage: 'stopped', when: [RUNNING, 'began'], atEnd: DONE, later: DONE, effects: 1 },
  { stage: 'written', when: [RUNNING, 'written'], atEnd: STOPPED, later: STOPPED, effects: 1, flags: ['no-grace'] },
  {
    stage: 'written',
    when: [RUNNING, 'written'],
    atEnd: DONE,
    later: DONE,
    effects: 1,
    flags: ['no-grace', 'query'],
  },
  { stage: 'after', when: [DONE, 'stalled'], atEnd: DONE, later: DONE, effects: 1 },
]

describe.each([
  ['SIGKILL', KILLED, 'SIGKILL'],
  ['SIGTERM', ASKED_TO_STOP, 0],
] as const)('a server that gets %s', (signal, variants, exit) => {
  test.each(variants)(
    'at "$stage" $flags: $atEnd, and after a restart: $later',
    { timeout: 60_000 },
    async (variant) => {
      const { stage, when, atEnd, later, effects, flags = [] } = variant
      const directory = join(root, String(++directories))
      mkdirSync(directory)
      const first = await serve(directory, stage, ...flags)
      const { store, said } = page()
      const [label, mark] = when
      const shown = seen(store, label)
      const ended = read(store, first.url, 'POST')
      await Promise.all([shown, first.mark(mark)])

      first.child.kill(signal)
      await ended
      expect(labels(store)).toEqual([atEnd])
      expect(await first.exited).toBe(exit)

      const second = await serve(directory, 'idle', ...flags)
      await read(store, second.url, 'GET')
      expect(labels(store)).toEqual([later])
      expect(store.counts().contradictedLabels).toBe(0)
      // A page that was opened since learns the same.
      const other = page()
      await read(other.store, second.url, 'GET')
      expect(labels(other.store)).toEqual([later])

      const file = join(directory, 'effects')
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      expect(lines).toHaveLength(effects)
      if (effects > 0) expect([...said].filter((text) => /not run|cancelled$/.test(text))).toEqual([])
    },
  )
})

test('the control: a server that is left alone says that it is done', { timeout: 60_000 }, async () => {
  const directory = join(root, String(++directories))
  mkdirSync(directory)
  const server = await serve(directory, 'alone')
  const { store } = page()
  const { ending } = await read(store, server.url, 'POST')
  expect(ending).toEqual({ type: 'complete', speaker: 'executor' })
  expect(labels(store)).toEqual([DONE])
  expect(readFileSync(join(directory, 'effects'), 'utf8').trim().split('\n')).toHaveLength(1)
})
