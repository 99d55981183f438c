// Which source file each entry of the package is built from. Read off package.json, so that an entry is named in one place only.
import { readFileSync } from 'node:fs'

const { exports, bin } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const built = [...Object.values(exports), ...Object.values(bin)]
  .map((target) => target.default ?? target)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice('./dist/'.length, -'.js'.length))

/** Source file by name of the built file, without its ending: `{ 'core': 'src/core.ts', … }`. */
export const entries = Object.fromEntries(built.map((name) => [name, `src/${name}.ts`]))
