import { type Browser, chromium } from 'playwright'
import { findChromium } from '../../scripts/chromium.mjs'

/** Fails where there is no Chromium: a test that skips itself proves nothing. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium()
  if (executablePath === undefined) {
    throw new Error(
      'honest-tool-calls: no Chromium found; run `npm run browser`, or set CHROMIUM_PATH, and test again.',
    )
  }
  return chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-background-networking'] })
}
