// `npm run compare`: plays every fault in Chromium in front of the blocks that come with the hosts' packages, and of this
// kit's, and writes down what each says in the end: docs/compare.md, and a part of it in the README. Takes some minutes.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const { module } = await runnerImport(fileURLToPath(new URL('./compare/index.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
})
await module.compare()
process.exit()
