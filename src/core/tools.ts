import type { StandardSchemaV1 } from '@standard-schema/spec'

/**
 * Who would run a call. Declared by the host, never guessed; `provider` comes from the wire alone.
 * - `local`: this process, behind this kit's gate
 * - `host`: this process, but somebody else's dispatcher
 * - `server`: the host's backend, beyond the stream
 * - `provider`: the model provider itself
 */
export type Executor = 'local' | 'host' | 'server' | 'provider'

/** What the host says about a tool. */
export interface ToolDeclaration<Args = unknown> {
  readonly executor: Exclude<Executor, 'provider'>
  /** Any Standard Schema validator (Zod, Valibot, ArkType, …; JSON Schema through `honest-tool-calls/json-schema`). */
  readonly schema?: StandardSchemaV1<unknown, Args>
  /** The tool can take nothing, so that a call cut before its arguments still means `{}`. Default `false`. */
  readonly noArguments?: boolean
  /** Shown in place of the name. Default: the name. */
  readonly title?: string
  /** The top-level members a preview may show. Default: all but `sensitive`. */
  readonly display?: readonly string[]
  /** Top-level members that no preview shows. Default: none. */
  readonly sensitive?: readonly string[]
  /** A business rule over valid arguments; a returned string is the reason for refusing them. */
  readonly check?: (args: Args) => string | undefined | Promise<string | undefined>
}

/** The declared tools by name. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has its own argument type, and `check` is contravariant in it.
export type Tools = Readonly<Record<string, ToolDeclaration<any>>>

/** What the host declares, with its default filled in. */
export interface Registry {
  readonly tools: Tools
  /** Who runs a tool that is not declared. Default `server`: the choice that claims least. */
  readonly defaultExecutor: Exclude<Executor, 'provider'>
}

/** The declaration of a tool, or undefined. Own members only: a model may well ask for a tool called `constructor`. */
export function toolOf(registry: Registry, name: string | null): ToolDeclaration | undefined {
  return name !== null && Object.hasOwn(registry.tools, name) ? registry.tools[name] : undefined
}

/** Who would run a call of this name. */
export function executorOf(registry: Registry, name: string | null): Executor {
  return name === null ? executorOfNameless(registry) : (toolOf(registry, name)?.executor ?? registry.defaultExecutor)
}

/** A call whose name is still to come may be any tool's: whoever of them lets us claim least. */
function executorOfNameless({ tools, defaultExecutor }: Registry): Executor {
  const possible = new Set([defaultExecutor, ...Object.values(tools).map(({ executor }) => executor)])
  return possible.has('host') ? 'host' : possible.has('server') ? 'server' : 'local'
}
