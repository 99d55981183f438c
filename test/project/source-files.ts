import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'

/** What the project's rules need to know of a source file. Read off its syntax tree, so that comments never count. */
export interface SourceFile {
  readonly path: string
  /** Imported and re-exported modules, types too: a path from the root for our own, else the name as written. */
  readonly imports: readonly string[]
  /** The imports that are there for their types only: nothing is left of them in the build. */
  readonly typeImports: ReadonlySet<string>
  /** Values read by name, such as `setTimeout` or `JSON.parse`; `globalThis.x` and `window.x` count as `x`. */
  readonly uses: ReadonlySet<string>
  /** Every name that occurs at all: variables, members, attributes, elements. */
  readonly names: ReadonlySet<string>
}

export function sourceFiles(): SourceFile[] {
  return filesUnder('src')
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readSource(path, readFileSync(path, 'utf8')))
}

/** All files under a folder of the repository, as paths from its root. */
export function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => posix.join(entry.parentPath, entry.name))
}

export function readSource(path: string, code: string): SourceFile {
  const { program, errors } = parseSync(path, code)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const imports: Import[] = []
  const uses = new Set<string>()
  const names = new Set<string>()
  const root: object = program
  if (!isNode(root)) throw new Error(`${path}: no syntax tree`)
  collectNames(root, imports, names)
  collectUses(root, uses)
  const loaded = new Set(imports.filter(({ forTypes }) => !forTypes).map(({ specifier }) => fromRoot(path, specifier)))
  const all = [...new Set(imports.map(({ specifier }) => fromRoot(path, specifier)))]
  return { path, imports: all, typeImports: new Set(all.filter((imported) => !loaded.has(imported))), uses, names }
}

interface Import {
  readonly specifier: string
  readonly forTypes: boolean
}

function fromRoot(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function collectNames(node: Node, imports: Import[], names: Set<string>): void {
  // `import`, `export … from`, `import()` and the type `import('…')` all keep their module in `source`.
  if (isNode(node.source) && typeof node.source.value === 'string') {
    const forTypes = node.type === 'TSImportType' || (node.importKind ?? node.exportKind) === 'type'
    imports.push({ specifier: node.source.value, forTypes })
  }
  if (typeof node.name === 'string') names.add(node.name)
  for (const child of childrenOf(node)) collectNames(child, imports, names)
}

function collectUses(node: Node, uses: Set<string>): void {
  if (node.type.startsWith('TS')) {
    // A type uses no value; `x as T`, `x satisfies T` and `x!` hold one.
    if (isNode(node.expression)) collectUses(node.expression, uses)
    return
  }
  const path = dotted(node)
  if (path !== undefined) {
    const parts = path.split('.')
    if (['globalThis', 'window', 'self'].includes(parts[0] ?? '')) uses.add(parts.shift() ?? '')
    parts.forEach((_, index) => {
      uses.add(parts.slice(0, index + 1).join('.'))
    })
    return
  }
  // The key of `{ key: value }`, or the member of `(…).member`, is only a name.
  const isNamed = ['Property', 'MethodDefinition', 'PropertyDefinition', 'MemberExpression'].includes(node.type)
  const skipped = isNamed && node.computed === false ? (node.key ?? node.property) : undefined
  for (const child of childrenOf(node)) if (child !== skipped) collectUses(child, uses)
}

/** `a.b.c` for a chain of plain names, else undefined. */
function dotted(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node.name)
  if (node.type !== 'MemberExpression' || node.computed === true) return undefined
  if (!isNode(node.object) || !isNode(node.property)) return undefined
  const object = dotted(node.object)
  return object === undefined ? undefined : `${object}.${String(node.property.name)}`
}
