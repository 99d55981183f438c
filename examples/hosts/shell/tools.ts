import type { StoreOptions, ToolDeclaration } from 'honest-tool-calls'
import { fromJsonSchema } from 'honest-tool-calls/json-schema/index.ts'
import { settings } from './settings.ts'

/** What each tool takes. */
export const parameters = {
  create_ticket: {
    type: 'object',
    properties: { title: { type: 'string' }, priority: { enum: ['low', 'normal', 'high'] } },
    required: ['title', 'priority'],
    additionalProperties: false,
  },
  send_payment: {
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'number' } },
    required: ['to', 'amount'],
    additionalProperties: false,
  },
  refresh_list: { type: 'object', properties: {}, additionalProperties: false },
}

/** Whether the host runs the tools in this page. */
export const runsHere = settings.executor !== 'server'

/** Whether the kit keeps calls from the host until they have passed. */
export const gate = settings.executor === 'page'

/** Whether this kit is in the page at all, or only what the host shows by itself: to compare the two. */
export const withKit = settings.block === 'kit'

/** The tools of this page, as the store is told of them. */
export const tools = Object.fromEntries(
  Object.entries(parameters).map(([name, schema]): [string, ToolDeclaration] => [
    name,
    { executor: runsHere ? 'host' : 'server', ...fromJsonSchema(schema) },
  ]),
)

/** Short ones, to see a silence end; an application keeps those that are built in. */
export const deadlines: NonNullable<StoreOptions['deadlines']> =
  settings.deadlines === 'default' ? {} : { idle: 1_000, idleEvents: 1_000, run: 1_000, finish: 1_000, handoff: 1_000 }

/** Runs a tool of this page: it is written down below the chat, and that is all. */
export async function runTool(name: string, input: unknown): Promise<{ readonly ok: true }> {
  const line = document.createElement('li')
  line.textContent = `${name} ${JSON.stringify(input)}`
  document.getElementById('runs')?.append(line)
  await new Promise((resolve) => setTimeout(resolve, 100))
  return { ok: true }
}
