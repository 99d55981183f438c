// Installs the packed kit into empty applications, one for each React we promise, and uses it there as a reader of
// the README would: its example type-checks, a block renders on the server, every entry loads, the command answers.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const reacts = [
  { react: '18.2.0', types: '18.3.32', domTypes: '18.3.7' },
  { react: '19.3.1', types: '19.3.0', domTypes: '19.3.0' },
]
const { name, exports, bin, peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8'))
const [commandName] = Object.keys(bin)
const tarball = resolve('.out/package.tgz')
const tsc = resolve('node_modules/typescript/bin/tsc')

const render = `import { createToolCallStore, ToolCallTurn } from '${name}'
import { renderToString } from 'react-dom/server'

const store = createToolCallStore({ tools: { create_ticket: { executor: 'local' } } })
const stream = store.openStream({ liveness: 'events' })
stream.push({ type: 'message-started' })
stream.push({ type: 'call-announced', key: 'a', name: 'create_ticket' })
stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
console.log(renderToString(<ToolCallTurn store={store} turnId={stream.turnId} />))
`
const words = 'create_ticket — not run (connection lost)'

// A binding may need the kit that it is for; anything else that is missing is ours.
const kits = Object.keys(peerDependenciesMeta).map((kit) => `Cannot find package '${kit}'`)
const loadEntries = Object.keys(exports)
  .filter((path) => !/\.(css|json)$/.test(path))
  .map((path) => `await import('${name}${path.slice(1)}').catch(unlessKitIsMissing)\n`)
  .join('')
  .concat(`function unlessKitIsMissing(error) {
  if (!${JSON.stringify(kits)}.some((words) => error.message.startsWith(words))) throw error
}
`)

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  jsx: 'react-jsx',
  strict: true,
  exactOptionalPropertyTypes: true,
  // Our own declarations are what is checked here.
  skipLibCheck: false,
  types: [],
}
const resolutions = [
  { moduleResolution: 'bundler', module: 'ESNext' },
  { moduleResolution: 'nodenext', module: 'NodeNext' },
]

function fail(why) {
  console.error(why)
  process.exit(1)
}

function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) fail(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

/** The first example of the README, or an empty module as long as there is none. */
function readmeExample() {
  const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : ''
  return /^```tsx\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? 'export {}\n'
}

function createApp({ react, types, domTypes }) {
  const dir = mkdtempSync(join(tmpdir(), 'consumer-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'render.tsx': render,
    'readme.tsx': readmeExample(),
    'load-entries.js': loadEntries,
    // Every bundler's template declares style sheets like this.
    'styles.d.ts': "declare module '*.css'\n",
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text)
  for (const resolution of resolutions) {
    const config = { compilerOptions: { ...compilerOptions, ...resolution, outDir: 'out' } }
    writeFileSync(join(dir, `tsconfig.${resolution.moduleResolution}.json`), JSON.stringify(config))
  }
  const packages = [`react@${react}`, `react-dom@${react}`, `@types/react@${types}`, `@types/react-dom@${domTypes}`]
  run(dir, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...packages)
  return dir
}

for (const versions of reacts) {
  const dir = createApp(versions)

  const [firstLine] = readFileSync(join(dir, 'node_modules', name, 'dist/index.js'), 'utf8').split('\n')
  if (!/^(['"])use client\1;?$/.test(firstLine)) fail(`dist/index.js must begin with 'use client', not: ${firstLine}`)

  for (const { moduleResolution } of resolutions) {
    run(dir, process.execPath, tsc, '--project', `tsconfig.${moduleResolution}.json`)
  }
  run(dir, process.execPath, 'load-entries.js')

  const html = run(dir, process.execPath, 'out/render.js')
  if (!html.replace(/<[^>]*>/g, '').includes(words)) fail(`React ${versions.react} rendered no "${words}":\n${html}`)

  // Through the link that npm made, so that a lost shebang or file mode shows.
  const command = join(dir, 'node_modules/.bin', commandName)
  const refusal = spawnSync(command, ['replay', 'missing.sse', '--format', 'anthropic'], { cwd: dir, encoding: 'utf8' })
  if (refusal.status !== 2) fail(`The command must refuse a missing file with 2, not ${JSON.stringify(refusal)}`)

  console.log(`React ${versions.react}: types, server rendering, entries and command are right`)
}
