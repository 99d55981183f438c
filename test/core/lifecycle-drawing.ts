import { LEDGER_PHASES, type LedgerPhase } from '../../src/core/call.ts'
import type { Executor } from '../../src/core/tools.ts'
import { CALL_INPUT_TYPES, type CallInput } from '../../src/core/transition.ts'
import { cellOf, EXIT_OF, type Exit, GROUPS, type Target } from './lifecycle-table.ts'

/** What each way into `settled` is called in the drawing. */
const EXITS = {
  told: 'its executor said how it went',
  unfit: 'the call did not pass',
  stopped: 'the model was stopped',
  'broken-off': 'the stream broke off',
  refused: 'refused',
  withdrawn: 'withdrawn',
  unanswered: 'nobody answered in time',
} as const satisfies Record<Exit, string>

interface Edge {
  readonly from: LedgerPhase
  readonly to: Target
  readonly label: string
}

/** Which causes lead through each of the ways into `settled`, as a table; aligned, as the formatter would do it. */
export function drawExits(): string {
  const causes = Object.entries(EXIT_OF)
  const rows = Object.entries(EXITS).map(([exit, because]) => {
    const through = causes.filter(([, other]) => other === exit).map(([cause]) => `\`${cause}\``)
    return [because, through.join(', ')] as const
  })
  const all = [['settled, because', 'causes'] as const, ...rows]
  const left = Math.max(...all.map(([because]) => because.length))
  const right = Math.max(...all.map(([, through]) => through.length))
  const lines = all.map(([because, through]) => `| ${because.padEnd(left)} | ${through.padEnd(right)} |`)
  return [lines[0], `| ${'-'.repeat(left)} | ${'-'.repeat(right)} |`, ...lines.slice(1)].join('\n')
}

/** The drawing of one group of executors: first the edges between phases, then, apart, those into `settled`. */
export function drawLifecycle(group: keyof typeof GROUPS): string {
  const edges = edgesOf(GROUPS[group])
  const ways = edges.filter(({ to }) => !isExit(to))
  const exits = (Object.keys(EXITS) as Exit[]).filter((exit) => edges.some(({ to }) => to === exit))
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> preparing',
    ...ways.map(line),
    ...exits.flatMap((exit) => [
      '',
      `  state "settled: ${EXITS[exit]}" as ${nodeOf(exit)}`,
      ...edges.filter(({ to }) => to === exit).map(line),
    ]),
    '',
    '  classDef failure stroke-dasharray: 4',
    `  class ${exits.filter((exit) => exit !== 'told').map(nodeOf)} failure`,
    '```',
  ].join('\n')
}

function edgesOf(executors: readonly Executor[]): Edge[] {
  const edges: Edge[] = []
  for (const from of LEDGER_PHASES) {
    const targets = new Set(
      CALL_INPUT_TYPES.flatMap((input) => executors.flatMap((executor) => cellOf(executor, from, input) ?? [])),
    )
    // What stays where it is needs no arrow.
    targets.delete(from)
    for (const to of targets) {
      const labels = CALL_INPUT_TYPES.flatMap((input) => labelOf(input, from, to, executors) ?? [])
      edges.push({ from, to, label: labels.join(', ') })
    }
  }
  return edges
}

/** The input, with the executors it holds for where it does not hold for all of them; null where it leads elsewhere. */
function labelOf(
  input: CallInput['type'],
  from: LedgerPhase,
  to: Target,
  executors: readonly Executor[],
): string | null {
  const leading = executors.filter((executor) => cellOf(executor, from, input)?.includes(to))
  if (leading.length === 0) return null
  return leading.length === executors.length ? input : `${input} (${leading.join(', ')})`
}

function isExit(target: Target): target is Exit {
  return target in EXITS
}

function nodeOf(target: Target): string {
  return target.replaceAll('-', '_')
}

function line({ from, to, label }: Edge): string {
  return `  ${from} --> ${nodeOf(to)} : ${label}`
}
