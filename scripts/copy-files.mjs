// What is shipped as it is written: the style sheet needs no build, and its custom properties stay readable; the schemas are data.
import { copyFileSync, readdirSync } from 'node:fs'

const schemas = readdirSync(new URL('../src/schemas/', import.meta.url)).map((file) => `schemas/${file}`)

for (const file of ['styles.css', ...schemas]) {
  const name = file.slice(file.lastIndexOf('/') + 1)
  copyFileSync(new URL(`../src/${file}`, import.meta.url), new URL(`../dist/${name}`, import.meta.url))
}
