import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync('src/styles.css', 'utf8').replace(/\/\*.*?\*\//gs, '')
const usage = readFileSync('docs/usage.md', 'utf8')

/** The blocks of declarations that set this variable, each as its variables in order. */
function blocksWith(variable: string): readonly (readonly string[])[] {
  return [...css.matchAll(/\{([^{}]*)\}/g)]
    .map(([, declarations = '']) => [...declarations.matchAll(/(--htc-[\w-]+):/g)].map(([, name = '']) => name))
    .filter((names) => names.includes(variable))
}

test('each theme sets every colour', () => {
  const themes = blocksWith('--htc-surface')
  expect(themes).toHaveLength(3)
  for (const theme of themes) expect(theme).toEqual(themes[0])
})

test('the page on use names every variable a host may set, and no other', () => {
  const named = new Set(usage.match(/--htc-[\w-]+/g))
  const settable = new Set([...(blocksWith('--htc-surface')[0] ?? []), ...(blocksWith('--htc-radius')[0] ?? [])])
  expect(named).toEqual(settable)
})

test('no rule has a side or a size that does not turn around with the text', () => {
  const properties = [...css.matchAll(/(?<=[;{]\s*)([\w-]+)(?=:)/g)].map(([property]) => property)
  expect(properties).toContain('margin-block')
  expect(
    properties.filter((property) => /\b(left|right|top|bottom)\b|^(max-|min-)?(width|height)$/.test(property)),
  ).toEqual([])
})

test('everything but the announcer is in the layer and has no specificity', () => {
  const [layer = '', outside = ''] = css.split(/^\}$/m)
  expect(layer.trim()).toMatch(/^@layer honest-tool-calls \{/)
  const selectors = [...layer.matchAll(/(?<=[{}])[^{};]+(?=\{)/g)].map(([selector]) => selector.trim())
  expect(selectors.length).toBeGreaterThan(20)
  expect(selectors.filter((selector) => !/^(:where\(|@media |@keyframes |to$)/.test(selector))).toEqual([])
  expect(outside.match(/^[^\s{}][^{}]*(?= \{)/gm)).toEqual(['.htc-announcer'])
})
