import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'
import { testGlobs } from './test/projects.ts'

const chromium = await findChromium()

// Playwright adds `--no-sandbox` by itself, so that root can run the tests. The rest keeps Chromium off the
// network (the resolver rule alone saves 45 look-ups a run) and its pixels the same on every machine.
const chromiumArgs = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--disable-gpu',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

// A function, because Vitest writes a name into the instance: two projects must not share one object.
const inChromium = () => ({
  globalSetup: ['./scripts/require-chromium.mjs'],
  browser: {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({
      launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: chromiumArgs },
    }),
    instances: [{ browser: 'chromium' as const, viewport: { width: 800, height: 600 } }],
  },
})

// `npm run test:react-18` installs that React elsewhere, with a copy of everything that imports it: a second React
// in one page breaks both.
const react18 = process.env.REACT_18_DIR
const resolveReact18: Plugin = {
  name: 'resolve-react-18',
  enforce: 'pre',
  resolveId(source, _importer, options) {
    const isOurs = /^(react|react-dom|zustand|@testing-library\/(dom|react|user-event))($|\/)/.test(source)
    if (!isOurs || react18 === undefined) return null
    return this.resolve(source, join(react18, 'package.json'), { ...options, skipSelf: true })
  },
}

export default defineConfig({
  plugins: [react()],
  test: {
    reporters: ['default', './scripts/closing-line-reporter.ts'],
    coverage: { include: ['src/**'] },
    // Two cores would get one worker, and much of what is tested only waits for a page or a server.
    maxWorkers: 2,
    projects: [
      // Modules are loaded once for all files of a worker: most of these take longer to load than to run.
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: testGlobs('unit'),
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          environment: 'node',
          sequence: { groupOrder: 1 },
          include: testGlobs('isolated'),
          // It imports its styles, which Node by itself cannot.
          server: { deps: { inline: [/@copilotkit\/react-core\/dist\/v2\/index/] } },
        },
      },
      {
        extends: true,
        plugins: [resolveReact18],
        test: {
          name: 'dom',
          isolate: false,
          sequence: { groupOrder: 1 },
          environment: 'jsdom',
          include: testGlobs('dom'),
          setupFiles: ['test/setup-dom.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'example',
          sequence: { groupOrder: 2 },
          environment: 'node',
          include: testGlobs('example'),
          globalSetup: ['./scripts/require-chromium.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'hosts',
          environment: 'node',
          include: testGlobs('hosts'),
          sequence: { groupOrder: 2 },
          maxConcurrency: 4,
          globalSetup: ['./scripts/require-chromium.mjs'],
        },
      },
      {
        extends: true,
        // Vite looks for packages in the files of a run only. One that it meets later is bundled with a second React.
        optimizeDeps: { include: ['@assistant-ui/react', '@assistant-ui/react-ai-sdk'] },
        test: { name: 'browser', include: testGlobs('browser'), ...inChromium() },
      },
      {
        extends: true,
        plugins: [storybookTest({ configDir: '.storybook' })],
        test: { name: 'storybook', ...inChromium() },
      },
    ],
  },
})
