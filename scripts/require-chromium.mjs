// Vitest runs this before a project that needs a browser, and before that project starts one.
import { findChromium } from './chromium.mjs'

export async function setup() {
  if ((await findChromium()) !== undefined) return
  const named = process.env.CHROMIUM_PATH
  const why = named ? `CHROMIUM_PATH is ${named}, which does not exist` : 'no Chromium found'
  // Leaving at once keeps this one line from drowning in the stack traces of every browser test.
  console.error(`honest-tool-calls: ${why}; run \`npm run browser\`, or set CHROMIUM_PATH, and test again.`)
  process.exit(1)
}
