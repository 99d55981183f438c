// Where the tests and `npm run browser` look for a Chromium.
import { existsSync } from 'node:fs'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The path of a Chromium, or undefined. A set CHROMIUM_PATH is the only candidate: falling back
 * from a mistyped one would run the tests in a browser nobody asked for.
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : undefined
  const found = usual.find((path) => existsSync(path))
  if (found !== undefined) return found
  const { chromium } = await import('playwright')
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}
