import { expect, test } from 'vitest'
import { type SourceFile, sourceFiles } from './source-files.ts'

const files = sourceFiles()

type Layer = (typeof layers)[number]['name']

// First match wins. Every file of src/ belongs to a layer.
const layers = [
  // The entry `./core` gathers all that needs no React; no other file of the core sees above it.
  { name: 'core-entry', at: /^src\/core\.ts$/ },
  { name: 'core', at: /^src\/core\// },
  { name: 'adapters', at: /^src\/adapters\// },
  { name: 'clock', at: /^src\/clock\.ts$/ },
  { name: 'deadlines', at: /^src\/(deadlines|silence|gaps)\.ts$/ },
  { name: 'record', at: /^src\/record\// },
  { name: 'json-schema', at: /^src\/json-schema\// },
  { name: 'store', at: /^src\/store\// },
  { name: 'pump', at: /^src\/(pump|feed)\.ts$/ },
  // What is said of a part that was stored, with neither a stream nor a store behind it.
  { name: 'stored', at: /^src\/stored-(view|label)\.ts$/ },
  { name: 'dispatch', at: /^src\/dispatch\// },
  { name: 'server', at: /^src\/server\// },
  { name: 'react', at: /^src\/react\// },
  { name: 'integrations', at: /^src\/integrations\// },
  {
    name: 'integration-entry',
    at: /^src\/(ai-sdk|assistant-ui|copilotkit|langchain-react|langgraph|tanstack-ai)\.ts$/,
  },
  { name: 'testing', at: /^src\/testing\// },
  { name: 'cli', at: /^src\/cli\// },
  { name: 'index', at: /^src\/index\.ts$/ },
] as const

const belowStore = ['core', 'adapters', 'clock', 'deadlines', 'record', 'json-schema'] as const
const belowReact = [...belowStore, 'store', 'pump', 'dispatch', 'server'] as const

/** Which other layers each one may import. */
const mayImport = {
  'core-entry': [...belowStore, 'store', 'pump', 'stored'],
  core: [],
  adapters: ['core'],
  clock: ['core'],
  deadlines: ['core', 'clock'],
  record: ['core'],
  'json-schema': ['core'],
  store: belowStore,
  pump: [...belowStore, 'store'],
  stored: ['core', 'adapters'],
  dispatch: [...belowStore, 'store', 'pump'],
  server: [...belowStore, 'store', 'pump', 'dispatch'],
  react: [...belowStore, 'store'],
  integrations: [...belowStore, 'store', 'pump', 'stored', 'react'],
  'integration-entry': ['integrations'],
  testing: belowReact,
  cli: [...belowReact, 'testing'],
  index: [...belowStore, 'store', 'pump', 'core-entry', 'react'],
} satisfies Record<Layer, readonly Layer[]>

/** Which files may import a package, some for its types only. A package that is not here may not be imported at all. */
const packages = [
  { name: /^react(-dom)?($|\/)/, by: /^src\/(react|integrations)\//, typesOnly: false },
  { name: /^zustand($|\/)/, by: /^src\/(store|react)\//, typesOnly: false },
  { name: /^partial-json$/, by: /^src\/core\/preview\.ts$/, typesOnly: false },
  { name: /^eventsource-parser$/, by: /^src\/adapters\//, typesOnly: false },
  { name: /^@cfworker\/json-schema$/, by: /^src\/json-schema\//, typesOnly: false },
  { name: /^@noble\/hashes\//, by: /^src\/record\/digest\.ts$/, typesOnly: false },
  { name: /^@standard-schema\/spec$/, by: /^src\//, typesOnly: true },
  { name: /^node:/, by: /^src\/(cli|server)\//, typesOnly: false },
  // The official SDKs know their own wire; a user of an adapter does not have to install them.
  {
    name: /^(openai|@anthropic-ai\/sdk|ai|@ag-ui\/core|@tanstack\/ai|@google\/genai|@aws-sdk\/client-bedrock-runtime|@mistralai\/mistralai|cohere-ai|ollama|@langchain\/(core|langgraph-sdk))($|\/)/,
    by: /^src\/(adapters|dispatch\/dialects|integrations)\//,
    typesOnly: true,
  },
  // The kits that a binding is for are there already, with its host.
  { name: /^@tanstack\/ai-(client|react)($|\/)/, by: /^src\/integrations\/tanstack-ai\//, typesOnly: true },
  { name: /^@assistant-ui\/react-ai-sdk$/, by: /^src\/integrations\/assistant-ui\//, typesOnly: true },
  { name: /^@assistant-ui\/react$/, by: /^src\/integrations\/assistant-ui\//, typesOnly: false },
  // Its channels are to be had by its own hook only.
  { name: /^@langchain\/react$/, by: /^src\/integrations\/langchain-react\//, typesOnly: false },
  {
    name: /^(@copilotkit\/react-core\/v2|rxjs)$/,
    by: /^src\/integrations\/copilotkit\//,
    typesOnly: false,
  },
]

/** Globals that a part of the sources may use in some of its files only. */
const globals = [
  {
    rule: 'the core knows neither time nor page nor network',
    uses: ['Date', 'performance', 'queueMicrotask', 'fetch', 'window', 'document'],
    within: /^src\/core\//,
    only: /^$/,
  },
  {
    rule: 'timers belong to the deadlines and their clock',
    uses: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
    within: /^src\//,
    only: /^src\/(deadlines|clock)\.ts$/,
  },
  {
    rule: 'animation frames belong to the frame scheduler',
    uses: ['requestAnimationFrame', 'cancelAnimationFrame'],
    within: /^src\//,
    only: /^src\/store\/frame\.ts$/,
  },
  {
    rule: 'the core parses JSON in two places',
    uses: ['JSON.parse'],
    within: /^src\/core\//,
    only: /^src\/core\/(strict-json|preview)\.ts$/,
  },
]

function layerOf(path: string): Layer | undefined {
  return layers.find(({ at }) => at.test(path))?.name
}

function mayImportPackage(file: SourceFile, imported: string): boolean {
  return packages.some(
    ({ name, by, typesOnly }) =>
      name.test(imported) && by.test(file.path) && (!typesOnly || file.typeImports.has(imported)),
  )
}

function mayImportFile(file: SourceFile, imported: string): boolean {
  const own = layerOf(file.path)
  const other = layerOf(imported)
  if (own === undefined || other === undefined) return false
  const allowed: readonly Layer[] = mayImport[own]
  return other === own || allowed.includes(other)
}

function wrongImports(file: SourceFile): string[] {
  return file.imports.filter((imported) =>
    imported.startsWith('src/') ? !mayImportFile(file, imported) : !mayImportPackage(file, imported),
  )
}

test('there are sources to look at', () => {
  expect(files.length).toBeGreaterThan(0)
})

test('every source file belongs to a layer', () => {
  expect(files.map(({ path }) => path).filter((path) => layerOf(path) === undefined)).toEqual([])
})

test('a file imports only from its own layer, from those below it and from the packages it may use', () => {
  const wrong = files.flatMap((file) => wrongImports(file).map((imported) => `${file.path} imports ${imported}`))
  expect(wrong).toEqual([])
})

test('the tolerant parser has exactly one importer', () => {
  const importers = files.filter(({ imports }) => imports.includes('partial-json')).map(({ path }) => path)
  expect(importers).toEqual(['src/core/preview.ts'])
})

for (const { rule, uses, within, only } of globals) {
  test(rule, () => {
    const wrong = files
      .filter(({ path }) => within.test(path) && !only.test(path))
      .flatMap((file) => uses.filter((use) => file.uses.has(use)).map((use) => `${file.path} uses ${use}`))
    expect(wrong).toEqual([])
  })
}
