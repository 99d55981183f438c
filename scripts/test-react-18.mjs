// Runs the component tests against the oldest React we support, installed beside the repository.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// vitest.config.ts resolves these names from there.
const bindings = ['zustand', '@testing-library/dom', '@testing-library/react', '@testing-library/user-event']

function installedVersion(name) {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (status !== 0) process.exit(status ?? 1)
}

const dir = mkdtempSync(join(tmpdir(), 'react-18-'))
process.on('exit', () => rmSync(dir, { recursive: true, force: true }))

writeFileSync(join(dir, 'package.json'), '{ "private": true }')
const packages = ['react@18.2.0', 'react-dom@18.2.0', ...bindings.map((name) => `${name}@${installedVersion(name)}`)]
run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: dir })
run('npx', ['--no-install', 'vitest', 'run', '--project', 'dom'], { env: { ...process.env, REACT_18_DIR: dir } })
