import type { FaultName } from '../../test/hosts/common.ts'
import type { Comparing, Outcome } from './comparisons.ts'
import { quoted } from './quoted.ts'

/** When, and with what, it was measured. */
export interface Conditions {
  readonly date: string
  readonly versions: readonly string[]
}

/** The rows of the README: one for each way in which a reply can break off. */
const TELLING: readonly FaultName[] = [
  'the connection drops',
  'a clean end in mid arguments',
  'a stall',
  'a stop by the user',
  'a reload in mid arguments',
  'details that do not fit',
  'the stream dies while the tool runs',
]

/** Everything that was measured, for docs/compare.md. */
export function fullTables(compared: readonly Comparing[], { date, versions }: Conditions): string {
  const tables = compared.map(({ title, rows }) => {
    const cells = rows.map(({ fault, host, kit }) => [fault, code(host), count(host), kit.says, count(kit)])
    return `## ${title}\n\n${table(['what happens', 'its default says', 'runs', 'this kit says', 'runs'], cells)}`
  })
  const copied = Object.entries(quoted.says).map(([fault, words]) => [fault, ...words])
  return [
    `Measured on ${date} with ${versions.join(', ')}.`,
    ...tables,
    '## AI Elements and assistant-ui',
    'Their blocks are copied into an application, so that no package of theirs can be run here. Measured on ' +
      `${quoted.date}: ${quoted.aiElements}; ${quoted.assistantUi}; tools on the server, Anthropic’s events, jsdom, 20 s after the last event.`,
    table(['what happens', 'AI Elements', 'assistant-ui'], copied),
  ].join('\n\n')
}

/** The most telling of it, for the README: tools on the server. */
export function shortTable(compared: readonly Comparing[], { date }: Conditions): string {
  const onServer = (name: string) =>
    compared.find(({ host, executors }) => host === name && executors.kit === 'server')?.rows ?? []
  const rows = TELLING.map((name) => {
    const [copilot, tanstack] = ['copilotkit', 'tanstack-ai'].map((host) =>
      onServer(host).find(({ fault }) => fault === name),
    )
    const [elements = '', assistant = ''] =
      (quoted.says as { [Name in FaultName]?: readonly [string, string] })[name] ?? []
    return [name, ...[copilot, tanstack].map((row) => words(row?.host)), elements, assistant, words(copilot?.kit)]
  })
  const header = ['what happens', 'CopilotKit', 'TanStack AI', 'AI Elements', 'assistant-ui', 'this kit, in CopilotKit']
  return `${table(header, rows)}\n\nMeasured on ${date} in Chromium; AI Elements and assistant-ui, whose blocks are copied source, on ${quoted.date} in jsdom.`
}

/** The state that a block names, without the tool's name and the arguments. */
function words(outcome: Outcome | undefined): string {
  return (outcome?.says ?? '').replace(/^create_ticket ?(— )?/, '').replace(/ \{.*$/, ', the raw arguments')
}

function code({ says }: Outcome): string {
  return says === 'nothing' ? says : `\`${says}\``
}

function count({ runs }: Outcome): string {
  return String(runs)
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => [...(row[column] ?? '')].length)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => cells[column]?.concat(' '.repeat(width - [...(cells[column] ?? '')].length)) ?? '').join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
