import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { CauseNo } from './outcomes.ts'

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
  /**
   * Whether a person is asked first. For tools of ours, once the whole batch has passed its checks. A function that throws
   * asks. Default `false`.
   */
  readonly needsApproval?: boolean | ((args: Args) => boolean)
  /** Runs the tool; for `honest-tool-calls/dispatch`. What it throws says that it ran and failed. */
  readonly run?: (args: Args, call: RunningCall) => unknown
  /** Finds out what became of a run; for `honest-tool-calls/dispatch`. */
  readonly query?: (idempotencyKey: string) => PromiseLike<Finding> | Finding
  /** Milliseconds after which a run counts as "may have run". Default: the store's deadline `run`. */
  readonly timeout?: number
  /** Running it twice with one key is running it once: then it may be run again by that key. Default `false`. */
  readonly idempotent?: boolean
  /** Whether a block may offer to try a call of this tool again where its cause allows that. Default `false`. */
  readonly offersRetry?: boolean
  /** Whether a block may offer to find out what became of a call that may have run. Default: whether there is a `query`. */
  readonly offersCheck?: boolean
}

/** What a tool is given beside its arguments. */
export interface RunningCall {
  readonly callId: string
  /** The same in every run of one call: to be handed on to whatever has the side effect. */
  readonly idempotencyKey: string
  /** Aborted when the turn is cancelled, or the tool's time is up. */
  readonly signal: AbortSignal
}

/** What a query found out. */
export type Finding =
  /** `cause`: why not. Without one nothing is said of it, and nothing offered; `not-started` may be tried again. */
  | { readonly ran: 'no'; readonly cause?: CauseNo }
  | { readonly ran: 'yes'; readonly ok: boolean }
  | { readonly ran: 'unknown' }

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
