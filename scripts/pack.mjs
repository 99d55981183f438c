// Packs the kit into .out/package.tgz: a name without a version, so that package.json can name it in its scripts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'

mkdirSync('.out', { recursive: true })
const { status, stdout } = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', '.out'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
if (status !== 0) process.exit(1)
const [{ filename }] = JSON.parse(stdout)
renameSync(`.out/${filename}`, '.out/package.tgz')
