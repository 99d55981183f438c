import { expect, test } from 'vitest'
import { readSource } from './source-files.ts'

test('every way to import counts, types included, and relative paths are resolved', () => {
  const { imports, typeImports } = readSource(
    'src/store/store.ts',
    `import type { A } from '../core/events.ts'
     export { b } from './frame.ts'
     export * from 'zustand/vanilla'
     type C = import('node:fs').Stats
     const d = import('react')`,
  )
  expect(imports).toEqual(['src/core/events.ts', 'src/store/frame.ts', 'zustand/vanilla', 'node:fs', 'react'])
  expect([...typeImports]).toEqual(['src/core/events.ts', 'node:fs'])
})

test('a global counts as used by its name, by its member and through globalThis', () => {
  const { uses } = readSource('src/a.ts', 'setTimeout(f, 1); globalThis.JSON.parse(text); const now = Date.now')
  expect([...uses]).toEqual(expect.arrayContaining(['setTimeout', 'JSON.parse', 'Date.now', 'Date']))
})

test('comments, types, keys and the members of other objects are no uses', () => {
  const { uses } = readSource(
    'src/a.ts',
    `// setTimeout
     type Timer = ReturnType<typeof setTimeout>
     const clock = { setTimeout: 1 }
     clock.setTimeout
     make().setTimeout`,
  )
  expect(uses).not.toContain('setTimeout')
})

test('attributes and elements are among the names', () => {
  const { names } = readSource('src/a.tsx', 'const a = <style dangerouslySetInnerHTML={b} />')
  expect([...names]).toEqual(expect.arrayContaining(['style', 'dangerouslySetInnerHTML']))
})
