// `npm run browser`: finds a Chromium for the tests, installs one if there is none, and proves that it starts.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { findChromium } from './chromium.mjs'

const isRoot = process.getuid?.() === 0

function run(command, ...args) {
  console.log(`$ ${command} ${args.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0
}

// Ubuntu's package of this name only fetches a snap, which does not start in a container.
function hasDebianChromium() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return isRoot && existsSync('/usr/bin/apt-get') && !/^ID=ubuntu$/m.test(release)
}

function installFromDebian() {
  return (
    run('apt-get', 'update', '-qq') &&
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core')
  )
}

function installFromPlaywright() {
  return run('npx', '--no-install', 'playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium')
}

async function versionOf(executablePath) {
  const browser = await chromium.launch({ executablePath })
  const version = browser.version()
  await browser.close()
  return version
}

function fail(why) {
  console.error(`honest-tool-calls: ${why}`)
  process.exit(1)
}

const named = process.env.CHROMIUM_PATH
if (named && !existsSync(named)) fail(`CHROMIUM_PATH is ${named}, which does not exist; correct it or unset it.`)

let path = await findChromium()
if (path === undefined) {
  const installed = (hasDebianChromium() && installFromDebian()) || installFromPlaywright()
  path = installed ? await findChromium() : undefined
}
if (path === undefined) fail('could not install a Chromium; install one yourself and set CHROMIUM_PATH to it.')

try {
  console.log(`Chromium ${await versionOf(path)} at ${path}`)
} catch (error) {
  fail(`the Chromium at ${path} does not start (${error.message.split('\n')[0]}); set CHROMIUM_PATH to another one.`)
}
