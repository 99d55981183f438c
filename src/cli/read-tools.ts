import { isRecord } from '../core/json.ts'
import type { ToolDeclaration, Tools } from '../core/tools.ts'
import { fromJsonSchema, type JsonSchema } from '../json-schema/index.ts'
import { quoted, Refusal } from './refusal.ts'

// Who runs a provider's own tool comes from the wire; until it says so, the choice that claims least.
const EXECUTORS = { local: 'local', host: 'host', server: 'server', provider: 'server' } as const

/**
 * Reads the tools from the text of a tools file.
 * @param file its name, for what is said of it
 * @throws {Refusal} if it is none
 */
export function readTools(file: string, text: string): Tools {
  const entries = parse(file, text)
  if (!Array.isArray(entries)) throw new Refusal(`${file} must be an array: [{ "name", "executor", "parameters" }]`)
  const tools = new Map<string, ToolDeclaration>()
  for (const [place, entry] of entries.entries()) {
    const name: unknown = isRecord(entry) ? entry.name : undefined
    if (typeof name !== 'string' || name === '') throw new Refusal(`${file}: entry ${place + 1} has no "name"`)
    if (tools.has(name)) throw new Refusal(`${file}: the tool ${quoted(name)} is there twice`)
    tools.set(name, toolOf(file, name, entry as Readonly<Record<string, unknown>>))
  }
  return Object.fromEntries(tools)
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(`${file} is not JSON`)
  }
}

function toolOf(
  file: string,
  name: string,
  { executor = 'server', parameters }: Readonly<Record<string, unknown>>,
): ToolDeclaration {
  if (typeof executor !== 'string' || !Object.hasOwn(EXECUTORS, executor)) {
    const known = Object.keys(EXECUTORS).join(', ')
    throw new Refusal(`${file}: the executor of ${quoted(name)} is not one of ${known}`)
  }
  const declared = { executor: EXECUTORS[executor as keyof typeof EXECUTORS] }
  return parameters === undefined ? declared : { ...declared, ...schemaOf(file, name, parameters) }
}

function schemaOf(file: string, name: string, parameters: unknown): Pick<ToolDeclaration, 'schema' | 'noArguments'> {
  try {
    return fromJsonSchema(parameters as JsonSchema)
  } catch (error) {
    const [why = ''] = (error as Error).message.replace('honest-tool-calls: ', '').split('. ')
    throw new Refusal(`${file}: the parameters of ${quoted(name)}: ${why}`)
  }
}
