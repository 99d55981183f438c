import { readFile, writeFile } from 'node:fs/promises'
import { launchChromium } from '../../test/example/chromium.ts'
import { startExample } from '../../test/example/start-example.ts'
import { measureAll } from './measure.ts'
import { type Conditions, fullTables, shortTable } from './tables.ts'

const PACKAGES = ['@copilotkit/react-core', '@ag-ui/client', '@tanstack/ai', '@tanstack/ai-react', 'react']
const MARKED = /(<!-- npm run compare -->\n).*?(\n<!-- \/npm run compare -->)/s

/** Measures, and writes the tables between their marks. */
export async function compare(): Promise<void> {
  const example = await startExample()
  const browser = await launchChromium()
  try {
    const compared = await measureAll(browser, example.address)
    const versions = await Promise.all(PACKAGES.map(versionOf))
    const conditions: Conditions = {
      date: new Date().toISOString().slice(0, 10),
      versions: [...versions, `Chromium ${browser.version()}`],
    }
    await put('README.md', shortTable(compared, conditions))
    await put('docs/compare.md', fullTables(compared, conditions))
  } finally {
    await browser.close()
    example.stop()
  }
}

async function versionOf(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'))
  return `${name} ${version}`
}

async function put(path: string, text: string): Promise<void> {
  const page = await readFile(path, 'utf8')
  if (!MARKED.test(page)) throw new Error(`honest-tool-calls: ${path} has no marks for what npm run compare writes`)
  await writeFile(
    path,
    page.replace(MARKED, (_, before, after) => `${before}\n${text}\n${after}`),
  )
}
